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


class Pip:
    """Stands for whatever ``setup.py`` would run."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []

    def run(self, command: list[str], **_: object) -> None:
        self.commands.append(command)


@pytest.mark.parametrize(("there", "taken"), [((), []), (("rich",), []), (("pip",), ["pip"])])
def test_what_installs_is_left_nowhere(
    setup: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    there: tuple[str, ...],
    taken: list[str],
) -> None:
    for name in there:
        (tmp_path / f"lib/python3.11/site-packages/{name}-1.0.dist-info").mkdir(parents=True)
    pip = Pip()
    monkeypatch.setattr(setup, "ENVIRONMENT", tmp_path)
    monkeypatch.setattr(setup.subprocess, "run", pip.run)
    monkeypatch.setattr(setup, "pip_in", lambda _: ("pip",))
    setup.leave_no_tools()
    assert pip.commands == [["pip", "uninstall", "-q", "-y", *taken]] * bool(taken)


@pytest.mark.parametrize(
    ("installed", "wanted", "there"),
    [
        ("dev", "notebook", True),
        ("dev", "inside", False),
        ("inside", "app", True),
        ("inside", "notebook", False),
        ("inside", "inside-cuda", False),
        ("inside-cuda", "inside", True),
    ],
)
def test_what_looks_into_models_stands_beside_what_developers_need(
    setup: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    installed: str,
    wanted: str,
    there: bool,
) -> None:
    monkeypatch.setattr(setup, "ENVIRONMENT", tmp_path)
    monkeypatch.setattr(setup, "PYTHON", tmp_path)
    setup.stamp_of(installed).write_text(setup.fingerprint(setup.lock_of(installed)))
    assert setup.ready(wanted) is there


def test_the_lock_without_cuda_has_the_same_versions(setup: ModuleType) -> None:
    def versions(which: str) -> set[str]:
        lines = setup.lock_of(which).read_text().splitlines()
        return {line.split()[0] for line in lines if "==" in line}

    cpu, cuda = versions("inside"), versions("inside-cuda")
    assert len(cpu - cuda) == 1
    assert all(name.startswith("torch==") and name.endswith("+cpu") for name in cpu - cuda)
    assert all(name.startswith(("nvidia-", "cuda-", "triton==")) for name in cuda - cpu)


def test_pip_is_brought_for_the_occasion_and_works_on_another_environment(
    setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, bool]] = []
    monkeypatch.setattr(
        setup.venv, "create", lambda place, *, with_pip: made.append((place, with_pip))
    )
    command = setup.pip_in(str(tmp_path))
    assert made == [(str(tmp_path), True)]
    assert command[0].startswith(str(tmp_path))
    assert command[-2:] == ("--python", str(setup.PYTHON))
