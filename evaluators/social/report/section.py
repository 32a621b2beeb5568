"""What social episodes have in the report of a run: SOTOPIA's tables and figures."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from evaluators.report.data.downloads import Download
from evaluators.social.tables.entries import ENTRIES, PaperEntry
from evaluators.social.tables.read_tables import (
    TableOptions,
    charts_of,
    inputs_of,
    made,
    words_said,
)
from evaluators.social.tables.table_input import TableInput, Words, people_of
from evaluators.tables.plain_tables import PlainTable, StrongFigure, cell_text, for_people
from events.base import Event

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData
    from store.read_model.records import EpisodeRow


def section(
    gathered: "RunData", histories: "Iterable[tuple[EpisodeRow, Sequence[Event]]]"
) -> Mapping[str, object]:
    """What ``section.html.j2`` is filled in with."""
    del histories  # Scores say all, but for the words of people, which are read where there are.

    def words(episodes: Collection[str]) -> Words:
        return words_said(gathered.taken(), episodes) if episodes else {}

    people = people_of([mind.spec for mind in gathered.minds])
    inputs = inputs_of(gathered.columns, people, TableOptions(), words)
    found = [_shown(entry, inputs) for entry in ENTRIES]
    return {
        "run": gathered.run.id,
        "entries": [one for one in found if one["tables"]],
        "missing": [one for one in found if not one["tables"]],
    }


def _shown(entry: PaperEntry, inputs: Sequence[TableInput]) -> dict[str, object]:
    (one,) = made([entry], inputs)
    return {
        "title": entry.title,
        "sentence": entry.sentence,
        "wide": entry.wide,
        "missing": one.missing,
        # Drawing is most of what the section takes; the tables have all judges.
        "charts": charts_of(entry, inputs[0]) if inputs else (),
        "tables": [_table(table) for table in one.tables],
    }


def _table(table: PlainTable) -> Mapping[str, object]:
    people = for_people(table)
    return {
        "table": people,
        "rows": [
            [(cell_text(cell).splitlines() or [""], isinstance(cell, StrongFigure)) for cell in row]
            for row in (*people.rows, *people.foot)
        ],
        "taken": Download(table.name, table.title, (table,), (people,)),
    }
