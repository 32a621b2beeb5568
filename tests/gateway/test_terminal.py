"""How results look: they fit a narrow terminal and break no id; as JSON they are JSON."""

import re

import pytest
from rich.cells import cell_len

from evaluators.tables.plain_tables import PlainColumn, PlainTable
from gateway.cli.terminal.output import (
    NumberedLines,
    escape,
    heading,
    print_pairs,
    print_several,
    print_table,
)
from tests.gateway.command import Desk

LISTS = [
    ["runs"],
    ["show", "RUN"],
    ["show", "EPISODE"],
    ["show", "EPISODE", "--as", "2"],
    ["replay", "EPISODE", "--at", "5"],
    ["watch", "EPISODE"],
    ["lineage", "EPISODE"],
    ["compare", "RUN", "rehearsal-strict", "rehearsal-lenient"],
    ["catalog", "list"],
    ["catalog", "search", "van"],
    ["catalog", "show", "tasks"],
    ["catalog", "show", "one_van"],
    ["projections", "rebuild"],
]


def given(arguments: list[str], run: str, episode: str) -> list[str]:
    return [{"RUN": run, "EPISODE": episode}.get(word, word) for word in arguments]


@pytest.mark.parametrize("columns", [80, 160])
@pytest.mark.parametrize("arguments", LISTS, ids=" ".join)
def test_nothing_is_wider_than_the_terminal_and_no_word_is_cut(
    played: Desk, run: str, episode: str, arguments: list[str], columns: int
) -> None:
    played.width(400)
    words = set(re.findall(r"\S+", played.does(*given(arguments, run, episode)).out))
    played.width(columns)
    out = played.does(*given(arguments, run, episode)).out
    assert max(map(len, out.splitlines())) <= columns
    # What is a word where there is room is the same word where there is little.
    cut = {word for word in re.findall(r"\S+", out) if word not in words}
    assert not {word for word in cut if re.search(r"\w", word)}


@pytest.mark.parametrize("arguments", [*LISTS, ["doctor"], ["schema"]], ids=" ".join)
def test_as_json_standard_output_holds_json_alone(
    played: Desk, run: str, episode: str, arguments: list[str]
) -> None:
    words = given(arguments, run, episode)
    as_json = [] if words == ["schema"] else ["--json"]
    said = played.does(*words, *as_json)
    if words[0] == "watch":
        assert all(line.startswith("{") for line in said.out.splitlines())
    else:
        assert said.json


def test_a_transcript_is_wrapped_beside_its_numbers(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.width(30)
    lines = NumberedLines()
    for number, text in (
        (7, "ten words " * 6),
        (1234, "十个字" * 20),
        (8, "one\n\nthree"),
        (9, ""),
    ):
        lines.print(number, text)
    out = capsys.readouterr().out
    assert max(map(cell_len, out.splitlines())) <= 30
    assert out.count("十个字") + out.count("words") > 20
    assert "#7    ten words ten words ten\n      words" in out
    assert "#8    one\n      \n      three\n#9    \n" in out


def test_what_looks_like_markup_is_shown_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("[/]", "[bold]"), [("[/red]", ":bomb:")])
    heading("[/]", "[/]")
    print_pairs((("[/]", escape("[/]")),))
    out = capsys.readouterr().out
    assert out.count("[/]") == 5
    assert all(text in out for text in ("[bold]", "[/red]", ":bomb:"))


def test_a_line_that_notes_of_several_tables_have_is_printed_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def table(name: str, note: str) -> PlainTable:
        columns = (PlainColumn(name="model"),)
        return PlainTable(name=name, title=f"Table {name}", columns=columns, rows=(), note=note)

    print_several([table("a", "of both [1]\nof a"), table("b", "of b\nof both [1]")])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("of ")] == ["of both [1]", "of a", "of b"]
    assert [line for line in lines if line.startswith("Table ")] == ["Table a", "Table b"]
