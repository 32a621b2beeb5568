"""How far judges agree with each other, and with people, as plain tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from evaluators.registry import abbreviation
from evaluators.statistics.populations import POPULATIONS
from evaluators.tables.figure_text import interval_text
from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    Figure,
    PlainColumn,
    PlainTable,
    safe_name,
)

if TYPE_CHECKING:
    from evaluators.agreement.checkpoint_validation import Positive, Validated
    from evaluators.agreement.judge_agreement import Agreement, Comparison
    from evaluators.scores.seat_scores import Judged
    from evaluators.statistics.estimates import Estimate


def agreement_tables(found: "Comparison") -> list[PlainTable]:
    """How far two judges agree: a table of scales and a table of checkpoints, those that there
    are."""
    rows = [
        (which, row)
        for clean in found.dimensions
        for which, row in (("clean", clean), ("all", clean.over_all))
        if row is not None
    ]
    tables = []
    for share in (False, True):
        mine = [(which, row) for which, row in rows if (row.kappa is not None) == share]
        if mine:
            what: Literal["scales", "checkpoints"] = "checkpoints" if share else "scales"
            tables.append(_agreement(what, found, mine))
    return tables


def validation_table(
    judge: "Judged", positive: "Positive", rows: Sequence["Validated"]
) -> PlainTable:
    """A judge's checkpoints against what people say."""
    return PlainTable(
        name=safe_name(f"validation-{judge.label}"),
        title=f"Judge {judge.label} against people",
        columns=(
            PlainColumn("judge", only_csv=True),
            PlainColumn("checkpoint"),
            PlainColumn("n", "number"),
            PlainColumn("true_positives", "number", heading="TP"),
            PlainColumn("false_positives", "number", heading="FP"),
            PlainColumn("true_negatives", "number", heading="TN"),
            PlainColumn("false_negatives", "number", heading="FN"),
            PlainColumn("precision", "number", heading="prec."),
            PlainColumn("recall", "number"),
            PlainColumn("f1", "number", heading="F1"),
            PlainColumn("kappa", "figure"),
            PlainColumn("missing", "number"),
            PlainColumn("labelled", "number", only_csv=True),
        ),
        rows=tuple(
            (
                judge.label,
                row.checkpoint,
                row.labelled - row.missing,
                row.true_positives,
                row.false_positives,
                row.true_negatives,
                row.false_negatives,
                row.precision,
                row.recall,
                row.f1,
                measured(row.kappa)[0],
                DisplayValue(row.missing, f"{row.missing}/{row.labelled}"),
                row.labelled,
            )
            for row in rows
        ),
        note=f"positive: {positive}; prec.: precision; kappa with its 95 % interval",
    )


def _agreement(
    what: Literal["scales", "checkpoints"],
    found: "Comparison",
    rows: Sequence[tuple[str, "Agreement"]],
) -> PlainTable:
    a, b, share = found.judge_a.label, found.judge_b.label, what == "checkpoints"
    missing = any(row.missing_a or row.missing_b for _, row in rows)
    measures = ("kappa",) if share else ("pearson", "spearman")
    means = ("passed A", "passed B") if share else ("mean A", "mean B")
    return PlainTable(
        name=safe_name(f"agreement-{what}-{a}-{b}"),
        title=f"Judges {a} (A) and {b} (B), {what}",
        columns=(
            PlainColumn("judge_a", only_csv=True),
            PlainColumn("judge_b", only_csv=True),
            PlainColumn("episodes", only_csv=True),
            PlainColumn("dimension", "id", heading=" "),
            PlainColumn("n", "number"),
            PlainColumn("mean_a", "number", heading=means[0]),
            PlainColumn("mean_b", "number", heading=means[1]),
            PlainColumn("agreed", "number", heading="agree")
            if share
            else PlainColumn("mean_absolute_difference", "number", heading="|A−B|"),
            *(
                column
                for name in measures
                for column in (
                    PlainColumn(name, "figure", heading=name if share else name.capitalize()),
                    PlainColumn(f"{name}_p", "number", only_csv=True),
                )
            ),
            *((PlainColumn("missing", "number", only_people=True),) if missing else ()),
            *(
                PlainColumn(name, "number", only_csv=True)
                for name in ("missing_a", "missing_b", "asked")
            ),
        ),
        rows=tuple(
            (
                a,
                b,
                which,
                DisplayValue(
                    row.dimension,
                    abbreviation(row.dimension) + ("" if which == "clean" else ", all"),
                ),
                row.pairs,
                _share(row.mean_a) if share else row.mean_a,
                _share(row.mean_b) if share else row.mean_b,
                _share(row.agreed) if share else row.mean_absolute_difference,
                *(cell for name in measures for cell in measured(getattr(row, name))),
                *((f"{row.missing_a}, {row.missing_b}/{row.asked}",) if missing else ()),
                row.missing_a,
                row.missing_b,
                row.asked,
            )
            for which, row in rows
        ),
        note=f"95 % intervals {POPULATIONS[found.population]}",
    )


def measured(found: "Estimate | None") -> tuple[Cell, Cell]:
    """An estimate with its interval as a cell, and its p as another."""
    if found is None:
        return None, None
    cell = Figure(
        value=found.value,
        low=found.low,
        high=found.high,
        n=found.clusters or None,
        text=interval_text(found),
    )
    return cell, found.p


def _share(value: float | None) -> Cell:
    return None if value is None else DisplayValue(value, f"{value:.0%}")
