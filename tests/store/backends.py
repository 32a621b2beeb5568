"""The store's backends, for tests that have to hold on each."""

import functools

import pytest

from store.conformance.base import Open
from store.open_store import open_store


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request, tmp_path) -> str:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/troupe.db"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def open_again(store_url: str) -> Open:
    """Opens the same database each time."""
    return functools.partial(open_store, store_url)
