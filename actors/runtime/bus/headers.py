"""NATS headers of commands and their replies."""

from typing import Final

CONTENT_TYPE: Final = "Content-Type"
_FIRST: Final = b"NATS/1.0"


def media_type(headers: bytes | None) -> str:
    """What a message says it is written in; empty: it does not say."""
    for line in headers.split(b"\r\n") if headers else ():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-type":
            return value.strip().decode(errors="replace")
    return ""


def content_type(media_type: str) -> bytes:
    """Headers that say what a message is written in."""
    return b"%b\r\n%b: %b\r\n\r\n" % (_FIRST, CONTENT_TYPE.encode(), media_type.encode())
