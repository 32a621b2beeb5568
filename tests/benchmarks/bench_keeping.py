"""How fast what is kept is computed again, verified, copied and put back.

python -m tests.benchmarks.bench_keeping

Over chains as model minds play them: two seats, notes for memory, one judge. The goal of
`troupe verify` is multiplied by the machine's speed.
"""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import uvloop

from actors.social.actions import Action
from actors.social.setup import EpisodeRules
from events.agent import ModelAnswered, ModelAsked
from events.base import Event
from events.chain import ChainAdvanced, ChainStarted
from events.episode import ActionTaken, EpisodeEnded
from events.evaluation import EvaluationEnded, EvaluationStarted, JudgeSpec, Scored
from events.memory import MemoryOpened, MemoryRecalled, MemorySpec, MemoryWritten, Note
from events.minds import MindSpec
from events.run import Plan, RunPlanned
from events.wire.subjects import agent_stream, memory_stream, stream_name
from gateway.process.logs import set_up_logs
from store.backups import back_up, restore
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.projections.maintenance.projector import catch_up
from store.projections.maintenance.rebuild import rebuild
from store.verification import verify
from tests.benchmarks.bench_store import postgresql
from tests.benchmarks.episodes import CAST, LINE, started
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row
from tests.support.builders import opened

CHAINS, LENGTH, TURNS, SCORES = 50, 40, 20, 14
RUN = "r1"
REBUILT_PER_S, VERIFIED_PER_S = 50_000, 100_000
TRIES = 3
"""The best counts: it is the one that little else disturbed."""
MEMORY = MemorySpec(name="summary", module="summary")
MIND = MindSpec(name="stub", kind="model")
JUDGE = JudgeSpec(name="strict", kind="model", dimensions=())
NOTE = Note(overview=LINE * 12, strategies=LINE * 4, knowledge=LINE * 4)


def asked(turn: int, purpose: str, text: str) -> list[Event]:
    """A question and its answer."""
    question = {"turn": turn, "attempt": 0, "request_hash": f"{turn:064x}"}
    return [
        ModelAsked(**question, purpose=purpose, model="openai/stub", max_tokens=512),  # type: ignore[arg-type]
        ModelAnswered(
            **question,  # type: ignore[arg-type]
            text=text,
            model="stub",
            input_tokens=1800,
            output_tokens=60,
            cost_usd=0.0012,
            latency_s=0.8,
            finish_reason="stop",
        ),
    ]


def happenings(chain: str, index: int) -> Iterator[tuple[str, list[Event]]]:
    """Appends, each with its stream, of an episode and what is remembered and thought of it."""
    episode = f"{chain}e{index}"
    for seat in range(2):
        yield (
            memory_stream(chain, seat),
            [
                MemoryRecalled(
                    index=index, episode=episode, recalled=(*range(index),), tokens=99, limit=9999
                )
            ],
        )
    own, answer = stream_name("episode", episode), f'{{"action": "speak", "text": "{LINE}"}}'
    yield own, [started(TURNS, MIND)]
    for turn in range(1, TURNS + 1):
        seat = turn % 2
        yield own, [opened(turn, (seat,))]
        yield agent_stream(episode, seat), asked(turn, "act", answer)
        yield own, [ActionTaken(turn=turn, seat=seat, action=Action(kind="speak", text=LINE))]
    yield own, [EpisodeEnded(reason="turn_cap", turn=TURNS)]
    for seat in range(2):
        written = MemoryWritten(index=index, episode=episode, note=NOTE, words=250, tokens=400)
        yield memory_stream(chain, seat), [*asked(index, "remember", NOTE.overview), written]
    yield (
        stream_name("chain", chain),
        [ChainAdvanced(index=index, episode=episode, outcome="ended")],
    )
    began = EvaluationStarted(episode=episode, upto=41, judge=JUDGE, judge_hash="h", run=RUN)
    scores = [
        Scored(seat=n % 2, dimension=f"d{n // 2}", value=5.0, reason=LINE, evidence=(2, 4))
        for n in range(SCORES)
    ]
    ended = EvaluationEnded(scored=SCORES, failed=0, abstained=0)
    yield stream_name("evaluation", episode), [began, *asked(0, "judge", LINE * 10)]
    yield stream_name("evaluation", episode), [*scores, ended]


