"""Catalogs of any environment as pages show them."""

from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

from actors.episodes.catalogs.entries import CatalogEntry
from actors.episodes.registry import environments
from events.environments import Catalog
from gateway.pages.catalogs.catalog_views import (
    MOST_DRAWN,
    catalog_of,
    places,
    runs_of,
    scores_of,
    thing_of,
)
from gateway.pages.catalogs.reference_graph import graphs, references
from gateway.services.catalogs import read_catalog
from gateway.services.catalogs.read_catalog import all_catalogs, ensure_starters
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model.catalogs import save_catalog
from tests.gateway.command import Desk


class Person(msgspec.Struct):
    id: str


class Tie(msgspec.Struct):
    id: str
    persons: tuple[str, ...]


class Play(msgspec.Struct):
    id: str
    persons: tuple[str, ...]
    tie: str = ""


def entry(kind: str, item: Person | Tie | Play) -> CatalogEntry:
    return CatalogEntry(kind, item.id, item.id.upper(), item)


PEOPLE = [entry("person", Person(id_)) for id_ in ("ada", "ben", "cleo", "dan")]
TIES = [
    entry("tie", Tie("t1", ("ada", "ben"))),
    entry("tie", Tie("t2", ("ben", "cleo"))),
]
PLAYS = [entry("play", Play("p1", ("ada", "ben"), "t1"))]


@pytest.fixture
def store(played: Desk) -> Iterator[EventStore]:
    found = played.open()
    yield found
    found.close()


def test_what_is_between_two_things_makes_a_graph_of_them() -> None:
    (found,) = graphs([*PEOPLE, *TIES, *PLAYS])
    assert (found.kind, found.between) == ("person", "tie")
    assert list(found.names) == ["ada", "ben", "cleo"]
    assert [edge.ends for edge in found.edges] == [("ada", "ben"), ("ben", "cleo")]


def test_a_kind_that_joins_more_than_two_or_several_kinds_makes_none() -> None:
    assert graphs([*PEOPLE, *PLAYS, *TIES[:0]])[0].between == "play"
    three = entry("tie", Tie("t3", ("ada", "ben", "cleo")))
    assert graphs([*PEOPLE, *TIES, three]) == []


def test_a_thing_names_what_its_fields_hold_ids_of() -> None:
    known = {(one.kind, one.id): one for one in (*PEOPLE, *TIES, *PLAYS)}
    assert references(PLAYS[0], known) == [("person", "ada"), ("person", "ben"), ("tie", "t1")]
    stray = entry("play", Play("p2", ("nobody",), "ada"))
    assert references(stray, known) == []


def test_a_layout_is_always_the_same_and_sets_neighbours_nearer() -> None:
    edges = [(0, 1), (1, 2), (3, 4), (4, 5), (3, 5), (0, 2)]
    at = places(6, edges)
    assert np.array_equal(at, places(6, edges))
    assert at.min() >= 0
    assert at.max() <= 1
    distance = np.sqrt(((at[:, None] - at[None, :]) ** 2).sum(axis=2))
    joined = np.mean([distance[a, b] for a, b in edges])
    apart = np.mean([distance[a, b] for a in range(3) for b in range(3, 6)])
    assert joined < apart
    for few in range(3):
        assert places(few, []).shape == (few, 2)


@pytest.mark.parametrize("environment", environments(), ids=lambda one: one.name)
def test_the_starter_of_every_environment_can_be_looked_at(
    environment: object, store: EventStore
) -> None:
    starter = environment.starter()  # type: ignore[attr-defined]
    if starter is None:
        return
    ensure_starters(store)
    assert starter.name in {row.name for row in all_catalogs(store)}
    whole = catalog_of(store, starter.name, "", "", 0, None)
    assert whole.environment == environment.name  # type: ignore[attr-defined]
    for kind, count in whole.kinds:
        found = catalog_of(store, starter.name, kind, "", 0, None)
        assert (found.kind, found.total) == (kind, count)
        first = found.rows[0].entry
        thing = thing_of(store, starter.name, kind, first.id, None)
        assert thing.entry == first
        assert thing.facts
        for picture in found.pictures:
            assert len(picture.spots) <= MOST_DRAWN
            assert len(picture.lines) in (0, len(picture.graph.edges))


def test_a_played_scenario_has_its_scores(store: EventStore, run: str) -> None:
    columns = scores_of(store, runs_of(store, "starter"))
    assert columns is not None
    scenario = columns.scenario.there()[0]
    thing = thing_of(store, "starter", "scenario", scenario, columns)
    assert {one.judge for one in thing.means} == {"rehearsal-strict", "rehearsal-lenient"}
    goal = next(one for one in thing.means if one.dimension == "goal")
    mine = columns.of(columns.judges[0].hash, "goal")
    assert goal.judge == columns.judges[0].label
    assert goal.mean == pytest.approx(mine.where(mine.scenario.among(scenario)).value.mean())
    rows = catalog_of(store, "starter", "scenario", "", 0, columns).rows
    (row,) = [one for one in rows if one.entry.id == scenario]
    assert {one.dimension for one in row.means} == {"overall"}
    assert thing.episodes


def test_what_there_is_not_is_named(store: EventStore) -> None:
    with pytest.raises(UnknownId):
        catalog_of(store, "nothing", "", "", 0, None)
    with pytest.raises(UnknownId):
        thing_of(store, "starter", "scenario", "nothing-like-it", None)
    nothing = catalog_of(store, "starter", "", "qqqzzz", 0, None)
    assert (nothing.rows, nothing.kinds) == ((), ())


def test_to_load_a_catalog_that_is_there_asks_no_other_environment_for_its_own(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_starters(store)
    saved: list[str] = []

    def save(_: EventStore, catalog: Catalog, __: str) -> None:
        saved.append(catalog.name)
        save_catalog(store, catalog, "")

    monkeypatch.setattr(read_catalog, "save_catalog", save)
    assert read_catalog.load(store, "starter").name == "starter"
    assert saved == ["starter"]
