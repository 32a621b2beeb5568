"""Tables in narrow terminals: nothing is wider than the terminal, and nothing is cut."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cli.terminal.table_layout import (
    Block,
    Column,
    SpanningRow,
    Styled,
    blocks,
    cells,
    lines,
    wrapped,
)

LONG = "openai/gpt-4o-mini-2024-07-18-some-long-name"
WORDS = st.text(st.sampled_from("ab-/.十 "), max_size=60)
ROWS = st.lists(st.tuples(WORDS, WORDS, st.integers(0, 10**6), st.integers(0, 99)), max_size=5)


def told(block: Block) -> list[str]:
    return [
        "  ".join(cell.text if isinstance(cell, Styled) else cell for cell in line)
        for _, line in lines(block)
    ]


def laid_out(columns: list[Column], rows: list[list[str]], width: int) -> list[list[str]]:
    return [told(block) for block in blocks(columns, rows, width)]


@given(WORDS, st.integers(4, 30))
def test_wrapped_text_loses_nothing_but_spaces(text: str, width: int) -> None:
    found = wrapped(text, width)
    assert all(cells(line) <= width for line in found)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


@given(ROWS, st.integers(40, 120))
def test_no_line_is_wider_than_the_terminal_and_every_character_is_there(
    rows: list[tuple[str, str, int, int]], width: int
) -> None:
    columns = [Column("name"), Column("who plays"), Column("asked of it", "number")]
    columns.append(Column("missing", "number"))
    found = laid_out(columns, [[a, b, str(n), str(m)] for a, b, n, m in rows], width)
    said = "".join(line for part in found for line in part)
    assert all(cells(line) <= width for part in found for line in part)
    given_ = "".join(f"{a}{b}{n}{m}" for a, b, n, m in rows) + "".join(c.name for c in columns)
    assert Counter(re.sub(r"\s", "", given_)) <= Counter(re.sub(r"\s", "", said))


def test_a_name_is_broken_after_its_punctuation_and_words_before_it() -> None:
    assert wrapped(f"by {LONG}", 20) == [
        "by",
        "openai/gpt-4o-mini-",
        "2024-07-18-some-",
        "long-name",
    ]
    assert wrapped("two words", 6) == ["two", "words"]


def test_figures_of_many_minds_stand_in_several_tables_under_the_same_rows() -> None:
    columns = [Column(""), *(Column(f"{LONG}-{n}", "number") for n in range(8))]
    rows = [["Goal", *["8.43 ±2.58"] * 8], ["Secret", *["0.00"] * 8]]
    found = laid_out(columns, rows, 79)
    assert len(found) > 1
    for part in found:
        assert any(line.startswith("Goal ") for line in part)
        assert any(line.startswith("Secret ") for line in part)
    assert sum(line.count("8.43 ±2.58") for part in found for line in part) == 8


def test_headings_are_broken_before_the_names_of_rows() -> None:
    columns = [Column(""), *(Column(f"{LONG}-{n}", "number") for n in range(3))]
    (found,) = laid_out(columns, [["Financial and material benefits", *["8.43 ±2.58"] * 3]], 79)
    assert found[-1].startswith("Financial and material benefits ")


def test_ids_and_numbers_are_never_broken() -> None:
    columns = [Column("id", "id"), Column("what"), Column("n", "number")]
    (found,) = laid_out(columns, [["e" * 30, "some words to be wrapped " * 4, "1" * 12]], 60)
    assert any("e" * 30 in line for line in found)
    assert any("1" * 12 in line for line in found)


@pytest.mark.parametrize("width", [20, 60])
def test_a_line_goes_over_all_columns(width: int) -> None:
    columns = [Column("a", "id"), Column("b", "number")]
    (block,) = blocks(columns, [SpanningRow(f"{LONG}, summary"), ["x", "1"]], width)
    assert "".join(told(block)[2:-1]).replace(" ", "") == f"{LONG},summary"
    assert all(cells(line) <= width for line in told(block))
