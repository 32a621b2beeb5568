"""Many writers at once, and readers who follow them."""

import multiprocessing
import threading
from collections import Counter
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from itertools import pairwise

from events.base import Envelope
from events.episode import EpisodeEnded
from events.serialization.codec import event_of
from store.conformance.base import Open, Suite, happened, some
from store.errors import Conflict
from store.log.event_store import NEW, EventStore

WRITERS = 8
PROCESSES = 4
_BATCH = 25
_CONTESTED = 4
"""Every such batch goes to the stream that all writers want."""
_LONG_S = 500.0


class Racing(Suite):
    """One winner a version; order of positions is order of commits; no hole, no duplicate."""

    events: int = 50_000
    """How many are written in each test."""
    processes: int = PROCESSES
    """How many processes write at once in the test of several."""

    def test_of_those_who_expect_the_same_version_one_wins(self, store: EventStore) -> None:
        rounds = 30
        barrier = threading.Barrier(WRITERS)

        def race() -> int:
            won = 0
            for version in range(NEW, rounds - 1):
                barrier.wait(_LONG_S)
                try:
                    store.append("episode-a", version, some(1))
                except Conflict:
                    continue
                won += 1
            return won

        with ThreadPoolExecutor(WRITERS) as pool:
            wins = [racer.result() for racer in [pool.submit(race) for _ in range(WRITERS)]]
        assert sum(wins) == rounds
        assert [e.version for e in store.read("episode-a")] == [*range(rounds)]

    def test_writers_in_threads(self, store: EventStore) -> None:
        readers = [store, store]
        with ThreadPoolExecutor(WRITERS) as pool:
            written = self._raced(
                readers,
                [
                    pool.submit(write, store, writer, self.events // WRITERS)
                    for writer in range(WRITERS)
                ],
            )
        assert written == self.events

    def test_writers_in_processes(
        self, store: EventStore, other: EventStore, open_again: Open
    ) -> None:
        spawn = multiprocessing.get_context("spawn")
        each = self.events // self.processes
        with ProcessPoolExecutor(self.processes, mp_context=spawn) as pool:
            written = self._raced(
                [store, other],
                [
                    pool.submit(write_in_process, open_again, process, each)
                    for process in range(self.processes)
                ],
            )
        assert written == self.events

    def _raced(self, readers: list[EventStore], writers: list[Future[Counter[str]]]) -> int:
        """How many events were written; readers that followed all the while saw just these."""
        ends = threading.Event()
        following = [Follower(reader, ends) for reader in readers]
        totals: Counter[str] = sum((writer.result(_LONG_S) for writer in writers), Counter())
        ends.set()
        assert totals["conflicts"] > 0
        assert totals["conflicts"] == totals["explained"]
        for follower in following:
            envelopes = follower.result()
            assert [e.position for e in envelopes] == [*range(1, totals["events"] + 1)]
            assert len({e.event_id for e in envelopes}) == totals["events"]
            streams: dict[str, list[Envelope]] = {}
            for envelope in envelopes:
                streams.setdefault(envelope.stream, []).append(envelope)
            assert len(streams) > 1
            for stream, its in streams.items():
                assert [e.version for e in its] == [*range(len(its))], stream
            for stream, its in streams.items():
                if stream.startswith("own-"):
                    turns = [turn(e) for e in its]
                    assert all(before < after for before, after in pairwise(turns)), stream
        return totals["events"]


class Follower:
    """Reads all there is, until it has seen everything that was stored before ``ends``."""

    def __init__(self, store: EventStore, ends: threading.Event) -> None:
        self._store, self._ends = store, ends
        self._seen: list[Envelope] = []
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def result(self) -> list[Envelope]:
        self._thread.join(_LONG_S)
        assert not self._thread.is_alive(), "a reader did not come to the end"
        return self._seen

    def _follow(self) -> None:
        subscription = self._store.subscribe()
        while True:
            over = self._ends.is_set()
            batch = subscription.take(timeout=0.05)
            self._seen += batch
            if over and not batch:
                return


def write_in_process(open_again: Open, process: int, events: int) -> Counter[str]:
    """Two writers in a process of their own."""
    with closing(open_again()) as store, ThreadPoolExecutor(2) as pool:
        writers = [pool.submit(write, store, 2 * process + n, events // 2) for n in range(2)]
        return sum((writer.result() for writer in writers), Counter())


def write(store: EventStore, writer: int, events: int) -> Counter[str]:
    """Append to a stream of one's own and, again and again, to one that all writers want."""
    done: Counter[str] = Counter()
    own, shared = NEW, store.version("shared")
    batch = 0
    while done["events"] < events:
        happenings = [happened(done["events"] + n) for n in range(_BATCH)]
        if batch % _CONTESTED:
            own = store.append(f"own-{writer}", own, happenings).last_version
            done["events"] += _BATCH
        else:
            try:
                shared = store.append("shared", shared, happenings).last_version
                done["events"] += _BATCH
            except Conflict as conflict:
                done["conflicts"] += 1
                done["explained"] += shared < conflict.actual <= store.version("shared")
                shared = conflict.actual
                continue
        batch += 1
    return done


def turn(envelope: Envelope) -> int:
    """What tells one ``happened`` from another."""
    event = event_of(envelope)
    assert isinstance(event, EpisodeEnded)
    return event.turn
