"""Local models on a runtime without llama.cpp, in processes as they are."""

import importlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.models.local.server import is_held
from actors.models.local.settings import LocalSettings

RUNTIME = Path(__file__).with_name("runtime")


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime is there, in this process and those that it starts."""
    monkeypatch.syspath_prepend(str(RUNTIME))
    monkeypatch.setenv("PYTHONPATH", str(RUNTIME))
    importlib.invalidate_caches()


@pytest.fixture
def settings(tmp_path: Path, runtime: None) -> Iterator[LocalSettings]:
    """A place of its own, in which no server is left in the end."""
    yield LocalSettings(home=tmp_path / "home", weights=tmp_path / "weights", slots=3)
    within = time.monotonic() + 60
    for folder in (tmp_path / "home").glob("*"):
        while is_held(folder):
            assert time.monotonic() < within, f"the server of {folder} goes on"
            time.sleep(0.05)
