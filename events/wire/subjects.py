"""NATS subjects: built and taken apart here and nowhere else.

``troupe.<space>.<kind>.<id>.command|inbox|event``,
``troupe.<space>.seat.<episode>.<seat>[.news][.json]``, ``….<seat>.command|typing``,
``troupe.<space>.job.<kind>.<id>``, ``troupe.<space>.dead.<kind>.<id>``,
``troupe.<space>.holder.<kind>.<id>`` and ``troupe.<space>.workers``. A *space* keeps installations
that share a NATS server apart.
"""

import re
from typing import NamedTuple

from events.untrusted.limits import MOST_ID
from events.untrusted.safe_text import shortened

_TOKEN = re.compile(r"[A-Za-z0-9_-]+")


class BadSubject(ValueError):
    """A word that cannot be part of a subject."""

    def __init__(self, what: str, value: str) -> None:
        super().__init__(f"{what} {shortened(value)!r} must be letters, digits, '-' and '_' only")
        self.what, self.value = what, value


class StreamAddress(NamedTuple):
    """What a command or event subject names."""

    space: str
    """The installation."""
    kind: str
    """The stream's kind, such as ``episode``."""
    id: str
    """What stands behind the kind in the stream's name."""


def is_id(text: str) -> bool:
    """Whether a text can be the id of an episode, an evaluation or a run: part of a subject and of
    a stream's name."""
    return len(text) <= MOST_ID and bool(_TOKEN.fullmatch(text))


def _token(what: str, value: str) -> str:
    if not _TOKEN.fullmatch(value):
        raise BadSubject(what, value)
    return value


def stream_name(kind: str, id_: str) -> str:
    """``<kind>-<id>``."""
    return f"{_token('kind', kind)}-{id_}"


def split_stream(stream: str) -> tuple[str, str]:
    """Kind and id of a stream's name."""
    kind, _, id_ = stream.partition("-")
    return kind, id_


def agent_stream(episode: str, seat: int) -> str:
    """The stream of the agent in a seat."""
    return f"agent-{episode}.{seat}"


def interview_stream(episode: str, number: int) -> str:
    """The stream of an interview with one of an episode's characters; the first has number 1."""
    return f"interview-{episode}.{number}"


def memory_stream(chain: str, seat: int) -> str:
    """The stream of what the character in a seat of a chain remembers."""
    return f"memory-{chain}.{seat}"


def draft_stream(study: str, annotator: str) -> str:
    """The stream of what an annotator of a study has typed and not handed in."""
    return f"draft-{study}.{annotator}"


def command(space: str, kind: str, id_: str) -> str:
    """Where commands to the actor of a stream go."""
    return f"troupe.{_token('space', space)}.{kind}.{_token('id', id_)}.command"


def inbox(space: str, kind: str, id_: str) -> str:
    """Where the actor of a stream listens, if commands come to it by way of somebody who also
    answers for those that are not there."""
    return f"troupe.{_token('space', space)}.{kind}.{_token('id', id_)}.inbox"


def all_commands(space: str, kind: str) -> str:
    """The wildcard over the commands to every actor of a kind whose ids have one token."""
    return f"troupe.{_token('space', space)}.{_token('kind', kind)}.*.command"


def event(space: str, kind: str, id_: str) -> str:
    """Where a stream's appended events are announced."""
    return f"troupe.{_token('space', space)}.{kind}.{id_}.event"


def all_events(space: str, kind: str) -> str:
    """The wildcard over every stream of a kind. (The ids of agents and memories have two tokens,
    the second of which is the seat.)"""
    ids = "*.*" if kind in ("agent", "memory") else "*"
    return f"troupe.{_token('space', space)}.{kind}.{ids}.event"


def seat(space: str, episode: str, number: int) -> str:
    """Where a seat's observations go."""
    return f"{seats(space, episode)}.{number:d}"


def seat_news(space: str, episode: str, number: int) -> str:
    """Where a remote seat is told what it notices while it is not asked anything."""
    return f"{seat(space, episode, number)}.news"


