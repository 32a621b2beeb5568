"""What differs between two episodes: in what happened, and in scores."""

from collections.abc import Sequence

import numpy as np

from actors.episodes.port.words import Account
from actors.episodes.registry import game_of
from actors.episodes.rules.failed_actions import failed_actions, with_failures
from actors.episodes.views.differences import Differences, differences
from actors.episodes.views.inconsistent_history import telling
from actors.episodes.views.progress import beginning_of
from evaluators.scores.dimensions import in_order, known
from evaluators.scores.scales import ENDLESS
from evaluators.scores.seat_scores import judges, seat_scores
from evaluators.statistics.estimates import mean
from events.base import Value
from gateway.errors import BadArgument
from gateway.services.episodes.episode_details import read_begun
from gateway.services.episodes.fork_episode import repeats_of
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import Numbered
from store.read_model.records import EpisodeRow


class MeanOfRepeats(Value, frozen=True, kw_only=True):
    """A mean over forks that differ in their seeds alone."""

    value: float
    low: float | None
    """The 95 % interval, which takes each fork for itself; None: there are too few."""
    high: float | None
    n: int
    """The forks that have this score."""


class ScoreBeside(Value, frozen=True, kw_only=True):
    """One dimension of one seat by one judge, of two episodes."""

    judge: str
    judge_hash: str
    seat: int
    """From 0."""
    character: str
    dimension: str
    values: tuple[float | None, float | None]
    """Of the first and of the second; None: missing, or the first was not scored by this judge."""
    repeats: MeanOfRepeats | None = None
    """Over the second and the forks that repeat it; None: there are none."""


class EpisodeDiff(Value, frozen=True, kw_only=True):
    """Two episodes beside each other."""

    first: EpisodeRow
    """The parent, or whatever the second is compared with."""
    second: EpisodeRow
    differences: Differences
    repeats: tuple[str, ...]
    """The forks that differ from the second in their seeds alone, itself among them; none where the
    first is one of them."""
    scores: tuple[ScoreBeside, ...]
    """By every judge that scored the second; as many judges as that, in their order."""

    @property
    def only_second(self) -> tuple[str, ...]:
        """Judges that have not scored the first."""
        both = {score.judge for score in self.scores if score.values[0] is not None}
        return tuple(dict.fromkeys(s.judge for s in self.scores if s.judge not in both))


def episode_diff(store: EventStore, given: str, other: str | None) -> EpisodeDiff:
    """An episode beside another: its parent where ``other`` names none. Raises ``UnknownId``,
    ``BadArgument``."""
    second = queries.episode(store, given)
    if other is None and second.parent is None:
        why = "is no fork: name the episode to compare it with, too (`troupe lineage` shows forks)"
        raise BadArgument("episode", second.id, why)
    first = queries.episode(store, other or second.parent or "")
    if first.id == second.id:
        raise BadArgument("episode", first.id, "is the same episode; name another")
    histories = read_begun(store, first), read_begun(store, second)
    found = differences(histories, (_told(histories[0]), _told(histories[1])))
    if found.shared < 0 and _played(first) != _played(second):
        why = f"shares no past with {second.id}, and plays something else"
        raise BadArgument("episode", first.id, why)
    repeats = [row.id for row in repeats_of(store, second)]
    if first.id in repeats:
        repeats = []  # One of them beside another: a mean over both would be of neither.
    return EpisodeDiff(
        first=first,
        second=second,
        differences=found,
        repeats=tuple(repeats),
        scores=tuple(scores_beside(store, first.id, second.id, repeats)),
    )


def scores_beside(
    store: EventStore, first: str, second: str, repeats: Sequence[str]
) -> list[ScoreBeside]:
    """The scores of two episodes by every judge that scored the second or one of its repeats, and
    the means over those."""
    ids = list(dict.fromkeys((first, second, *repeats)))
    rows = queries.scores_of(store, ids)
    values: dict[tuple[str, int, str, str], float] = {}
    characters: dict[int, str] = {}
    asked: dict[str, set[tuple[int, str]]] = {}
    for one in seat_scores(rows):
        characters[one.seat] = one.character
        values |= {
            (one.judge, one.seat, name, one.episode): value for name, value in one.values.items()
        }
        if one.episode != first:
            there = {(one.seat, name) for name in {*one.values, *one.asked}}
            asked.setdefault(one.judge, set()).update(there)
    order = in_order({name for names in asked.values() for _, name in names})
    return [
        ScoreBeside(
            judge=judge.label,
            judge_hash=judge.hash,
            seat=seat,
            character=characters[seat],
            dimension=name,
            values=(
                values.get((judge.hash, seat, name, first)),
                values.get((judge.hash, seat, name, second)),
            ),
            repeats=_mean(
                name,
                [values[key] for id_ in repeats if (key := (judge.hash, seat, name, id_)) in values]
                if len(repeats) > 1
                else (),
            ),
        )
        for judge in judges(rows)
        for seat, name in sorted(
            asked.get(judge.hash, ()), key=lambda place: (place[0], order.index(place[1]))
        )
    ]


def _mean(dimension: str, values: Sequence[float]) -> MeanOfRepeats | None:
    if not values:
        return None
    scale = known().get(dimension)
    ends = (scale.low, scale.high) if scale else ENDLESS
    estimate = mean(values, range(len(values)), scale=ends)
    return MeanOfRepeats(
        value=float(np.mean(values)), low=estimate.low, high=estimate.high, n=len(values)
    )


def _told(history: Sequence[Numbered]) -> Account:
    """A whole history, to who may know everything."""
    events = [numbered.event for numbered in history]
    started = beginning_of(events)
    with telling(started.environment):
        game = game_of(started)
        account = game.words.account(game.sight.view(events, "narrator"))
    return with_failures(account, failed_actions(events))


def _played(row: EpisodeRow) -> tuple[str, str, str, tuple[str, ...]]:
    return row.environment, row.catalog, row.scenario_id, row.characters
