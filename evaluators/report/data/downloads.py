"""The tables of a report as plain ones, to be taken away as CSV and LaTeX."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from evaluators.report.data.run_data import RunData
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import PlainColumn, PlainTable, as_csv, safe_name


class Download:
    """A table as text, which is made when it is asked for."""

    def __init__(
        self, name: str, title: str, data: Sequence[PlainTable], paper: Sequence[PlainTable]
    ) -> None:
        """``name``: of its files, without the ending; ``data`` becomes CSV, ``paper`` LaTeX."""
        self.name, self.title = name, title
        self._data, self._paper = data, paper

    @cached_property
    def csv(self) -> str:
        """For programs."""
        return as_csv(self._data)

    @cached_property
    def latex(self) -> str:
        """For papers."""
        return as_latex(self._paper)


def taken(table: PlainTable) -> Download:
    """For ``take`` of ``macros.html.j2``."""
    return Download(table.name, table.title, [table], [table])


def file_name(*parts: str) -> str:
    """A name for a table's files."""
    return safe_name("-".join(filter(None, parts)))


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


def minds(gathered: RunData) -> PlainTable:
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


def judges(gathered: RunData) -> PlainTable:
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
