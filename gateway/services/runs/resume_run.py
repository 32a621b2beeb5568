"""Resolves what to resume, and explains why nothing is left to do."""

from actors.runs.state import RunState
from gateway.errors import BadArgument
from gateway.services.runs.confirm_destinations import brought_by_file, episode_stream
from gateway.services.runs.resolve_ids import ResolvedId, run_chain_or_episode
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow


def to_resume(store: EventStore, given: str, *, as_run: bool = False) -> ResolvedId:
    """The run or episode that is meant. ``as_run``: something is asked that only a run can do.

    Raises ``UnknownId``, ``AmbiguousId``, and ``BadArgument`` for a chain.
    """
    meant = run_chain_or_episode(store, given)
    if meant.kind == "chain":
        row = queries.chain(store, meant.id)
        why = f"is played by its run; `troupe resume {row.run}` goes on with it"
        raise BadArgument("chain", meant.id, why)
    if meant.kind == "episode" and as_run:
        why = "only a run has a budget, can be detached or has its failed episodes retried"
        raise BadArgument("episode", meant.id, why)
    return meant


def why_over(run: str, state: RunState, *, anew: bool) -> str:
    """Why nothing is left to do for a run, as a sentence without its full stop; empty: something
    is. ``anew``: it gets another budget, or plays episodes again."""
    if state.imported:
        return f"run {run} was simulated elsewhere: nothing is left to do"
    if state.status == "ended" and not anew and not state.study:
        return f"run {run} has ended: nothing is left to do"
    return ""


def episode_under_way(store: EventStore, episode: str) -> EpisodeRow | None:
    """An episode (its id in full) that may be played on by itself, as forks are; None: it is over.
    Raises ``BadArgument`` for one that may not."""
    row = queries.episode(store, episode)
    if row.status == "planned":
        raise BadArgument("episode", row.id, f"has not begun; `troupe resume {row.run}` plays it")
    if row.status != "playing":
        return None
    if row.chain:
        why = f"is to be remembered by its chain {row.chain}; `troupe resume {row.run}` plays it"
        raise BadArgument("episode", row.id, why)
    if brought_by_file(store, [episode_stream(row.id)]):
        why = "came in a file, with whom it asks; `troupe fork` begins one of your own from it"
        raise BadArgument("episode", row.id, why)
    return row