def seat_typing(space: str, episode: str, number: int | None) -> str:
    """Where it is told that a person in a seat writes; None: the wildcard over an episode's."""
    return f"{seats(space, episode)}.{'*' if number is None else f'{number:d}'}.typing"


def seat_command(space: str, episode: str, number: int) -> str:
    """Where commands of one seat go, and of no other: what a program may publish that is allowed no
    more than its seat."""
    return f"{seat(space, episode, number)}.command"


def all_seat_commands(space: str) -> str:
    """The wildcard over the commands of all seats."""
    return f"troupe.{_token('space', space)}.seat.*.*.command"


def as_json(subject: str) -> str:
    """Where what goes to a subject of a remote seat goes as JSON, too."""
    return f"{subject}.json"


def seats(space: str, episode: str) -> str:
    """What the subjects of an episode's seats have in common, before the number."""
    return f"troupe.{_token('space', space)}.seat.{_token('episode', episode)}"


def job(space: str, kind: str, id_: str) -> str:
    """Where the job for one episode or evaluation is queued."""
    return f"troupe.{_token('space', space)}.job.{_token('kind', kind)}.{_token('id', id_)}"


def jobs(space: str, kind: str) -> str:
    """The wildcard over the jobs of a kind."""
    return f"troupe.{_token('space', space)}.job.{_token('kind', kind)}.*"


def dead_job(space: str, kind: str, id_: str) -> str:
    """Where a job that nobody could do is kept."""
    return f"troupe.{_token('space', space)}.dead.{_token('kind', kind)}.{_token('id', id_)}"


def all_dead_jobs(space: str) -> str:
    """The wildcard over the dead jobs of every kind."""
    return f"troupe.{_token('space', space)}.dead.>"


def job_holder(space: str, kind: str, id_: str) -> str:
    """The subject on which the process that holds the job for an episode or evaluation can be asked
    about it."""
    return f"troupe.{_token('space', space)}.holder.{_token('kind', kind)}.{_token('id', id_)}"


def workers(space: str) -> str:
    """Where workers are asked what they have in hand."""
    return f"troupe.{_token('space', space)}.workers"


def parse_stream_subject(subject: str) -> StreamAddress:
    """Space, kind and id of a command or event subject. Raises ``ValueError``."""
    parts = subject.split(".")
    if len(parts) < 5 or parts[0] != "troupe" or parts[-1] not in ("command", "event"):
        raise ValueError(f"{subject!r} is not troupe.<space>.<kind>.<id>.command or .event")
    return StreamAddress(parts[1], parts[2], ".".join(parts[3:-1]))


def parse_seat(subject: str) -> tuple[str, str, int]:
    """Space, episode and seat number of a seat's subject. Raises ``ValueError``."""
    parts = subject.split(".")
    if len(parts) != 5 or parts[0] != "troupe" or parts[2] != "seat" or not parts[4].isdigit():
        raise ValueError(f"{subject!r} is not troupe.<space>.seat.<episode>.<seat>")
    return parts[1], parts[3], int(parts[4])


def parse_seat_command(subject: str) -> tuple[str, str, int]:
    """Space, episode and seat number of where a seat's commands go. Raises ``ValueError``."""
    before, _, last = subject.rpartition(".")
    if last != "command":
        raise ValueError(f"{subject!r} is not troupe.<space>.seat.<episode>.<seat>.command")
    return parse_seat(before)


def parse_job(subject: str) -> tuple[str, str]:
    """Kind and id of a job's or dead job's subject; the first version gave no id. Raises
    ``ValueError``."""
    parts = subject.split(".")
    if len(parts) not in (4, 5) or parts[0] != "troupe" or parts[2] not in ("job", "dead"):
        raise ValueError(f"{subject!r} is not troupe.<space>.job.<kind>.<id> or .dead.<kind>.<id>")
    return parts[3], "".join(parts[4:])


def present(space: str, study: str) -> str:
    """Where it is told who is at the pages of a study."""
    return f"troupe.{_token('space', space)}.study.{_token('study', study)}.here"


def all_present(space: str) -> str:
    """The wildcard over the same of all studies."""
    return f"troupe.{_token('space', space)}.study.*.here"
