"""What the store has of episodes for trainers: seats with their scores by one judge."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from actors.social.setup import NAME
from evaluators.social.plugin import SOCIAL
from evaluators.social.sotopia_eval import GOAL
from evaluators.social.training_files.attribution import ATTRIBUTED, attributions_in
from evaluators.social.training_files.card import CardJudge
from evaluators.social.training_files.selection import SeatRecord
from gateway.errors import BadArgument, GatewayError
from gateway.services.runs.resolve_ids import ResolvedId
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.projections.tables import episodes as episode_table
from store.read_model import queries
from store.read_model.records import EpisodeRow, ScoreRow
from store.read_model.seat_occupants import who_sat, with_sitters

JUDGES: Final = {"judge": "JUDGE", "attribution": "examples/attribution.toml"}
"""By the filter that names a judge, what makes such scores."""
Place = tuple[str, int]
"""An episode and a seat."""


class RunScores(NamedTuple):
    """One judge's scores."""

    judge: CardJudge
    values: Mapping[Place, Mapping[str, float]]
    """By dimension; what failed or was declined is not there."""
    reasons: Mapping[Place, str]
    """Those of the dimension that was asked for."""


def rows_of(store: EventStore, what: Sequence[ResolvedId], form: str) -> list[EpisodeRow]:
    """The episodes that are meant, each once. Raises ``BadArgument`` where one is of another
    environment."""
    found: dict[str, EpisodeRow] = {}
    for one in what:
        match one.kind:
            case "run":
                rows = queries.episodes(store, run=one.id)
            case "chain":
                rows = queries.episodes(store, chain=one.id)
            case "episode":
                rows = [queries.episode(store, one.id)]
        found |= {row.id: row for row in rows}
    for row in found.values():
        if row.environment not in ("", NAME):
            why = f"is for episodes of environment {NAME!r}, not of {row.environment!r}"
            raise BadArgument("--format", form, why)
    return list(found.values())


def forks_of(store: EventStore, rows: Sequence[EpisodeRow]) -> list[EpisodeRow]:
    """All forks of some episodes, and theirs."""
    known = {row.id for row in rows}
    found: list[EpisodeRow] = []
    level = [row.id for row in rows]
    while level:
        forks: list[EpisodeRow] = []
        for some in in_batches(level):
            forks += queries.episodes_where(store, episode_table.c.parent.in_(some))
        forks = [row for row in forks if row.id not in known]
        known |= {row.id for row in forks}
        found += forks
        level = [row.id for row in forks]
    return found


def scores_by(
    store: EventStore, episodes: Sequence[str], wanted: str, dimensions: Iterable[str], key: str
) -> RunScores:
    """The scores of the one judge of some dimensions: the one that is wanted, by name or the
    beginning of its fingerprint, or else the only one there is. ``key``: the filter that names it.

    Raises ``GatewayError`` where there is none, or more than one.
    """
    asked = set(dimensions)
    rows = [row for some in in_batches(episodes) for row in queries.scores_of(store, list(some))]
    judges = {
        row.judge_hash: row for row in rows if row.dimension in asked and row.status == "scored"
    }
    meant = {
        hash_: row
        for hash_, row in judges.items()
        if not wanted or row.judge == wanted or hash_.startswith(wanted)
    }
    if len(meant) != 1:
        why = _which(judges, meant, min(asked), key)
        raise BadArgument(f"--filter {key}", wanted, why) if wanted else GatewayError(why)
    ((hash_, first),) = meant.items()
    values: dict[Place, dict[str, float]] = defaultdict(dict)
    reasons: dict[Place, str] = {}
    for row in rows:
        if row.judge_hash == hash_ and row.status == "scored" and row.value is not None:
            values[row.episode, row.seat][row.dimension] = row.value
            if row.dimension in asked:
                reasons[row.episode, row.seat] = row.reason
    judge = CardJudge(name=first.judge, hash=hash_, kind=first.judge_kind, scores=key)
    return RunScores(judge, values, reasons)


def _which(
    judges: Mapping[str, ScoreRow], meant: Mapping[str, ScoreRow], dimension: str, key: str
) -> str:
    """Why no judge, or none of several, is meant."""
    known = ", ".join(sorted(f"{row.judge} ({hash_[:8]})" for hash_, row in judges.items()))
    if not judges:
        return f"nobody has scored {dimension} here; `troupe score RUN --judge {JUDGES[key]}` does"
    if not meant:
        return f"no judge that scored {dimension} here is called so; there are {known}"
    return f"several judges scored {dimension} here: {known}; choose by `--filter {key}=NAME|HASH`"


def seat_records(
    store: EventStore, rows: Sequence[EpisodeRow], scores: RunScores
) -> list[SeatRecord]:
    """The seats of episodes that have ended, in their order."""
    sat = who_sat(store, sorted({row.run for row in rows}))
    found: list[SeatRecord] = []
    for row in rows:
        minds = with_sitters(row.minds, sat.get(row.id, {}))
        values = [scores.values.get((row.id, seat), {}) for seat in range(len(minds))]
        goals = [one.get(GOAL) for one in values]
        found += [
            SeatRecord(
                episode=row.id,
                scenario=row.scenario_id,
                seat=seat,
                mind=mind,
                goal=goals[seat],
                overall=SOCIAL.overall.value(values[seat]) if SOCIAL.overall else None,
                partners=tuple(goals[:seat] + goals[seat + 1 :]),
            )
            for seat, mind in enumerate(minds)
        ]
    return found


def attributions_of(
    store: EventStore, episodes: Sequence[str], wanted: str
) -> tuple[CardJudge, Mapping[Place, tuple[int, Mapping[int, int]]]]:
    """The judge of attributions, and by episode and seat the scale and the attributions by event
    number. Raises ``GatewayError``."""
    scores = scores_by(store, episodes, wanted, ATTRIBUTED, "attribution")
    found = {}
    for place, reason in scores.reasons.items():
        try:
            found[place] = attributions_in(reason)
        except ValueError:
            continue  # Of a judge that was imported, and says it in other words.
    return scores.judge, found
