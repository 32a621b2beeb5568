"""Parses a request into the arguments of an operation; all input is validated."""

import re
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Final, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

import msgspec

from events.ids import digest_of
from events.serialization.struct_types import decodable
from events.untrusted.limits import MOST_ID
from events.untrusted.safe_text import shortened
from gateway.api.operations import Operation, Upload
from gateway.api.problems import Refusal
from gateway.http.guards import AnyRequest

MOST_PARAMETERS: Final = 100
MOST_QUERY: Final = 20_000
"""Bytes."""
_OBEYED = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_PLACE = re.compile(r" - at `\$?\.?([^`]*)`$")
_FIELD = re.compile(r"(?:unknown|required) field `([^`]+)`")


def path_of(operation: Operation, given: Mapping[str, object]) -> dict[str, str]:
    """The parameters of the path."""
    found = {name: str(given[name]) for name in operation.parameters}
    for name, value in found.items():
        if not value or len(value) > MOST_ID or _OBEYED.search(value):
            why = f"{name} {shortened(value)!r} is no id: it has 1 to {MOST_ID} letters and digits"
            raise Refusal("invalid", why, name)
    return found


def query_of(operation: Operation, raw: bytes) -> msgspec.Struct | None:
    """The parameters behind the question mark, as the operation has them."""
    if len(raw) > MOST_QUERY:
        raise Refusal("bad_request", f"the query has more than {MOST_QUERY:,} bytes")
    if not raw and operation.query is None:
        return None
    try:
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_PARAMETERS,
        )
    except ValueError as error:
        raise Refusal("bad_request", "the query cannot be read") from error
    shape = operation.query
    if shape is None:
        if pairs:
            raise Refusal("invalid", "this address takes no parameters", pairs[0][0])
        return None
    lists = _lists(shape)
    found: dict[str, str | list[str]] = {}
    for name, value in pairs:
        if _OBEYED.search(value) or _OBEYED.search(name):
            raise Refusal("invalid", "there are control characters in it", shortened(name))
        if name in lists:
            found[name] = [*found.get(name, ()), value]
        elif name in found:
            raise Refusal("invalid", "it is given twice; once is right", name)
        else:
            found[name] = value
    try:
        return msgspec.convert(found, decodable(shape), strict=False)
    except msgspec.ValidationError as error:
        raise invalid(error) from error


@cache
def _lists(shape: type[msgspec.Struct]) -> frozenset[str]:
    """The parameters that may be given more than once."""
    hints = get_type_hints(shape)
    return frozenset(
        name
        for name, kind in hints.items()
        if tuple in [get_origin(kind), *(get_origin(part) for part in get_args(kind))]
    )


async def body_of(operation: Operation, request: AnyRequest) -> tuple[msgspec.Struct | None, bytes]:
    """The JSON of a body as the operation has it, and its bytes."""
    raw = await request.body()
    if len(raw) > operation.most_bytes:
        raise Refusal("too_large", f"the body has more than {operation.most_bytes:,} bytes")
    shape = operation.body
    if shape is None:
        if raw.strip() not in (b"", b"{}"):
            raise Refusal("invalid", "this address takes no body")
        return None, raw
    if raw:
        _check_type(request, "application/json")
    try:
        return msgspec.json.decode(raw or b"{}", type=decodable(shape)), raw
    except msgspec.ValidationError as error:
        raise invalid(error) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal("bad_json", f"the body is no JSON: {shortened(str(error))}") from error


@asynccontextmanager
async def upload_of(operation: Operation, request: AnyRequest) -> AsyncIterator[tuple[Upload, str]]:
    """A body as a file, for as long as this lasts, and its fingerprint."""
    _check_type(request, operation.media_type)
    with tempfile.TemporaryDirectory(prefix="troupe-upload-") as folder:
        path = Path(folder) / "upload"
        size, sums = 0, []
        with path.open("wb") as file:
            async for piece in request.stream():
                size += len(piece)
                if size > operation.most_bytes:
                    why = f"the body has more than {operation.most_bytes:,} bytes"
                    raise Refusal("too_large", why)
                sums.append(digest_of(piece))
                file.write(piece)
        if not size:
            raise Refusal("invalid", "the body is empty; send the file")
        # Whatever the pieces it came in, the same file has the same fingerprint.
        yield Upload(path, size), digest_of(path.read_bytes())


def _check_type(request: AnyRequest, wanted: str) -> None:
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != wanted:
        why = f"content-type is {shortened(given) or 'missing'}; this address takes {wanted}"
        raise Refusal("unsupported_media_type", why)


def key_of(request: AnyRequest) -> str:
    """The idempotency key that came along; empty: none did."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return ""
    if not _KEY.fullmatch(key):
        why = "an Idempotency-Key has 1 to 200 visible characters of ASCII"
        raise Refusal("invalid", why, "Idempotency-Key")
    return key


def invalid(error: msgspec.ValidationError) -> Refusal:
    """What a value is not, and which it is."""
    text = str(error)
    place, field = _PLACE.search(text), _FIELD.search(text)
    message = _PLACE.sub("", text)
    where = ".".join(filter(None, (place[1] if place else "", field[1] if field else "")))
    return Refusal("invalid", message[0].lower() + message[1:], shortened(where))
