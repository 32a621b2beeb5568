"""What games have in the report of a run: win rates, ratings, conduct, payoffs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evaluators.games.played_games import games_of
from evaluators.games.report_values import report_of
from evaluators.games.tables import tables_of
from evaluators.report.data.downloads import Download
from evaluators.tables.plain_tables import PlainTable, cell_text, for_people
from events.base import Event

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData
    from store.read_model.records import EpisodeRow

FOLDED: Final = ("length",)
"""Tables that are folded away."""


def section(
    gathered: "RunData", histories: "Iterable[tuple[EpisodeRow, Sequence[Event]]]"
) -> Mapping[str, object]:
    """What ``section.html.j2`` is filled in with."""
    report = report_of(games_of([(gathered, histories)]))
    specs = [mind.spec for mind in gathered.minds if mind.seats]
    return {
        "run": gathered.run.id,
        "notes": report.notes,
        "tables": [_shown(table) for table in tables_of(report)],
        "rehearsing": [spec.name for spec in specs if spec.kind == "rehearsal"],
        "local": [spec.name for spec in specs if spec.offline == "local"],
    }


def _shown(table: PlainTable) -> Mapping[str, object]:
    """A table for the template."""
    people = for_people(table)
    return {
        "table": people,
        "lines": [[cell_text(cell) for cell in row] for row in people.rows],
        "taken": Download(table.name, table.title, (table,), (people,)),
        "folded": table.name in FOLDED,
    }
