"""What was seen in a model, as tables."""

from collections.abc import Iterator
from typing import Final

from actors.worldtree.trees.abilities import ASPECTS
from evaluators.tables.plain_tables import Cell, PlainColumn, PlainTable
from evaluators.worldtree.internals.analysis import ModelAnalysis
from evaluators.worldtree.internals.attention import KEYWORDS

TABLES: Final = (
    "samples",
    "clusters",
    "importance-blocks",
    "importance-pairs",
    "importance-differences",
    "attended-words",
    "attended-by-aspect",
)
"""The names of all that there can be."""


def _columns(*names: str, texts: tuple[str, ...] = ()) -> tuple[PlainColumn, ...]:
    return tuple(PlainColumn(name, "text" if name in texts else "number") for name in names)


def tables(looked: ModelAnalysis) -> list[PlainTable]:
    """All of them; those without rows are left out."""
    found = [
        samples(looked),
        together(looked),
        blocks(looked),
        pairs(looked),
        differing(looked),
        words(looked),
        agreement(looked),
    ]
    return [table for table in found if table.rows]


def samples(looked: ModelAnalysis) -> PlainTable:
    """Where each sample lies: Figure 5."""
    rows: list[tuple[Cell, ...]] = []
    for at, text in enumerate(looked.texts):
        x, y = (None, None) if looked.plane is None else map(float, looked.plane[at])
        tokens = looked.tokens[at]
        rows.append(
            (text.sample, text.language, text.aspect, text.ability, tokens, x, y, text.text)
        )
    named = ("sample", "language", "aspect", "ability", "tokens", "x", "y", "text")
    texts = ("sample", "language", "aspect", "ability", "text")
    return PlainTable("samples", "Samples, by t-SNE", _columns(*named, texts=texts), tuple(rows))


def together(looked: ModelAnalysis) -> PlainTable:
    """Silhouette and purity."""
    rows = tuple(
        (kind, space, one.points, one.kinds, one.silhouette, one.purity, one.by_chance)
        for space, kind, one in looked.together
    )
    named = ("kind", "where", "samples", "kinds", "silhouette", "purity", "purity by chance")
    near = looked.together[0][2].neighbours
    note = (
        f"Silhouette: by Euclidean distance, -1 to 1. Purity: the share of the {near} nearest "
        "neighbours that are of a sample's kind; by chance: where kinds were dealt out at random."
    )
    title = "Whether samples of a kind lie together"
    return PlainTable("clusters", title, _columns(*named, texts=("kind", "where")), rows, note)


def blocks(looked: ModelAnalysis) -> PlainTable:
    """The mean importance of each block, for each aspect."""
    rows = tuple(
        (aspect, row, column, float(mean), int((row, column) in one.important))
        for aspect, one in looked.aspects.items()
        for row, line in enumerate(one.means)
        for column, mean in enumerate(line)
    )
    named = _columns("aspect", "row", "column", "mean", "important", texts=("aspect",))
    return PlainTable("importance-blocks", "Mean importance of blocks of weights", named, rows)


def pairs(looked: ModelAnalysis) -> PlainTable:
    """How many blocks are important for one aspect and not for another: Figures 6, 10 to 18."""
    rows = tuple(
        (one.a, one.b, len(one.both), len(one.only_a), len(one.only_b))
        for one in looked.differences
    )
    named = _columns("a", "b", "both", "only a", "only b", texts=("a", "b"))
    return PlainTable("importance-pairs", "Important blocks of two aspects", named, rows)


def differing(looked: ModelAnalysis) -> PlainTable:
    """Which blocks these are."""
    rows = tuple(
        (one.a, one.b, aspect, row, column)
        for one in looked.differences
        for aspect, places in ((one.a, one.only_a), (one.b, one.only_b))
        for row, column in sorted(places)
    )
    texts = ("a", "b", "important for")
    named = _columns("a", "b", "important for", "row", "column", texts=texts)
    return PlainTable("importance-differences", "Blocks that differ", named, rows)


def words(looked: ModelAnalysis) -> PlainTable:
    """What the model attends to in each sample, and whether annotators marked it: Figure 9."""
    rows = tuple(
        (text.sample, rank, one.word, one.weight, _marked(looked, text.sample, one.word))
        for text, attended in zip(looked.texts, looked.words, strict=False)
        for rank, one in enumerate(attended, start=1)
    )
    named = _columns("sample", "rank", "word", "attention", "marked", texts=("sample", "word"))
    return PlainTable("attended-words", "Words that the model attends to", named, rows)


def _marked(looked: ModelAnalysis, sample: str, word: str) -> int | None:
    found = looked.agreement.get(sample)
    return None if found is None else int(word in found.shared)


def agreement(looked: ModelAnalysis) -> PlainTable:
    """By aspect, how much of what annotators marked is among what the model attends to."""
    rows = tuple(_agreement(looked))
    named = (
        "aspect",
        "samples",
        "marked",
        "found",
        "share found",
        "words",
        "share marked",
        "most often in both",
    )
    note = (
        f"Of samples whose keywords annotators marked. Found: marked keywords that one of the "
        f"{KEYWORDS} most attended words touches. Share marked: attended words that touch one."
    )
    texts = ("aspect", "most often in both")
    title = "Keywords of annotators among the words attended to"
    return PlainTable("attended-by-aspect", title, _columns(*named, texts=texts), rows, note)


def _agreement(looked: ModelAnalysis) -> Iterator[tuple[Cell, ...]]:
    of = {text.sample: at for at, text in enumerate(looked.texts)}
    for aspect in (*ASPECTS, "all"):
        found = [
            (one, looked.words[of[sample]])
            for sample, one in looked.agreement.items()
            if aspect in ("all", looked.texts[of[sample]].aspect)
        ]
        if not found:
            continue
        both = [keyword for one, _ in found for keyword in one.both]
        marked = sum(one.marked for one, _ in found)
        attended = sum(len(words) for _, words in found)
        shared = sum(len(one.shared) for one, _ in found)
        often = sorted(set(both), key=lambda word: (-both.count(word), word))[:8]
        share = shared / attended if attended else None
        numbers = (len(found), marked, len(both), len(both) / marked, attended, share)
        yield (aspect, *numbers, ", ".join(often))
