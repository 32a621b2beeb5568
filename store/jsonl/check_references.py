"""Whether the events of a file name only what may be named, and claim nothing of another run.

Ids are part of stream names, subjects and file names, so every id in an event must be valid. And an
event that plans or replaces an episode decides how tables count it, so only the run that the
episode belongs to may contain it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from events.base import Event
from events.chain import ChainAdvanced, ChainStarted
from events.episode import EpisodeForked, EpisodeStarted
from events.evaluation import EvaluationEnded, EvaluationStarted
from events.memory import MemoryOpened, MemoryWritten
from events.run import EpisodesRetried, PlannedEpisode, RunPlanned
from events.serialization.codec import event_of
from events.untrusted.safe_text import shortened
from events.wire.subjects import is_id, split_stream
from store.database.id_batches import in_batches
from store.jsonl.read_file import ReadFile, RefusedFile
from store.log.event_store import EventStore
from store.projections.tables import episodes as rows
from store.read_model import queries


def check_names(store: EventStore, path: Path, file: ReadFile) -> None:
    """Raises ``RefusedFile`` where something is called by what is no id, where a run does not begin
    with its plan, where it plans, or replaces, an episode that is not its own, or an evaluation one
    that it does not better."""
    _check_beginnings(path, file)
    planned: dict[str, tuple[str, int]] = {}
    bettered: dict[str, str] = {}
    for index, envelope in enumerate(file.envelopes):
        event, line = event_of(envelope), file.line_of(index)
        odd = next((one for one in _named(event) if not is_id(one)), None)
        if odd is not None:
            raise RefusedFile(path, line, f"{shortened(odd)!r} can be nobody's id")
        own = split_stream(envelope.stream)[1]
        if isinstance(event, EpisodesRetried):
            for retried in event.episodes:
                gone = retried.instead_of
                if planned.get(gone, ("", 0))[0] != own:
                    why = f"run {own} replaces episode {shortened(gone)!r}, which it does not plan"
                    raise RefusedFile(path, line, why)
        for one in _planned(event):
            before, _ = planned.setdefault(one.id, (own, line))
            if before != own:
                raise RefusedFile(path, line, _of_another(one.id, before))
        if isinstance(event, EvaluationStarted):
            bettered[own] = event.again_of
        elif isinstance(event, EvaluationEnded) and event.supersedes not in ("", bettered.get(own)):
            other = shortened(event.supersedes)
            why = f"it takes the place of evaluation {other!r}, which it does not better"
            raise RefusedFile(path, line, why)
    for some in in_batches(list(planned)):
        for row in queries.episodes_where(store, rows.c.id.in_(some)):
            own, line = planned[row.id]
            if row.run != own:
                raise RefusedFile(path, line, _of_another(row.id, row.run))


def _check_beginnings(path: Path, file: ReadFile) -> None:
    for index, envelope in enumerate(file.envelopes):
        of_run = envelope.stream.startswith("run-")
        if of_run and envelope.version == 0 and envelope.tag != RunPlanned.__name__:
            why = "a run's stream begins with RunPlanned"
            raise RefusedFile(path, file.line_of(index), why)
    header = file.header
    about = f"{header.of}-{header.id}"
    if file.envelopes and not any(envelope.stream == about for envelope in file.envelopes):
        raise RefusedFile(path, 1, f"it holds nothing of the {header.of} that it is said to be of")


def _of_another(episode: str, run: str) -> str:
    return f"it plans episode {episode!r}, which is {f'that of run {run}' if run else 'of no run'}"


def _planned(event: Event) -> Sequence[PlannedEpisode]:
    match event:
        case RunPlanned(episodes=planned):
            return planned
        case EpisodesRetried(episodes=retried):
            return [one.episode for one in retried]
    return ()


def _named(event: Event) -> Iterator[str]:
    """What an event calls by its id."""
    for planned in _planned(event):
        yield planned.id
        yield from filter(None, (planned.chain,))
    match event:
        case RunPlanned(chains=chains):
            for chain in chains:
                yield from (chain.id, *chain.episodes)
        case EpisodeStarted(run=run, chain=chain):
            yield from filter(None, (run, chain))
        case EpisodeForked(parent=parent, run=run):
            yield from filter(None, (parent, run))
        case EvaluationStarted(episode=episode, run=run, again_of=again_of):
            yield from (episode, *filter(None, (run, again_of)))
        case ChainStarted(run=run, episodes=episodes):
            yield from (*filter(None, (run,)), *episodes)
        case MemoryOpened(chain=chain, run=run):
            yield from (chain, *filter(None, (run,)))
        case ChainAdvanced(episode=episode) | MemoryWritten(episode=episode):
            yield episode
