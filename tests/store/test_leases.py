"""What one process at a time may do: taken once, renewed, lapsed, given back."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from store.database.engines import writing
from store.database.tables import leases as t
from store.leases import Holder, leases, leave, renew, take
from store.log.event_store import EventStore

LAPSE_S = 3600.0
"""So long that nothing lapses by itself while a test goes on."""


def process(name: str) -> Holder:
    return Holder(process=name, host="here", pid=7, command="resume", place="p", queue=name)


ONE, OTHER = process("one"), process("other")


def held(store: EventStore) -> dict[str, str]:
    return {lease.name: lease.process for lease in leases(store)}


def lapse(store: EventStore) -> None:
    """As if nothing had been renewed for long."""
    with writing(store.engine) as connection:
        connection.execute(sa.update(t).values(renewed_at=0, lapses_at=1))


def test_what_one_has_no_other_takes_and_is_told_who_has_it(store: EventStore) -> None:
    assert take(store, ["r1", "r1/j"], ONE, LAPSE_S) == []
    (in_the_way,) = take(store, ["r2", "r1/j"], OTHER, LAPSE_S)
    assert (in_the_way.name, in_the_way.process, in_the_way.pid) == ("r1/j", "one", 7)
    assert not in_the_way.lapsed
    assert held(store) == {"r1": "one", "r1/j": "one"}, "all or nothing"
    assert take(store, ["r2"], OTHER, LAPSE_S) == []
    assert [lease.name for lease in leases(store, ["r2", "r3"])] == ["r2"]


def test_what_has_lapsed_is_taken_and_who_had_it_finds_out_when_it_renews(
    store: EventStore,
) -> None:
    take(store, ["r1", "r2"], ONE, LAPSE_S)
    lapse(store)
    assert take(store, ["r1"], OTHER, LAPSE_S) == []
    assert [lease.name for lease in renew(store, "one", LAPSE_S)] == ["r2"]
    leave(store, "one", ["r1", "r2"])
    assert held(store) == {"r1": "other"}


def test_what_lapsed_and_nobody_took_is_renewed(store: EventStore) -> None:
    take(store, ["r1"], ONE, LAPSE_S)
    lapse(store)
    (renewed,) = renew(store, "one", LAPSE_S)
    assert not renewed.lapsed
    assert [lease.process for lease in take(store, ["r1"], OTHER, LAPSE_S)] == ["one"]


def test_a_holder_that_is_known_to_be_gone_stands_in_nobodys_way(store: EventStore) -> None:
    take(store, ["r1"], ONE, LAPSE_S)
    assert take(store, ["r1"], OTHER, LAPSE_S, lambda lease: lease.process == "one") == []
    assert held(store) == {"r1": "other"}


def test_every_change_raises_the_version_and_none_is_an_event(store: EventStore) -> None:
    head = store.head()
    take(store, ["r1"], ONE, LAPSE_S)
    versions = [renew(store, "one", LAPSE_S)[0].version for _ in range(3)]
    lapse(store)
    take(store, ["r1"], OTHER, LAPSE_S)
    (last,) = leases(store)
    assert [*versions, last.version] == [1, 2, 3, 4]
    assert store.head() == head


def test_a_night_of_renewals_leaves_one_row(store: EventStore) -> None:
    take(store, ["r1"], ONE, LAPSE_S)
    for _ in range(200):
        renew(store, "one", LAPSE_S)
    with store.engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(t)).scalar_one() == 1


@pytest.mark.parametrize("lapsed", [False, True])
def test_of_many_that_take_a_lease_at_the_same_time_one_has_it(
    store: EventStore, lapsed: bool
) -> None:
    if lapsed:
        take(store, ["r1", "r1/j"], ONE, LAPSE_S)
        lapse(store)
    names = [f"p{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(lambda one: take(store, ["r1", "r1/j"], process(one), LAPSE_S), names)
        )
    winners = [name for name, others in zip(names, found, strict=True) if not others]
    assert len(winners) == 1
    assert held(store) == {"r1": winners[0], "r1/j": winners[0]}
