"""How long it takes to show and to watch a long episode, and what longer costs.

python -m tests.benchmarks.bench_views
"""

import contextlib
import io
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from actors.episodes.rules.decide import INITIAL, Start, decide, evolve
from actors.social.actions import Action
from events.base import Event
from events.wire.messages import TakeAction
from gateway.cli.terminal.output import print_json
from gateway.cli.views.transcripts import print_episode, print_replay
from gateway.cli.views.watch_episode import watch_episode
from gateway.services.episodes.episode_details import episode_details, replay_details
from gateway.settings import read_settings
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from tests.benchmarks.episodes import LINE, started
from tests.benchmarks.table import Row

SHORT, LONG = 1_000, 10_000
"""Events of an episode."""
LONGEST_S = 0.5
STEEPEST = 15.0
"""How many times the time ten times the events may take; two of the same are 10."""
ROUNDS = 3


def history(events: int) -> list[Event]:
    """An episode of so many events that has ended: two a turn, a beginning and an end."""
    turns = events // 2 - 1
    state, found = INITIAL, []

    def take(new: Sequence[Event]) -> None:
        nonlocal state
        for event in new:
            state = evolve(state, event)
        found.extend(new)

    take(decide(state, Start(started=started(turns))))
    while state.ended is None:
        (seat,) = state.waiting
        action = Action(kind="speak", text=LINE)
        take(decide(state, TakeAction(turn=state.turn, seat=seat, action=action)))
    return found


def best(work: Callable[[], None]) -> float:
    """The shortest of some rounds, in seconds, with what is printed thrown away."""
    times = []
    for _ in range(ROUNDS):
        with contextlib.redirect_stdout(io.StringIO()):
            began = time.perf_counter()
            work()
            times.append(time.perf_counter() - began)
    return min(times)


def looks(store: EventStore, episode: str) -> dict[str, Callable[[], None]]:
    """The ways to look at an episode."""
    watch = partial(watch_episode, read_settings({}))
    return {
        "show": lambda: print_episode(episode_details(store, episode, "narrator")),
        "show as a seat": lambda: print_episode(episode_details(store, episode, "1")),
        "show --json": lambda: print_json(episode_details(store, episode, "narrator")),
        "replay": lambda: print_replay(replay_details(store, episode, None, "narrator")),
        "watch": partial(watch, store, episode, "narrator", as_json=False),
        "watch --json": partial(watch, store, episode, "narrator", as_json=True),
    }


def rows() -> Iterator[Row]:
    """The table."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{Path(folder) / 'troupe.db'}")
        try:
            for count in (SHORT, LONG):
                store.append(f"episode-e{count}", NEW, history(count))
            short, long = looks(store, f"e{SHORT}"), looks(store, f"e{LONG}")
            for name in long:
                few, many = best(short[name]), best(long[name])
                yield Row(
                    f"{name}, an episode of {LONG:,} events",
                    f"{many:.2f} s",
                    f"{SHORT:,} events: {few:.3f} s, {many / few:.1f} times less",
                    f"≤ {LONGEST_S} s, linear",
                    many <= LONGEST_S and many / few <= STEEPEST,
                )
        finally:
            store.close()


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
