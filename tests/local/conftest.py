"""What is tried with a real language model: SmolLM2 135M, in the server that runs start.

Each test asserts what must be true of any model, and nothing of what it says.
"""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.models.local.server import is_held
from actors.models.local.weights import file_of
from gateway.settings import read_settings
from tests.gateway.command import Desk


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these, and none where what they need is absent."""
    here = "tests/local/"
    for item in items:
        if item.nodeid.startswith(here):
            item.add_marker(pytest.mark.local)
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def weights() -> Path:
    """The weights' folder."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the extra `local` is not installed: make local")
    folder = read_settings().models_dir
    if not file_of("local/smollm2", folder).is_file():
        pytest.skip(f"the weights of local/smollm2 are not in {folder}: make local")
    return folder


@pytest.fixture
def desk(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Commands in a data folder of their own; in the end no server runs in it."""
    monkeypatch.setenv("TROUPE_MODELS_DIR", str(weights))
    found = Desk(tmp_path, monkeypatch)
    yield found
    for folder in (found.data_dir / "local").glob("*"):
        _wait_for_end(folder)


def _wait_for_end(folder: Path) -> None:
    import time

    within = time.monotonic() + 60
    while is_held(folder):
        assert time.monotonic() < within, f"the server of {folder} goes on"
        time.sleep(0.1)
