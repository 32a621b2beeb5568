"""Which episodes there are and how far they have come."""

from collections.abc import Iterator
from typing import Any

from events.base import Envelope, Event
from events.episode import (
    ActionTaken,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodeReopened,
    EpisodeStarted,
)
from events.run import EpisodesRetried, PlannedEpisode, RunPlanned
from events.wire.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:
    """What an event means for the list of episodes."""
    id_ = split_stream(envelope.stream)[1]
    add: dict[str, int] = {}
    values: dict[str, Any]
    match event:
        case RunPlanned():
            yield from _planned(id_, event)
            return
        case EpisodesRetried():
            yield from _retried(id_, event)
            return
        case EpisodeStarted():
            values = {
                **_of_start(event),
                "run": event.run or envelope.correlation,
                "minds": tuple(mind.name for mind in event.minds),
                # A fork of it is of no chain: those that come after it remember the parent.
                "chain": event.chain,
                "index_": event.index,
                "status": "playing",
                "started_at": envelope.recorded_at,
            }
        case EpisodeForked():
            values, add = _forked(envelope, event, past)
        case ActionTaken():
            # Whoever acts is playing again, even after having been given up.
            values = {
                "turns": event.turn,
                "status": "playing",
                "end_reason": "",
                "ended_at": None,
            }
            add = {"failed_actions": 1} if event.failure else {}
        case EpisodeEnded():
            values = {
                "status": "ended",
                "end_reason": event.reason,
                "summary": event.summary,
                "ended_at": envelope.recorded_at,
            }
        case EpisodeFailed():
            values = {
                "status": "failed",
                "end_reason": event.reason,
                "ended_at": envelope.recorded_at,
            }
        case EpisodeReopened():
            # "planned" would be truer of one that never began; its start will say so.
            values = {"status": "playing", "end_reason": "", "ended_at": None}
        case _:
            return
    yield Change(tables.episodes, (id_,), values, add)


def _planned(run: str, event: RunPlanned) -> Iterator[Change]:
    # The status is left alone: "planned" is what a row begins with, and an episode that was
    # started already stays so.
    for place, planned in enumerate(event.episodes):
        values = {
            **_of_plan(run, place, planned),
            "catalog": event.plan.catalog,
            "environment": event.plan.environment,
        }
        yield Change(tables.episodes, (planned.id,), values)


def _retried(run: str, event: EpisodesRetried) -> Iterator[Change]:
    for one in event.episodes:
        planned = one.episode
        yield Change(tables.episodes, (planned.id,), _of_plan(run, one.place, planned))
        yield Change(tables.episodes, (one.instead_of,), {"superseded_by": planned.id})


def _of_plan(run: str, place: int, planned: PlannedEpisode) -> dict[str, Any]:
    return {
        "run": run,
        "place": place,
        "task": planned.task,
        "minds": planned.minds,
        "chain": planned.chain,
        "index_": planned.index,
    }


def _of_start(started: EpisodeStarted) -> dict[str, Any]:
    return {
        "task": started.task,
        "catalog": started.catalog,
        "environment": started.environment,
        "scenario_id": started.scenario,
        "scenario": started.title,
        "characters": started.characters,
    }


def _forked(
    envelope: Envelope, event: EpisodeForked, past: Past
) -> tuple[dict[str, Any], dict[str, int]]:
    values: dict[str, Any] = {
        "run": event.run or envelope.correlation,
        "minds": tuple(mind.name for mind in event.minds),
        "parent": event.parent,
        "forked_at": event.at,
        "status": "playing",
        "started_at": envelope.recorded_at,
    }
    add: dict[str, int] = {}
    shared = past(envelope, event.parent, event.at)
    if shared is not None:
        values |= _of_start(shared.started)
        values["turns"] = shared.turns
        # Added, not set: those of its own are added, too, and a column is changed in one way.
        add["failed_actions"] = shared.failed_actions
        if shared.ended is not None:
            values |= {
                "status": "ended",
                "end_reason": shared.ended.reason,
                "summary": shared.ended.summary,
                "ended_at": envelope.recorded_at,
            }
    return values, add


EPISODES = Projection.of_runs(
    "episodes",
    (tables.episodes,),
    (
        RunPlanned,
        EpisodesRetried,
        EpisodeStarted,
        EpisodeForked,
        ActionTaken,
        EpisodeEnded,
        EpisodeFailed,
        EpisodeReopened,
    ),
    changes,
)
