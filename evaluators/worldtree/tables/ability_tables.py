"""Abilities as plain tables: for the terminal, CSV and LaTeX."""

from collections.abc import Collection

from actors.worldtree.trees.abilities import ASPECTS
from actors.worldtree.trees.tree import Language
from evaluators.tables.plain_tables import DisplayValue, PlainColumn, PlainTable, numbers
from evaluators.worldtree.tables.labels import LANGUAGE_NAMES, notes_on, short_label
from evaluators.worldtree.values.ability_values import (
    ABILITY_SCOPES,
    AbilityCell,
    AbilityRow,
    AbilityTable,
)
from evaluators.worldtree.values.goal_values import OVERALL


def ability_tables(
    table: AbilityTable, scopes: Collection[str] = tuple(ABILITY_SCOPES)
) -> list[PlainTable]:
    """For each language all cells of these scopes; to people a column a row of Table 3, the ratio
    above, the published one in brackets, and the counts below."""
    return [_cells(table, language, scopes) for language in table.languages]


COUNTED = ("right", "wrong", "undecided")
ASPECTS_ALONE = (*ASPECTS, OVERALL)
"""Table 3 without single abilities."""


def _cells(table: AbilityTable, language: Language, scopes: Collection[str]) -> PlainTable:
    there = [row for row in table.rows if any(c.language == language for c in row.cells)]
    return PlainTable(
        name=f"abilities-{language}",
        title=f"Abilities, {LANGUAGE_NAMES[language]} ({table.samples.get(language, 0):,} samples)",
        columns=(
            PlainColumn("language", only_csv=True),
            PlainColumn("scope", heading=" "),
            PlainColumn("who"),
            PlainColumn("kind", only_csv=True),
            PlainColumn("rehearsal", only_csv=True),
            *numbers(
                *("participants", "ratio", "published", "script", *COUNTED, "labels"), only_csv=True
            ),
            PlainColumn("shown", "number", only_people=True),
        ),
        rows=tuple(
            (
                language,
                DisplayValue(scope, scope[:1].upper() + scope[1:]),
                DisplayValue(row.who, short_label(row)),
                row.kind,
                "yes" if row.rehearsal else "no",
                row.participants or None,
                cell.ratio,
                cell.published,
                cell.script,
                *(_counts(cell) if row.kind != "chance" else (None,) * 4),
                _shown(row, cell),
            )
            for scope in ABILITY_SCOPES
            if scope in scopes
            for row in there
            if (cell := row.cell(language, scope))
        ),
        note="percent right of all labels; a sample has a label for each of its abilities; in "
        "brackets the published ratio, which drops what is undecided; script (after a slash): "
        "the plain mean over abilities of the published ratios. Below: right/labels. Chance: every "
        "vote at random; where it takes a majority there may be none, which is wrong in the ratio."
        + notes_on(table.rows, table.left_out),
        across=("who",),
    )


def _counts(cell: AbilityCell) -> tuple[int, ...]:
    return cell.right, cell.wrong, cell.undecided, cell.counted


def _shown(row: AbilityRow, cell: AbilityCell) -> str:
    ratio = "–" if cell.ratio is None else f"{cell.ratio:.1f}"
    pooled = cell.scope in ASPECTS_ALONE
    others = [cell.published, cell.script] if pooled else [cell.published]
    beside = "/".join("–" if one is None else f"{one:.1f}" for one in others)
    if row.kind == "chance":
        return f"{ratio} ({beside})"
    undecided = f"\n{cell.undecided} undecided" if cell.undecided else ""
    return f"{ratio} ({beside})\n{cell.right}/{cell.counted}{undecided}"
