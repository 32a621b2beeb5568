"""The help: quick, whole, and there for every command."""

import re
import subprocess
import sys

import pytest
from typer.main import get_command

from gateway.cli.command_table import FORMER_NAMES
from gateway.cli.lazy_commands import LazyCommand
from gateway.cli.main import app
from tests.gateway.command import Desk

HEAVY = ("sqlalchemy", "litellm", "nats", "scipy", "numpy", "rich", "pykka", "litestar", "uvicorn")


def commands() -> list[tuple[str, ...]]:
    """Every command and group, by its words."""
    found: list[tuple[str, ...]] = [()]
    waiting = [((), get_command(app))]
    while waiting:
        words, command = waiting.pop()
        for name, inner in getattr(command, "commands", {}).items():
            found.append((*words, name))
            waiting.append(((*words, name), inner))
    return found


def lazy_commands() -> list[LazyCommand]:
    found, waiting = [], [get_command(app)]
    while waiting:
        command = waiting.pop()
        if isinstance(command, LazyCommand):
            found.append(command)
        waiting += getattr(command, "commands", {}).values()
    return found


@pytest.mark.parametrize("lazy", lazy_commands(), ids=lambda lazy: lazy.where)
def test_the_sentence_of_a_list_is_how_the_help_of_a_command_begins(lazy: LazyCommand) -> None:
    words = " ".join(lazy.command.help.partition("\n\n")[0].split())
    assert words.startswith(lazy.sentence)
    assert lazy.sentence.endswith(".")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from gateway.cli.main import main; sys.argv = ['troupe', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_is_heavy_is_loaded_only_where_it_is_used(
    played: Desk, run: str, episode: str
) -> None:
    code = (
        "import sys\n"
        "def main(*words):\n"
        "    from gateway.cli.main import main\n"
        "    sys.argv = ['troupe', *words]\n"
        "    try: main()\n"
        "    except SystemExit as end: assert not end.code, end.code\n"
        "def loaded():\n"
        "    heavy = ('matplotlib', 'pyarrow', 'litellm', 'statsmodels', 'scipy', 'pandas')\n"
        "    return {name for name in heavy if name in sys.modules}\n"
        "main('runs')\n"
        "assert not loaded(), loaded()\n"
        f"main('show', {episode!r})\n"
        "assert not loaded(), loaded()\n"
        "import gateway.servers.server, gateway.servers.people_server\n"
        "assert not loaded(), loaded()\n"
        f"main('show', {run!r})\n"
        # The intervals of a run's table need a quantile.
        "assert loaded() <= {'scipy'}, loaded()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_help_fits_the_terminal_and_no_summary_is_cut(
    desk: Desk, words: tuple[str, ...]
) -> None:
    said = desk.does(*words, "--help")
    assert max(map(len, said.out.splitlines())) <= 80
    usage, *rest = said.out.splitlines()
    assert usage.startswith("Usage: ")
    assert "..." not in "".join(rest)
    first = said.out.split("\n\n")[1].strip()
    assert first.endswith("."), "it begins with a sentence that says what it does"


@pytest.mark.parametrize(
    "name",
    [name for name, command in get_command(app).commands.items() if not command.hidden],
)
def test_the_list_of_commands_names_each_with_a_whole_sentence(desk: Desk, name: str) -> None:
    lines = desk.does("--help").out.splitlines()
    line = next(line for line in lines if line.startswith(f"  {name} "))
    assert re.fullmatch(rf"  {name} +[A-Z][^.]+\.", line)


@pytest.mark.parametrize(
    ("former", "name"),
    [
        *FORMER_NAMES.items(),
        ("sandbox", "town"),
        ("hard", "memory-scenarios"),
        ("hard use", "memory-scenarios recall"),
    ],
)
def test_a_former_name_of_a_command_still_works_and_is_in_no_list(
    desk: Desk, former: str, name: str
) -> None:
    old, new = (desk.does(*words.split(), "--help").out for words in (former, name))
    assert old.partition("\n\n")[2] == new.partition("\n\n")[2]
    *group, last = former.split()
    listed = re.findall(r"^  ([a-z-]+) ", desk.does(*group, "--help").out, re.MULTILINE)
    assert last not in listed


def test_archive_without_a_folder_hides_runs_as_it_did_before(played: Desk, run: str) -> None:
    assert "is hidden from lists" in played.does("archive", run).out
    assert played.does("runs", "--json").json == []
    assert "is in the lists again" in played.does("archive", "--undo", run).out


def test_a_misspelt_command_suggests_the_right_one_and_is_a_usage_error(desk: Desk) -> None:
    said = desk.says("lineag", "e1")
    assert said.code == 2
    assert "lineage" in said.err


def test_the_version_is_printed_alone(desk: Desk) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*\n", desk.does("--version").out)
