"""Repeating an append whose answer was lost."""

import pytest

from events.ids import new_event_id
from store.conformance.base import Suite, some
from store.errors import Conflict, EventIdTaken
from store.log.event_store import ANY, NEW, EventStore


class Repeating(Suite):
    """The ids of its events make an append safe to repeat."""

    @pytest.fixture
    def ids(self) -> list[str]:
        return [new_event_id() for _ in range(3)]

    @pytest.mark.parametrize("expected", [NEW, ANY])
    def test_a_repeated_append_is_answered_as_the_first_time(
        self, store: EventStore, ids: list[str], expected: int
    ) -> None:
        first = store.append("episode-a", expected, some(3), event_ids=ids)
        assert store.append("episode-a", expected, some(3), event_ids=ids) == first
        assert store.head() == 3

    def test_it_is_so_in_another_process_after_the_stream_has_moved_on(
        self, store: EventStore, other: EventStore, ids: list[str]
    ) -> None:
        store.append("episode-a", NEW, some(1))
        first = store.append("episode-a", 0, some(3), event_ids=ids)
        store.append("episode-a", 3, some(5))
        assert other.append("episode-a", 0, some(3), event_ids=ids) == first
        assert store.append("episode-a", 0, some(3), event_ids=ids) == first
        assert store.version("episode-a") == 8

    def test_after_a_repeated_append_the_stream_goes_on(
        self, store: EventStore, ids: list[str]
    ) -> None:
        store.append("episode-a", NEW, some(3), event_ids=ids)
        store.append("episode-a", 2, some(1))
        store.append("episode-a", NEW, some(3), event_ids=ids)
        assert store.append("episode-a", 3, some(1)).last_version == 4

    def test_a_refused_append_may_be_repeated_where_the_stream_is_now(
        self, store: EventStore, ids: list[str]
    ) -> None:
        store.append("episode-a", NEW, some(1))
        with pytest.raises(Conflict):
            store.append("episode-a", NEW, some(3), event_ids=ids)
        assert store.append("episode-a", 0, some(3), event_ids=ids).last_version == 3

    @pytest.mark.parametrize("part", [slice(0, 2), slice(1, 3)])
    def test_ids_in_another_order_are_no_repetition(
        self, store: EventStore, ids: list[str], part: slice
    ) -> None:
        store.append("episode-a", NEW, some(3), event_ids=ids)
        turned = ids[part][::-1]
        with pytest.raises(EventIdTaken):
            store.append("episode-a", ANY, some(2), event_ids=turned)
        assert store.head() == 3

    def test_known_ids_along_with_new_ones_are_no_repetition(
        self, store: EventStore, ids: list[str]
    ) -> None:
        store.append("episode-a", NEW, some(3), event_ids=ids)
        with pytest.raises(EventIdTaken):
            store.append("episode-a", ANY, some(4), event_ids=[*ids, new_event_id()])
        assert store.head() == 3

    def test_ids_of_another_stream_are_no_repetition(
        self, store: EventStore, ids: list[str]
    ) -> None:
        store.append("episode-a", NEW, some(3), event_ids=ids)
        with pytest.raises(EventIdTaken):
            store.append("episode-b", NEW, some(3), event_ids=ids)
        assert store.version("episode-b") == NEW
