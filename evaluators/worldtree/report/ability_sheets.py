"""Tables 3 and 10 to 16 as a page shows them: how well abilities are told."""

from collections.abc import Sequence
from typing import Final

from actors.worldtree.trees.abilities import ASPECTS
from actors.worldtree.trees.tree import Language
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.report import published_figures
from evaluators.worldtree.report.sheets import Block, Entry, Head, Row, Sheet, both, each, joined
from evaluators.worldtree.tables.labels import BOUNDS, LANGUAGE_NAMES, chip_of, grouped, row_label
from evaluators.worldtree.values.ability_values import AbilityCell, AbilityRow, AbilityTable
from evaluators.worldtree.values.goal_values import OVERALL

APPENDIX: Final = "Of Tables 10–16"
"""The numbers that the appendix's tables have together; which is which is not known here."""


def ability_sheet(
    table: AbilityTable, plain: Sequence[PlainTable] = (), *, beside: bool = False
) -> Sheet:
    """Table 3. ``plain``: it for programs. ``beside``: with the paper's rows."""
    of = " / ".join(LANGUAGE_NAMES[one] for one in table.languages)
    asked = ", ".join(
        f"{count} {LANGUAGE_NAMES[language]}" for language, count in table.samples.items() if count
    )
    scopes = (*published_figures.ABILITY_SCOPES[:-1], OVERALL)
    return Sheet(
        name="table-3",
        title="Table 3: interpersonal abilities",
        caption=f"{of}: answers that are right in percent, pooled over labels, of which a sample "
        "has one for each of its abilities; what is undecided counts as wrong. "
        f"Samples: {asked or 'none'}." + f" {published_figures.NOTE}" * beside,
        note="Below a figure: right of all.",
        heads=(_heads(scopes),),
        blocks=(*_blocks(table, scopes), *((_paper(table),) if beside else ())),
        missing="" if _asked(table) else "Nobody was asked about an ability.",
        csv=tuple(plain),
        behind=(
            Sheet(
                name="table-3-published",
                title="Table 3 as the published script counts",
                caption="What could not be read is left out.",
                note="Below a figure the script's own: of an aspect and overall the plain mean "
                "over abilities.",
                heads=(_heads(scopes),),
                blocks=_blocks(table, scopes, published=True),
            ),
        ),
    )


def appendix_sheets(table: AbilityTable) -> list[Sheet]:
    """The appendix's: ability by ability, a table for each aspect."""
    return [
        Sheet(
            name=f"abilities-{aspect.lower().replace(' ', '-')}",
            title=f"{APPENDIX}: {aspect}, ability by ability",
            caption="As in Table 3.",
            heads=(_heads((*abilities, aspect)),),
            blocks=_blocks(table, (*abilities, aspect)),
        )
        for aspect, abilities in ASPECTS.items()
    ]


def _asked(table: AbilityTable) -> bool:
    return any(row.cells and row.kind not in BOUNDS for row in table.rows)


def _heads(scopes: Sequence[str]) -> tuple[Head, ...]:
    return (
        Head("Who"),
        *(Head("Overall" if scope == OVERALL else scope) for scope in scopes),
    )


def _blocks(
    table: AbilityTable, scopes: Sequence[str], *, published: bool = False
) -> tuple[Block, ...]:
    # The script has no bounds.
    parts = grouped([row for row in table.rows if not (published and row.kind in BOUNDS)])
    return tuple(
        Block(tuple(_row(row, scopes, table.languages, published=published) for row in rows))
        for rows in parts
    )


def _row(
    row: AbilityRow, scopes: Sequence[str], languages: Sequence[Language], *, published: bool
) -> Row:
    cells = []
    for place, scope in enumerate(scopes):
        found = [row.cell(language, scope) for language in languages]
        value = both(each(found, "published" if published else "ratio"))
        small = joined([_counts(cell, published=published) for cell in found])
        if published and (script := both(each(found, "script"))) != value:
            small = f"script {script}"
        cells.append(Entry(value, (small,) if small else (), overall=place == len(scopes) - 1))
    return Row(label=row_label(row), chip=chip_of(row), cells=tuple(cells))


def _counts(cell: AbilityCell | None, *, published: bool) -> str:
    if cell is None:
        return ""
    of = cell.right + cell.wrong if published else cell.counted
    return f"{cell.right} of {of}" if of else ""


def _paper(table: AbilityTable) -> Block:
    rows = [
        Row(
            label=who,
            cells=tuple(
                Entry(
                    both(
                        (
                            values[language][place] if language in values else None
                            for language in table.languages
                        ),
                        1,
                    ),
                    overall=scope == OVERALL,
                )
                for place, scope in enumerate(published_figures.ABILITY_SCOPES)
            ),
        )
        for who, values in published_figures.ABILITIES.items()
    ]
    return Block(tuple(rows), "Paper")
