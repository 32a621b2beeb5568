"""Figures 3, 4, 7 and 8 as tables: the polarity of people's and models' behaviour."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import structs

from actors.worldtree.trees.tree import Language
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.report.sheets import NONE, Block, Entry, Head, Row, Sheet
from evaluators.worldtree.tables.labels import LANGUAGE_NAMES, POLARITIES, REHEARSAL
from evaluators.worldtree.values.polarity_values import Combination, Polarities, PolarityFindings

EVERYBODY = "All models together"


def all_trees_sheet(found: PolarityFindings, plain: Sequence[PlainTable] = ()) -> Sheet:
    """What Figure 8 draws."""
    blocks = []
    for language, name in LANGUAGE_NAMES.items():
        rows = [
            Row(
                label=one.who,
                chip=REHEARSAL if one.rehearsal else "",
                cells=_shares(one.choices),
            )
            for one in found.all_trees
            if one.language == language and one.choices.known + one.choices.unknown
        ]
        if rows:
            blocks.append(Block(tuple(rows), name))
    return Sheet(
        name="figure-8",
        title="Choices behind Figure 8",
        caption="All choices of all walks, in percent of those whose polarity the tree tells.",
        note="Below, how many.",
        heads=(_heads("Who"),),
        blocks=tuple(blocks),
        missing="" if blocks else "Nobody chose anything.",
        csv=tuple(plain),
    )


def differing_sheet(found: PolarityFindings, plain: Sequence[PlainTable] = ()) -> Sheet:
    """What Figure 3 draws."""
    blocks = []
    for language, name in LANGUAGE_NAMES.items():
        rows = []
        for one in found.differing:
            if one.language == language:
                chip = REHEARSAL if one.rehearsal else ""
                about = f"{one.trees} trees, {one.walks} walks"
                rows += [
                    Row(
                        label=f"People, where {one.who} differs",
                        cells=(*_shares(one.people), Entry(about, word=True)),
                    ),
                    Row(
                        label=one.who,
                        chip=chip,
                        cells=(*_shares(one.model), Entry(about, word=True)),
                    ),
                ]
        if rows:
            blocks.append(Block(tuple(rows), name))
    return Sheet(
        name="figure-3",
        title="Choices behind Figure 3",
        caption="Trees with one success that a participant reached and the model missed; of these "
        "the nodes that both came to and where line and polarity differ. In percent.",
        note="Below, how many.",
        heads=((*_heads("Who"), Head("Over")),),
        blocks=tuple(blocks),
        missing=found.missing or ("" if blocks else "No model missed what a participant reached."),
        csv=tuple(plain),
    )


def combination_sheets(
    found: PolarityFindings, plain: Sequence[PlainTable], language: Language, number: int
) -> list[Sheet]:
    """Figure 4 or 7: people's polarity against the model's; all models first, which have ``plain``
    for programs."""
    mine = [one for one in found.combinations if one.language == language]
    whose = list(dict.fromkeys(one.who for one in mine))
    rehearsal = {one.who for one in found.differing if one.rehearsal}
    sheets = [
        _combinations(
            f"figure-{number}-{place}",
            f"{who} ({REHEARSAL})" if who in rehearsal else who,
            [one for one in mine if one.who == who],
        )
        for place, who in enumerate(whose, 1)
    ]
    if not sheets:
        return []
    together = _combinations(f"figure-{number}", EVERYBODY, mine)
    return [structs.replace(together, csv=tuple(plain)), *sheets]


def _combinations(name: str, title: str, found: Iterable[Combination]) -> Sheet:
    counts = Counter[tuple[int, int]]()
    for one in found:
        counts[one.people, one.model] += one.count
    total, most = counts.total(), max(counts.values(), default=0)
    return Sheet(
        name=name,
        title=title,
        heads=((Head("People ↓ model →"), *(Head(word) for word in POLARITIES.values())),),
        blocks=(
            Block(
                tuple(
                    Row(
                        label=word,
                        cells=tuple(
                            Entry(
                                f"{counts[people, model] / total:.1%}".replace("%", " %")
                                if total
                                else NONE,
                                (str(counts[people, model]),),
                                shade=0.5 * counts[people, model] / most if most else 0.0,
                            )
                            if people != model
                            else Entry("·", ("never",))
                            for model in POLARITIES
                        ),
                    )
                    for people, word in POLARITIES.items()
                )
            ),
        ),
    )


def _heads(first: str) -> tuple[Head, ...]:
    return (Head(first), *(Head(word) for word in POLARITIES.values()), Head("polarity not told"))


def _shares(one: Polarities) -> tuple[Entry, ...]:
    counts = (one.positive, one.neutral, one.negative)
    return (
        *(
            Entry(
                f"{100 * count / one.known:.1f}" if one.known else NONE,
                (f"{count} of {one.known}",),
            )
            for count in counts
        ),
        Entry(str(one.unknown)),
    )
