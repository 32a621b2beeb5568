"""Pages of lists: whole, without a row twice, whatever is added meanwhile."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar import Litestar
from litestar.testing import TestClient

from gateway.api.operations import PREFIX
from gateway.api.paging import Page, Paged, fingerprint, read, slice_of, written
from gateway.errors import BadArgument
from gateway.services.runs.plan_run import prepare_text, record_run
from tests.gateway.api.conftest import World
from tests.support.runs import plan


def all_of(rows: list[str], limit: int, add: list[tuple[int, str]]) -> list[str]:
    """Every page of a list into which rows are put while it is read."""
    found, cursor = list[str](), ""
    rows, add = list(rows), list(add)
    while True:
        page: Page[str] = slice_of(rows, Paged(limit=limit, cursor=cursor), lambda row: row)
        found += page.items
        if page.next is None:
            return found
        cursor = page.next
        if add:
            place, row = add.pop()
            rows.insert(place % (len(rows) + 1), row)


@given(
    st.lists(st.text(), unique=True, max_size=30),
    st.integers(1, 7),
    st.lists(st.tuples(st.integers(0, 40), st.uuids().map(str)), max_size=8),
)
def test_nothing_is_missed_and_nothing_comes_twice(
    rows: list[str], limit: int, add: list[tuple[int, str]]
) -> None:
    found = all_of(rows, limit, add)
    assert len(found) == len(set(found))
    assert [row for row in found if row in rows] == rows


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: base64.b64encode(b).decode()))
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="cursor"):
        read(text, "list", (int,))


def test_a_cursor_is_of_one_list_and_of_its_order() -> None:
    cursor = written("one list", (5, "e1"))
    assert read(cursor, "one list", (int, str)) == (5, "e1")
    for of, kinds in (("another", (int, str)), ("one list", (str, str)), ("one list", (int,))):
        with pytest.raises(BadArgument, match="begin again"):
            read(cursor, of, kinds)


def test_a_list_is_the_same_whatever_the_size_of_its_pages() -> None:
    assert fingerprint(Paged(limit=5)) == fingerprint(Paged(limit=9, cursor="x"))
    assert fingerprint(Paged(), "e1") != fingerprint(Paged(), "e2")


@pytest.mark.parametrize("sort", ["-started", "started", "name", "-name"])
def test_runs_that_are_added_do_not_move_the_others(
    sort: str, world: World, api: TestClient[Litestar]
) -> None:
    def page(cursor: str = "") -> dict[str, object]:
        query = {"limit": 1, "sort": sort, "cursor": cursor}
        return api.get(f"{PREFIX}/runs", params=query).json()  # type: ignore[no-any-return]

    before = [row["id"] for row in api.get(f"{PREFIX}/runs", params={"sort": sort}).json()["items"]]
    found, cursor = [], ""
    for place in range(10):
        one = page(cursor)
        found += [row["id"] for row in one["items"]]  # type: ignore[attr-defined]
        if one["next"] is None:
            break
        cursor = str(one["next"])
        if place == 0:
            text = plan(tasks=1)
            record_run(world.gateway.store, prepare_text(world.gateway.store, text, {}, "rnew"))
    assert [id_ for id_ in found if id_ != "rnew"] == before
    assert len(found) == len(set(found))


@pytest.mark.parametrize("sort", ["place", "started", "-turns", "failed_actions"])
def test_episodes_come_in_every_order(sort: str, world: World, api: TestClient[Litestar]) -> None:
    query: dict[str, object] = {"sort": sort, "limit": 3}
    found, cursor = [], ""
    while cursor is not None:
        page = api.get(f"{PREFIX}/episodes", params={**query, "cursor": cursor}).json()
        found += page["items"]
        cursor = page["next"]
    assert len({row["id"] for row in found}) == len(found) == 4 + 4 + 2 + 1
    if sort == "-turns":
        turns = [row["turns"] for row in found]
        assert turns == sorted(turns, reverse=True)


def test_episodes_are_found_by_who_and_what(world: World, api: TestClient[Litestar]) -> None:
    def ids(**query: object) -> set[str]:
        found = api.get(f"{PREFIX}/episodes", params=query).json()["items"]
        return {row["id"] for row in found}

    assert ids(parent=world.episode) == {world.fork}
    assert len(ids(run=world.run, mind="generous")) == 3
    assert ids(run=world.run, mind="gener") == set()
    assert ids(run=world.run, failed=True) == set()
    assert ids(run=world.run, text="100%_") == set()
    assert len(ids(chain=world.chain)) == 2
