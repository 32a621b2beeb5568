"""Towns on the command line: imported, drawn, checked, converted; what is bad leaves no trace."""

import shutil
from pathlib import Path

import pytest

from store.keeping import open_store
from tests.gateway.command import Desk
from tests.properties.published import STSS


def size(desk: Desk) -> int:
    """The head position of the store."""
    with open_store(f"sqlite:///{desk.data_dir / 'troupe.db'}") as store:
        return store.head()


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """The published files, to be broken."""
    folder = tmp_path / "stss"
    shutil.copytree(
        STSS, folder, ignore=shutil.ignore_patterns("golden*"), copy_function=shutil.copy
    )
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    return folder
