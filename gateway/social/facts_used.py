"""How the facts of earlier episodes that scenarios need were used, episode by episode."""

from collections.abc import Iterator, Sequence
from functools import cache

from actors.social.catalog_items import NeededFact
from actors.social.hard_scenarios.chain_history import chain_past
from actors.social.hard_scenarios.scenario_check import came_up
from evaluators.social.facts import FactUse, uses
from events.base import Event, Value
from events.episode import EpisodeStarted
from gateway.services.runs.resolve_ids import run_chain_or_episode
from gateway.social.memory_scenarios import chains_of
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow


class FactRow(Value, frozen=True, kw_only=True):
    """One fact that one seat of an episode needed, and what became of it."""

    chain: str
    memory: str
    """Empty outside a chain."""
    episode: str
    index: int
    scenario: str
    seat: int
    """From 0."""
    character: str
    mind: str
    fact: NeededFact
    came_up: bool
    """Whether the seat saw it in an earlier episode of the chain."""
    used: bool
    told_by: int | None
    """The seat, from 0, that said it before this one did."""
    evidence: tuple[int, ...]
    quotes: tuple[str, ...]


class FactShare(Value, frozen=True, kw_only=True):
    """How the minds of one name used facts with one memory."""

    mind: str
    memory: str
    needed: int
    came_up: int
    used: int


class FactsRecalled(Value, frozen=True, kw_only=True):
    """How a run used the facts it needed."""

    run: str
    shares: tuple[FactShare, ...]
    rows: tuple[FactRow, ...]
    rehearsal_minds: tuple[str, ...]


def facts_recalled(store: EventStore, given: str) -> FactsRecalled:
    """Which seats of a run, or of one of its chains, used which facts. Raises ``UnknownId``,
    ``BadArgument``."""
    meant = run_chain_or_episode(store, given)
    chains = {row.id: row for row in chains_of(store, meant)}
    if meant.kind == "run":
        run, episodes = meant.id, queries.episodes(store, run=meant.id)
    else:
        run, episodes = chains[meant.id].run, queries.episodes(store, chain=meant.id)
    past = cache(lambda chain: chain_past(store, chain))
    rows: list[FactRow] = []
    rehearsal: dict[str, None] = {}
    for row in episodes:
        for started, use in _uses(store, row):
            chain = chains.get(started.chain)
            mind = started.minds[use.seat]
            if mind.kind == "rehearsal":
                rehearsal[mind.name] = None
            rows.append(
                FactRow(
                    chain=started.chain,
                    memory=chain.memory if chain else "",
                    episode=row.id,
                    index=started.index,
                    scenario=started.setup.scenario.codename or started.setup.scenario.id,
                    seat=use.seat,
                    character=started.setup.cast[use.seat].name,
                    mind=mind.name,
                    fact=use.fact,
                    came_up=chain is not None
                    and came_up(use.fact, use.seat, past(chain.id), before=started.index),
                    used=use.used,
                    told_by=use.told_by,
                    evidence=use.evidence,
                    quotes=use.quotes,
                )
            )
    return FactsRecalled(
        run=run,
        shares=tuple(_shares(rows)),
        rows=tuple(rows),
        rehearsal_minds=tuple(rehearsal),
    )


def _uses(store: EventStore, row: EpisodeRow) -> Iterator[tuple[EpisodeStarted, FactUse]]:
    """What became of the facts that an episode needed, as far as it was played."""
    if row.started_at is None:
        return
    history: list[Event] = [numbered.event for numbered in read_history(store, row.id)]
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    if started is not None and started.setup.scenario.needs:
        for use in uses(history):
            yield started, use


def _shares(rows: Sequence[FactRow]) -> Iterator[FactShare]:
    for mind, memory in dict.fromkeys((row.mind, row.memory) for row in rows):
        own = [row for row in rows if (row.mind, row.memory) == (mind, memory)]
        yield FactShare(
            mind=mind,
            memory=memory,
            needed=len(own),
            came_up=sum(row.came_up for row in own),
            used=sum(row.used for row in own),
        )
