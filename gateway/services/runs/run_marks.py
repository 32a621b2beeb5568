"""How runs are played where that is not as usual, for lists of runs and what stands above one."""

from collections.abc import Mapping, Sequence

from actors.episodes.registry import game_of
from events.base import replace
from gateway.services.runs.run_status import Listed
from store.log.event_store import EventStore
from store.read_model.begun_episodes import one_begun


def run_marks(store: EventStore, runs: Sequence[str]) -> dict[str, str]:
    """By run (ids in full) how its episodes are played, in a word or two; empty: as usual. All
    episodes of a plan are played in one way, so one of them is read: a run of which none has begun
    is not among them. Blocking."""
    return {
        run: game_of(started).presentation.mark(started.setup)
        for run, started in one_begun(store, runs).items()
    }


def marked(listed: Sequence[Listed], marks: Mapping[str, str]) -> list[Listed]:
    """The same runs, each with how it is played."""
    return [replace(run, mark=marks[run.id]) if marks.get(run.id) else run for run in listed]
