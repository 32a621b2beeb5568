"""The tables of a report as plain ones, to be taken away as CSV and LaTeX."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from evaluators.agreement import Agreement
from evaluators.dimensions import label
from evaluators.families import Family
from evaluators.figure_words import figure_of, p_alone
from evaluators.plain_tables import (
    Figure,
    PlainColumn,
    PlainTable,
    Shown,
    as_csv,
    as_latex,
    safe_name,
)
from evaluators.report.gather import Gathered, JudgeUsed
from evaluators.score_tables import score_figure
from evaluators.summary import Cell as ScoreCell
from evaluators.summary import PairCell


class Taken(msgspec.Struct, frozen=True):
    """A table as text."""

    name: str
    """Of its files, without the ending."""
    title: str
    csv: str
    latex: str


def taken(table: PlainTable) -> Taken:
    """For ``take`` of ``macros.html.j2``."""
    return Taken(table.name, table.title, as_csv([table]), as_latex([table]))


def file_name(*parts: str) -> str:
    """A name for a table's files."""
    return safe_name("-".join(filter(None, parts)))


def partners(judge: JudgeUsed, dimension: str, cells: Sequence[PairCell], note: str) -> PlainTable:
    """A row a mind and its partner."""
    return PlainTable(
        name=file_name("partners", dimension, judge.judged.label),
        title=f"{label(dimension)} by mind and partner, judged by {judge.judged.label}",
        columns=(
            PlainColumn("Mind"),
            PlainColumn("Memory"),
            PlainColumn("Partner"),
            PlainColumn(label(dimension), "figure"),
            PlainColumn("Scored", "number"),
            PlainColumn("Asked", "number"),
        ),
        rows=tuple((pair.mind, pair.memory, pair.partner, *_tally(pair.cell)) for pair in cells),
        note=note,
    )


def tests(family: Family) -> PlainTable:
    """A row a test."""
    return PlainTable(
        name=file_name("tests", family.between, family.part, family.judge.label),
        title=family.title,
        columns=(
            PlainColumn("Dimension"),
            PlainColumn("Of"),
            PlainColumn("A"),
            PlainColumn("A mean", "number"),
            PlainColumn("B"),
            PlainColumn("B mean", "number"),
            PlainColumn("Difference", "figure"),
            PlainColumn("p", "number"),
            PlainColumn("p Holm", "number"),
            PlainColumn("d", "number"),
            PlainColumn("n", "number"),
            PlainColumn("Test"),
        ),
        rows=tuple(
            (
                label(test.dimension),
                test.of,
                test.contrast.a.label,
                test.contrast.a.mean.value,
                test.contrast.b.label,
                test.contrast.b.mean.value,
                figure_of(test.contrast.difference),
                _p(test.contrast.p),
                _p(test.contrast.p_holm),
                test.contrast.effect,
                test.contrast.n,
                test.contrast.test,
            )
            for test in family.tests
        ),
        note=f"Units are {family.population}; p Holm is corrected for all tests of the table",
    )


def agreement(a: str, b: str, rows: Sequence[tuple[str, Agreement]], note: str) -> PlainTable:
    """A row a dimension that two judges gave values in."""
    measures = ("pearson", "spearman", "kappa")
    return PlainTable(
        name=file_name("agreement", a, b),
        title=f"Agreement of {a} and {b}",
        columns=(
            PlainColumn("Dimension"),
            PlainColumn("Pairs", "number"),
            PlainColumn(f"Mean {a}", "number"),
            PlainColumn(f"Mean {b}", "number"),
            PlainColumn(f"Without {a}", "number"),
            PlainColumn(f"Without {b}", "number"),
            PlainColumn("Mean absolute difference", "number"),
            *(PlainColumn(name.capitalize(), "figure") for name in measures),
        ),
        rows=tuple(
            (
                name,
                row.pairs,
                row.mean_a,
                row.mean_b,
                row.missing_a,
                row.missing_b,
                row.mean_absolute_difference,
                *(figure_of(value) if (value := getattr(row, m)) else None for m in measures),
            )
            for name, row in rows
        ),
        note=note,
    )


def slopes(title: str, name: str, curves: Iterable[Mapping[str, Any]]) -> PlainTable:
    """A row a curve of chains."""
    return PlainTable(
        name=file_name("slopes", name),
        title=f"Slopes: {title}",
        columns=(
            PlainColumn("Curve"),
            PlainColumn("Slope", "figure"),
            PlainColumn("p", "number"),
            PlainColumn("Chains", "number"),
            PlainColumn("Scored", "number"),
            PlainColumn("Asked", "number"),
        ),
        rows=tuple(
            (
                one["label"],
                figure_of(one["slope"].change, ".3f"),
                _p(one["slope"].p_value),
                one["slope"].chains,
                one["scored"],
                one["asked"],
            )
            for one in curves
        ),
        note="Points an episode",
    )


