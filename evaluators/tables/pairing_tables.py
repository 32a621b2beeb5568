"""Paired differences as plain tables: for the terminal, CSV, LaTeX, and notebooks."""

from collections.abc import Sequence

from evaluators.scores.dimensions import label
from evaluators.statistics.paired_differences import PairedDifference
from evaluators.statistics.populations import FEW
from evaluators.tables.figure_text import p_cell
from evaluators.tables.plain_tables import Figure, PlainColumn, PlainTable


def difference_table(
    found: Sequence[PairedDifference], name: str, title: str, more: Sequence[str] = ()
) -> PlainTable:
    """A row a difference. ``more``: sentences for its note."""
    of = any(one.of for one in found)
    # Of runs the first side is the later one, whatever letters a page has for them.
    a, b = ("now", "then") if any(one.by == "run" for one in found) else ("A", "B")
    return PlainTable(
        name,
        title,
        (
            PlainColumn("judge", only_csv=True),
            *(PlainColumn("of"),) * of,
            PlainColumn("dimension"),
            PlainColumn("a", "id", heading=a),
            PlainColumn("mean_a", "number", heading=f"mean {a}"),
            PlainColumn("b", "id", heading=b),
            PlainColumn("mean_b", "number", heading=f"mean {b}"),
            PlainColumn("difference", "figure", heading=f"{a}−{b}"),
            PlainColumn("test", only_csv=True),
            PlainColumn("p", "number"),
            PlainColumn("p_holm", "number", heading="p, Holm"),
            PlainColumn("d", "number"),
            PlainColumn("pairs", "number"),
            PlainColumn("paired_on", only_csv=True),
        ),
        tuple(
            (
                one.judge.label,
                *(one.of,) * of,
                label(one.dimension),
                one.contrast.a.label,
                one.of_a,
                one.contrast.b.label,
                one.of_b,
                _figure(one),
                one.contrast.test,
                p_cell(one.contrast.p),
                p_cell(one.contrast.p_holm),
                one.contrast.effect,
                one.pairs,
                ", ".join(one.paired_on),
            )
            for one in found
        ),
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
    return Figure(
        value=change.value,
        low=change.low,
        high=change.high,
        n=one.contrast.n,
        text=text,
    )
