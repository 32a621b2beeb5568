"""What people said as plain tables."""

from collections.abc import Sequence

from evaluators.agreement.people_agreement import AmongPeople, JudgeAndPeople, OfAnnotator
from evaluators.agreement.rater_agreement import BINS
from evaluators.statistics.populations import POPULATIONS, Population
from evaluators.tables.figure_text import (
    dimension_cell,
    figure_cell,
    measured_cell,
    share_cell,
)
from evaluators.tables.plain_tables import (
    Cell,
    PlainColumn,
    PlainTable,
    numbers,
    safe_name,
    table_of,
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
                dimension_cell(row.dimension),
                row.annotators,
                row.seats,
                row.several,
                *(cell for bins in cuts for cell in _in_bins(row, bins)),
                measured_cell(row.alpha),
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
    agreed = found.agreed
    share = "–" if agreed.value is None else f"{agreed.value:.0%}"
    return figure_cell(agreed, share, agreed.clusters or None), measured_cell(found.kappa)


def against_table(found: JudgeAndPeople) -> PlainTable:
    """A judge beside the mean of people, and within what they gave."""
    return table_of(
        safe_name(f"people-{found.judge.label}"),
        f"Judge {found.judge.label} and people",
        found.dimensions,
        (PlainColumn("judge", only_csv=True), lambda _: found.judge.label),
        (PlainColumn("dimension", "id", heading=" "), lambda one: dimension_cell(one.dimension)),
        (PlainColumn("n", "number"), lambda one: one.beside.pairs),
        (
            PlainColumn("pearson", "figure", heading="Pearson"),
            lambda one: measured_cell(one.beside.pearson),
        ),
        (PlainColumn("pearson_p", "number", only_csv=True), lambda one: one.beside.pearson.p),
        (
            PlainColumn("spearman", "figure", heading="Spearman"),
            lambda one: measured_cell(one.beside.spearman),
        ),
        (PlainColumn("spearman_p", "number", only_csv=True), lambda one: one.beside.spearman.p),
        (PlainColumn("mean_judge", "number", heading="judge"), lambda one: one.beside.mean_a),
        (PlainColumn("mean_people", "number", heading="people"), lambda one: one.beside.mean_b),
        (PlainColumn("lowest_annotator", "number", heading="from"), lambda one: one.lowest),
        (PlainColumn("highest_annotator", "number", heading="to"), lambda one: one.highest),
        (PlainColumn("within", "number"), lambda one: share_cell(one.within)),
        PlainColumn("ranged", "number", heading="of"),
        note=(
            "over clean seats that both scored; judge, people: means; from, to: the lowest and the "
            "highest annotator's mean; within: share of seats, of those that two people or more "
            "scored, in which the judge is not below the least nor above the greatest value people "
            f"gave; 95 % intervals {POPULATIONS[found.population]}"
        ),
    )


def annotators_table(found: Sequence[OfAnnotator]) -> PlainTable:
    """Each annotator beside the others."""
    return table_of(
        "annotators",
        "Annotators, each beside the others",
        found,
        (PlainColumn("annotator", "id"), lambda one: one.annotator.label),
        (PlainColumn("dimension", "id"), lambda one: dimension_cell(one.dimension)),
        *numbers("ratings", "mean"),
        PlainColumn("others", "number", heading="shared"),
        PlainColumn("apart", "number", heading="− others"),
        PlainColumn("distance", "number", heading="|− others|"),
        note="− others: the annotator's value less the mean of the others', over shared seats",
    )
