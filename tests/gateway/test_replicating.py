"""The pages that tell how to replicate the papers say nothing that cannot be typed."""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from actors.social.formats import file_names
from gateway.cli.main import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = (
    "how-to/replicate-sotopia",
    "how-to/replicate-lifelong",
    "how-to/replicate-socialeval",
    "how-to/replicate-stss",
    "explanation/worldtree",
)


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def typed(text: str) -> list[str]:
    """The commands of a page: a line each of its blocks, and those between backticks."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`(troupe [^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    return [line for line in (*lines, *inline) if line.startswith("troupe ")]


COMMANDS = sorted({line for name in PAGES for line in typed(page(name))})


def test_there_are_commands_of_both_pages():
    assert all(len(typed(page(name))) > 10 for name in PAGES)


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_there_with_its_options(line: str):
    command, words = get_command(app), shlex.split(line)[1:]
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]  # type: ignore[attr-defined]
    assert not hasattr(command, "commands"), f"{line}: says no command"
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    assert {word for word in words if word.startswith("-")} <= known


@pytest.mark.parametrize("name", PAGES)
def test_every_file_and_page_that_is_named_is_there(name: str):
    text = page(name)
    for path in re.findall(r"\b(?:examples|plans)/[\w-]+\.toml", text):
        assert (ROOT / path).is_file(), path
    for link in re.findall(r"\]\(([\w./-]+)", text):
        assert ((DOCS / name).parent / link).is_file(), link
    for pattern in re.findall(r"`((?:agents|judges)/[\w.*-]+)`", text):
        assert list((ROOT / "tests" / "golden" / "prompts").glob(pattern)), pattern


def test_the_data_and_the_papers_have_an_address() -> None:
    page = (DOCS / "how-to" / "replicate-sotopia.md").read_text(encoding="utf-8")
    names = (file_names.CHARACTERS, file_names.SCENARIOS)
    files = (*names, file_names.RELATIONSHIPS, file_names.TASKS)
    for said in (*files, "github.com/sotopia-lab/sotopia-space", "`profiles/`", "CC BY-SA 4.0"):
        assert said in page, said
    cited = (ROOT / "CITATIONS.md").read_text(encoding="utf-8")
    for paper in ("2310.11667", "2506.12666", "2506.00900", "2404.05337"):
        assert f"(https://arxiv.org/abs/{paper})" in cited
    for repository in (
        "sotopia-lab/sotopia-space",
        "thu-coai/SocialEval",
        "wcx21/Social-Tasks-in-Sandbox-Simulation",
    ):
        assert f"https://github.com/{repository}" in cited
