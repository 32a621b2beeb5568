"""docs/reference/api.md: its table is complete, and its examples do what they say."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from subprocess import run as run_process
from typing import Any

import pytest
import typer

from gateway.api.operations import OPERATIONS
from gateway.api.routing import routes
from gateway.cli.main import app
from tests.gateway.api.conftest import World
from tests.gateway.api.test_clients import API_JS, NODE, listening, token_of

DOCS = Path(__file__).parents[3] / "docs" / "reference" / "api.md"
TEXT = DOCS.read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `troupe ([^`]+)` \| (.+) \|$", TEXT, re.M))
CURL = shutil.which("curl")


def commands(group: Any, path: str = "", *, hidden: bool) -> Iterator[str]:
    """Every command that lists show, or every command there is."""
    if not hasattr(group, "commands"):
        yield path
        return
    if group.invoke_without_command:
        yield path
    for name, inner in group.commands.items():
        if hidden or not inner.hidden:
            yield from commands(inner, f"{path} {name}".strip(), hidden=hidden)


def examples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.M | re.S)


def test_every_command_has_its_operation_or_a_reason() -> None:
    groups = [name.removesuffix(" …") for name in ROWS if name.endswith("…")]
    line = typer.main.get_command(app)
    known = set(commands(line, hidden=True))
    for command in commands(line, hidden=False):
        assert command in ROWS or command.split()[0] in groups, command
    for name, row in ROWS.items():
        assert name in known or name.removesuffix(" …") in groups, name
        assert row.startswith("– ") or re.search(r"`(GET|POST|DELETE) /", row), name


def test_every_operation_that_the_table_names_is_there() -> None:
    assert routes
    known = {f"{one.method} {one.path}" for one in OPERATIONS.values()}
    named = set(re.findall(r"`((?:GET|POST|DELETE) /[^`?]*)`", "\n".join(ROWS.values())))
    assert named <= known


def test_examples_in_python_run(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    with listening(world) as url:
        for text in examples("python"):
            exec(compile(text, str(DOCS), "exec"), {"url": url, "token": token_of(world)})
    said = capsys.readouterr().out
    assert f"{world.run} test ended" in said
    assert "1 episodes" in said


@pytest.mark.skipif(CURL is None, reason="there is no curl")
def test_examples_with_curl_run(world: World) -> None:
    with listening(world) as url:
        environment = {"TOKEN": token_of(world), "TROUPE": url, "PATH": "/usr/bin:/bin"}
        listed, started = (
            json.loads(
                run_process(
                    ["/bin/sh", "-c", text], env=environment, capture_output=True, check=True
                ).stdout
            )
            for text in examples("sh")
        )
    assert len(listed["items"]) == 1
    assert started["episodes"] == 1


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_examples_in_node_run(world: World, tmp_path: Path) -> None:
    (text,) = examples("js")
    shutil.copy(API_JS, tmp_path / "api.js")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    with listening(world) as url:
        head = f"const url = {json.dumps(url)}, token = {json.dumps(token_of(world))};\n"
        (tmp_path / "example.js").write_text(head + text)
        done = run_process(
            [str(NODE), str(tmp_path / "example.js")], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    assert f"{world.run} test ended" in done.stdout
