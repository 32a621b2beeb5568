"""The tables of a report as plain ones, to be taken away as CSV and LaTeX."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter

from evaluators.report.data.run_data import RunData
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import (
    Cell,
    PlainColumn,
    PlainTable,
    as_csv,
    safe_name,
    table_of,
)
from events.evaluation import JudgeSpec
from events.minds import MindSpec


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


def memories(rows: Iterable[Mapping[str, object]]) -> PlainTable:
    """A row a memory."""
    return table_of(
        "memory",
        "Memory",
        rows,
        (PlainColumn("Memory"), itemgetter("name")),
        (PlainColumn("Module"), itemgetter("module")),
        (PlainColumn("Notes", "number"), itemgetter("notes")),
        (PlainColumn("Words a note", "number"), itemgetter("words")),
        (PlainColumn("Out of bounds", "number"), itemgetter("out_of_bounds")),
        (PlainColumn("Most tokens recalled", "number"), itemgetter("most_tokens")),
        (PlainColumn("Episodes left out", "number"), itemgetter("dropped")),
        (PlainColumn("Cost in USD", "number"), itemgetter("usd")),
    )


def failures(rows: Iterable[Mapping[str, object]]) -> PlainTable:
    """A row a kind of failure."""
    return table_of(
        "failures",
        "Failures",
        rows,
        (PlainColumn("What"), itemgetter("what")),
        (PlainColumn("How many", "number"), itemgetter("count")),
        (PlainColumn("Of", "number"), itemgetter("of")),
        (PlainColumn("Unit"), itemgetter("unit")),
    )


def minds(gathered: RunData) -> PlainTable:
    """A row a mind that played."""

    def model(spec: MindSpec) -> Cell:
        return spec.model.name if spec.model else spec.temper or spec.episode or None

    return table_of(
        "minds",
        "Minds",
        gathered.minds,
        (PlainColumn("Mind"), lambda mind: mind.spec.name),
        (PlainColumn("Kind"), lambda mind: mind.spec.kind),
        (PlainColumn("Model or temper"), lambda mind: model(mind.spec)),
        (
            PlainColumn("Temperature", "number"),
            lambda mind: mind.spec.model.temperature if mind.spec.model else None,
        ),
        (
            PlainColumn("Prompts"),
            lambda mind: ", ".join(gathered.prompts.get(mind.spec.name, ())),
        ),
        (PlainColumn("Seats", "number"), lambda mind: mind.seats),
    )


def judges(gathered: RunData) -> PlainTable:
    """A row a judge."""

    def model(spec: JudgeSpec) -> Cell:
        return spec.model.name if spec.model else spec.temper or None

    return table_of(
        "judges",
        "Judges",
        gathered.judges,
        (PlainColumn("Judge"), lambda judge: judge.judged.label),
        (PlainColumn("Kind"), lambda judge: judge.spec.kind),
        (PlainColumn("Model or temper"), lambda judge: model(judge.spec)),
        (PlainColumn("Prompt"), lambda judge: judge.spec.prompt_version or None),
        (PlainColumn("Hash", "id"), lambda judge: judge.judged.hash),
        (PlainColumn("Evaluations ended", "number"), lambda judge: judge.ended),
        (PlainColumn("Evaluations", "number"), lambda judge: judge.evaluations),
    )
