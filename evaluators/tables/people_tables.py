"""What people said as plain tables."""

from collections.abc import Sequence

from evaluators.agreement.people_agreement import AmongPeople, JudgeAndPeople, OfAnnotator
from evaluators.agreement.rater_agreement import BINS
from evaluators.registry import abbreviation
from evaluators.statistics.populations import POPULATIONS, Population
from evaluators.tables.agreement_tables import measured
from evaluators.tables.figure_text import interval_text
from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    Figure,
    PlainColumn,
    PlainTable,
    safe_name,
)


def among_tables(found: Sequence[AmongPeople], population: Population) -> list[PlainTable]:
    """How far people agree: a table of scales and one of checkpoints, those that there are."""
    scales = [one for one in found if not one.checkpoint]
    checkpoints = [one for one in found if one.checkpoint]
    note = f"over seats with two values or more; 95 % intervals {POPULATIONS[population]}"
    tables = []
    if scales:
        what = "agree, κ: pairwise agreement and Randolph's kappa in 3, 4 and 5 equal parts"
        tables.append(_among("scales", scales, BINS, f"{what}; α: Krippendorff's; {note}"))
    if checkpoints:
        what = "agree: pairwise agreement; κ: Randolph's kappa; α: Krippendorff's"
        tables.append(_among("checkpoints", checkpoints, (2,), f"{what}; {note}"))
    return tables


def _among(what: str, rows: Sequence[AmongPeople], cuts: Sequence[int], note: str) -> PlainTable:
    beyond = {bins: f" {bins}" if len(cuts) > 1 else "" for bins in cuts}
    return PlainTable(
        name=f"people-{what}",
        title=f"People with each other, {what}",
        columns=(
            PlainColumn("dimension", "id", heading=" "),
            PlainColumn("annotators", "number", heading="who"),
            PlainColumn("seats", "number"),
            PlainColumn("several", "number", heading="by two"),
            *(
                column
                for bins in cuts
                for column in (
                    PlainColumn(f"agreed_{bins}", "figure", heading=f"agree{beyond[bins]}"),
                    PlainColumn(f"kappa_{bins}", "figure", heading=f"κ{beyond[bins]}"),
                )
            ),
            PlainColumn("alpha", "figure", heading="α"),
            PlainColumn("ratings", "number", only_csv=True),
            PlainColumn("declined", "number"),
        ),
        rows=tuple(
            (
                DisplayValue(row.dimension, abbreviation(row.dimension)),
                row.annotators,
                row.seats,
                row.several,
                *(cell for bins in cuts for cell in _in_bins(row, bins)),
                measured(row.alpha)[0],
                row.ratings,
                row.declined,
            )
            for row in rows
        ),
        note=note,
    )


def _in_bins(row: AmongPeople, bins: int) -> tuple[Cell, Cell]:
    found = next((one for one in row.bins if one.bins == bins), None)
    if found is None:
        return None, None
    agreed, kappa = found.agreed, found.kappa
    share = "–" if agreed.value is None else f"{agreed.value:.0%}"
    return (
        Figure(
            value=agreed.value,
            low=agreed.low,
            high=agreed.high,
            n=agreed.clusters or None,
            text=share,
        ),
        Figure(
            value=kappa.value,
            low=kappa.low,
            high=kappa.high,
            n=kappa.clusters or None,
            text=interval_text(kappa),
        ),
    )


def against_table(found: JudgeAndPeople) -> PlainTable:
    """A judge beside the mean of people, and within what they gave."""
    return PlainTable(
        name=safe_name(f"people-{found.judge.label}"),
        title=f"Judge {found.judge.label} and people",
        columns=(
            PlainColumn("judge", only_csv=True),
            PlainColumn("dimension", "id", heading=" "),
            PlainColumn("n", "number"),
            PlainColumn("pearson", "figure", heading="Pearson"),
            PlainColumn("pearson_p", "number", only_csv=True),
            PlainColumn("spearman", "figure", heading="Spearman"),
            PlainColumn("spearman_p", "number", only_csv=True),
            PlainColumn("mean_judge", "number", heading="judge"),
            PlainColumn("mean_people", "number", heading="people"),
            PlainColumn("lowest_annotator", "number", heading="from"),
            PlainColumn("highest_annotator", "number", heading="to"),
            PlainColumn("within", "number"),
            PlainColumn("ranged", "number", heading="of"),
        ),
        rows=tuple(
            (
                found.judge.label,
                DisplayValue(one.dimension, abbreviation(one.dimension)),
                one.beside.pairs,
                *measured(one.beside.pearson),
                *measured(one.beside.spearman),
                one.beside.mean_a,
                one.beside.mean_b,
                one.lowest,
                one.highest,
                None if one.within is None else DisplayValue(one.within, f"{one.within:.0%}"),
                one.ranged,
            )
            for one in found.dimensions
        ),
        note=(
            "over clean seats that both scored; judge, people: means; from, to: the lowest and the "
            "highest annotator's mean; within: share of seats, of those that two people or more "
            "scored, in which the judge is not below the least nor above the greatest value people "
            f"gave; 95 % intervals {POPULATIONS[found.population]}"
        ),
    )


def annotators_table(found: Sequence[OfAnnotator]) -> PlainTable:
    """Each annotator beside the others."""
    return PlainTable(
        name="annotators",
        title="Annotators, each beside the others",
        columns=(
            PlainColumn("annotator", "id"),
            PlainColumn("dimension", "id"),
            PlainColumn("ratings", "number"),
            PlainColumn("mean", "number"),
            PlainColumn("others", "number", heading="shared"),
            PlainColumn("apart", "number", heading="− others"),
            PlainColumn("distance", "number", heading="|− others|"),
        ),
        rows=tuple(
            (
                one.annotator.label,
                DisplayValue(one.dimension, abbreviation(one.dimension)),
                one.ratings,
                one.mean,
                one.others,
                one.apart,
                one.distance,
            )
            for one in found
        ),
        note="− others: the annotator's value less the mean of the others', over shared seats",
    )
