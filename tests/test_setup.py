"""How ``make`` sets up environments from the lock files."""

import importlib.util
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==(\S+)", re.MULTILINE)


@pytest.fixture(scope="module")
def setup() -> ModuleType:
    spec = importlib.util.spec_from_file_location("setup_script", ROOT / "scripts" / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def named(project: dict[str, Any]) -> Iterator[Requirement]:
    """All that pyproject.toml requires, in any set."""
    extras = project["project"]["optional-dependencies"].values()
    for each in (
        project["project"]["dependencies"],
        *extras,
        *project["dependency-groups"].values(),
    ):
        yield from (Requirement(one) for one in each if isinstance(one, str))


def test_the_lock_has_each_package_that_the_project_names_pinned_by_hash(setup: ModuleType):
    entries = re.split(r"^(?=\S)", setup.LOCK.read_text(), flags=re.MULTILINE)
    pinned: dict[str, list[str]] = {}
    for entry in filter(None, entries):
        found = PINNED.match(entry)
        assert found is not None, entry[:80]
        assert "--hash=sha256:" in entry, entry[:80]
        pinned.setdefault(found[1].lower(), []).append(found[2])
    for requirement in named(tomllib.loads((ROOT / "pyproject.toml").read_text())):
        versions = pinned[requirement.name.lower()]
        assert any(Version(version) in requirement.specifier for version in versions), requirement


def test_both_builds_of_pytorch_are_of_one_version(setup: ModuleType):
    locked = dict(PINNED.findall(setup.LOCK.read_text()))
    (name, version), *others = PINNED.findall((setup.REQUIREMENTS / "torch-cpu.txt").read_text())
    assert (name, version, others) == ("torch", locked["torch"] + "+cpu", [])


def test_lock_files_name_no_address(setup: ModuleType):
    for path in setup.REQUIREMENTS.iterdir():
        assert "://" not in path.read_text(), path


@pytest.mark.parametrize(
    ("before", "which", "after"),
    [
        (set(), "dev", {"dev"}),
        ({"dev"}, "local", {"dev", "local"}),
        ({"dev", "inside"}, "inside-cuda", {"dev", "inside-cuda"}),
        ({"inside-cuda"}, "inside", {"inside"}),
        ({"dev"}, "lora", {"dev", "inside", "lora"}),
        ({"inside-cuda"}, "lora", {"inside-cuda", "lora"}),
    ],
)
def test_a_set_joins_those_before_but_for_another_pytorch(
    setup: ModuleType, before: set[str], which: str, after: set[str]
):
    assert setup.wanted(which, before) == after


@pytest.fixture
def environment(setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Of a checkout whose commands are noted instead of run."""
    commands: list[str] = []
    monkeypatch.setattr(
        setup, "run", lambda *command, **_: commands.append(" ".join(map(str, command)))
    )
    monkeypatch.setattr(setup, "uv", lambda: "uv")
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "fingerprint", lambda: "a lock")
    (tmp_path / ".uv" / "pip").mkdir(parents=True)  # with which PyTorch is installed
    made = setup.Environment(tmp_path / ".venv")
    made.commands = commands
    return made


def carried_out(setup: ModuleType, monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    monkeypatch.setattr(setup.sys, "argv", ["setup.py", which])
    setup.main()


def test_what_is_there_is_not_installed_again(
    setup: ModuleType, environment: Any, monkeypatch: pytest.MonkeyPatch
):
    carried_out(setup, monkeypatch, "dev")
    assert len(environment.commands) == 2
    assert "--group dev" in environment.commands[0]
    assert "--extra tabletop" in environment.commands[0], "the application is in every set"
    carried_out(setup, monkeypatch, "dev")
    carried_out(setup, monkeypatch, "app")
    assert len(environment.commands) == 2
    monkeypatch.setattr(setup, "fingerprint", lambda: "another lock")
    carried_out(setup, monkeypatch, "app")
    assert len(environment.commands) == 4
    assert "--group dev" in environment.commands[2], "it stays"


def test_a_set_up_that_was_interrupted_is_done_again_with_all_that_was_there(
    setup: ModuleType, environment: Any, monkeypatch: pytest.MonkeyPatch
):
    carried_out(setup, monkeypatch, "dev")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            carried_out(setup, patch, "local")
    assert environment.installed() == set()
    carried_out(setup, monkeypatch, "notebook")
    assert set(json.loads(environment.state.read_text())["sets"]) == {"dev", "local", "notebook"}


def test_a_set_that_cannot_be_installed_does_not_spoil_the_next(
    setup: ModuleType, environment: Any, monkeypatch: pytest.MonkeyPatch
):
    carried_out(setup, monkeypatch, "dev")

    def not_found(*_: object, **__: object) -> None:
        raise SystemExit(setup.FAILED)

    with monkeypatch.context() as patch:
        patch.setattr(setup, "run", not_found)
        with pytest.raises(SystemExit):
            carried_out(setup, patch, "inside")
    carried_out(setup, monkeypatch, "dev")
    assert environment.installed() == {"dev"}
    assert "inside" not in environment.commands[-2]
