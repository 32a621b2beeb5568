"""How far judges agree with each other, and with people, as plain tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from evaluators.statistics.populations import POPULATIONS
from evaluators.tables.figure_text import dimension_cell, measured_cell, share_cell
from evaluators.tables.plain_tables import (
    DisplayValue,
    PlainColumn,
    PlainTable,
    numbers,
    safe_name,
    table_of,
)

if TYPE_CHECKING:
    from evaluators.agreement.checkpoint_validation import Positive, Validated
    from evaluators.agreement.judge_agreement import Agreement, Comparison
    from evaluators.scores.seat_scores import Judged


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
    return table_of(
        safe_name(f"validation-{judge.label}"),
        f"Judge {judge.label} against people",
        rows,
        (PlainColumn("judge", only_csv=True), lambda _: judge.label),
        PlainColumn("checkpoint"),
        (PlainColumn("n", "number"), lambda row: row.labelled - row.missing),
        PlainColumn("true_positives", "number", heading="TP"),
        PlainColumn("false_positives", "number", heading="FP"),
        PlainColumn("true_negatives", "number", heading="TN"),
        PlainColumn("false_negatives", "number", heading="FN"),
        PlainColumn("precision", "number", heading="prec."),
        PlainColumn("recall", "number"),
        PlainColumn("f1", "number", heading="F1"),
        (PlainColumn("kappa", "figure"), lambda row: measured_cell(row.kappa)),
        (
            PlainColumn("missing", "number"),
            lambda row: DisplayValue(row.missing, f"{row.missing}/{row.labelled}"),
        ),
        PlainColumn("labelled", "number", only_csv=True),
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
            *numbers("missing_a", "missing_b", "asked", only_csv=True),
        ),
        rows=tuple(
            (
                a,
                b,
                which,
                dimension_cell(row.dimension, "" if which == "clean" else ", all"),
                row.pairs,
                share_cell(row.mean_a) if share else row.mean_a,
                share_cell(row.mean_b) if share else row.mean_b,
                share_cell(row.agreed) if share else row.mean_absolute_difference,
                *(
                    cell
                    for one in ((row.kappa,) if share else (row.pearson, row.spearman))
                    for cell in (measured_cell(one), one.p if one else None)
                ),
                *((f"{row.missing_a}, {row.missing_b}/{row.asked}",) if missing else ()),
                row.missing_a,
                row.missing_b,
                row.asked,
            )
            for which, row in rows
        ),
        note=f"95 % intervals {POPULATIONS[found.population]}",
    )
