"""Rounds of chaos: a run each, something terrible at a random moment of it, then a look."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import msgspec

from actors.runs.forecast.forecast import forecast
from actors.runs.state import load_run
from gateway.services.runs.plan_run import prepare, record_run
from store.errors import StoreUnavailable
from tests.faults.chaos.checks import Told, crossings, read_round, violations
from tests.faults.chaos.faults import FAULTS, Struck, drawn
from tests.faults.chaos.fleet import Fleet, fleet_in
from tests.faults.chaos.recovery import recoveries
from tests.faults.chaos.signing import KEY_VARIABLE
from tests.support.runs import chain_plan, model_minds

CHAINS, LENGTH, TURNS = 2, 15, 3
BRIEF = """
[memories.brief]
module = "summary"
words_low = 20
words_high = 40
"""
ROUND_S = 120.0
"""A run that has not ended by then is stuck; the machine may be busy with other tests."""
ROUNDS_A_FLEET = 20
"""After so many a fleet is replaced: what is compared with a rebuild grows with each."""


class Round(msgspec.Struct, kw_only=True):
    """What became of a round."""

    seed: int
    """``make chaos ROUNDS=1 SEED=<seed>`` repeats it."""
    run: str
    struck: list[Struck]
    events: int
    asked: int
    """Requests to the model server."""
    crossed: int
    """Those of them that should not have been: ``checks.crossings``."""
    seconds: float
    """From the run's beginning to its end."""
    looked: float
    """How long it took to make all whole again, and to look at it: seconds."""
    recoveries: list[float]
    """For each episode that a fault found under way: seconds from the fault to its next event."""
    violations: list[str]

    @property
    def kind(self) -> str:
        """Which fault struck, or that there were several."""
        return self.struck[0].kind if len(self.struck) == 1 else "two at once"


async def play_rounds(folder: Path, rounds: int, seed: int, only: str = "") -> AsyncIterator[Round]:
    """Play so many rounds, with the seeds ``seed``, ``seed + 1``, …; each as soon as it is over.
    ``only``: the fault that strikes in each."""
    for first in range(0, rounds, ROUNDS_A_FLEET):
        place = folder / f"fleet-{seed + first}"
        place.mkdir(parents=True)
        async with fleet_in(place) as fleet:
            for number in range(first, min(first + ROUNDS_A_FLEET, rounds)):
                yield await play_round(fleet, seed + number, only)


async def play_round(fleet: Fleet, seed: int, only: str = "") -> Round:
    """One run with what happens to it."""
    draw = random.Random(seed)
    kinds = drawn(seed, draw, only)
    moment = draw.uniform(0.03, 0.85)
    after = await asyncio.to_thread(fleet.store.head)
    fleet.stub.asked.clear()
    run, calls = await asyncio.to_thread(begin, fleet)
    begun = asyncio.get_running_loop().time()
    over = asyncio.ensure_future(ended(fleet, run))
    async with asyncio.TaskGroup() as faults:
        striking = []
        for kind in kinds:
            answers = moment * calls
            own = random.Random(draw.random())
            striking.append(faults.create_task(_strike(fleet, kind, answers, own, over)))
            moment += draw.uniform(0.0, 0.1)
    struck = [task.result() for task in striking]
    in_time = await over
    seconds = asyncio.get_running_loop().time() - begun
    over_at = asyncio.get_running_loop().time()
    await fleet.heal()
    found = [] if in_time else [f"run {run} did not end within {ROUND_S:g} s"]
    seen = [seen for member in fleet.members.values() for seen in member.seen()]
    asked = list(fleet.stub.asked)

    def look() -> tuple[Told, list[str], list[float]]:
        told = read_round(fleet.store, run, after, asked, seen)
        found = recoveries(fleet.store, told, struck[0])
        return told, violations(fleet.store, told, after), found

    told, wrong, times = await asyncio.to_thread(look)
    return Round(
        seed=seed,
        run=run,
        struck=struck,
        events=len(told.envelopes),
        asked=len(asked),
        crossed=crossings(told),
        seconds=seconds,
        looked=asyncio.get_running_loop().time() - over_at,
        recoveries=times,
        violations=found + wrong,
    )


async def _strike(
    fleet: Fleet, kind: str, answers: float, draw: random.Random, over: asyncio.Future[bool]
) -> Struck:
    """Do it once the model has answered so often in this round."""
    late = draw.uniform(0.0, 0.05)
    while sum(asked.paid for asked in fleet.stub.asked) < answers and not over.done():
        await asyncio.sleep(0.005)
    await asyncio.sleep(late)
    return await FAULTS[kind](fleet, draw)


def begin(fleet: Fleet) -> tuple[str, int]:
    """Leave a run to the coordinator; its id, and how many calls to the model it means."""
    path = fleet.folder / "plan.toml"
    path.write_text(plan_of(fleet.stub.url, LENGTH))
    prepared = prepare(fleet.store, path)
    record_run(fleet.store, prepared, detached=True)
    expected = forecast(prepared.planned, prepared.catalog)
    return prepared.run, expected.play_calls + expected.note_calls


def plan_of(url: str, length: int) -> str:
    """The plan of a round, with the model server at ``url`` and chains of so many episodes."""
    minds = model_minds(url, timeout_s=1.0, retries=6)
    return chain_plan(
        length=length,
        pairs=CHAINS,
        memory='["brief"]',
        minds=f'{minds}\napi_key_env = "{KEY_VARIABLE}"\n{BRIEF}',
        pairings='"same"',
        turn_cap=TURNS,
        judges='["rehearsal-strict"]',
    )


async def ended(fleet: Fleet, run: str) -> bool:
    """Whether the run ends in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ROUND_S):
            while True:
                with suppress(StoreUnavailable):
                    state = await asyncio.to_thread(load_run, fleet.store, run)
                    if state is not None and state.status == "ended":
                        return True
                await asyncio.sleep(0.05)
    return False
