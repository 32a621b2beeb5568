"""Responses of HTTP/1.1, read out of the bytes of a connection (RFC 9112). Pure."""

import re
from typing import Final, NamedTuple

LONGEST_HEAD: Final = 65_536
"""Bytes of a status line with its headers."""
LONGEST_BODY: Final = 64 * 2**20
"""Bytes."""

_STATUS = re.compile(rb"HTTP/1\.([01]) ([1-5]\d\d)(?: [^\r\n]*)?\Z")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\Z")
_BODILESS = frozenset((204, 304))


class BadResponse(ValueError):
    """What a server sent is no HTTP/1.1 response."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the server's response is no HTTP: {why}")
        self.why = why


class Response(NamedTuple):
    """A whole response."""

    status: int
    headers: dict[str, str]
    """Names in lower case; of one given twice the last."""
    body: bytes
    reusable: bool
    """Whether the connection may carry another request."""


class ResponseReader:
    """Reads one response, given the bytes as they come."""

    __slots__ = ("_begin", "_data", "_head", "_length")

    def __init__(self) -> None:
        self._data = bytearray()
        self._head: Response | None = None
        self._begin = 0
        """Where the body, or its next chunk, begins."""
        self._length: int | None = None
        """Bytes of the body; None where it comes in chunks or ends with the connection."""

    def feed(self, data: bytes) -> Response | None:
        """The response, once it is whole. Raises ``BadResponse``."""
        self._data += data
        while self._head is None:
            end = self._data.find(b"\r\n\r\n")
            if (end if end >= 0 else len(self._data)) > LONGEST_HEAD:
                raise BadResponse(f"its head is longer than {LONGEST_HEAD:,} bytes")
            if end < 0:
                return None
            head = _head(bytes(self._data[:end]))
            del self._data[: end + 4]
            if head.status >= 200:
                self._head, self._length = head, _length(head)
            elif head.status == 101:
                raise BadResponse("it changes the protocol")
            # Else it is one that announces the real one.
        if len(self._data) > LONGEST_BODY:
            raise BadResponse(f"its body is longer than {LONGEST_BODY:,} bytes")
        if self._length is not None:
            return self._whole(self._length) if len(self._data) >= self._length else None
        return self._unchunked() if _is_chunked(self._head) else None

    def end(self) -> Response | None:
        """The response, where the connection's end is its body's; None where it is not whole."""
        if self._head is None or self._length is not None or _is_chunked(self._head):
            return None
        return self._whole(len(self._data))

    def _whole(self, length: int) -> Response:
        assert self._head is not None
        # Bytes that nobody asked for belong to nothing; the connection is not to be trusted.
        reusable = self._head.reusable and self._length == len(self._data)
        return self._head._replace(body=bytes(self._data[:length]), reusable=reusable)

    def _unchunked(self) -> Response | None:
        """The response, once its last chunk is there. What is whole is moved to the front, so that
        each byte is looked at once."""
        assert self._head is not None
        data = self._data
        while (line := data.find(b"\r\n", self._begin)) >= 0:
            size = _SIZE.match(data[self._begin : line])
            if size is None:
                raise BadResponse("it has a chunk without a size")
            begin, length = line + 2, int(size[1], 16)
            if length > LONGEST_BODY:
                raise BadResponse(f"its body is longer than {LONGEST_BODY:,} bytes")
            if length == 0:
                # Trailers, which end with an empty line; mostly there is but that line.
                end = line if data.startswith(b"\r\n", begin) else data.find(b"\r\n\r\n", begin)
                if end < 0:
                    return None
                rest = len(data) - end - 4
                body = bytes(data[: self._begin])
                return self._head._replace(body=body, reusable=self._head.reusable and not rest)
            end = begin + length
            if len(data) < end + 2:
                return None
            if data[end : end + 2] != b"\r\n":
                raise BadResponse("it has a chunk that is longer than its size")
            del data[end : end + 2]
            del data[self._begin : begin]
            self._begin += length
        return None


def _head(data: bytes) -> Response:
    lines = data.split(b"\r\n")
    status = _STATUS.match(lines[0])
    if status is None:
        raise BadResponse("it has no status")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(b":")
        if not colon or not name or name != name.strip():
            raise BadResponse("it has a header without a name")
        headers[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
    connection = headers.get("connection", "").lower()
    stays = connection == "keep-alive" if status[1] == b"0" else connection != "close"
    return Response(int(status[2]), headers, b"", stays)


def _is_chunked(head: Response) -> bool:
    return "transfer-encoding" in head.headers


def _length(head: Response) -> int | None:
    if head.status in _BODILESS:
        return 0
    if (coding := head.headers.get("transfer-encoding")) is not None:
        if coding.lower() != "chunked":
            raise BadResponse(f"it is encoded as {coding[:40]!r}")
        return None
    if (length := head.headers.get("content-length")) is None:
        return None
    if not (length.isascii() and length.isdigit()) or int(length) > LONGEST_BODY:
        raise BadResponse(f"it has the length {length[:40]!r}")
    return int(length)