def memories(rows: Iterable[Mapping[str, Any]]) -> PlainTable:
    """A row a memory."""
    heads = ("notes", "words", "out_of_bounds", "most_tokens", "dropped", "usd")
    return PlainTable(
        name="memory",
        title="Memory",
        columns=(
            PlainColumn("Memory"),
            PlainColumn("Module"),
            *(
                PlainColumn(head, "number")
                for head in (
                    "Notes",
                    "Words a note",
                    "Out of bounds",
                    "Most tokens recalled",
                    "Episodes left out",
                    "Cost in USD",
                )
            ),
        ),
        rows=tuple((row["name"], row["module"], *(row[head] for head in heads)) for row in rows),
    )


def chains(gathered: Gathered) -> PlainTable:
    """A row a chain."""
    return PlainTable(
        name="chains",
        title="The chains",
        columns=(
            PlainColumn("Chain", "id"),
            PlainColumn("Characters"),
            PlainColumn("Minds"),
            PlainColumn("Memory"),
            PlainColumn("Over", "number"),
            PlainColumn("Length", "number"),
            PlainColumn("Given up", "number"),
            PlainColumn("Status"),
        ),
        rows=tuple(
            (
                row.id,
                ", ".join(row.characters),
                ", ".join(row.minds),
                row.memory,
                row.done,
                row.length,
                row.failed,
                row.status,
            )
            for row in gathered.chains
        ),
    )


def calls(gathered: Gathered) -> PlainTable:
    """A row a model and what it was asked for."""
    return PlainTable(
        name="calls",
        title="Model calls",
        columns=(
            PlainColumn("Model"),
            PlainColumn("For"),
            *(
                PlainColumn(head, "number")
                for head in (
                    "Asked",
                    "Answered",
                    "Failed",
                    "Tokens in",
                    "Tokens out",
                    "Cost in USD",
                    "Price unknown",
                    "Seconds in all",
                )
            ),
        ),
        rows=tuple(
            (
                row.model,
                row.purpose,
                row.asked,
                row.answered,
                row.failed,
                row.input_tokens,
                row.output_tokens,
                row.cost_usd if row.unpriced < row.answered else None,
                row.unpriced,
                row.latency_s,
            )
            for row in gathered.calls
        ),
    )


def failures(rows: Iterable[Mapping[str, Any]]) -> PlainTable:
    """A row a kind of failure."""
    return PlainTable(
        name="failures",
        title="Failures",
        columns=(
            PlainColumn("What"),
            PlainColumn("How many", "number"),
            PlainColumn("Of", "number"),
            PlainColumn("Unit"),
        ),
        rows=tuple((row["what"], row["count"], row["of"], row["unit"]) for row in rows),
    )


def minds(gathered: Gathered) -> PlainTable:
    """A row a mind that played."""
    return PlainTable(
        name="minds",
        title="Minds",
        columns=(
            PlainColumn("Mind"),
            PlainColumn("Kind"),
            PlainColumn("Model or temper"),
            PlainColumn("Temperature", "number"),
            PlainColumn("Prompts"),
            PlainColumn("Seats", "number"),
        ),
        rows=tuple(
            (
                mind.spec.name,
                mind.spec.kind,
                mind.spec.model.name
                if mind.spec.model
                else mind.spec.temper or mind.spec.episode or None,
                mind.spec.model.temperature if mind.spec.model else None,
                ", ".join(gathered.prompts.get(mind.spec.name, ())),
                mind.seats,
            )
            for mind in gathered.minds
        ),
    )


def judges(gathered: Gathered) -> PlainTable:
    """A row a judge."""
    return PlainTable(
        name="judges",
        title="Judges",
        columns=(
            PlainColumn("Judge"),
            PlainColumn("Kind"),
            PlainColumn("Model or temper"),
            PlainColumn("Prompt"),
            PlainColumn("Hash", "id"),
            PlainColumn("Evaluations ended", "number"),
            PlainColumn("Evaluations", "number"),
        ),
        rows=tuple(
            (
                judge.judged.label,
                judge.spec.kind,
                judge.spec.model.name if judge.spec.model else judge.spec.temper or None,
                judge.spec.prompt_version or None,
                judge.judged.hash,
                judge.ended,
                judge.evaluations,
            )
            for judge in gathered.judges
        ),
    )


def _tally(cell: ScoreCell) -> tuple[Figure, int, int]:
    return score_figure(cell), cell.scored, cell.asked


def _p(value: float | None) -> Shown | None:
    return None if value is None else Shown(value, p_alone(value))
