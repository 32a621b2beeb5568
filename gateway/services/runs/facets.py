"""The filters and orders of a run's episode list."""

import json

import msgspec
import sqlalchemy as sa

from evaluators.plugin import OVERALL
from evaluators.registry import judging_of
from evaluators.scores.dimensions import label, overall_of, shown
from evaluators.scores.seat_scores import judged_of
from events.evaluation import EvaluationStarted
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.scores import SCORES

JudgeRow = sa.Row[str, str, str, str]
"""Of an evaluation: its judge's hash, name and kind, and its id."""


class JudgeFacet(msgspec.Struct, frozen=True, kw_only=True):
    """A judge by whose scores episodes can be put in order."""

    hash: str
    label: str
    kind: str
    asked: tuple[str, ...]
    """All dimensions that it declares."""
    dimensions: tuple[tuple[str, str], ...]
    """Those that tables show, each with its label."""
    first: str
    """The dimension that stands for it."""


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What is found among the episodes themselves."""

    minds: tuple[str, ...]
    scenarios: tuple[tuple[str, str], ...]
    """Ids with titles, by title."""
    forks: bool


def choices(store: EventStore, run: str) -> Choices:
    """Of a run, its id in full. Blocking: one walk over its episodes."""
    catch_up(store, EPISODES)
    c = t.episodes.c
    query = (
        sa.select(
            c.scenario_id,
            c.scenario,
            sa.type_coerce(c.minds, sa.Text),
            c.parent.is_not(None),
        )
        .where(c.run == run, c.superseded_by == "")
        .distinct()
    )
    minds: set[str] = set()
    scenarios: dict[str, str] = {}
    forks = False
    with store.engine.connect() as connection:
        for scenario, title, names, fork in connection.execute(query):
            minds.update(json.loads(names))
            if scenario or title:
                scenarios[scenario or title] = title or scenario
            forks = forks or fork
    return Choices(
        minds=tuple(sorted(minds)),
        scenarios=tuple(sorted(scenarios.items(), key=lambda one: (one[1], one[0]))),
        forks=forks,
    )


def judges(store: EventStore, run: str) -> tuple[JudgeFacet, ...]:
    """Those who have scored a run, its id in full, people last. Blocking: no walk."""
    catch_up(store, EPISODES, SCORES)
    by_hash = _evaluation_of_each(store, run)
    named = judged_of({hash_: row.judge for hash_, row in by_hash.items()})
    environment = _environment(store, run) if named else ""
    first = judging_of(environment).first if environment else ()
    found = []
    for judged in named:
        row = by_hash[judged.hash]
        asked = _dimensions(store, row.id)
        names = shown({*asked, OVERALL} if overall_of(asked) else asked)
        if not names:
            continue
        shown_first = next((name for name in names if name in first), names[0])
        found.append(
            JudgeFacet(
                hash=judged.hash,
                label=judged.label,
                kind=row.judge_kind,
                asked=tuple(asked),
                dimensions=tuple((name, label(name)) for name in names),
                first=OVERALL if OVERALL in names else shown_first,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.kind == "person", one.first != OVERALL)))


def _environment(store: EventStore, run: str) -> str:
    c = t.episodes.c
    query = sa.select(c.environment).where(c.run == run, c.superseded_by == "", c.environment != "")
    with store.engine.connect() as connection:
        return connection.execute(query.limit(1)).scalar() or ""


def _evaluation_of_each(store: EventStore, run: str) -> dict[str, JudgeRow]:
    """Some evaluation of a run by each judge, by the judge's hash: a step in the index for each,
    however many there are."""
    c = t.evaluations.c
    found: dict[str, JudgeRow] = {}
    columns = sa.select(c.judge_hash, c.judge, c.judge_kind, c.id).order_by(c.judge_hash, c.id)
    own = columns.where(c.run == run)
    # What was asked for by its episode alone.
    by_episode = columns.join(t.episodes, t.episodes.c.id == c.episode)
    others = by_episode.where(c.run == "", t.episodes.c.run == run)
    with store.engine.connect() as connection:
        for query in (own, others):
            last = ""
            while row := connection.execute(query.where(c.judge_hash > last).limit(1)).first():
                last = row.judge_hash
                found.setdefault(last, row)
    return found


def _dimensions(store: EventStore, evaluation: str) -> list[str]:
    for envelope in store.read(stream_name("evaluation", evaluation), 0, 0):
        event = event_of(envelope)
        if isinstance(event, EvaluationStarted):
            return [dimension.name for dimension in event.judge.dimensions]
    return []
