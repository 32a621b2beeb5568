"""A chain with all that was kept of it."""

from collections.abc import Iterator

import pytest

from gateway.pages.chains.chain_views import chain_of, chains_of, reminder
from store.log.event_store import EventStore
from tests.gateway.command import Desk


@pytest.fixture
def store(chained: Desk) -> Iterator[EventStore]:
    found = chained.open()
    yield found
    found.close()


def test_a_chain_says_what_was_recalled_when_and_kept(store: EventStore, chain: str) -> None:
    found = chain_of(store, chain)
    assert [link.row.index for link in found.links] == list(range(4))
    assert len(found.recalls) == 2
    first = found.recalls[0]
    assert {(cell.index, cell.of) for cell in first.cells} == {
        (index, of) for index in range(4) for of in range(index)
    }
    last = found.links[-1]
    assert all(one.parts for one in last.kept)
    assert all(one.of.row.recalled for one in last.kept)
    assert "0" not in reminder(store, chain, 0, 0)
    assert reminder(store, chain, 0, 2)
    dimensions = [name for one in last.scored for name, _ in one.values]
    assert "Belext raw" not in dimensions
    assert any(one.checkpoints for one in last.scored)


def test_a_run_of_chains_has_curves_by_one_judge(store: EventStore) -> None:
    found = chains_of(store, "", "", ())
    assert found is not None
    assert len(found.chains) == 2
    assert found.curves is not None
    assert found.curves.figures
    assert all(figure.slopes for figure in found.curves.figures)
    names = [name for name, _ in found.curves.dimensions]
    other = found.curves.judges[-1]
    by = chains_of(store, found.run[:6], other.name, names[-1:])
    assert by is not None
    assert by.curves is not None
    assert by.curves.judge == other


def test_a_store_without_chains_says_so(desk: Desk) -> None:
    store = desk.open()
    try:
        assert chains_of(store, "", "", ()) is None
    finally:
        store.close()