def fill(store: EventStore) -> int:
    """Play all chains side by side; how many events that were."""

    async def chain(id_: str) -> None:
        async def happened(stream: str, *events: Event) -> None:
            await store.append_soon(stream, ANY, events, correlation=RUN)

        characters = tuple(character.id for character in CAST)
        episodes = tuple(f"{id_}e{index}" for index in range(LENGTH))
        begun = ChainStarted(
            run=RUN,
            catalog="bench",
            characters=characters,
            minds=(MIND, MIND),
            memory=MEMORY,
            episodes=episodes,
            scenarios=("s1",) * LENGTH,
        )
        await happened(stream_name("chain", id_), begun)
        for seat, character in enumerate(characters):
            opened = MemoryOpened(chain=id_, seat=seat, character=character, memory=MEMORY, run=RUN)
            await happened(memory_stream(id_, seat), opened)
        for index in range(LENGTH):
            for stream, events in happenings(id_, index):
                await happened(stream, *events)

    async def chains() -> None:
        await asyncio.gather(*(chain(f"c{number}") for number in range(CHAINS)))

    planned = RunPlanned(
        plan=Plan(
            name="bench",
            environment="social",
            settings=EpisodeRules(),
            catalog="bench",
            minds=(MIND,),
        ),
        episodes=(),
    )
    store.append(stream_name("run", RUN), ANY, [planned], correlation=RUN)
    uvloop.run(chains())
    return store.head()


def best_of(work: Callable[[], object], tries: int = TRIES) -> float:
    """The seconds that the quickest try takes."""
    took = []
    for _ in range(tries):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return min(took)


def speed(what: str, events: int, seconds: float, goal: int, beside: str = "") -> Row:
    """A line of events per second."""
    reached = events / seconds
    return Row(what, f"{reached:,.0f}/s", beside, f"≥ {goal:,}/s", reached >= goal)


def at_speed(
    what: str, events: int, seconds: float, goal: int, machine: float, beside: str = ""
) -> Row:
    """The same, of a goal for a machine of speed 1.0, where this one has another speed."""
    here = round(goal * machine)
    row = speed(what, events, seconds, here, beside)
    return msgspec.structs.replace(row, goal=f"{row.goal} ({goal:,}/s at speed 1.0)")


def store_rows(name: str, url: str) -> Iterator[Row]:
    """Of one backend."""
    with closing(open_store(url, durable=False)) as store:
        events = fill(store)
        catching_up = best_of(lambda: catch_up(store), 1)
        anew = best_of(lambda: rebuild(store))
        beside = f"catching up: {events / catching_up:,.0f}/s"
        yield speed(f"projections rebuilt, {name}", events, anew, REBUILT_PER_S, beside)

        def look() -> None:
            verified = verify(store)
            assert verified.sound, verified.defects
            assert verified.events == events

        took, beside = best_of(look), f"{events:,} events, {took_s(anew)} to rebuild"
        yield at_speed(
            f"troupe verify, {name}", events, took, VERIFIED_PER_S, machine_speed(), beside
        )


def took_s(seconds: float) -> str:
    """A duration."""
    return f"{seconds:.1f} s"


def backup_rows(folder: Path) -> Iterator[Row]:
    """Of the store that is in the folder; nothing is written to it meanwhile."""
    file, made = folder / "troupe.db", iter(range(2 * TRIES))
    size = file.stat().st_size / 1e6
    copying = best_of(lambda: shutil.copyfile(file, folder / "copied.db"))
    beside = f"a plain copy: {size / copying:,.0f} MB/s"
    url, names = f"sqlite:///{file}", [folder / f"backup-{n}.db" for n in made]
    waiting = iter(names)
    backing = best_of(lambda: back_up(url, next(waiting)))
    yield Row("troupe backup, looked through", f"{size / backing:,.0f} MB/s", beside)
    putting = best_of(lambda: restore(names[0], url, replace=True))
    yield Row("troupe restore, looked through", f"{size / putting:,.0f} MB/s", f"{size:,.0f} MB")


def rows() -> Iterator[Row]:
    """The table."""
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        folder = Path(name)
        yield from store_rows("SQLite", f"sqlite:///{folder}/troupe.db")
        yield from backup_rows(folder)
    with postgresql() as url:
        yield from store_rows("PostgreSQL", url)


def main() -> None:
    """Print the table."""
    set_up_logs("warning")
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
