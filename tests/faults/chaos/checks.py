"""What must hold after a round, read from PostgreSQL, the model server and the witnesses."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
import sqlalchemy as sa

from actors.episodes.rules.decide import INITIAL, evolve
from events.agent import ModelAnswered, ModelAsked
from events.base import Envelope
from events.chain import ChainAdvanced, ChainEnded, ChainFailed
from events.episode import EpisodeEnded, EpisodeFailed
from events.evaluation import EvaluationEnded, EvaluationFailed
from events.memory import MemoryRecalled, MemoryWritten
from events.serialization.codec import event_of
from events.wire.subjects import memory_stream, stream_name
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.faults.chaos.asked import Asked
from tests.faults.chaos.member import Seen, digest_of_state
from tests.support.runs import events_of
from tests.support.store_checks import check_projections

CROSSED_S = 0.25
"""A question may cross with the answer to the same question, asked by a process that was thought
dead, on its way into the store: what is sent to the model within so many seconds of that is not
held against anybody."""

TOGETHER_S = 1.0
"""Half the ack wait of a fleet: a job is not given to another sooner."""

_COMMITTED = sa.text(
    "SELECT position, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 AS seconds "
    "FROM log WHERE position > :after"
)


class Told(msgspec.Struct):
    """A round, as the log, the model server and the processes tell it."""

    run: str
    envelopes: list[Envelope]
    """What was appended, in the store's order."""
    committed: dict[int, float]
    """By position: when, in seconds since 1970, on PostgreSQL's word."""
    asked: Sequence[Asked]
    seen: Sequence[Seen]


def read_round(
    store: EventStore, run: str, after: int, asked: Sequence[Asked], seen: Sequence[Seen]
) -> Told:
    """What was appended behind a position, and the rest."""
    envelopes: list[Envelope] = []
    while batch := store.read_all(envelopes[-1].position if envelopes else after, limit=5000):
        envelopes += batch
    with store.engine.connect() as connection:
        rows = connection.execute(_COMMITTED, {"after": after})
        committed = {row.position: row.seconds for row in rows}
    return Told(run, envelopes, committed, asked, seen)


def violations(store: EventStore, told: Told, after: int) -> list[str]:
    """What is wrong; nothing, that is."""
    found: list[str] = []
    found += ends_missing(store, told.run)
    found += holes(told.envelopes, after)
    found += chains_broken(store, told.run)
    found += paid_again(told)
    found += replays_that_differ(store, told)
    found += _unless(check_projections, store, "the tables are not what a rebuild makes of them")
    return found


def ends_missing(store: EventStore, run: str) -> Iterator[str]:
    """Every episode and evaluation has one ending, its last event, and a reason if it failed."""
    planned = queries.plan(store, run)
    rows = {row.id: row for row in queries.episodes(store, run=run)}
    for episode in planned.episodes:
        row = rows.get(episode.id)
        if row is None or row.status not in ("ended", "failed"):
            yield f"episode {episode.id} is {row.status if row else 'not listed'}"
            continue
        history = [numbered.event for numbered in read_history(store, row.id)]
        endings = [place for place, event in enumerate(history) if _is_end(event)]
        if endings != [len(history) - 1]:
            yield f"episode {row.id} has {len(history)} events and ends at {endings}"
        last = history[-1]
        if isinstance(last, EpisodeFailed) and not last.reason:
            yield f"episode {row.id} failed without a reason"
    judged = Counter[str]()
    for evaluation in queries.evaluations(store, run=run):
        if evaluation.status == "failed" and not evaluation.reason:
            yield f"evaluation {evaluation.id} failed without a reason"
        if evaluation.status in ("ended", "failed"):
            judged[evaluation.episode] += 1
    wanted = {
        row.id: len(planned.plan.judges)
        for row in rows.values()
        if row.status == "ended" and planned.plan.judges
    }
    for episode, number in wanted.items():
        if judged[episode] != number:
            yield f"episode {episode} was judged {judged[episode]} times, not {number}"
    if (status := queries.run(store, run).status) != "ended":
        yield f"run {run} is {status}"


def holes(envelopes: Sequence[Envelope], after: int) -> Iterator[str]:
    """Each position, and each version of each stream, is there once and in order."""
    positions = [envelope.position for envelope in envelopes]
    if positions != list(range(after + 1, after + 1 + len(positions))):
        yield f"positions behind {after} are not in order or not all there"
    streams: dict[str, list[int]] = defaultdict(list)
    for envelope in envelopes:
        streams[envelope.stream].append(envelope.version)
    for stream, versions in streams.items():
        # Streams of a round begin in it.
        if versions != list(range(len(versions))):
            yield f"{stream} has versions {versions}"
    if len({envelope.event_id for envelope in envelopes}) != len(envelopes):
        yield "an event id is there twice"


