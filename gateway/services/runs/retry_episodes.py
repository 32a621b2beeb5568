"""Playing a run's episodes again in which actions failed."""

import msgspec

from actors.runs.state import RunState
from events.ids import EPISODE, derived_id
from events.run import RetriedEpisode
from gateway.errors import BadArgument
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow


class Retrying(msgspec.Struct, frozen=True):
    """What is played again, and what is not."""

    episodes: tuple[RetriedEpisode, ...]
    of_chains: int
    """Marked episodes that stay as they are, because they belong to chains."""

    @property
    def left_out(self) -> str:
        """Why some are left out, as a sentence."""
        many = self.of_chains > 1
        what = f"{self.of_chains} marked episode{'s' * many} of chains stay{'s' * (not many)}"
        return (
            f"{what} as {'they are' if many else 'it is'}: what came later in the chain remembers "
            "them. Play the plan again for new chains."
        )


def retrying_of(store: EventStore, run: str, state: RunState) -> Retrying:
    """Every marked episode of a run planned anew: those in which actions failed, and those that
    were given up. The new ones have their task, minds, seed and place. Those of chains are left
    out. Stores nothing. Takes an id in full.

    Raises ``BadArgument`` where nothing can be played again, or the run still goes on.
    """
    if state.status == "running":
        why = f"is not over; `troupe resume {run}` goes on with it, and then is the time to retry"
        raise BadArgument("--retry-failed", run, why)
    places = {planned.id: place for place, planned in enumerate(state.episodes)}
    marked = [row for row in queries.episodes(store, run=run) if row.id in places and _marked(row)]
    episodes = tuple(
        RetriedEpisode(
            episode=msgspec.structs.replace(
                state.episodes[places[row.id]], id=derived_id(EPISODE, run, row.id, "again")
            ),
            instead_of=row.id,
            place=places[row.id],
        )
        for row in marked
        if not row.chain
    )
    retrying = Retrying(episodes, sum(bool(row.chain) for row in marked))
    if not episodes:
        why = "no episode of it that is over has a failed action"
        raise BadArgument("--retry-failed", run, retrying.left_out if marked else why)
    return retrying


def _marked(row: EpisodeRow) -> bool:
    return row.status == "failed" or (row.status == "ended" and row.failed_actions > 0)
