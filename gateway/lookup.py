"""Which run, chain or episode a person means."""

from typing import Literal, NamedTuple

from events.ids import CHAIN, EPISODE, RUN
from store import queries
from store.log import EventStore
from store.lookup import UnknownId


class Meant(NamedTuple):
    """What was meant."""

    kind: Literal["run", "episode", "chain"]
    id: str


def run_or_episode(store: EventStore, given: str) -> Meant:
    """The run or episode with this id, or whose id begins so. Raises ``UnknownId``."""
    if given.startswith(RUN):
        return Meant("run", queries.find_run(store, given))
    if given.startswith(EPISODE):
        return Meant("episode", queries.find_episode(store, given))
    raise UnknownId("run or episode", given)


def run_chain_or_episode(store: EventStore, given: str) -> Meant:
    """The run, chain or episode with this id, or whose id begins so. Raises ``UnknownId``."""
    if given.startswith(CHAIN):
        return Meant("chain", queries.find_chain(store, given))
    return run_or_episode(store, given)
