"""Table 2 as a page shows it: how far goals were achieved."""

from collections.abc import Callable, Sequence
from typing import Final

from actors.worldtree.trees.orientations import GROUPS, ORIENTATIONS
from actors.worldtree.trees.tree import Language
from evaluators.report.formats import figure
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.report import published_figures
from evaluators.worldtree.report.sheets import (
    NONE,
    Block,
    Entry,
    Head,
    Row,
    Sheet,
    both,
    each,
    joined,
)
from evaluators.worldtree.tables.labels import (
    BOUNDS,
    GROUP_NAMES,
    LANGUAGE_NAMES,
    chip_of,
    grouped,
    row_label,
)
from evaluators.worldtree.values.goal_values import OVERALL, GoalCell, GoalRow, GoalTable

_OF_GROUP: Final = {
    group: tuple(one.name for one in ORIENTATIONS if one.group == group) for group in GROUPS
}
_COLUMNS: Final = (
    *(
        scope
        for group in GROUPS
        for scope in (*_OF_GROUP[group], *((group,) if len(_OF_GROUP[group]) > 1 else ()))
    ),
    OVERALL,
)
"""Scopes from left to right: a group of one orientation needs no column of its own."""
_SUMS: Final = {*GROUPS, OVERALL}

Cell = Callable[[Sequence[GoalCell | None]], tuple[str, tuple[str, ...]]]
"""What a cell says of its languages: its figure, and small lines."""


def goal_sheet(
    table: GoalTable, plain: Sequence[PlainTable] = (), *, beside: bool = False
) -> Sheet:
    """Table 2. ``plain``: it for programs. ``beside``: with the paper's rows."""
    of = " / ".join(LANGUAGE_NAMES[one] for one in table.languages)
    return Sheet(
        name="table-2",
        title="Table 2: goal achievement",
        caption=f"{of}: goal ratio in percent, achieved / (achieved + partly + not + undecided) "
        "within each tree, then the mean over trees. Chance chooses an option at random; the "
        "ceiling never misses a success that can be reached."
        + f" {published_figures.NOTE}"
        * beside,
        note="Below a figure its 95 % interval (bootstrap over trees) and how many walks achieved "
        "the goal, of all that count.",
        heads=_heads(),
        blocks=(*_blocks(table, _ratio), *((_paper(table),) if beside else ())),
        missing=""
        if any(row.cells and row.kind not in BOUNDS for row in table.rows)
        else "Nobody has walked a tree.",
        csv=tuple(plain),
        behind=(
            Sheet(
                name="table-2-published",
                title="Table 2 as the published script counts",
                caption="The published ratio leaves undecided walks out of the denominator.",
                note="Below it the script's own figure: an orientation over all its walks, a "
                "group and overall as the plain mean over orientations.",
                heads=_heads(),
                blocks=_filled(_blocks(table, _published)),
            ),
            Sheet(
                name="table-2-counts",
                title="Walks behind Table 2",
                caption="achieved · partly · not · undecided · unscored, and the trees that were "
                "walked. Undecided: no option won a majority of the answers that could be read; "
                "unscored: the tree does not say, so no denominator has it.",
                heads=_heads(),
                blocks=_filled(_blocks(table, _counts)),
                words=True,
            ),
        ),
    )


def _heads() -> tuple[tuple[Head, ...], ...]:
    groups = [
        Head(GROUP_NAMES[group], len(names) + (len(names) > 1))
        for group, names in _OF_GROUP.items()
    ]
    names = [Head("Overall" if scope in _SUMS else scope) for scope in _COLUMNS]
    return (Head(""), *groups, Head("")), (Head("Who"), *names)


def _blocks(table: GoalTable, said: Cell) -> tuple[Block, ...]:
    return tuple(
        Block(tuple(_row(row, table.languages, said) for row in rows))
        for rows in grouped(table.rows)
    )


def _row(row: GoalRow, languages: Sequence[Language], said: Cell) -> Row:
    cells = []
    for scope in _COLUMNS:
        text, small = said([row.cell(language, scope) for language in languages])
        cells.append(Entry(text, tuple(filter(None, small)), overall=scope in _SUMS))
    return Row(label=row_label(row), chip=chip_of(row), cells=tuple(cells))


def _ratio(cells: Sequence[GoalCell | None]) -> tuple[str, tuple[str, ...]]:
    intervals = [
        f"{figure(cell.ratio.low)} … {figure(cell.ratio.high)}"
        if cell and cell.ratio.low is not None
        else ""
        for cell in cells
    ]
    counts = [
        f"{cell.outcomes.achieved} of {cell.outcomes.counted}"
        if cell and cell.outcomes.counted
        else ""
        for cell in cells
    ]
    return both(cell.ratio.value if cell else None for cell in cells), (
        joined(intervals),
        joined(counts),
    )


def _published(cells: Sequence[GoalCell | None]) -> tuple[str, tuple[str, ...]]:
    script = both(each(cells, "script"))
    decided = [
        f"{cell.outcomes.achieved} of {cell.outcomes.decided}"
        if cell and cell.outcomes.decided
        else ""
        for cell in cells
    ]
    return both(each(cells, "published")), (
        f"script {script}" if script != NONE else "",
        joined(decided),
    )


def _counts(cells: Sequence[GoalCell | None]) -> tuple[str, tuple[str, ...]]:
    told = []
    for cell in cells:
        if cell is None or not cell.outcomes.walks:
            told.append("")
            continue
        one = cell.outcomes
        told.append(
            f"{one.achieved}·{one.partly}·{one.not_achieved}·{one.undecided}·{one.unscored}"
        )
    trees = joined([str(cell.trees) if cell and cell.outcomes.walks else "" for cell in cells])
    return joined(told) or NONE, (f"{trees} trees" if trees else "",)


def _filled(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Without the rows in which there is nothing."""
    found = []
    for block in blocks:
        rows = [row for row in block.rows if any(cell.text != NONE for cell in row.cells)]
        if rows:
            found.append(Block(tuple(rows), block.title))
    return tuple(found)


def _paper(table: GoalTable) -> Block:
    rows = []
    for who, values in published_figures.GOALS.items():
        cells = []
        for scope in _COLUMNS:
            # A group of one orientation is that orientation.
            known = "proself" if scope == "Competition" else scope
            place = (
                published_figures.GOAL_SCOPES.index(known)
                if known in published_figures.GOAL_SCOPES
                else None
            )
            found = [
                values[language][place] if place is not None and language in values else None
                for language in table.languages
            ]
            cells.append(Entry(both(found, 1), overall=scope in _SUMS))
        rows.append(Row(label=who, cells=tuple(cells)))
    return Block(tuple(rows), "Paper")
