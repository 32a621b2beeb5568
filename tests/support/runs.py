"""Whole runs for tests: plans as text, recorded in a store and carried out in this process."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from actors.episodes.rules.decide import EpisodeState
from actors.runs.execution.coordinator import Progress, Work, carry_out, end_run
from actors.runs.state import RunState, load_run
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.agent import ModelAnswered
from events.base import Event
from events.serialization.codec import event_of
from gateway.process.worker_node import WorkerNode
from gateway.services.runs.plan_run import prepare, record_run
from gateway.settings import Settings
from store.log.event_store import EventStore

REHEARSAL_MINDS = """
[minds.generous]
kind = "rehearsal"
temper = "generous"

[minds.stubborn]
kind = "rehearsal"
temper = "stubborn"
"""

REMOTE_MINDS = """
[minds.far]
kind = "remote"
"""


def plan(
    minds: str = REHEARSAL_MINDS,
    *,
    tasks: int = 2,
    pairings: str = '"all"',
    repeats: int = 1,
    judges: str = "[]",
    concurrency: int = 16,
    rules: str = "",
    budget: str = "",
) -> str:
    """A plan file's text; the tasks are drawn from the starter catalog."""
    return f"""
name = "test"
catalog = "starter"
seed = 3
concurrency = {concurrency}
[tasks]
limit = {tasks}
{minds}
[seats]
pairings = {pairings}
repeats = {repeats}
[rules]
{rules}
[judges]
use = {judges}
[budget]
{budget}
"""


def chain_plan(
    *,
    length: int = 3,
    pairs: int = 2,
    memory: str = '["summary"]',
    judges: str = "[]",
    concurrency: int = 16,
    priority: int = 1,
    minds: str = REHEARSAL_MINDS,
    pairings: str = '[["generous", "stubborn"]]',
    turn_cap: int = 6,
    more: str = "",
) -> str:
    """A plan file's text for chains of casts drawn from the starter catalog. ``more`` are further
    settings of its ``[chains]``."""
    return f"""
name = "chains"
catalog = "starter"
seed = 3
concurrency = {concurrency}
priority = {priority}
[chains]
length = {length}
pairs = {pairs}
memory = {memory}
{more}
{minds}
[seats]
pairings = {pairings}
[rules]
turn_cap = {turn_cap}
[judges]
use = {judges}
"""


def model_minds(base_url: str, adapter: str = "direct", **settings: float) -> str:
    """A mind that asks the model ``openai/stub`` of a server."""
    more = "\n".join(f"{name} = {value}" for name, value in settings.items())
    return f"""
[minds.stub]
kind = "model"
model = "openai/stub"
adapter = "{adapter}"
base_url = "{base_url}"
{more}
"""


def record(store: EventStore, folder: Path, text: str) -> str:
    """Write a plan file and begin the run; its id."""
    path = folder / "plan.toml"
    path.write_text(text)
    return record_run(store, prepare(store, path))


def settings_of(
    folder: Path, store: EventStore, server: EmbeddedNats | None, space: str
) -> Settings:
    """Settings for a store and a NATS server; without one, each worker node starts its own."""
    return Settings(
        data_dir=folder,
        database_url=store.url,
        nats_url=server.url if server else "",
        nats_token=server.token if server else "",
        space=space,
        log_level="warning",
    )


async def carry_out_here(
    settings: Settings,
    store: EventStore,
    run: str,
    *,
    witness: Callable[[str, EpisodeState], None] | None = None,
) -> Progress:
    """Carry out what is not done of a run in this process, as ``troupe run`` does."""
    state = state_of(store, run)
    work = Work.of(run, state)
    async with WorkerNode(settings, store, witness=witness) as bench:
        await bench.work(state.plan.concurrency)
        progress = await carry_out(
            store, bench.jobs, work, stop=asyncio.Event(), on_progress=lambda _: None
        )
    if progress.done:
        end_run(store, run, progress)
    return progress


def state_of(store: EventStore, run: str) -> RunState:
    """A run as its stream tells it."""
    state = load_run(store, run)
    assert state is not None
    return state


def events_of(store: EventStore, stream: str) -> list[Event]:
    """A stream's events."""
    return [event_of(envelope) for envelope in store.read(stream)]


def answers(store: EventStore) -> list[tuple[str, ModelAnswered]]:
    """Every stored answer of a model with its stream."""
    found = []
    position = 0
    while batch := store.read_all(position, tags=[ModelAnswered.__name__]):
        found += [(envelope.stream, event_of(envelope)) for envelope in batch]
        position = batch[-1].position
    return found
