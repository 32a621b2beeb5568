"""The code stays within the limits that ``make house`` prints."""

from pathlib import Path

import pytest

from tests.house import counts
from tests.house.counts import Module, classes_twice, files_in_folders, names_in_ing
from tests.house.table import Count
from tests.house.table import counts as all_counts


def test_nothing_is_over_its_limit():
    over = [row for row in all_counts() if row.value > row.limit]
    assert not over, "\n".join(map(str, over))


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Module]:
    monkeypatch.setattr(counts, "ROOT", tmp_path)
    files = {
        "gateway/listing.py": "from typing import Any\n\n\nclass Line:\n    text: Any\n",
        "gateway/pages/lines.py": "class Line: ...\nclass _Line: ...\n",
        "store/log.py": "class Line:\n    def read(self) -> None:\n        import store.rows\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [Module(tmp_path / name) for name in files]


def test_counts_are_of_what_stands_there(code: list[Module]):
    assert classes_twice(code) == {
        "gateway: Line": ["gateway/listing.py", "gateway/pages/lines.py"]
    }
    assert names_in_ing(code) == ["gateway/listing.py"]
    assert files_in_folders(code)[Path("gateway")] == 1
    assert [one.any_count for one in code] == [1, 0, 0]
    assert [one.inner_imports for one in code] == [0, 0, 1]
    assert counts.sizes(code) == {"gateway": (7, 2), "store": (3, 1)}


def test_a_row_says_when_it_is_over():
    assert "OVER" in str(Count("circles", 3, 2))
    assert "OVER" not in str(Count("circles", 2, 2))
