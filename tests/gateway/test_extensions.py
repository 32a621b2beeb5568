"""Commands that packages bring with them."""

import sys
from pathlib import Path

import pytest
import typer

from gateway.cli import extensions


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, and nothing else there."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


def install(site: Path, name: str, code: str) -> None:
    (site / f"{name}.py").write_text(code, encoding="utf-8")
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(
        f"[console_scripts]\nx = {name}:x\n\n[{extensions.GROUP}]\n# one\n{name} = {name}:add\n\n"
        f"[others]\nnot = {name}:this\n",
        encoding="utf-8",
    )


def app() -> typer.Typer:
    found = typer.Typer()
    found.command("one")(lambda: None)
    return found


def names(line: typer.Typer) -> list[str | None]:
    return [command.name for command in line.registered_commands]


def test_a_package_adds_commands_by_its_entry_point(site: Path):
    install(
        site,
        "juggling",
        "def add(app):\n    app.command('juggle')(lambda: print('three balls'))\n",
    )
    assert list(extensions.entries()) == [("juggling", "juggling:add")]
    line = app()
    extensions.add_commands(line)
    assert names(line) == ["one", "juggle"]


def test_one_that_cannot_be_loaded_is_named_and_leaves_the_others(
    site: Path, capsys: pytest.CaptureFixture[str]
):
    install(site, "clumsy", "raise RuntimeError('dropped a ball')\n")
    install(site, "deft", "def add(app):\n    app.command('catch')(lambda: print('caught'))\n")
    line = app()
    extensions.add_commands(line)
    said = capsys.readouterr().err
    assert said == (
        "troupe: the commands of 'clumsy' cannot be loaded: RuntimeError: dropped a ball\n"
    )
    assert names(line) == ["one", "catch"]


def test_the_social_environment_brings_its_own():
    assert ("social", "gateway.social:add_commands") in list(extensions.entries())
