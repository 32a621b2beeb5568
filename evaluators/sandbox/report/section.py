"""What towns have in the report of a run: how far their tasks were reached, and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from evaluators.report.data.downloads import Download
from evaluators.sandbox.language.table3 import tables as talk_tables
from evaluators.sandbox.language.talk_results import talk_results
from evaluators.sandbox.results import KINDS, SCORERS, PlayedTask, TaskResults, results_of
from evaluators.sandbox.table4 import tables_of
from evaluators.tables.plain_tables import PlainTable, cell_text, for_people
from events.base import Event

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData
    from store.read_model.records import EpisodeRow


class TableShown(msgspec.Struct, frozen=True):
    """A table of the section: any ``PlainTable``."""

    table: PlainTable
    """As people see it."""
    lines: tuple[tuple[str, ...], ...]
    """Its rows."""
    foot: tuple[tuple[str, ...], ...]
    taken: Download


def shown(table: PlainTable) -> TableShown:
    """A table for the section's template."""
    people = for_people(table)
    rows, foot = (
        tuple(tuple(cell_text(cell) for cell in row) for row in part)
        for part in (people.rows, people.foot)
    )
    return TableShown(people, rows, foot, Download(table.name, table.title, (table,), (people,)))


def section(
    gathered: "RunData", histories: "Iterable[tuple[EpisodeRow, Sequence[Event]]]"
) -> Mapping[str, object]:
    """What ``section.html.j2`` is filled in with. Tables come in the order of ``tables``."""
    del histories
    results, talks = results_of(gathered), talk_results(gathered)
    tables = [shown(table) for table in tables_of(results, tuple(SCORERS))] if results.tasks else []
    tables += [shown(table) for table in talk_tables(talks)] if talks.cases else []
    told: dict[str, str] = {}
    for one in tables:
        for line in one.table.note.splitlines():
            told.setdefault(line, one.table.name)
    return {
        "told": told,
        "tables": tables,
        "evidence": list(_evidence(results)),
        "rehearsing": [
            mind.name for mind in (*results.minds, *talks.minds) if mind.kind == "rehearsal"
        ],
        "local": [mind.name for mind in (*results.minds, *talks.minds) if mind.offline == "local"],
    }


def _evidence(results: TaskResults) -> Iterable[tuple[str, Sequence[tuple[PlayedTask, Any]]]]:
    """By kind of task: each that was played, with what its scores rest on."""
    for kind, name in KINDS.items():
        played = [one for one in results.tasks if one.kind == kind]
        if played:
            yield name, [(one, list(_why(one))) for one in played]


def _why(played: PlayedTask) -> Iterable[tuple[str, str, Sequence[str]]]:
    """By scorer its score and what it rests on."""
    for scorer in SCORERS:
        found = played.value(scorer)
        if found is None:
            yield scorer, "not scored", [played.status] if played.status != "ended" else []
        else:
            value = "failed" if found.value is None else f"{found.value:.3f}"
            yield scorer, value, found.why.split("; ")
