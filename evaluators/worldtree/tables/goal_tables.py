"""Goals as plain tables: for the terminal, CSV and LaTeX."""

from collections.abc import Sequence
from typing import Final

from actors.text.amounts import many
from actors.worldtree.trees.tree import Language
from evaluators.tables.figure_text import figure_of
from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    PlainColumn,
    PlainTable,
    numbers,
    table_of,
)
from evaluators.worldtree.tables.labels import BOUNDS, LANGUAGE_NAMES, notes_on, short_label
from evaluators.worldtree.values.goal_values import OVERALL, SCOPES, GoalCell, GoalRow, GoalTable

COUNTS: Final = ("achieved", "partly", "not_achieved", "undecided", "unscored")
_WHAT: Final = (
    "percent; goal ratio: achieved / (achieved + partly + not + undecided) within a tree, then "
    "the mean over trees; without undecided: the published ratio"
)


def goal_tables(table: GoalTable) -> list[PlainTable]:
    """For each language all cells; to people a column a row of Table 2, the goal ratio above, the
    published one in brackets, and the counts below."""
    return [_cells(table, language) for language in table.languages]


def overall_goal_tables(table: GoalTable) -> list[PlainTable]:
    """For each language the overall figures alone, with their intervals."""
    return [_overall(table, language) for language in table.languages]


def _cells(table: GoalTable, language: Language) -> PlainTable:
    there = [row for row in table.rows if any(c.language == language for c in row.cells)]
    return PlainTable(
        name=f"goals-{language}",
        title=f"Goals, {LANGUAGE_NAMES[language]}, by orientation",
        columns=(
            PlainColumn("language", only_csv=True),
            PlainColumn("scope", heading=" "),
            PlainColumn("who"),
            PlainColumn("kind", only_csv=True),
            PlainColumn("rehearsal", only_csv=True),
            PlainColumn("participants", "number", only_csv=True),
            PlainColumn("goal_ratio", "figure", only_csv=True),
            *numbers("published", "script", *COUNTS, "trees", only_csv=True),
            PlainColumn("shown", "number", only_people=True),
        ),
        rows=tuple(
            (
                language,
                DisplayValue(scope, scope.capitalize()),
                DisplayValue(row.who, short_label(row)),
                row.kind,
                "yes" if row.rehearsal else "no",
                row.participants or None,
                figure_of(cell.ratio),
                cell.published,
                cell.script,
                *_counts(row, cell),
                cell.trees,
                _shown(row, cell),
            )
            for scope in SCOPES
            for row in there
            if (cell := row.cell(language, scope))
        ),
        note=f"{_WHAT}, in brackets; below: achieved/partly/not. Chance in brackets: of walks "
        f"that the tree scores.{notes_on(table.rows, table.left_out)}",
        across=("who",),
    )


def _overall(table: GoalTable, language: Language) -> PlainTable:
    return table_of(
        f"goals-overall-{language}",
        f"Goals, {LANGUAGE_NAMES[language]}",
        [(row, cell) for row in table.rows if (cell := row.cell(language, OVERALL))],
        (PlainColumn("who", heading=" "), lambda one: short_label(one[0])),
        (
            PlainColumn("goal_ratio", "figure", heading="goal ratio"),
            lambda one: figure_of(one[1].ratio, ".1f"),
        ),
        (
            PlainColumn("published", "number", heading="without\nfailed"),
            lambda one: _one(one[1].published),
        ),
        (PlainColumn("script", "number"), lambda one: _one(one[1].script)),
        (
            PlainColumn("counts", "number", heading="achieved/\npartly/not"),
            lambda one: _three(one[1]) if one[1].outcomes.walks else None,
        ),
        (
            PlainColumn("others", "number", heading="undecided/\nunscored"),
            lambda one: _others(one[1]) if one[1].outcomes.walks else None,
        ),
        (PlainColumn("trees", "number"), lambda one: one[1].trees),
        note=f"{_WHAT}; script: the mean over orientations of what the published script prints. "
        "In square brackets, or as ±: the 95 % interval, by drawing trees. Unscored: the tree does "
        f"not say what the end is for the goal.{notes_on(table.rows, table.left_out)}",
    )


def _one(value: float | None) -> DisplayValue | None:
    """With as many digits as the ratio beside it."""
    return None if value is None else DisplayValue(value, f"{value:.1f}")


def _counts(row: GoalRow, cell: GoalCell) -> Sequence[Cell]:
    if row.kind in BOUNDS:
        return (None,) * len(COUNTS)
    return tuple(getattr(cell.outcomes, name) for name in COUNTS)


def _three(cell: GoalCell) -> str:
    found = cell.outcomes
    return f"{found.achieved}/{found.partly}/{found.not_achieved}"


def _others(cell: GoalCell) -> str:
    return f"{cell.outcomes.undecided}/{cell.outcomes.unscored}"


def _shown(row: GoalRow, cell: GoalCell) -> str:
    published = "" if cell.published is None else f" ({cell.published:.1f})"
    ratio = "–" if cell.ratio.value is None else f"{cell.ratio.value:.1f}"
    if row.kind in BOUNDS:
        return f"{ratio}{published}\n{many(cell.trees, 'tree')}"
    told = [_three(cell)]
    told += [f"{cell.outcomes.undecided} undecided"] * bool(cell.outcomes.undecided)
    told += [f"{cell.outcomes.unscored} unscored"] * bool(cell.outcomes.unscored)
    return "\n".join([f"{ratio}{published}", *told])
