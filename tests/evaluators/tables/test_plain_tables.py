"""Plain tables: exact as CSV, fit for a paper as LaTeX."""

import csv
import io

from msgspec.structs import replace

from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import Figure, PlainColumn, PlainTable, as_csv

SCORES = PlainTable(
    name="scores",
    title="Scores by R&D_judge",
    columns=(
        PlainColumn("mind"),
        PlainColumn("run", "id", only_csv=True),
        PlainColumn("goal", "figure"),
        PlainColumn("seats", "number"),
    ),
    rows=(
        ('a, "b"', "r1", Figure(value=2 / 3, low=-1.0, high=7 / 3, n=4), 1234),
        ("50 % {x}", "r2", Figure(value=-5.0, n=1, text="-5.00"), 3),
        ("none", "r3", None, None),
    ),
    note="of scenarios like these",
)
SHARES = PlainTable(
    "shares",
    "Shares",
    (PlainColumn("mind"), PlainColumn("passed", "figure")),
    (("a", Figure(value=0.5, low=0.25, high=0.75, text="50% ±25% [4]")), ("b", 0.1 + 0.2)),
)


def test_csv_has_exact_values_and_a_column_for_each_end_of_an_interval() -> None:
    head, *rows = csv.reader(io.StringIO(as_csv([SCORES])))
    assert head == ["mind", "run", "goal", "goal_low", "goal_high", "goal_n", "seats"]
    assert rows[0] == ['a, "b"', "r1", repr(2 / 3), "-1.0", repr(7 / 3), "4", "1234"]
    assert rows[2] == ["none", "r3", "", "", "", "", ""]


def test_several_tables_in_one_csv_stand_under_their_titles() -> None:
    text = as_csv([SHARES, SCORES])
    first, second = text.split("\n\n")
    assert first.startswith("# Shares\nmind,passed,passed_low,")
    assert second.startswith("# Scores by R&D_judge\nmind,run,")
    assert repr(0.1 + 0.2) in first


def test_latex_is_escaped_and_sets_numbers_as_mathematics() -> None:
    lines = as_latex([SCORES]).splitlines()
    assert r"\caption{Scores by R\&D\_judge. Of scenarios like these.}" in lines
    assert r"\label{tab:scores}" in lines
    assert r"\begin{tabular}{lrr}" in lines
    body = [" ".join(line.split()) for line in lines]
    assert r"mind & goal & seats \\" in body
    assert r'a, "b" & $0.67 \pm 1.67$ & $1234$ \\' in body
    assert r"50 \% \{x\} & $-5.00$ & $3$ \\" in body
    assert r"none & -- & -- \\" in body
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert lines.count(rule) == 1


def test_each_line_of_a_note_is_a_sentence_of_the_caption() -> None:
    noted = replace(SHARES, note="over few chains\na rule judge")
    assert r"\caption{Shares. Over few chains. A rule judge.}" in as_latex([noted])


def test_latex_has_shares_with_their_signs() -> None:
    assert r"$50\% \pm 25\%$ [$4$]" in as_latex([SHARES])


def test_a_table_without_rows_is_its_head() -> None:
    empty = PlainTable("none", "None", SHARES.columns, ())
    assert as_csv([empty]) == "mind,passed,passed_low,passed_high,passed_n\n"
    assert r"mind & passed \\" in " ".join(as_latex([empty]).split())


def test_control_characters_are_made_visible() -> None:
    told = PlainTable("t", "T\x1b", (PlainColumn("n\x07"),), (("a\x1b[2J\u202e",),))
    for text in (as_csv([told, told]), as_latex([told])):
        assert text.replace("\n", "").isprintable()
        assert "␛" in text
        assert "2J" in text


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    names = ("=1+1", "-b", "+b", "@SUM(A1)", "\t=1", "＝1")
    told = PlainTable("t", "T, =cmd|x", (PlainColumn("=n"), PlainColumn("d", "number")), ())
    told = replace(told, rows=tuple((name, -0.5) for name in (*names, "a=b", "")))
    title, *lines = as_csv([told, told]).split("\n\n")[0].splitlines()
    assert title == "# T,' =cmd|x"
    assert lines[0] == "'=n,d"
    assert lines[1:] == [*(f"'{name},-0.5" for name in names), "a=b,-0.5", ",-0.5"]


def test_a_row_that_begins_with_a_bracket_or_a_star_is_no_option_of_the_line_before() -> None:
    told = PlainTable("t", "T", (PlainColumn("n"),), (("[U+202E]",), ("*x",)))
    assert "{[}U+202E] \\\\\n{*}x" in " ".join(as_latex([told]).split(" ")).replace("  ", "")
