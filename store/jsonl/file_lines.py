"""The lines of an exported file."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Annotated, Any, Literal

import msgspec

from events.base import Envelope
from events.serialization.struct_types import decodable
from events.untrusted.limits import MOST_MARKS, PLAIN_LINE_BYTES

FORMAT = "troupe-events"
VERSION = 1

Exported = Literal["run", "chain", "episode"]
"""What was exported."""

_NO_NUL = r"^[^\x00]*$"
# 200 characters: what an id may measure in the projections' tables.
_Id = Annotated[str, msgspec.Meta(pattern=_NO_NUL, max_length=200)]
_Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Stream = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(run|episode|evaluation|chain)-[A-Za-z0-9_-]+$"
        r"|^(agent|memory|interview)-[A-Za-z0-9_-]+\.[0-9]+$",
        max_length=200,
    ),
]


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    format: str
    """``troupe-events``."""
    version: int
    """Of the format."""
    of: Exported
    id: str
    """Of the run, chain or episode, in full."""


class Checksum(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line."""

    count: int
    """Lines between the header and this one."""
    blake2b: str
    """BLAKE2b (32 bytes, hexadecimal) over every byte before this line."""


class EnvelopeLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One envelope."""

    event_id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    stream: _Stream
    version: _Whole
    position: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    """Where it stood in the store it came from; decides the order of the import."""
    tag: str
    schema: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    recorded_at: _Whole
    correlation: _Id
    causation: _Id
    event: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    """The event, written out."""
    payload: bytes | msgspec.UnsetType = msgspec.UNSET
    """The event's msgpack bytes, where JSON cannot say the same: a number that is not
    finite, a sealed text."""


class ChecksummedLines:
    """Writes an exported file: its header, lines of envelopes, and the checksum over them."""

    def __init__(self, write: Callable[[bytes], object], of: Exported, id_: str) -> None:
        self._write, self._digest = write, blake2b(digest_size=32)
        self.count = 0
        """Lines of envelopes so far."""
        self._add(Header(format=FORMAT, version=VERSION, of=of, id=id_))

    def add(self, lines: bytes, count: int = 1) -> None:
        """Write ``count`` lines of envelopes, newlines included."""
        self._digest.update(lines)
        self._write(lines)
        self.count += count

    def finish(self) -> bytes:
        """Write the checksum; answers that of the whole file, its last line included."""
        self._add(Checksum(count=self.count, blake2b=self._digest.hexdigest()))
        return self._digest.digest()

    def _add(self, own: Header | Checksum) -> None:
        self.add(_encode(own) + b"\n", 0)


_MARKS = (b",", b"[", b"{")
_lines = msgspec.json.Decoder(decodable(EnvelopeLine))
_encode, _decode = msgspec.json.encode, msgspec.json.decode
_pack, _unpack = msgspec.msgpack.encode, msgspec.msgpack.decode


def line_of(envelope: Envelope) -> bytes:
    """An envelope as a line, newline included."""
    event = _unpack(envelope.payload)
    # What JSON would change goes out as bytes. Values are compared, not bytes: msgpack has several
    # ways to write the same map.
    try:
        lossless = isinstance(event, dict) and _pack(_decode(_encode(event))) == _pack(event)
    except TypeError:  # what participants said stays sealed: their keys leave with no export
        lossless = False
    fields = {name: getattr(envelope, name) for name in Envelope.__struct_fields__}
    del fields["payload"]
    fields |= {"event": event} if lossless else {"payload": bytes(envelope.payload)}
    return _encode(fields) + b"\n"


def envelope_of(line: bytes) -> Envelope:
    """The envelope in a line. Raises ``msgspec.MsgspecError``, ``ValueError``."""
    if len(line) > PLAIN_LINE_BYTES and sum(map(line.count, _MARKS)) > MOST_MARKS:
        raise ValueError(f"it holds more than {MOST_MARKS:,} values")
    read = _lines.decode(line)
    if (read.event is msgspec.UNSET) == (read.payload is msgspec.UNSET):
        raise ValueError("it must have either an event or a payload")
    payload = _pack(read.event) if read.payload is msgspec.UNSET else read.payload
    return Envelope(
        event_id=read.event_id,
        stream=read.stream,
        version=read.version,
        position=read.position,
        tag=read.tag,
        schema=read.schema,
        recorded_at=read.recorded_at,
        correlation=read.correlation,
        causation=read.causation,
        payload=msgspec.Raw(payload),
    )
