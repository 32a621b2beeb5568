"""Paired differences as plain tables: for the terminal, CSV, LaTeX, and notebooks."""

from collections.abc import Sequence

from evaluators.dimensions import label
from evaluators.figure_words import p_cell
from evaluators.pairing import PairedDifference
from evaluators.plain_tables import Figure, PlainColumn, PlainTable
from evaluators.populations import FEW


def difference_table(
    found: Sequence[PairedDifference], name: str, title: str, more: Sequence[str] = ()
) -> PlainTable:
    """A row a difference. ``more``: sentences for its note."""
    of = any(one.of for one in found)
    return PlainTable(
        name,
        title,
        (
            PlainColumn("judge", only_csv=True),
            *(PlainColumn("of"),) * of,
            PlainColumn("dimension"),
            PlainColumn("a", "id", heading="A"),
            PlainColumn("mean_a", "number", heading="mean A"),
            PlainColumn("b", "id", heading="B"),
            PlainColumn("mean_b", "number", heading="mean B"),
            PlainColumn("difference", "figure", heading="A−B"),
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
    if any(one.pairs for one in found):
        on = _listed(found[0].asked)
        of = "pairs" if population == "episodes" else population
        notes.append(f"Over pairs of the same {on}; means, intervals and t tests over {of}.")
    for on, several in _fallen_back(found).items():
        all_ = len(several) == len(found)
        which = "None of these" if all_ else f"{len(several)} of these differences"
        how = f"they are paired on {on}" if on else "Welch's test over all scores"
        notes.append(
            f"{which} {'have' if len(several) > 1 or all_ else 'has'} no such pairs: {how}."
        )
    unpaired = [max(one.unpaired[side] for one in found) for side in (0, 1)]
    if any(unpaired):
        notes.append(
            f"Without partner, and left out: up to {unpaired[0]} and {unpaired[1]} scores."
        )
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
        text=text.replace("-", "−"),
    )
