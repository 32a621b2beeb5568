"""Which letters were chosen, as a plain table, and which minds chose by letter."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Final

from evaluators.tables.plain_tables import DisplayValue, PlainColumn, PlainTable, numbers
from evaluators.worldtree.values.results import Lettered

ONE_LETTER: Final = 0.9
"""Share of the choices."""
LEAST_CHOICES: Final = 20
"""Of fewer, that they are alike may be chance."""


def letter_table(rows: Sequence[Lettered]) -> PlainTable:
    """The share of each letter, a line for each mind."""
    most = max((len(row.counts) for row in rows), default=0)
    warnings = [text for row in rows if (text := by_the_letter(row))]
    return PlainTable(
        name="letters",
        title="Which letters were chosen",
        columns=(
            PlainColumn("who"),
            *numbers("choices", *ascii_uppercase[:most]),
        ),
        rows=tuple(
            (row.who, sum(row.counts), *(_share(row, place) for place in range(most)))
            for row in rows
        ),
        note="\n".join(
            [
                "percent of the choices that could be read, where the options stood in an order of "
                "chance: who goes by what they say chooses no letter much more often than others",
                *warnings,
            ]
        ),
    )


def by_the_letter(row: Lettered) -> str:
    """That somebody took nearly always the same letter, as a sentence; empty where not."""
    most, total = max(row.counts), sum(row.counts)
    if total < LEAST_CHOICES or most < ONE_LETTER * total:
        return ""
    letter = ascii_uppercase[row.counts.index(most)]
    return (
        f"{row.who} chose {letter} in {most:,} of {total:,} choices, wherever which option stood: "
        "goals and abilities beside this are no findings."
    )


def _share(row: Lettered, place: int) -> DisplayValue:
    count = row.counts[place] if place < len(row.counts) else 0
    percent = 100 * count / sum(row.counts)
    return DisplayValue(percent, f"{percent:.0f}")
