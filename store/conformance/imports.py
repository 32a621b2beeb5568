"""Taking over streams from another store."""

import msgspec
import pytest

from events.base import Envelope
from events.ids import new_event_id
from events.serialization.codec import encode
from store.conformance.base import Suite, happened, some
from store.errors import BrokenImport, Conflict, EventIdTaken, HistoryDiffers
from store.log.event_store import NEW, EventStore
from store.log.imported_events import imported_events

_PAST = 1_500_000_000_000_000


def exported(stream: str, count: int) -> list[Envelope]:
    """A stream as another store had it."""
    return [
        Envelope(
            event_id=new_event_id(),
            stream=stream,
            version=version,
            position=1000 + 7 * version,
            tag="EpisodeEnded",
            schema=1,
            recorded_at=_PAST + version,
            correlation="r1",
            causation="c1",
            payload=msgspec.Raw(encode(happened(version))),
        )
        for version in range(count)
    ]


class Importing(Suite):
    """Streams come in as they were; only their positions are new."""

    def test_everything_but_the_position_stays(self, store: EventStore) -> None:
        store.append("episode-z", NEW, some(4))
        brought = exported("episode-a", 3)
        assert store.import_envelopes(brought) == 3
        taken = store.read("episode-a")
        assert [e.position for e in taken] == [5, 6, 7]
        assert [msgspec.structs.replace(e, position=0) for e in taken] == [
            msgspec.structs.replace(e, position=0) for e in brought
        ]

    def test_what_came_in_is_told_apart_from_what_was_written_here(self, store: EventStore) -> None:
        """By its positions, whatever is appended to the same streams before and after."""
        store.append("episode-z", NEW, some(4))
        brought = exported("episode-a", 3)
        store.import_envelopes(brought[:2])
        store.append("episode-a", 1, some(1))
        assert store.import_envelopes(exported("episode-b", 1)) == 1
        assert store.import_envelopes(brought[:2]) == 0, "nothing came in"
        imported = imported_events(store)
        assert len(imported) == 2
        came = [e for e in store.read_all(limit=100) if e.position in imported]
        assert [(e.stream, e.version) for e in came] == [
            ("episode-a", 0),
            ("episode-a", 1),
            ("episode-b", 0),
        ]

    def test_streams_may_be_mixed(self, store: EventStore) -> None:
        pairs = zip(exported("episode-a", 1500), exported("episode-b", 1500), strict=True)
        mixed = [envelope for pair in pairs for envelope in pair]
        assert store.import_envelopes(mixed) == 3000
        assert [e.event_id for e in store.read_all(limit=3000)] == [e.event_id for e in mixed]

    def test_an_imported_stream_goes_on(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(1))
        store.import_envelopes(exported("episode-b", 3))
        assert store.append("episode-b", 2, some(1)).last_version == 3

    def test_importing_again_changes_nothing(self, store: EventStore) -> None:
        brought = exported("episode-a", 3)
        store.import_envelopes(brought)
        before = store.read_all()
        assert store.import_envelopes(brought) == 0
        assert store.read_all() == before

    def test_a_stream_that_has_grown_brings_what_is_new(self, store: EventStore) -> None:
        brought = exported("episode-a", 5)
        assert store.import_envelopes(brought[:3]) == 3
        assert store.import_envelopes(brought) == 2
        assert store.import_envelopes(brought[:2]) == 0

    def test_another_stream_of_the_same_name_is_refused(self, store: EventStore) -> None:
        store.append("episode-b", NEW, some(2))
        with pytest.raises(HistoryDiffers) as caught:
            store.import_envelopes(exported("episode-a", 2) + exported("episode-b", 2))
        assert isinstance(caught.value, Conflict)
        assert (caught.value.stream, caught.value.version) == ("episode-b", 0)
        assert store.version("episode-a") == NEW

    def test_an_event_that_was_altered_is_refused(self, store: EventStore) -> None:
        brought = exported("episode-a", 2)
        store.import_envelopes(brought)
        brought[1] = msgspec.structs.replace(brought[1], payload=msgspec.Raw(b"forged"))
        with pytest.raises(HistoryDiffers):
            store.import_envelopes(brought)

    def test_a_stream_with_a_hole_is_refused(self, store: EventStore) -> None:
        brought = exported("episode-a", 4)
        del brought[2]
        with pytest.raises(BrokenImport) as caught:
            store.import_envelopes(brought)
        assert (caught.value.wanted, caught.value.found) == (2, 3)
        assert store.head() == 0

    def test_an_id_that_is_used_elsewhere_is_refused(self, store: EventStore) -> None:
        brought = exported("episode-a", 3)
        brought[2] = msgspec.structs.replace(brought[2], event_id=brought[0].event_id)
        with pytest.raises(EventIdTaken):
            store.import_envelopes(brought)
        taken = store.append("episode-b", NEW, some(1)).envelopes[0].event_id
        brought[2] = msgspec.structs.replace(brought[2], event_id=taken)
        with pytest.raises(EventIdTaken) as caught:
            store.import_envelopes(brought)
        assert caught.value.stream == "episode-b"
        assert store.head() == 1
