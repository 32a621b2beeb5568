"""A folder for what is done from Python, and what is left behind by it."""

import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import troupe
from tests.gateway.command import Desk
from tests.gateway.conftest import desk

__all__ = ["desk"]


@pytest.fixture
def data(desk: Desk) -> Path:
    """Where the calls of a test work, and the commands beside them."""
    return desk.data_dir


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> "troupe.Episode":
    """An episode of rehearsals."""
    return troupe.play("social", seed=3, where=tmp_path_factory.mktemp("played"), progress=False)


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Fails where threads or processes are left."""
    before = set(threading.enumerate()), set(psutil.Process().children(recursive=True))
    yield
    assert not set(threading.enumerate()) - before[0]
    assert not set(psutil.Process().children(recursive=True)) - before[1]
