"""Table 1 and Figure 2 as a page shows them: what the trees hold."""

from collections.abc import Sequence
from typing import Final

from actors.worldtree.trees.abilities import ASPECTS
from actors.worldtree.trees.orientations import GROUPS, ORIENTATIONS
from evaluators.report.formats import figure, whole
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.report import published_figures
from evaluators.worldtree.report.sheets import NONE, Block, Entry, Head, Row, Sheet, both, joined
from evaluators.worldtree.tables.labels import GROUP_NAMES, LANGUAGE_NAMES
from evaluators.worldtree.values.goal_values import OVERALL
from evaluators.worldtree.values.tree_values import AbilityCount, TreeFigures

_FIELDS: Final = (
    ("trees", "World trees"),
    ("characters", "Characters, mean"),
    ("plot_lines", "Plot lines, mean"),
    ("episodes", "Episodes, mean"),
    ("candidates", "Candidate lines, mean"),
    ("successes", "Successful endings, mean"),
    ("interactions", "Interactions, mean"),
    ("samples", "Ability samples"),
)
_COUNTS: Final = ("trees", "samples")


def tree_sheet(
    figures: Sequence[TreeFigures], plain: Sequence[PlainTable] = (), *, beside: bool = False
) -> Sheet:
    """Table 1."""
    languages = [one for one in LANGUAGE_NAMES if any(row.language == one for row in figures)]
    by = {(row.language, row.scope): row for row in figures}
    of = " / ".join(LANGUAGE_NAMES[one] for one in languages)

    def row(scope: str) -> Row:
        found = [by.get((language, scope)) for language in languages]
        cells = []
        for place, (field, _) in enumerate(_FIELDS):
            values = [getattr(one, field) if one else None for one in found]
            text = (
                joined(["" if value is None else whole(value) for value in values]) or NONE
                if field in _COUNTS
                else both(values)
            )
            printed = published_figures.TREES[scope][place]
            said = whole(int(printed)) if field in _COUNTS else figure(printed, 2)
            cells.append(Entry(text, (f"paper {said}",) * beside, overall=scope == OVERALL))
        label = "Overall" if scope in (*GROUPS, OVERALL) else scope
        return Row(label=label, cells=tuple(cells))

    groups = [
        Block(
            tuple(
                row(scope)
                for scope in (*(one.name for one in ORIENTATIONS if one.group == group), group)
            ),
            GROUP_NAMES[group],
        )
        for group in GROUPS
    ]
    return Sheet(
        name="table-1",
        title="Table 1: the trees",
        caption=f"{of}. An episode is a node on the way from the root to an end; an interaction a "
        "turn of dialogue or a line that can be chosen.",
        note=f"The paper's figures ({published_figures.SOURCE}) are over its 153 trees." * beside,
        heads=((Head("Orientation"), *(Head(name) for _, name in _FIELDS)),),
        blocks=(*groups, Block((row(OVERALL),), "All")),
        missing="" if figures else "There is no tree.",
        csv=tuple(plain),
    )


def label_sheet(
    counts: Sequence[AbilityCount], plain: Sequence[PlainTable] = (), *, beside: bool = False
) -> Sheet:
    """What Figure 2 draws, as a table."""
    languages = [one for one in LANGUAGE_NAMES if any(row.language == one for row in counts)]
    by = {(row.language, row.ability): row.labels for row in counts}

    def told(values: Sequence[int | None]) -> str:
        return joined(["" if value is None else whole(value) for value in values]) or NONE

    blocks = []
    for aspect, abilities in ASPECTS.items():
        sums = [
            sum(by.get((language, ability), 0) for ability in abilities) for language in languages
        ]
        printed = (f"paper {whole(published_figures.LABELS[aspect])}, both languages",) * beside
        total = Row(label=aspect, cells=(Entry(told(sums), printed, overall=True),))
        rows = [
            Row(
                label=ability,
                cells=(Entry(told([by.get((language, ability), 0) for language in languages])),),
            )
            for ability in abilities
        ]
        blocks.append(Block((total, *rows)))
    return Sheet(
        name="figure-2",
        title="Labels behind Figure 2",
        heads=((Head("Ability"), Head(" / ".join(LANGUAGE_NAMES[one] for one in languages))),),
        blocks=tuple(blocks),
        missing="" if counts else "Nothing is asked about abilities.",
        csv=tuple(plain),
    )
