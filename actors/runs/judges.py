"""Judges as stored in the log. Jobs refer to a judge only by its fingerprint."""

from collections.abc import Sequence

from events.evaluation import JudgeSpec
from events.serialization.codec import event_of
from events.serialization.fingerprints import evaluation_id, judge_hash
from events.unexported_events import JudgeAdded
from events.wire.messages import Evaluate
from events.wire.subjects import stream_name
from store.errors import Conflict
from store.log.event_store import NEW, EventStore


def add_judge(store: EventStore, judge: JudgeSpec) -> None:
    """Have workers know a judge that no run plans; harmless when repeated."""
    stream = _stream(judge_hash(judge))
    if store.version(stream) == NEW:
        try:
            store.append(stream, NEW, [JudgeAdded(judge=judge)])
        except Conflict:
            # Somebody else has done so meanwhile, with the very same.
            return


def added_judge(store: EventStore, fingerprint: str) -> JudgeSpec | None:
    """The judge that was added under a fingerprint; None: none was."""
    for envelope in store.read(_stream(fingerprint), 0, 0):
        event = event_of(envelope)
        if isinstance(event, JudgeAdded):
            return event.judge
    return None


def planned_judge(job: Evaluate, planned: Sequence[JudgeSpec]) -> JudgeSpec | None:
    """The one of some judges that a job means; None: none of them."""
    for judge in planned:
        if job.judge_hash:
            meant = judge_hash(judge) == job.judge_hash
        else:
            meant = evaluation_id(job.episode, judge) == job.evaluation
        if meant:
            return judge
    return None


def _stream(fingerprint: str) -> str:
    return stream_name("judge", fingerprint)
