"""What the store does with an append, and a projection with an event."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from events.base import Event
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from store.projections.maintenance.projector import catch_up
from tests.benchmarks.bench_store import action
from tests.benchmarks.scored_run import write_run
from tests.budgets.counting import ROUNDS, Figure, counted, counting, median

APPENDS = 200
EPISODES = 60


def append_1() -> Figure:
    """Calls of a blocking append of one event, its commit included."""
    return _append(1, APPENDS)


def append_100() -> Figure:
    """Calls of a blocking append of 100 events, its commit included."""
    return _append(100, APPENDS // 10)


def _append(batch: int, appends: int) -> Figure:
    version = NEW
    events: list[Event] = [action(turn) for turn in range(batch)]

    def work() -> None:
        nonlocal version
        for _ in range(appends):
            version = store.append("episode-e1", version, events, correlation="r1").last_version

    with tempfile.TemporaryDirectory() as folder, _opened(Path(folder) / "troupe.db") as store:
        return counted(work, appends)


def projection_event() -> Figure:
    """Calls of an event of a played and judged run on its way into all projections."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _opened(folder / "whole.db") as whole:
            write_run(whole, EPISODES)
            stored = whole.read_all(limit=whole.head())
        with _opened(folder / "log.db") as log:
            log.import_envelopes(stored)
        rounds = []
        for number in range(ROUNDS + 1):
            copy = folder / f"{number}.db"
            shutil.copy(folder / "log.db", copy)
            with _opened(copy) as store:
                with counting() as made:
                    catch_up(store)
                rounds.append(made.per(len(stored)))
        return median(rounds[1:])


@contextmanager
def _opened(file: Path) -> Iterator[EventStore]:
    with closing(open_store(f"sqlite:///{file}")) as store:
        yield store
