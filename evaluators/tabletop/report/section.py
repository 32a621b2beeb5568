"""What sessions at a table have in the report of a run: Tables 1 and 2 and what stands beside."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evaluators.report.data.downloads import Download
from evaluators.tables.plain_tables import PlainTable, cell_text, for_people
from evaluators.tabletop.gap.default_dms import LINEAR, WITHOUT_LINEAR, default_dm
from evaluators.tabletop.gap.procedure import LEAST_SEEDS
from evaluators.tabletop.gap.real_data import own_transcripts
from evaluators.tabletop.gap.results import gap_report
from evaluators.tabletop.gap.run_sessions import played_of
from evaluators.tabletop.gap.tables import tables_of
from evaluators.tabletop.report.case_words import case_words
from events.base import Event

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData
    from store.read_model.records import EpisodeRow

FOLDED: Final = ("by-skill", "confusion")
"""Long tables, which are folded away."""


def section(
    gathered: "RunData", histories: "Iterable[tuple[EpisodeRow, Sequence[Event]]]"
) -> Mapping[str, object]:
    """What ``section.html.j2`` is filled in with. The real data is Troupe's own, which is small, so
    that a report takes seconds."""
    played = played_of([(gathered, histories)])
    dm = default_dm()
    report = (
        gap_report(played, [dm], own_transcripts(), range(1, LEAST_SEEDS + 1))
        if played.sessions
        else None
    )
    specs = [mind.spec for mind in gathered.minds if mind.seats]
    return {
        "run": gathered.run.id,
        "tables": [_shown(table) for table in tables_of(report)] if report else [],
        "cases": case_words(gathered),
        "without_linear": "" if dm is LINEAR else WITHOUT_LINEAR,
        "rehearsing": [spec.name for spec in specs if spec.kind == "rehearsal"],
        "local": [spec.name for spec in specs if spec.offline == "local"],
    }


def _shown(table: PlainTable) -> Mapping[str, object]:
    """A table for the template."""
    people = for_people(table)
    return {
        "table": people,
        "lines": [[cell_text(cell) for cell in row] for row in (*people.rows, *people.foot)],
        "taken": Download(table.name, table.title, (table,), (people,)),
        "folded": table.name in FOLDED,
    }
