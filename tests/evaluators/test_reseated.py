"""Seats in which others sat than planned have figures of their own."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from actors.episodes.rules.people import PERSON
from evaluators.report.data.run_data import RunData, gather
from evaluators.statistics.significance_tests import families
from evaluators.statistics.summary import by_mind
from events.base import replace
from events.episode import ActionTaken, EpisodeStarted, SeatReleased, SeatTaken
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.read_model.seat_occupants import who_sat
from tests.evaluators.synthetic import RUN, fill


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    opened = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    fill(opened, episodes=9)
    yield opened
    opened.close()


def taken_over(store: EventStore, episode: str) -> tuple[str, str]:
    """Have a person play a turn in the first seat, and one sit in the second without a turn; who
    was planned."""
    stream = stream_name("episode", episode)
    events = [event_of(one) for one in store.read(stream)]
    started = next(one for one in events if isinstance(one, EpisodeStarted))
    action = next(one for one in events if isinstance(one, ActionTaken) and one.seat == 0)
    one, other = started.minds
    changed = [
        SeatTaken(seat=0, participant="p-aaaaaaaa", mind=PERSON),
        replace(action, turn=99),
        SeatReleased(seat=0, participant="p-aaaaaaaa", mind=one),
        SeatTaken(seat=1, participant="p-aaaaaaaa", mind=PERSON),
        SeatReleased(seat=1, participant="p-aaaaaaaa", mind=other),
    ]
    store.append(stream, ANY, changed, correlation=RUN)
    return one.name, other.name


def seats(gathered: RunData) -> Mapping[str, int]:
    judge = gathered.judges[0].judged.hash
    rows = by_mind(gathered.columns, judge, gathered.dimensions)
    return {row.mind: max((c.over_all or c).asked for c in row.cells.values()) for row in rows}


def test_a_seat_that_a_person_played_is_left_out_of_its_minds_figures(store: EventStore) -> None:
    before = gather(store, RUN)
    scored = before.columns.of(before.judges[0].judged.hash).episode.there()
    row = next(one for one in before.episodes if one.id in scored)
    planned, other = taken_over(store, row.id)
    assert who_sat(store, [RUN]) == {row.id: {0: (planned, "person")}}
    after = gather(store, RUN)
    name = f"{planned} + person"
    (one,) = after.reseated
    assert (one.episode, one.seat, one.planned, one.sat) == (row.id, 0, planned, name)
    assert next(e for e in after.episodes if e.id == row.id).minds == (name, other)
    assert seats(after) == {**seats(before), planned: seats(before)[planned] - 1, name: 1}
    sides = {
        side.label
        for family in families(after.columns, unclean=True)
        for test in family.tests
        for side in (test.contrast.a, test.contrast.b)
    }
    assert planned in sides
    assert name not in sides
    assert name in {mind.spec.name for mind in after.minds}
