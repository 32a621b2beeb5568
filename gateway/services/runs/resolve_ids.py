"""Resolves what a person typed to the id of a run, chain or episode."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from events.ids import CHAIN, EPISODE, RUN
from gateway.errors import BadArgument
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model import queries


class ResolvedId(NamedTuple):
    kind: Literal["run", "episode", "chain"]
    id: str


def runs_meant(store: EventStore, given: Iterable[str], environment: str = "") -> list[str]:
    """The runs with these ids, or whose ids begin so, each once. Raises ``UnknownId``, and
    ``BadArgument`` for one that plays another environment than is asked for."""
    runs = list(dict.fromkeys(queries.find_run(store, one) for one in given))
    for run in runs if environment else ():
        plays = queries.plan(store, run).plan.environment
        if plays != environment:
            why = f"plays {plays}, not {environment}; `troupe show {run}` has its scores"
            raise BadArgument("run", run, why)
    return runs


def run_or_episode(store: EventStore, given: str) -> ResolvedId:
    """The run or episode with this id, or whose id begins so. Raises ``UnknownId``."""
    if given.startswith(RUN):
        return ResolvedId("run", queries.find_run(store, given))
    if given.startswith(EPISODE):
        return ResolvedId("episode", queries.find_episode(store, given))
    raise UnknownId("run or episode", given)


def run_chain_or_episode(store: EventStore, given: str) -> ResolvedId:
    """The run, chain or episode with this id, or whose id begins so. Raises ``UnknownId``."""
    if given.startswith(CHAIN):
        return ResolvedId("chain", queries.find_chain(store, given))
    return run_or_episode(store, given)
