"""What runs have to be told of, from the read model and the log."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from evaluators.tabletop.gap.played import PlayedSession, played_session
from evaluators.tabletop.gap.results import Played
from evaluators.tabletop.plugin import LEARNED
from events.base import Event
from store.read_model.records import EpisodeRow, ScoreRow

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData


def played_of(
    runs: "Iterable[tuple[RunData, Iterable[tuple[EpisodeRow, Sequence[Event]]]]]",
) -> Played:
    """The sessions of some runs with their scores; each run with its episodes and their histories.
    Forks, and episodes that others were played in the place of, are left out."""
    sessions: list[PlayedSession] = []
    scores: list[ScoreRow] = []
    calls: dict[str, tuple[int, int]] = {}
    unscored: list[str] = []
    for gathered, histories in runs:
        known = set()
        exchanges = False
        for row, history in histories:
            if row.parent is not None or row.superseded_by:
                continue
            one = played_session(history, episode=row.id, task=row.task, minds=row.minds)
            if one is None:
                continue
            sessions.append(one)
            known.add(row.id)
            exchanges |= one.kind == "exchange" and one.ended
            totals = [each for each in gathered.calls_of(row.id) if each.purpose == "act"]
            if totals:
                calls[row.id] = (
                    sum(each.answered for each in totals),
                    sum(each.unreadable for each in totals),
                )
        mine = [
            row for row in gathered.told() if row.dimension == LEARNED.name and row.episode in known
        ]
        scores += mine
        if exchanges and not mine:
            unscored.append(gathered.run.id)
    # A task that a model played twice is two sessions, in whatever order they ended.
    return Played(
        sessions=tuple(sessions), scores=tuple(scores), calls=calls, unscored=tuple(unscored)
    )
