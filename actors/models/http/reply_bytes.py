"""Reads the bytes of a model server's reply in pieces, up to a limit.

Replies are asked for as they are (``Accept-Encoding: identity``). If a server compresses its reply
anyway, it is decompressed here in bounded pieces: a kilobyte of gzip can expand to a megabyte, and
an HTTP library would decompress it before its size could be checked.
"""

import zlib
from typing import Final

from actors.models.errors import ModelError
from events.untrusted.limits import MIB, MOST_ERROR_BYTES, MOST_REPLY_BYTES, MOST_REPLY_MARKS

AS_IT_IS: Final = "identity"
"""What is sent as ``Accept-Encoding``."""
_WINDOWS: Final = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS}
_MARKS: Final = (b",", b"[", b"{")
_PLAIN: Final = ("", AS_IT_IS)


class ReplyLimits:
    """How much is read of one reply. Shared by all models of a process."""

    def __init__(self, most: int = MOST_REPLY_BYTES) -> None:
        self.most = most
        """Bytes, as sent and as inflated, each."""

    def body(self, status: int, encoding: str) -> "ReplyBytes":
        """What takes the body of a reply: of one that reports an error only the beginning."""
        if 200 <= status < 300:
            return ReplyBytes(self.most, encoding)
        return ReplyBytes(min(self.most, MOST_ERROR_BYTES), encoding, beginning=True)


class UnusableReply(ModelError):
    """A reply that is not read to its end: too long, or compressed in a way that is not known."""

    def __init__(self, why: str) -> None:
        super().__init__("server_error", why, may_pass=True)


class ReplyBytes:
    """Takes a body's pieces as they come, and gives back what they hold."""

    def __init__(self, most: int, encoding: str, *, beginning: bool = False) -> None:
        """``encoding``: the reply's ``Content-Encoding``. ``beginning``: what is beyond ``most`` is
        left out; else it is an error."""
        self.full = False
        """Whether no more is wanted."""
        self._most, self._beginning = most, beginning
        self._encoding = encoding and encoding.strip().lower()
        self._came = self._given = self._marks = 0
        self._uncounted = bytearray()
        """What came so far while it is too short to hold too many marks."""
        self._inflating: zlib._Decompress | None = None
        if self._encoding not in (*_PLAIN, *_WINDOWS, "deflate"):
            if not beginning:
                raise UnusableReply(
                    f"the server sent its reply as {self._encoding[:20]!r}, which was not asked for"
                )
            self.full = True

    def take(self, piece: bytes) -> bytes:
        """What a piece holds. Raises ``UnusableReply``."""
        if self.full:
            return b""
        length = len(piece)
        self._came += length
        if self._encoding in _PLAIN:
            if self._given + length <= self._most:
                self._given += length
                return self._counted(piece)
            return self._counted(self._bounded(piece))
        if self._came > self._most and not self._beginning:
            raise self._too_long()
        return self._counted(self._inflated(piece))

    def _counted(self, held: bytes) -> bytes:
        if self._given <= MOST_REPLY_MARKS:
            self._uncounted += held
            return held
        self._marks += sum(map((self._uncounted + held).count, _MARKS))
        self._uncounted.clear()
        if self._marks > MOST_REPLY_MARKS:
            raise UnusableReply(
                f"the server's reply has more than {MOST_REPLY_MARKS:,} commas and brackets, the "
                "most that is read"
            )
        return held

    def _bounded(self, held: bytes) -> bytes:
        left = self._most - self._given
        length = len(held)
        self._given += length
        if length <= left:
            return held
        if not self._beginning:
            raise self._too_long()
        self.full = True
        return held[:left]

    def _inflated(self, piece: bytes) -> bytes:
        out = bytearray()
        try:
            while piece and not self.full:
                if self._inflating is None:
                    self._inflating = zlib.decompressobj(self._window(piece))
                # One byte more than there is room for tells that there is more.
                room = self._most - self._given + 1
                out += self._bounded(self._inflating.decompress(piece, room))
                piece = self._inflating.unconsumed_tail
                if self._inflating.eof:
                    # Another one may follow (RFC 1952, section 2.2).
                    piece, self._inflating = self._inflating.unused_data, None
        except zlib.error as error:
            if not self._beginning:
                raise UnusableReply(
                    f"the server's reply is no {self._encoding}: {error}"
                ) from error
            self.full = True
        return bytes(out)

    def _window(self, piece: bytes) -> int:
        """zlib's number for the form. What is called deflate comes with zlib's head (RFC 9110,
        section 8.4.1.2) or, of some servers, without."""
        if window := _WINDOWS.get(self._encoding):
            return window
        return zlib.MAX_WBITS if piece[0] & 0x0F == zlib.DEFLATED else -zlib.MAX_WBITS

    def _too_long(self) -> UnusableReply:
        return UnusableReply(
            f"the server sent more than {_size(self._most)}, the most that is read of a reply "
            "(TROUPE_MOST_REPLY_BYTES)"
        )


def _size(count: int) -> str:
    return f"{count // MIB} MiB" if count % MIB == 0 else f"{count:,} bytes"
