"""What `make` says while it installs packages."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PIP = [
    "Collecting numpy==2.1.0 (from -r requirements/app.txt (line 5))\n",
    "  Downloading numpy-2.1.0.whl (16.1 MB)\n",
    "Requirement already satisfied: rich==13.9 in ./.venv (from -r x (line 9)) (13.9)\n",
    "Installing collected packages: numpy, rich\n",
]


@pytest.fixture(scope="module")
def setup() -> ModuleType:
    path = Path(__file__).parent.parent / "scripts" / "setup.py"
    spec = importlib.util.spec_from_file_location("setup_script", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_package_is_counted_and_named(
    setup: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = setup.Progress(2)
    seen = []
    for line in PIP:
        progress.read([line])
        seen.append(progress.at)
    assert seen == [
        "package 1 of 2: numpy",
        "package 1 of 2: numpy",
        "package 2 of 2: rich",
        "installing 2 packages",
    ]
    assert list(progress.tail)[-1].startswith("Installing"), "what failed is said at the end"
    assert len(capsys.readouterr().out.splitlines()) == 1, "into a file only a few lines go"


def test_on_a_terminal_one_line_is_written_over(
    setup: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    progress = setup.Progress(2)
    progress.on_terminal = True
    progress.read(PIP[:1])
    progress.draw()
    progress.clear()
    out = capsys.readouterr().out
    assert "package 1 of 2: numpy" in out
    assert "\n" not in out
    assert max(map(len, out.split("\r\x1b[K"))) < 40