def chains_broken(store: EventStore, run: str) -> Iterator[str]:
    """Each chain has advanced over its episodes in order, and each seat has recalled before each
    and remembered behind each, once."""
    planned = queries.plan(store, run)
    for chain in planned.chains:
        events = events_of(store, stream_name("chain", chain.id))
        last = events[-1] if events else None
        if isinstance(last, ChainFailed):
            if not last.reason:
                yield f"chain {chain.id} failed without a reason"
            continue
        advanced = [event.episode for event in events if isinstance(event, ChainAdvanced)]
        if advanced != list(chain.episodes) or not isinstance(last, ChainEnded):
            yield f"chain {chain.id} has advanced over {advanced}, not {chain.episodes}"
        for seat in range(len(chain.characters)):
            stream = memory_stream(chain.id, seat)
            steps = [
                (type(event), event.index)
                for event in events_of(store, stream)
                if isinstance(event, MemoryRecalled | MemoryWritten)
            ]
            each = ((MemoryRecalled, MemoryWritten),) * len(chain.episodes)
            if steps != [(step, index) for index, both in enumerate(each) for step in both]:
                yield f"{stream} has {steps}"


def paid_again(told: Told) -> Iterator[str]:
    """No question is put to a model again once its answer is stored.

    In the log: behind the answer to a question the same question does not come again, and it has
    no more answers than the model server gave (a process that froze, and was thought dead, records
    what it had paid for). At the model server: the sending of no request begins more than
    ``CROSSED_S`` after PostgreSQL has committed the answer to the same request.
    """
    answered: dict[tuple[str, int, int, str], int] = {}
    given = Counter(asked.request_hash for asked in told.asked if asked.paid)
    answers = Counter[str]()
    for envelope, event in _calls(told):
        question = (envelope.stream, event.turn, event.attempt, event.request_hash)
        is_answer = isinstance(event, ModelAnswered)
        answers[event.request_hash] += is_answer
        if question in answered and not (
            is_answer and answers[event.request_hash] <= given[event.request_hash]
        ):
            yield (
                f"{envelope.stream} has {envelope.tag} {envelope.version} of turn {event.turn} "
                f"behind its answer {answered[question]}"
            )
        if is_answer:
            answered.setdefault(question, envelope.version)
    hashes = Counter(question[-1] for question in answered)
    for request_hash in (one for one, times in hashes.items() if times > 1):
        yield f"two streams have asked {request_hash}: the check would be blind"
    stored = _stored(told)
    for asked in told.asked:
        late = asked.sent - stored.get(asked.request_hash, asked.sent)
        if late > CROSSED_S:
            yield (
                f"{asked.member} asked {asked.request_hash} at {asked.sent:.3f}, {late:.3f} s "
                "after the answer was stored"
            )
    paid = {asked.request_hash for asked in told.asked if asked.paid}
    for request_hash in stored.keys() - paid:
        yield f"the answer to {request_hash} was stored but never given"


def crossings(told: Told) -> int:
    """How many requests were put to the model that should not have been.

    Those that a process had begun to send when it froze, and that came when another had stored the
    answer: nobody can look and send in one moment. And those that two processes sent within
    ``TOGETHER_S``: no process takes over from another so soon after that has asked.
    """
    stored = _stored(told)
    late = sum(
        asked.at - stored[asked.request_hash] > CROSSED_S >= asked.sent - stored[asked.request_hash]
        for asked in told.asked
        if asked.request_hash in stored
    )
    last: dict[str, Asked] = {}
    together = 0
    for asked in sorted(told.asked, key=lambda one: one.sent):
        before = last.get(asked.request_hash, asked)
        if before.member != asked.member and asked.sent - before.sent < TOGETHER_S:
            together += 1
        last[asked.request_hash] = asked
    return late + together


def replays_that_differ(store: EventStore, told: Told) -> Iterator[str]:
    """Each state that an episode came into, in whichever process, is what a replay up to the same
    event gives."""
    live: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for seen in told.seen:
        live[seen.episode][seen.number].add(seen.digest)
    unseen = 0
    begun = {envelope.stream for envelope in told.envelopes}
    for episode in queries.plan(store, told.run).episodes:
        state = INITIAL
        is_stored = stream_name("episode", episode.id) in begun
        for numbered in read_history(store, episode.id) if is_stored else ():
            state = evolve(state, numbered.event)
            witnessed = live[episode.id].pop(numbered.number, set())
            unseen += not witnessed
            if witnessed - {digest_of_state(state)}:
                yield f"episode {episode.id} was in another state at event {numbered.number}"
        for number in live[episode.id]:
            yield f"episode {episode.id} was seen with event {number}, which is not stored"
    # A process that is killed may have no time to note what it has just stored.
    if unseen > len(told.envelopes) / 10:
        yield f"{unseen} of {len(told.envelopes)} events were seen by nobody: nothing is shown"


def _calls(told: Told) -> Iterator[tuple[Envelope, ModelAsked | ModelAnswered]]:
    for envelope in told.envelopes:
        if envelope.tag in (ModelAsked.__name__, ModelAnswered.__name__):
            event = event_of(envelope)
            assert isinstance(event, ModelAsked | ModelAnswered)
            yield envelope, event


def _stored(told: Told) -> dict[str, float]:
    """When the first answer to each request was stored, in seconds since 1970."""
    stored: dict[str, float] = {}
    for envelope, event in _calls(told):
        if isinstance(event, ModelAnswered):
            stored.setdefault(event.request_hash, told.committed[envelope.position])
    return stored


def _is_end(event: object) -> bool:
    return isinstance(event, EpisodeEnded | EpisodeFailed | EvaluationEnded | EvaluationFailed)


def _unless(check: Callable[[EventStore], None], store: EventStore, wrong: str) -> Iterable[str]:
    try:
        check(store)
    except AssertionError as error:
        return [f"{wrong}: {error}"]
    return []
