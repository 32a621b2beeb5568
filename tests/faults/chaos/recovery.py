"""How long an episode stands still when something happens to it."""

from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Envelope, Event
from events.chain import ChainAdvanced
from events.episode import EpisodeEnded, EpisodeFailed
from events.memory import MemoryRecalled, MemoryWritten
from events.serialization.codec import event_of
from events.wire.subjects import split_stream
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.chaos.checks import Told
from tests.faults.chaos.faults import Struck


def recoveries(store: EventStore, told: Told, fault: Struck) -> list[float]:
    """For each episode that the fault found under way in a process that it struck: seconds from
    the fault to the commit of the next event that was made after it.

    An episode of a chain is under way until it is remembered. Whose it is shows in who asked the
    model for it last. When it was the model that failed, the next event is the next answer to a
    question put after the fault.
    """
    chains = {chain.id: chain.episodes for chain in queries.plan(store, told.run).chains}
    askers = {asked.request_hash: asked.member for asked in told.asked if asked.at <= fault.at}
    players: dict[str, str] = {}
    """Who plays each episode that is under way."""
    waiting: dict[str, str] | None = None
    found = []
    for envelope in told.envelopes:
        event = event_of(envelope)
        episode = episode_of(envelope, event, chains)
        if not episode:
            continue
        at = told.committed[envelope.position]
        if at <= fault.at:
            players.setdefault(episode, "")
            if isinstance(event, ModelAsked) and event.request_hash in askers:
                players[episode] = askers[event.request_hash]
            if _is_over(event, in_chain=bool(chains)):
                del players[episode]
            continue
        if waiting is None:
            waiting = {
                episode: player
                for episode, player in players.items()
                if fault.member in ("", player)
            }
        if episode in waiting and _made_after(fault, envelope, event):
            del waiting[episode]
            found.append(at - fault.at)
    return found


def episode_of(envelope: Envelope, event: Event, chains: dict[str, tuple[str, ...]]) -> str:
    """The episode that an event is a step of; empty for those of runs, evaluations and so on."""
    kind, id_ = split_stream(envelope.stream)
    owner = id_.partition(".")[0]
    match event:
        case MemoryRecalled(episode=episode) | MemoryWritten(episode=episode):
            return episode
        case ChainAdvanced(episode=episode):
            return episode
        case ModelAsked(turn=turn) | ModelAnswered(turn=turn) | ModelFailed(turn=turn):
            if kind == "memory":
                return chains[owner][turn]
    return owner if kind in ("episode", "agent") else ""


def _is_over(event: Event, *, in_chain: bool) -> bool:
    if in_chain:
        return isinstance(event, ChainAdvanced)
    return isinstance(event, EpisodeEnded | EpisodeFailed)


def _made_after(fault: Struck, envelope: Envelope, event: Event) -> bool:
    made = envelope.recorded_at / 1e6
    if fault.kind == "model-fails":
        if not isinstance(event, ModelAnswered):
            return False
        made -= event.latency_s
    return made > fault.at
