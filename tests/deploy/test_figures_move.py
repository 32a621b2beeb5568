"""Every promised figure moves when what it counts happens, and none has more series for it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from actors.runtime.actors.host import ActorHost
from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.actors.supervision import RestartPolicy
from events.episode import EpisodeFailed
from store.errors import Conflict
from store.log.event_store import NEW, EventStore
from store.projections.maintenance.projection_lag import Lags
from tests.deploy.test_monitoring import NAMED
from tests.support.managed_episodes import open_at
from tests.support.runs import carry_out_here, model_minds, plan, record, settings_of
from tests.support.servers.stub_llm import StubServer, StubSettings

EVENT = EpisodeFailed(reason="a test", attempts=1)

Series = Mapping[tuple[str, tuple[tuple[str, str], ...]], float]


def series() -> Series:
    """Every series of this process and its value."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in REGISTRY.collect()
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def moved(before: Series, after: Series) -> set[str]:
    """The families of which a series is new or has another value."""
    names = {name for (name, labels), value in after.items() if before.get((name, labels)) != value}
    return names | {
        name.removesuffix(suffix) for name in names for suffix in ("_bucket", "_sum", "_count")
    }


class Broken(LoopActor):
    """Fails at whatever it is told."""

    def on_receive(self, message: object) -> object:
        raise KeyError(message)


class BrokenFactory:
    kind = "broken"

    def __init__(self) -> None:
        self.given_up = asyncio.Event()

    def create(self, id_: str, /) -> LoopActor:
        return Broken()

    async def give_up(self, id_: str, reason: str, attempts: int, /) -> None:
        self.given_up.set()


async def fail_an_actor() -> None:
    factory = BrokenFactory()
    host = ActorHost([factory], policy=RestartPolicy(attempts=1))
    host.tell("broken", "b1", "anything")
    await factory.given_up.wait()
    await host.stop()


def lose_a_race(store: EventStore) -> None:
    store.append("episode-raced", NEW, [EVENT])
    with pytest.raises(Conflict):
        store.append("episode-raced", NEW, [EVENT])


JUDGE = """
name = "stub"
model = "openai/stub"
adapter = "direct"
base_url = "{url}"
"""


async def play(folder: Path, store: EventStore, url: str, tasks: int, repeats: int) -> None:
    (folder / "judge.toml").write_text(JUDGE.format(url=url))
    text = plan(
        model_minds(url, input_usd_per_million=1.0, output_usd_per_million=2.0),
        tasks=tasks,
        repeats=repeats,
        rules="turn_cap = 4",
        judges='["judge.toml"]',
    )
    run = record(store, folder, text)
    await carry_out_here(settings_of(folder, store, None, "figures"), store, run)


@pytest.mark.long
async def test_every_promised_figure_moves(tmp_path: Path) -> None:
    store = open_at(tmp_path)
    before = series()
    # With latency: requests under way are to be seen.
    faults = StubSettings(rate_limited=0.2, truncated=0.3, latency_s=0.02)
    async with StubServer(faults) as stub:
        watching = asyncio.create_task(play(tmp_path, store, stub.url, 3, 2))
        seen: set[str] = set()
        while not watching.done():
            # Gauges that come back to where they were are to be seen on their way.
            seen |= moved(before, series())
            await asyncio.sleep(0.01)
        await watching
    await fail_an_actor()
    lose_a_race(store)
    await asyncio.to_thread(Lags(store).look)
    seen |= moved(before, series())
    store.close()
    assert {name for name in NAMED if not name.startswith("troupe_ws_")} <= seen


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_a_thousand_episodes_make_no_more_series_than_fifty(tmp_path: Path) -> None:
    store = open_at(tmp_path)
    text = plan(tasks=10, repeats=5, rules="turn_cap = 4", judges='["rehearsal-strict"]')
    settings = settings_of(tmp_path, store, None, "flat")
    await carry_out_here(settings, store, record(store, tmp_path, text))
    few = set(series())
    text = text.replace("repeats = 5", "repeats = 100").replace("seed = 3", "seed = 4")
    await carry_out_here(settings, store, record(store, tmp_path, text))
    more = set(series())
    store.close()
    # What was never met before may be new (another ending, another error): a few, not one each.
    assert len(more) - len(few) < 10
