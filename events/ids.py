"""Identifiers: short for people, ordered for the store, derived where repetition must agree.

A run's id begins with ``r``, an episode's with ``e``, an evaluation's with ``v``, a chain's with
``h``, an annotation study's with ``a``. Derived ids are digests of what they name: planning the
same run again names the same episodes, and asking for the same evaluation twice meets the same
stream.
"""

import base64
import hashlib
import secrets
from collections.abc import Sequence

import uuid_utils

RUN, EPISODE, EVALUATION, CHAIN = "r", "e", "v", "h"
ANNOTATION = "a"
STUDY = "s"
_LENGTH = 12
_PIECE = 2047
"""Bytes. For more than these at once ``hashlib`` lets other threads run first, and getting the
interpreter back takes several times as long as hashing a prompt."""


def new_event_id() -> str:
    """A new UUIDv7 as 32 hexadecimal digits; later ones sort after earlier ones."""
    return uuid_utils.uuid7().hex


def new_event_ids(events: Sequence[object]) -> list[str]:
    """One for each of these, in their order."""
    uuid7 = uuid_utils.uuid7
    return [uuid7().hex for _ in events]


def new_id(prefix: str) -> str:
    """A new random id, for example ``r2hk6t…``: the prefix and 12 letters and digits."""
    return prefix + _letters(secrets.token_bytes(8))


def derived_id(prefix: str, *parts: str) -> str:
    """The id that belongs to ``parts``: always the same for the same parts in this order."""
    return prefix + _letters(_digest(parts))


def derived_number(*parts: str) -> int:
    """The number that belongs to ``parts``, 0 to 2**31 - 1: a seed that agrees when repeated."""
    return int.from_bytes(_digest(parts), "big") % 2**31


def digest_of(data: bytes, begun: "hashlib.blake2b | None" = None) -> str:
    """A fingerprint of some bytes: 32 hexadecimal digits of BLAKE2b. ``begun``: the
    ``begun_digest`` of the bytes before them."""
    return begun_digest(data, begun).hexdigest()


def begun_digest(data: bytes, begun: "hashlib.blake2b | None" = None) -> "hashlib.blake2b":
    """What ``digest_of`` can go on from: bytes that many have in common are read once."""
    digest = begun.copy() if begun else hashlib.blake2b(digest_size=16)
    for start in range(0, len(data), _PIECE):
        digest.update(data[start : start + _PIECE])
    return digest


def _digest(parts: tuple[str, ...]) -> bytes:
    # Each behind its length, so that no two lists of parts are the same bytes.
    framed = [len(encoded := part.encode()).to_bytes(4, "big") + encoded for part in parts]
    return hashlib.blake2b(b"".join(framed), digest_size=8).digest()


def _letters(data: bytes) -> str:
    return base64.b32encode(data).decode().lower()[:_LENGTH]
