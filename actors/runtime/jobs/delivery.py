"""One delivery of a job by JetStream, and the possible replies to it."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, unquote

from nats.aio.msg import Msg
from nats.js.api import Header

from actors.runtime.jobs.streams import translate_errors
from events.untrusted.limits import MOST_ID, MOST_JOB_BYTES
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import ContinueEpisode, Evaluate, Job, JobKind, PlayEpisode

ID = Header.MSG_ID.value
"""JetStream drops a message whose id it has seen within the window."""
JOB = "Troupe-Job"
"""The id the job was queued under; ``ID`` differs once it has been put back."""
TRIES = "Troupe-Tries"
"""How often a job that was put back had been tried before."""
NOT_BEFORE = "Troupe-Not-Before"
"""When a job that was put back may be tried again: milliseconds since 1970."""
REASON = "Troupe-Reason"
"""Why a job is dead."""


def target(job: Job) -> str:
    """The episode or evaluation a job is for: what it is known by in the queue."""
    match job:
        case PlayEpisode(episode=id_) | ContinueEpisode(episode=id_) | Evaluate(evaluation=id_):
            return id_


def impossible(job: Job, kind: JobKind, queued_for: str = "") -> str:
    """Why a job among those of a kind can never be done, as a sentence; empty where nothing speaks
    against it. ``queued_for``: the episode or evaluation that its subject names."""
    if isinstance(job, Evaluate) != (kind == "evaluation"):
        return f"it is a {type(job).__name__}, which is no {kind}'s job"
    needed = {"episode": job.episode}
    optional = {"run": job.run}
    match job:
        case PlayEpisode():
            needed, optional = needed | optional, {}
        case Evaluate():
            needed["evaluation"] = job.evaluation
            optional["again_of"] = job.again_of
    for what, id_ in (*needed.items(), *((w, i) for w, i in optional.items() if i)):
        if not subjects.is_id(id_):
            return (
                f"{shortened(id_, 60)!r} is no id of {_ARTICLES.get(what, what)}: it must be "
                f"letters, digits, '-' and '_', {MOST_ID} at most"
            )
    # The first version queued jobs under no id.
    if queued_for not in ("", target(job)):
        return f"it is for {target(job)} and was queued for {shortened(queued_for, 60)}"
    return ""


_ARTICLES = {
    "episode": "an episode",
    "run": "a run",
    "evaluation": "an evaluation",
    "again_of": "an evaluation",
}
UNNAMED = "_"
"""Under this id dead jobs are kept that were queued under none that can be one."""
_LONGEST_ID = 2 * MOST_ID
"""Characters of what a job was queued under: an id and what tells repetitions apart."""
_DIGITS = 18
_AS_THEY_ARE = "".join(chr(code) for code in range(32, 127) if chr(code) != "%")
_LONGEST_WAIT_S = 86_400.0
"""No job is put off for longer; what says so was not queued by us."""


@dataclass(eq=False)
class Delivery:
    """A delivered job, to be answered once; until then ``in_progress`` keeps it this process's.

    The answers raise ``JobsUnavailable``.
    """

    message: Msg
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
    settled: bool = False
    """Whether no answer is to be given any more."""
    begun: bool = False
    """Whether it is, or was before it was passivated, carried out here."""
    run: str = ""
    """The run it is for, once it is begun; empty: none."""
    aside: bool = False
    """Whether it waits for people, and takes no place."""

    @classmethod
    def read(cls, message: Msg) -> "Delivery":
        """Raises ``nats.errors.Error`` or ``ValueError`` when the server's part is unreadable."""
        metadata, headers = message.metadata, message.headers or {}
        not_before = number_in(headers, NOT_BEFORE) / 1000
        # A job put off until later was handed out once already, only to learn that.
        tries = max(1, metadata.num_delivered - (1 if not_before else 0))
        return cls(
            message=message,
            target=subjects.parse_job(message.subject)[1],
            id=header(headers, JOB)[:_LONGEST_ID] or header(headers, ID)[:_LONGEST_ID],
            tries=number_in(headers, TRIES) + tries,
            sequence=metadata.sequence.stream,
            not_before=not_before,
        )

    @property
    def early(self) -> float:
        """Seconds until it may be done; 0 when it may."""
        if not self.not_before:
            return 0.0
        return min(max(0.0, self.not_before - time.time()), _LONGEST_WAIT_S)

    @property
    def grave(self) -> str:
        """The id under which it is kept when it is dead."""
        return self.target if subjects.is_id(self.target) else UNNAMED

    @property
    def kept(self) -> bytes:
        """The job as it is kept when it is dead: what can be no job, its beginning."""
        return self.message.data[:MOST_JOB_BYTES]

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

    async def ack(self) -> None:
        """It need not be done again."""
        await self._settle(self.message.ack)

    async def nak(self, delay: float) -> None:
        """It is to be tried again after ``delay`` seconds."""
        await self._settle(partial(self.message.nak, delay))

    async def in_progress(self) -> None:
        """It is still being worked on."""
        if not self.settled:
            async with translate_errors("keep a job in hand"):
                await self.message.in_progress()

    async def confirm_in_progress(self, within_s: float) -> None:
        """The same, and the server, or the one of a cluster that hands out these jobs, has heard of
        it and of everything that was said of its jobs before. Raises ``JobsUnavailable`` where that
        takes longer than so many seconds."""
        async with translate_errors("keep a job in hand"):
            await self.message._client.request(self.message.reply, Msg.Ack.Progress, within_s)

    async def _settle(self, answer: Callable[[], Awaitable[None]]) -> None:
        if not self.settled:
            self.settled = True
            async with translate_errors("answer a job"):
                await answer()


def header(headers: Mapping[str, object], name: str) -> str:
    """A header's value in ASCII; empty where there is none."""
    # What is not ASCII comes as an object of the standard library's, for it is no mail.
    return str(headers.get(name) or "").encode("ascii", "replace").decode()


def number_in(headers: Mapping[str, object], name: str) -> int:
    """A header's value as a number; 0 where it is none."""
    text = header(headers, name)
    return int(text) if len(text) <= _DIGITS and text.isdecimal() else 0


def in_header(text: str) -> str:
    """A text as the value of a header, which may hold ASCII alone."""
    return quote(text, safe=_AS_THEY_ARE)


def from_header(value: str) -> str:
    """What ``in_header`` was given."""
    return unquote(value)
