"""Tokens in the store: issued, bound to devices and revoked by any process."""

import time
from collections.abc import Iterable, Sequence
from typing import Final

from events.access import TokenIssued, TokenRevoked, TokenUsed
from events.base import Event, Value, replace
from events.ids import new_id
from events.untrusted.safe_text import shortened
from gateway.errors import GatewayError
from gateway.services.access.roles import Principal, Role
from gateway.services.access.signed_tokens import in_future
from gateway.services.repository import Repository
from store.log.event_store import NEW

ID: Final = "k"
"""How ids of tokens begin."""
DAY_S: Final = 86_400.0


class TokenState(Value, frozen=True, kw_only=True):
    principal: Principal
    """Whom it makes its holder."""
    bound: bool = False
    """Its link belongs to the first device that uses it."""
    device: str = ""
    """The digest of that device's secret; empty: not used yet."""
    revoked: bool = False
    """It is worth nothing any more."""
    issued_by: str = ""
    """Who issued it; empty: somebody at a terminal."""
    version: int = NEW
    """Of the last event of its stream."""

    def standing(self, now: float | None = None) -> str:
        """``revoked``, ``expired``, ``used`` (a bound one, by its device) or ``open``."""
        now = time.time() if now is None else now
        if self.revoked:
            return "revoked"
        if self.principal.expires <= now * 1_000_000:
            return "expired"
        return "used" if self.device else "open"


class UnknownToken(GatewayError):
    """No token has this id."""

    def __init__(self, token: str) -> None:
        super().__init__(f"there is no token {shortened(token)!r}; `troupe token list` lists them")
        self.token = token


class OtherDevice(GatewayError):
    """A link that belongs to another device."""

    def __init__(self) -> None:
        super().__init__("this link was opened on another device or in another browser before")


def new_principal(
    role: Role,
    *,
    name: str = "",
    expires_s: float = DAY_S,
    episode: str = "",
    seat: int | None = None,
    study: str = "",
) -> Principal:
    """A principal with a token id of its own; a participant without a name gets a pseudonym."""
    token = new_id(ID)
    return Principal(
        token=token,
        role=role,
        name=name or (f"p-{token[1:9]}" if role == "participant" else role),
        expires=in_future(expires_s),
        episode=episode,
        seat=seat,
        study=study,
    )


class Tokens(Repository[TokenState]):
    """All tokens that were ever issued. Loading and changing raise ``UnknownToken``."""

    kind = "token"
    name = "token"

    def fold(
        self, id_: str, events: Iterable[Event], state: TokenState | None
    ) -> TokenState | None:
        """The state after some more events; None: it was never issued."""
        for event in events:
            match event:
                case TokenIssued():
                    state = TokenState(principal=_principal(id_, event), bound=event.bound)
                    state = replace(state, issued_by=event.by)
                case TokenUsed() if state is not None and not state.device:
                    state = replace(state, device=event.device)
                case TokenRevoked() if state is not None:
                    state = replace(state, revoked=True)
            if state is not None:
                state = replace(state, version=state.version + 1)
        return state

    def unknown(self, id_: str) -> Exception:
        """Where tokens are listed."""
        return UnknownToken(id_)

    def issue(self, principal: Principal, *, bound: bool = False, by: str = "") -> None:
        """Store that a principal's token is issued; once more changes nothing."""
        issued = TokenIssued(
            role=principal.role,
            name=principal.name,
            expires=principal.expires,
            episode=principal.episode,
            seat=principal.seat,
            study=principal.study,
            bound=bound,
            by=by,
        )
        self.add(principal.token, [issued])

    def bind(self, token: str, device: str) -> None:
        """Have a bound token belong to a device, which comes back as often as it likes. Raises
        ``OtherDevice``."""

        def used(state: TokenState) -> Sequence[Event]:
            if state.device not in ("", device):
                raise OtherDevice
            return () if state.device else [TokenUsed(device=device)]

        self.change(token, used)

    def revoke(self, token: str, by: str = "") -> bool:
        """Make a token worth nothing; False: it was that before."""
        revoked = [TokenRevoked(by=by)]
        return bool(self.change(token, lambda state: () if state.revoked else revoked).events)


def _principal(token: str, issued: TokenIssued) -> Principal:
    return Principal(
        token=token,
        role=issued.role,
        name=issued.name,
        expires=issued.expires,
        episode=issued.episode,
        seat=issued.seat,
        study=issued.study,
    )
