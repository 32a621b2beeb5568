"""The part of the demo that plays chains: the same two meet again, with a memory and without."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

from gateway.cli.play_with_progress import work_with_progress
from gateway.cli.terminal.output import note
from gateway.services.runs.plan_run import begin_run, prepare
from gateway.settings import Settings
from gateway.social.demo.completeness import finish
from gateway.social.facts_used import facts_recalled
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow

PLAN = Path(__file__).with_name("chains.toml")
JUDGE, DIMENSION = "rehearsal-strict", "goal"
"""Whose scores the lesson is told with."""
MEETING = 3
"""Index of the meeting that is read: the first that needs the past."""


class RecallResult(NamedTuple):
    """What came of the scenarios that need the past, for those who needed it."""

    needed: int
    """Facts that they needed."""
    used: int
    """Of them, those that they used."""
    goal: float
    """Their mean score in ``DIMENSION``."""


class Chained(NamedTuple):
    """What was played, and its lesson."""

    run: str
    casts: int
    meetings: int
    notes: RecallResult
    """Where notes were kept."""
    none: RecallResult
    """Where nothing was."""
    with_notes: EpisodeRow
    """One pair's first meeting that needs the past."""
    without: EpisodeRow
    """The same without a memory."""


def play_chains(settings: Settings, store: EventStore) -> Chained:
    """Play some chains with a memory and without."""
    prepared = prepare(store, PLAN)
    plan, run = prepared.planned.plan, prepared.run
    chains = prepared.planned.chains
    casts = len({chain.characters for chain in chains})
    meetings = len(chains[0].episodes)
    note(
        f"[dim]5  {casts} pairs meet {meetings} times each, in one chain with notes, in another "
        "without[/]"
    )

    begin = partial(begin_run, store, prepared)
    finish(work_with_progress(settings, store, begin, plan.concurrency))
    return Chained(
        run=run,
        casts=casts,
        meetings=meetings,
        notes=_remembered(store, run, "summary"),
        none=_remembered(store, run, "none"),
        with_notes=_meeting(store, run, "summary"),
        without=_meeting(store, run, "none"),
    )


def _remembered(store: EventStore, run: str, memory: str) -> RecallResult:
    rows = [row for row in facts_recalled(store, run).rows if row.memory == memory]
    who = {(row.episode, row.seat) for row in rows}
    values = [
        score.value
        for score in queries.scores(store, run=run, judge=JUDGE)
        if score.dimension == DIMENSION
        and (score.episode, score.seat) in who
        and score.value is not None
    ]
    return RecallResult(len(rows), sum(row.used for row in rows), sum(values) / len(values))


def _meeting(store: EventStore, run: str, memory: str) -> EpisodeRow:
    """The first pair's."""
    chains = queries.chains(store, run=run)
    mine = (one for one in chains if one.characters == chains[0].characters)
    chain = next(one for one in mine if one.memory == memory)
    rows = queries.episodes(store, chain=chain.id)
    return next(row for row in rows if row.index == MEETING)
