"""Limits and time-outs of a process, from environment variables."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from actors.models.local.settings import CONTEXT, SLOTS
from events.untrusted.limits import LEAST_REPLY_CAP, MOST_REPLY_BYTES, MOST_REPLY_CAP


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """Each has its variable in ``NUMBERS``, with its unit and range."""

    ack_wait_s: float = 20.0
    job_tries: int = 5
    job_replicas: int = 1
    episodes_at_once: int = 64
    evaluations_at_once: int = 16
    grace_s: float = 10.0
    reconcile_s: float = 5.0
    append_queue: int = 50_000
    nats_pending_mib: int = 64
    model_queue: int = 10_000
    model_patience_s: float = 3600.0
    inbox: int = 1000
    most_reply_bytes: int = MOST_REPLY_BYTES
    local_slots: int = SLOTS
    local_context: int = CONTEXT
    local_threads: int = 0
    requests_per_s: float = 50.0
    head_s: float = 10.0
    body_s: float = 30.0
    connections: int = 4000


class Number(NamedTuple):
    """A variable whose value is a number."""

    field: str
    """Of ``Tuning``."""
    least: float
    most: float
    meaning: str

    @property
    def default(self) -> float:
        """What it is where the variable is not set."""
        number: float = getattr(Tuning(), self.field)
        return number

    def read(self, text: str) -> float | None:
        """The number that a text gives; None where it gives none that is allowed."""
        kind = type(self.default)
        try:
            number = kind(text)
            finite = math.isfinite(number)
        except (ValueError, OverflowError):
            return None
        fits = finite and self.least <= number <= self.most
        return number if fits else None

    @property
    def right(self) -> str:
        """What a value has to be, as the end of a sentence."""
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"must be {kind} from {self.least:g} to {self.most:,.10g}"


NUMBERS: Mapping[str, Number] = {
    "TROUPE_ACK_WAIT_S": Number(
        "ack_wait_s", 0.5, 3600, "seconds of silence after which a worker's jobs go to another"
    ),
    "TROUPE_JOB_TRIES": Number(
        "job_tries", 1, 1000, "failed or lost tries after which a job is dead"
    ),
    "TROUPE_JOB_REPLICAS": Number(
        "job_replicas", 1, 5, "NATS servers that hold each job; 3 in a cluster"
    ),
    "TROUPE_EPISODES_AT_ONCE": Number(
        "episodes_at_once",
        1,
        100_000,
        "episodes a server or worker plays at once, besides those that wait for people",
    ),
    "TROUPE_EVALUATIONS_AT_ONCE": Number(
        "evaluations_at_once", 1, 100_000, "evaluations it makes beside them"
    ),
    "TROUPE_GRACE_S": Number(
        "grace_s", 0, 86_400, "seconds that what is under way may take when a process is to end"
    ),
    "TROUPE_RECONCILE_S": Number(
        "reconcile_s", 0.1, 3600, "seconds between looks for jobs that were lost"
    ),
    "TROUPE_APPEND_QUEUE": Number(
        "append_queue",
        1000,
        10_000_000,
        "events that may wait to be stored; from a fifth of it on no more jobs are taken",
    ),
    "TROUPE_NATS_PENDING_MIB": Number(
        "nats_pending_mib",
        1,
        4096,
        "MiB that may wait to be sent to NATS; from a half of it on no more jobs are taken",
    ),
    "TROUPE_MODEL_QUEUE": Number(
        "model_queue",
        1,
        1_000_000,
        "requests waiting for models from which on no more jobs are taken",
    ),
    "TROUPE_MODEL_PATIENCE_S": Number(
        "model_patience_s",
        1,
        604_800,
        "seconds that calls wait for a model that keeps failing before its runs are paused",
    ),
    "TROUPE_INBOX": Number(
        "inbox", 10, 1_000_000, "messages that may wait for one actor that others can write to"
    ),
    "TROUPE_MOST_REPLY_BYTES": Number(
        "most_reply_bytes",
        LEAST_REPLY_CAP,
        MOST_REPLY_CAP,
        "bytes of a model server's reply beyond which it is not read",
    ),
    "TROUPE_LOCAL_SLOTS": Number(
        "local_slots", 1, 64, "questions that a local model answers at once; 1 to repeat answers"
    ),
    "TROUPE_LOCAL_CONTEXT": Number(
        "local_context", 256, 1_048_576, "tokens of a prompt of a local model and its answer"
    ),
    "TROUPE_LOCAL_THREADS": Number(
        "local_threads", 0, 1024, "threads of a local model's server; 0: one less than cores"
    ),
    "TROUPE_REQUESTS_PER_S": Number(
        "requests_per_s",
        0.1,
        1_000_000,
        "HTTP requests a second that one token may make; an address four times as many",
    ),
    "TROUPE_HEAD_S": Number(
        "head_s", 0.1, 3600, "seconds in which the line and the headers of a request must come"
    ),
    "TROUPE_BODY_S": Number(
        "body_s", 0.1, 3600, "seconds in which its body must, and one more for every 4 KiB of it"
    ),
    "TROUPE_CONNECTIONS": Number(
        "connections",
        10,
        1_000_000,
        "HTTP connections and sockets at once; no more than 256 below the limit of open files",
    ),
}
"""By variable."""


def read_tuning(environ: Mapping[str, str]) -> tuple[Tuning, dict[str, str]]:
    """The numbers that the environment gives, and the texts of those that cannot be used, by
    variable."""
    given: dict[str, float] = {}
    unusable: dict[str, str] = {}
    for variable, number in NUMBERS.items():
        text = environ.get(variable, "").strip()
        if not text:
            continue
        value = number.read(text)
        if value is None:
            unusable[variable] = text
        else:
            given[number.field] = value
    return msgspec.structs.replace(Tuning(), **given), unusable
