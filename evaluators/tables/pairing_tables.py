"""Paired differences as plain tables: for the terminal, CSV, LaTeX, and notebooks."""

from collections.abc import Sequence

from evaluators.scores.dimensions import label
from evaluators.statistics.paired_differences import PairedDifference
from evaluators.statistics.populations import FEW
from evaluators.tables.figure_text import figure_cell, p_cell
from evaluators.tables.plain_tables import Figure, PlainColumn, PlainTable, table_of


def difference_table(
    found: Sequence[PairedDifference], name: str, title: str, more: Sequence[str] = ()
) -> PlainTable:
    """A row a difference. ``more``: sentences for its note."""
    of = any(one.of for one in found)
    # Of runs the first side is the later one, whatever letters a page has for them.
    a, b = ("now", "then") if any(one.by == "run" for one in found) else ("A", "B")
    return table_of(
        name,
        title,
        found,
        (PlainColumn("judge", only_csv=True), lambda one: one.judge.label),
        *(PlainColumn("of"),) * of,
        (PlainColumn("dimension"), lambda one: label(one.dimension)),
        (PlainColumn("a", "id", heading=a), lambda one: one.contrast.a.label),
        (PlainColumn("mean_a", "number", heading=f"mean {a}"), lambda one: one.of_a),
        (PlainColumn("b", "id", heading=b), lambda one: one.contrast.b.label),
        (PlainColumn("mean_b", "number", heading=f"mean {b}"), lambda one: one.of_b),
        (PlainColumn("difference", "figure", heading=f"{a}−{b}"), _figure),
        (PlainColumn("test", only_csv=True), lambda one: one.contrast.test),
        (PlainColumn("p", "number"), lambda one: p_cell(one.contrast.p)),
        (
            PlainColumn("p_holm", "number", heading="p, Holm"),
            lambda one: p_cell(one.contrast.p_holm),
        ),
        (PlainColumn("d", "number"), lambda one: one.contrast.effect),
        PlainColumn("pairs", "number"),
        (PlainColumn("paired_on", only_csv=True), lambda one: ", ".join(one.paired_on)),
        note=" ".join((*difference_notes(found), *more)),
    )


def difference_notes(found: Sequence[PairedDifference]) -> list[str]:
    """What has to be known to read some differences, a sentence each."""
    if not found:
        return []
    population = found[0].population
    notes = []
    asked = _listed(found[0].asked)
    if any(one.pairs for one in found):
        on = asked if any(not one.fell_back for one in found) else _listed(found[0].paired_on)
        of = "pairs" if population == "episodes" else population
        notes.append(f"Over pairs of the same {on}; means, intervals and t tests over {of}.")
    for on, several in _fallen_back(found).items():
        few = f"too few scores share {asked}"
        if len(several) < len(found):
            few = f"for {len(several)} of these differences {few}"
        how = (
            f"pairs are of the same {on}"
            if on
            else "nothing is paired (w: Welch's t test), and other tasks may be all that differs"
        )
        notes.append(f"{few[0].upper()}{few[1:]}: {how}.")
    if unpaired := max(sum(one.unpaired) for one in found):
        notes.append(f"Left out, for the other side has none to match: up to {unpaired:,} scores.")
    if fewest := [one.contrast.n for one in found if one.contrast.difference.few]:
        of = "pairs" if population == "episodes" else population
        notes.append(f"Fewer than {FEW} {of} (here {min(fewest)}) are few for an interval.")
    whys = dict.fromkeys(one.contrast.difference.why for one in found)
    notes += [f"No test: {why}." for why in whys if why]
    return notes


def _listed(words: Sequence[str]) -> str:
    """Words as a sentence lists them."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _fallen_back(found: Sequence[PairedDifference]) -> dict[str, list[PairedDifference]]:
    by: dict[str, list[PairedDifference]] = {}
    for one in found:
        if one.fell_back:
            by.setdefault(_listed(one.paired_on), []).append(one)
    return by


def _figure(one: PairedDifference) -> Figure:
    change = one.contrast.difference
    if change.value is None:
        return Figure()
    text = f"{change.value:+.2f}"
    if change.low is not None and change.high is not None:
        text += f" [{change.low:.2f}, {change.high:.2f}]"
    return figure_cell(change, text, one.contrast.n)
