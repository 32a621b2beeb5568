"""What is said of a catalog whose environment says nothing of its own."""

from collections.abc import Mapping

import pytest

from actors.episodes.catalogs.entries import MissingItem, item_of, plain_entries, plain_facts
from events import environments
from events.base import Value


class Board(Value, frozen=True, kw_only=True):
    """Something to play on."""

    id: str
    title: str = ""
    sides: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Boards(environments.Catalog, frozen=True, kw_only=True, tag="boards.Catalog"):
    """Boards, and no other kind."""

    boards: tuple[Board, ...] = ()


ROUND = Board(id="b1", title="the round one", sides=("in", "out"), tags=("wood",))
CATALOG = Boards(name="all", boards=(ROUND, Board(id="b2")))


def test_everything_is_listed_under_its_kind_and_its_title_or_id():
    entries = plain_entries(CATALOG)
    assert [(entry.kind, entry.id, entry.title) for entry in entries] == [
        ("board", "b1", "the round one"),
        ("board", "b2", "b2"),
    ]
    assert [entry.tags for entry in entries] == [("wood",), ()]


def test_whatever_is_set_is_a_fact():
    facts = [("title", "the round one"), ("sides", "in · out"), ("tags", "wood")]
    assert plain_facts(ROUND) == facts


def test_tables_in_a_list_are_facts_each_as_a_file_has_them():
    class Shelf(Value, frozen=True, kw_only=True):
        boards: tuple[Board, ...] = ()
        sizes: Mapping[str, int] = {}

    shelf = Shelf(boards=(ROUND, Board(id="b2")), sizes={"high": 2})
    assert plain_facts(shelf) == [
        (
            "boards, b1",
            '{ id = "b1", title = "the round one", sides = ["in", "out"], tags = ["wood"] }',
        ),
        ("boards, b2", '{ id = "b2" }'),
        ("sizes", "{ high = 2 }"),
    ]
    assert plain_facts(Shelf()) == []


def test_a_thing_is_found_by_its_kind_and_id():
    assert item_of(CATALOG, "board", "b1") is ROUND
    with pytest.raises(MissingItem, match="catalog 'all' has no board 'b3'"):
        item_of(CATALOG, "board", "b3")
