"""Encodes rows of the log as lines, and decodes them to exactly the same rows.

The lines are those of ``store.jsonl.file_lines``, so that ``troupe import`` reads them; but here
not even the bytes of a payload may change, of which msgpack has several that say the same.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from events.serialization.struct_types import decodable
from store.log.write_session import PlacedRow

_pack, _unpack = msgspec.msgpack.encode, msgspec.msgpack.decode


class _Line(msgspec.Struct, gc=False):
    event_id: str
    stream: str
    version: int
    position: int
    tag: str
    schema: int
    recorded_at: int
    correlation: str
    causation: str


class _Written(_Line, gc=False):
    event: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    payload: bytes | msgspec.UnsetType = msgspec.UNSET


class _Read(_Line, gc=False, forbid_unknown_fields=True):
    event: Any = msgspec.UNSET
    payload: bytes | msgspec.UnsetType = msgspec.UNSET


_encoder = msgspec.json.Encoder()
_as_json = _encoder.encode
_lines = msgspec.json.Decoder(decodable(_Read))


def lines_of(rows: Sequence[PlacedRow]) -> bytes:
    """Rows as lines, each with its line break, that lead back to the very same rows. Raises
    ``ValueError`` where none do."""
    texts = [_as_text(row[-1]) for row in rows]
    lines = _written(rows, texts)
    # Most lead back, which is found at once. A payload that does not is kept as it is.
    unlike = _unlike(lines, rows)
    if unlike:
        for number in unlike:
            texts[number] = None
        lines = _written(rows, texts)
        if _unlike(lines, rows):
            raise ValueError("there are events that no line can hold")
    return lines


def _written(rows: Sequence[PlacedRow], texts: Sequence[bytes | None]) -> bytes:
    raw, unset = msgspec.Raw, msgspec.UNSET
    written = []
    for row, text in zip(rows, texts, strict=True):
        position, event_id, stream, version, tag, schema, at, run, cause, payload = row
        written.append(
            _Written(
                event_id,
                stream,
                version,
                position,
                tag,
                schema,
                at,
                run,
                cause,
                unset if text is None else raw(text),
                payload if text is None else unset,
            )
        )
    return _encoder.encode_lines(written)


def _unlike(lines: bytes, rows: Sequence[PlacedRow]) -> list[int]:
    """The numbers of the lines that do not lead back to their rows."""
    try:
        found = rows_of(lines)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        one_by_one = enumerate(zip(lines.splitlines(keepends=True), rows, strict=True))
        return [
            number for number, (line, row) in one_by_one if len(rows) == 1 or _unlike(line, [row])
        ]
    if found == rows:
        return []
    pairs = enumerate(zip(found, rows, strict=True))
    return [number for number, (there, row) in pairs if there != row]


def rows_of(lines: bytes) -> list[PlacedRow]:
    """The rows in whole lines. Raises ``msgspec.MsgspecError``, ``ValueError``."""
    unset = msgspec.UNSET
    return [
        (
            line.position,
            line.event_id,
            line.stream,
            line.version,
            line.tag,
            line.schema,
            line.recorded_at,
            line.correlation,
            line.causation,
            line.payload if line.payload is not unset else _pack(line.event),
        )
        for line in _lines.decode_lines(lines)
    ]


def whole_lines(pieces: Iterable[bytes]) -> Iterable[bytes]:
    """Pieces of a file, divided so that each ends with a complete line."""
    rest = b""
    for piece in pieces:
        whole, line_break, after = piece.rpartition(b"\n")
        if not line_break:
            rest += piece
            continue
        yield rest + whole + line_break
        rest = after
    if rest:
        yield rest


def _as_text(payload: bytes) -> bytes | None:
    """The event as JSON; None: JSON cannot say it."""
    try:
        event = _unpack(payload)
        # Msgpack has several ways to say the same: what is found here need not be found later.
        same = isinstance(event, dict) and _pack(event) == payload
        return _as_json(event) if same else None
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return None
