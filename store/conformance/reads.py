"""Reading streams and the whole log."""

import pytest

from events.run import RunPaused
from store.conformance.base import Suite, some
from store.log.event_store import NEW, EventStore


class Reading(Suite):
    """What was stored is found again, in order."""

    def test_a_stream_that_is_not_there_is_empty(self, store: EventStore) -> None:
        assert store.read("episode-a") == []
        assert store.version("episode-a") == NEW

    def test_versions_of_several_streams_are_in_their_order(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(3))
        store.append("episode-b", NEW, some(1))
        asked = ("episode-b", "episode-c", "episode-a", "episode-a\0", "episode-b")
        assert store.versions(*asked) == (0, NEW, 2, NEW, 0)
        assert store.versions("episode-a") == (2,)

    def test_an_empty_store_has_head_0(self, store: EventStore) -> None:
        assert store.head() == 0
        assert store.read_all() == []

    @pytest.mark.parametrize(
        ("first", "last", "versions"),
        [
            (0, None, [*range(10)]),
            (7, None, [7, 8, 9]),
            (3, 5, [3, 4, 5]),
            (8, 99, [8, 9]),
            (4, 4, [4]),
            (5, 4, []),
            (10, None, []),
            (-5, 1, [0, 1]),
        ],
    )
    def test_a_part_of_a_stream_includes_both_ends(
        self, store: EventStore, first: int, last: int | None, versions: list[int]
    ) -> None:
        whole = store.append("episode-a", NEW, some(10)).envelopes
        store.append("episode-ab", NEW, some(10))
        part = store.read("episode-a", first, last)
        assert [envelope.version for envelope in part] == versions
        assert part == [whole[version] for version in versions]

    def test_the_log_is_read_in_portions(self, store: EventStore) -> None:
        for n in range(5):
            store.append(f"episode-{n}", NEW, some(2))
        first = store.read_all(0, limit=4)
        rest = store.read_all(first[-1].position, limit=100)
        assert [e.position for e in first + rest] == [*range(1, 11)]

    def test_the_log_is_read_by_tags(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(3))
        store.append("run-r", NEW, [RunPaused(reason="stopped")])
        store.append("episode-a", 2, some(3))
        assert [e.position for e in store.read_all(tags=["RunPaused"])] == [4]
        assert len(store.read_all(tags=["RunPaused", "EpisodeEnded"])) == 7
        assert [e.position for e in store.read_all(2, tags=["EpisodeEnded"], limit=2)] == [3, 5]
        assert store.read_all(tags=["NeverHappened"]) == []
        assert store.read_all(tags=[]) == []
