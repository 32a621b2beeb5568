"""Reading an exported file, with all that can be wrong with it."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

from events.base import Envelope, Event
from events.serialization.codec import UnreadableEvent, encode, event_of, same_value
from events.serialization.registry import EVENTS
from events.serialization.struct_types import decodable
from events.untrusted.limits import MOST_LINE_BYTES
from events.untrusted.safe_text import shortened
from events.wire.subjects import split_stream
from store.errors import StoreError
from store.files.bounded_lines import LineTooLong, bounded_lines
from store.files.compressed_lines import open_lines
from store.jsonl.file_lines import FORMAT, VERSION, Checksum, Header, envelope_of

MOST_NESTED = 64
"""Lists and objects inside each other in one event. How many can be read depends on how many calls
Python is inside of, so what is let in must be far from that."""

_KINDS = {
    "run": ("events.run",),
    "episode": ("events.episode",),
    "agent": ("events.agent", "events.thoughts"),
    "evaluation": ("events.evaluation", "events.agent"),
    "interview": ("events.interview", "events.agent"),
    "chain": ("events.chain",),
    "memory": ("events.memory", "events.agent"),
}
"""Modules whose events a stream of each kind may hold."""


class RefusedFile(StoreError, ValueError):
    """A file that cannot be imported; nothing of it was stored."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(
            f"{shortened(str(path))}{f', line {line}' if line else ''}: {shortened(why, 1_000)}"
        )
        self.path, self.line, self.why = path, line, why


class ReadFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is whole and makes sense by itself."""

    header: Header
    envelopes: Sequence[Envelope]
    """In the file's order; line n of the file is envelope n - 2."""

    def line_of(self, index: int) -> int:
        """The line of an envelope."""
        return index + 2


def is_export(start: bytes) -> bool:
    """Whether a file that begins so may be an exported one."""
    return f'"{FORMAT}"'.encode() in start.partition(b"\n")[0]


def read_file(path: Path) -> ReadFile:
    """The content of an exported file. Raises ``RefusedFile``."""
    try:
        with open_lines(path) as file:
            return _read(path, bounded_lines(file, MOST_LINE_BYTES))
    except LineTooLong as error:
        why = f"the line is longer than {error.most:,} bytes, the most that an exported line has"
        raise RefusedFile(path, error.line, why) from None
    except OSError as error:
        raise RefusedFile(path, 0, f"it cannot be read: {error.strerror or error}") from error


def _read(path: Path, lines: Iterator[bytes]) -> ReadFile:
    first = next(lines, b"")
    header = _header(path, first)
    digest = blake2b(first, digest_size=32)
    envelopes: list[Envelope] = []
    number, previous = 1, b""
    last_seen: dict[str, Envelope] = {}
    for line in lines:
        if previous:
            number += 1
            digest.update(previous)
            envelopes.append(_envelope(path, number, previous, last_seen))
        previous = line
    _check_end(path, number + 1, previous, len(envelopes), digest.hexdigest())
    return ReadFile(header=header, envelopes=envelopes)


def _header(path: Path, line: bytes) -> Header:
    if not line:
        raise RefusedFile(path, 0, "it is empty")
    try:
        header = msgspec.json.decode(line, type=decodable(Header))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        header = None
    if header is None or header.format != FORMAT:
        raise RefusedFile(
            path, 1, f"it must be the header of a {FORMAT} file, as troupe export writes it"
        )
    if header.version != VERSION:
        raise RefusedFile(
            path,
            1,
            f"the file is in version {header.version} of the format, but this version of Troupe "
            f"reads version {VERSION}",
        )
    return header


def _envelope(path: Path, number: int, line: bytes, last_seen: dict[str, Envelope]) -> Envelope:
    try:
        envelope = envelope_of(line)
        event = event_of(envelope)
    except (msgspec.MsgspecError, UnreadableEvent, ValueError, OverflowError) as error:
        raise RefusedFile(path, number, shortened(str(error))) from error
    except RecursionError:
        raise RefusedFile(path, number, "it is nested too deeply") from None
    if _depth(envelope.payload, line) > MOST_NESTED:
        raise RefusedFile(path, number, f"it is nested more than {MOST_NESTED} deep")
    tag, stream = type(event).__name__, envelope.stream
    if tag != envelope.tag:
        raise RefusedFile(path, number, f"its tag is {envelope.tag} but its event is a {tag}")
    kind = split_stream(stream)[0]
    if EVENTS[tag].__module__ not in _KINDS[kind]:
        raise RefusedFile(path, number, f"the stream {stream!r} cannot hold a {tag}")
    before = last_seen.get(stream)
    wanted = 0 if before is None else before.version + 1
    if envelope.version != wanted:
        raise RefusedFile(
            path,
            number,
            f"the stream {stream!r} needs its version {wanted} here, not {envelope.version}",
        )
    if before is not None and envelope.position <= before.position:
        raise RefusedFile(
            path,
            number,
            f"its position must be above {before.position}, that of the event before it in the "
            f"stream {stream!r}, not {envelope.position}",
        )
    last_seen[stream] = envelope
    return _as_written(envelope, event)


def _depth(payload: msgspec.Raw, line: bytes) -> int:
    """How many lists and objects of an event are inside each other, or more."""
    most = line.count(b"[") + line.count(b"{")
    if most <= MOST_NESTED and b'"payload":' not in line:
        return most
    level, depth = [msgspec.msgpack.decode(payload)], 0
    while level := [inner for one in level for inner in _inside(one)]:
        depth += 1
    return depth


def _inside(plain: object) -> Iterable[object]:
    if isinstance(plain, dict):
        return plain.values()
    return plain if isinstance(plain, list | tuple) else ()


def _as_written(envelope: Envelope, event: Event) -> Envelope:
    """With the very bytes that appending the event writes, where those say the same."""
    payload = encode(event)
    if not same_value(payload, envelope.payload):
        return envelope
    return msgspec.structs.replace(envelope, payload=msgspec.Raw(payload))


def _check_end(path: Path, number: int, line: bytes, count: int, digest: str) -> None:
    try:
        checksum = msgspec.json.decode(line, type=decodable(Checksum))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise RefusedFile(
            path, number, "the file ends without its checksum line: it was cut short"
        ) from None
    if checksum.count != count:
        raise RefusedFile(
            path,
            number,
            f"the file has {count} events where its checksum line says {checksum.count}: "
            "it was altered",
        )
    if checksum.blake2b != digest:
        raise RefusedFile(
            path, number, "the checksum is not that of the lines above: the file was altered"
        )
