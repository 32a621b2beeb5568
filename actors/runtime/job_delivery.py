"""One job as the server has handed it to us, and the answers it can be given."""

import json
import time
from dataclasses import dataclass

from nats.aio.msg import Msg

from actors.runtime.bus import Bus
from events import subjects
from events.messages import ContinueEpisode, Evaluate, Job, PlayEpisode

ID = "Nats-Msg-Id"
"""JetStream drops a message whose id it has seen within the window."""
JOB = "Troupe-Job"
"""The id the job was queued under; ``Nats-Msg-Id`` differs once it has been put back."""
TRIES = "Troupe-Tries"
"""How often a job that was put back had been tried before."""
NOT_BEFORE = "Troupe-Not-Before"
"""When a job that was put back may be tried again: milliseconds since 1970."""
REASON = "Troupe-Reason"
"""Why a job is dead."""

_HEADER_LINE = b"NATS/1.0"


def target(job: Job) -> str:
    """The episode or evaluation a job is for: what it is known by in the queue."""
    match job:
        case PlayEpisode(episode=id_) | ContinueEpisode(episode=id_) | Evaluate(evaluation=id_):
            return id_


def read_headers(raw: bytes | None) -> tuple[str, dict[str, str]]:
    """Status (``"408"``, empty with a plain message) and headers of a message."""
    if not raw:
        return "", {}
    first, *lines = raw.split(b"\r\n")
    headers: dict[str, str] = {}
    for line in lines:
        key, colon, value = line.partition(b":")
        if colon:
            headers[key.strip().decode(errors="replace")] = value.strip().decode(errors="replace")
    return first.removeprefix(_HEADER_LINE).strip().decode(errors="replace")[:3], headers


@dataclass(eq=False)
class Delivery:
    """A delivered job, to be answered once; until then ``in_progress`` keeps it ours."""

    bus: Bus
    data: bytes
    reply: str
    target: str
    """The episode or evaluation it is for."""
    id: str
    """What it was queued under."""
    tries: int
    """Which try this is, from 1. Times it was put off do not count."""
    sequence: int
    """Its place in the work queue."""
    not_before: float
    """Seconds since 1970; 0 when it may be done at once."""
    answered: bool = False

    @classmethod
    def read(cls, bus: Bus, subject: str, data: bytes, reply: str, raw: bytes | None) -> "Delivery":
        """Raises ``nats.errors.Error`` or ``ValueError`` when the server's part is unreadable."""
        metadata = Msg(_client=bus.nats, subject=subject, reply=reply).metadata
        _, headers = read_headers(raw)
        not_before = _number(headers.get(NOT_BEFORE)) / 1000
        # A job put off until later was handed out once already, only to learn that.
        tries = max(1, metadata.num_delivered - (1 if not_before else 0))
        return cls(
            bus=bus,
            data=data,
            reply=reply,
            target=subjects.parse_job(subject)[1],
            id=headers.get(JOB) or headers.get(ID, ""),
            tries=_number(headers.get(TRIES)) + tries,
            sequence=metadata.sequence.stream,
            not_before=not_before,
        )

    @property
    def early(self) -> float:
        """Seconds until it may be done; 0 when it may."""
        return max(0.0, self.not_before - time.time()) if self.not_before else 0.0

    def back_headers(self, delay: float) -> dict[str, str]:
        """The headers under which it is put back without this try being counted."""
        headers = {
            # The same when a crash makes us put it back twice.
            ID: f"{self.id}/{self.sequence}/{self.tries}",
            JOB: self.id,
            TRIES: str(self.tries - 1),
        }
        if delay > 0:
            headers[NOT_BEFORE] = str(int((time.time() + delay) * 1000))
        return headers

    def done(self) -> None:
        """It need not be done again."""
        self._answer(b"+ACK")

    def again(self, delay: float) -> None:
        """It is to be tried again after ``delay`` seconds."""
        nanoseconds = int(delay * 1e9)
        self._answer(b"-NAK " + json.dumps({"delay": nanoseconds}).encode() if delay else b"-NAK")

    def in_progress(self) -> None:
        """It is still being worked on."""
        if not self.answered:
            self.bus.publish(self.reply, b"+WPI")

    def _answer(self, what: bytes) -> None:
        if not self.answered:
            self.answered = True
            self.bus.publish(self.reply, what)


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
