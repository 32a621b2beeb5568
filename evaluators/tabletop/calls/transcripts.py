"""Transcripts of tabletop sessions in the format of CRD3 (Rameshkumar and Bailey 2020):
``{"TURNS": [{"NAMES": […], "UTTERANCES": […], "NUMBER": 0}, …]}``."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec

from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

MOST_BYTES: Final = 64 * 1024 * 1024
"""Of a file that is read."""


class BadTranscript(ValueError):
    """A file that is no transcript."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{shortened(str(path))}: {shortened(why, 1_000)}")
        self.path, self.why = path, why


class Turn(NamedTuple):
    """What was said at once."""

    number: int
    names: tuple[str, ...]
    """Who spoke, as the transcript spells them."""
    text: str


class Transcript(NamedTuple):
    session: str
    """The file's name without its ending."""
    turns: tuple[Turn, ...]
    """In the order of their numbers."""


class _Turn(msgspec.Struct):
    names: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = msgspec.field(name="NAMES")
    utterances: tuple[str, ...] = msgspec.field(name="UTTERANCES")
    number: Annotated[int, msgspec.Meta(ge=0)] = msgspec.field(name="NUMBER")


class _File(msgspec.Struct):
    turns: Annotated[tuple[_Turn, ...], msgspec.Meta(min_length=1)] = msgspec.field(name="TURNS")


_DECODER: Final = msgspec.json.Decoder(decodable(_File))


def read_transcript(path: Path) -> Transcript:
    """The transcript in a file. Raises ``BadTranscript`` where it is none, or where the numbers of
    its turns do not rise by one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadTranscript(path, error.strerror or str(error)) from error
    if len(data) > MOST_BYTES:
        raise BadTranscript(path, f"is larger than {MOST_BYTES // 2**20} MiB; split it by session")
    if not data.strip():
        raise BadTranscript(path, "is empty")
    try:
        turns = _DECODER.decode(data).turns
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if not is_text(data):
            raise BadTranscript(path, "is not a text file in UTF-8") from error
        shape = '{"TURNS": [{"NAMES": [name, …], "UTTERANCES": [line, …], "NUMBER": 0}, …]}'
        raise BadTranscript(path, f"is not {shape}: {error}") from error
    for earlier, later in itertools.pairwise(turns):
        if later.number != earlier.number + 1:
            why = f"turn {later.number} follows turn {earlier.number}; numbers rise by one"
            raise BadTranscript(path, f"{why}, since a turn that is missing may be the call")
    for turn in turns:
        if not all(name.strip() for name in turn.names):
            raise BadTranscript(
                path, f"turn {turn.number} has an empty name in NAMES; say who spoke"
            )
    return Transcript(path.stem, tuple([Turn(*_said(turn)) for turn in turns]))


def is_text(data: bytes) -> bool:
    """Whether it is UTF-8 without null bytes."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _said(turn: _Turn) -> tuple[int, tuple[str, ...], str]:
    return turn.number, tuple(name.strip() for name in turn.names), " ".join(turn.utterances)


def speakers(transcripts: Sequence[Transcript]) -> dict[str, int]:
    """How often each name stands in the turns, as it is spelt, the most frequent first."""
    found: dict[str, int] = {}
    for transcript in transcripts:
        for turn in transcript.turns:
            for name in turn.names:
                found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items(), key=lambda one: -one[1]))
