"""Signed, expiring tokens: JSON Web Tokens whose claims are the fields of a ``Principal``."""

import time
from collections.abc import Sequence
from typing import Final, Literal

import jwt
import msgspec

from events.base import Value
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened
from gateway.services.access.roles import Principal, Role

ALGORITHM: Final = "HS256"
LONGEST: Final = 2_000
"""Characters of a token that is looked at, at most."""

Use = Literal["session", "enter"]
"""``session``: a request may carry it, as a bearer or in a cookie. ``enter``: it stands in a link,
and ``/enter`` gives a session for it."""


class BadToken(Exception):
    """A text that is no token, or one that is not valid (any more)."""

    def __init__(self, why: str) -> None:
        why = shortened(why, 1_000)
        super().__init__(why)
        self.why = why


class Claims(Value, frozen=True, kw_only=True):
    """What a token says."""

    jti: str
    """The token's id."""
    exp: int
    """When it expires, in seconds since 1970-01-01 UTC."""
    use: Use
    """What it is good for. Of one to enter with the store knows the rest: links are short."""
    sub: str = ""
    """The principal's name."""
    role: Role = "spectator"
    """What its holder may do."""
    device: str = ""
    """The digest of the device that a session belongs to; empty: it may be carried by any."""
    episode: str = ""
    seat: int | None = None
    study: str = ""

    @property
    def principal(self) -> Principal:
        """Whom it makes its holder."""
        return Principal(
            token=self.jti,
            role=self.role,
            name=self.sub,
            expires=self.exp * 1_000_000,
            episode=self.episode,
            seat=self.seat,
            study=self.study,
        )


def link_claims(principal: Principal) -> Claims:
    """What stands in a link."""
    return Claims(jti=principal.token, exp=principal.expires // 1_000_000, use="enter")


def claims_of(principal: Principal, device: str = "") -> Claims:
    """What a session token says."""
    return Claims(
        jti=principal.token,
        sub=principal.name,
        role=principal.role,
        exp=principal.expires // 1_000_000,
        use="session",
        device=device,
        episode=principal.episode,
        seat=principal.seat,
        study=principal.study,
    )


class Signer:
    """Writes and reads the tokens of one installation."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """``keys``: the first signs, all are recognised."""
        self._keys = tuple(keys)

    def write(self, claims: Claims) -> str:
        payload: dict[str, object] = msgspec.to_builtins(claims)
        # Without the type, which says nothing: links are short.
        return jwt.encode(payload, self._keys[0], algorithm=ALGORITHM, headers={"typ": None})

    def read(self, token: str) -> Claims:
        """What a token says, once signature and expiry were checked. Raises ``BadToken``."""
        if not 0 < len(token) <= LONGEST or not token.isascii():
            raise BadToken("that is no token")
        for key in self._keys:
            try:
                payload = jwt.decode(
                    token,
                    key,
                    algorithms=[ALGORITHM],
                    options={"require": ["exp", "jti"]},
                )
                return msgspec.convert(payload, decodable(Claims))
            except jwt.InvalidSignatureError:
                continue
            except jwt.ExpiredSignatureError:
                raise BadToken("the token has expired") from None
            except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError, TypeError):
                raise BadToken("that is no token") from None
        raise BadToken("the token was not signed here")


def in_future(seconds: float) -> int:
    """The time so many seconds from now, in microseconds since 1970-01-01 UTC."""
    return int((time.time() + seconds) * 1_000_000)
