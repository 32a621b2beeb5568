"""Versions, expectations and positions."""

import pytest

from events.base import Event
from events.episode import EpisodeEnded, EpisodeReopened
from events.serialization.codec import event_of
from store.conformance.base import Suite, some
from store.errors import BadAppend, Conflict, EventIdTaken, StoreClosed
from store.log.event_store import ANY, NEW, EventStore


class Appending(Suite):
    """Appends store all or nothing, behind the version they expect."""

    def test_a_new_stream_begins_at_version_0(self, store: EventStore) -> None:
        appended = store.append("episode-a", NEW, some(3))
        assert (appended.stream, appended.first_version, appended.last_version) == (
            "episode-a",
            0,
            2,
        )
        assert store.version("episode-a") == 2

    def test_versions_and_positions_go_on_without_holes(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(3))
        store.append("episode-b", NEW, some(2))
        store.append("episode-a", 2, some(2))
        where = [(e.position, e.stream, e.version) for e in store.read_all()]
        assert where == [
            (1, "episode-a", 0),
            (2, "episode-a", 1),
            (3, "episode-a", 2),
            (4, "episode-b", 0),
            (5, "episode-b", 1),
            (6, "episode-a", 3),
            (7, "episode-a", 4),
        ]

    def test_events_come_back_as_they_were(self, store: EventStore) -> None:
        events: list[Event] = [
            EpisodeReopened(),
            EpisodeEnded(turn=1, reason="Grüß dich, 世界! \0"),
        ]
        appended = store.append("episode-a", NEW, events, correlation="r1", causation="c1")
        read = store.read("episode-a")
        assert tuple(read) == appended.envelopes
        assert [event_of(envelope) for envelope in read] == events
        assert [(e.tag, e.schema) for e in read] == [("EpisodeReopened", 1), ("EpisodeEnded", 1)]
        assert {(e.correlation, e.causation) for e in read} == {("r1", "c1")}
        assert read[0].recorded_at > 1_600_000_000_000_000

    def test_every_event_has_an_id_of_its_own(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(50))
        store.append("episode-b", NEW, some(50))
        assert len({envelope.event_id for envelope in store.read_all()}) == 100

    def test_a_stream_that_exists_is_not_new(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(2))
        with pytest.raises(Conflict) as caught:
            store.append("episode-a", NEW, some(1))
        conflict = caught.value
        assert (conflict.stream, conflict.expected, conflict.actual) == ("episode-a", NEW, 1)

    @pytest.mark.parametrize("expected", [0, 2, 7])
    def test_another_version_than_expected_is_a_conflict(
        self, store: EventStore, expected: int
    ) -> None:
        store.append("episode-a", NEW, some(2))
        with pytest.raises(Conflict) as caught:
            store.append("episode-a", expected, some(1))
        assert (caught.value.expected, caught.value.actual) == (expected, 1)

    def test_a_stream_that_is_expected_has_to_exist(self, store: EventStore) -> None:
        with pytest.raises(Conflict) as caught:
            store.append("episode-a", 0, some(1))
        assert caught.value.actual == NEW

    def test_an_append_without_expectation_goes_behind_what_is_there(
        self, store: EventStore
    ) -> None:
        assert store.append("episode-a", ANY, some(2)).first_version == 0
        assert store.append("episode-a", ANY, some(2)).first_version == 2

    def test_a_refused_append_leaves_nothing_behind(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(2))
        with pytest.raises(Conflict):
            store.append("episode-a", NEW, some(5))
        assert store.head() == 2
        assert store.append("episode-b", NEW, some(1)).last_position == 3

    def test_a_batch_that_fails_in_its_middle_leaves_nothing_behind(
        self, store: EventStore
    ) -> None:
        taken = store.append("episode-a", NEW, some(1)).envelopes[0].event_id
        ids = ["0" * 32, taken, "1" * 32]
        with pytest.raises(EventIdTaken) as caught:
            store.append("episode-b", NEW, some(3), event_ids=ids)
        assert (caught.value.event_id, caught.value.stream) == (taken, "episode-a")
        assert store.version("episode-b") == NEW
        assert store.head() == 1

    def test_what_another_process_stored_is_seen(
        self, store: EventStore, other: EventStore
    ) -> None:
        store.append("episode-a", NEW, some(1))
        other.append("episode-a", 0, some(1))
        with pytest.raises(Conflict) as caught:
            store.append("episode-a", 0, some(1))
        assert caught.value.actual == 1
        assert store.append("episode-a", 1, some(1)).last_version == 2
        assert other.append("episode-a", ANY, some(1)).last_version == 3
        assert store.append("episode-a", ANY, some(1)).last_version == 4

    @pytest.mark.parametrize(
        ("stream", "expected", "count", "ids", "complaint"),
        [
            ("", NEW, 1, None, "name"),
            ("episode-\0", NEW, 1, None, "printable"),
            ("episode-\ud800", NEW, 1, None, "printable"),
            ("episode-a", NEW, 0, None, "no event"),
            ("episode-a", -3, 1, None, "-3"),
            ("episode-a", NEW, 2, ["0" * 32], "2 events"),
            ("episode-a", NEW, 2, ["0" * 32, "0" * 32], "twice"),
            ("episode-a", NEW, 1, ["not-an-id"], "not-an-id"),
        ],
    )
    def test_an_append_that_makes_no_sense_is_refused(
        self,
        store: EventStore,
        stream: str,
        expected: int,
        count: int,
        ids: list[str] | None,
        complaint: str,
    ) -> None:
        with pytest.raises(BadAppend, match=complaint):
            store.append(stream, expected, some(count), event_ids=ids)
        assert store.head() == 0

    def test_a_closed_store_refuses_appends(self, store: EventStore) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreClosed):
            store.append("episode-a", NEW, some(1))
