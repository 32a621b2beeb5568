"""Issuing, listing and revoking tokens: in the store, so every process on it can."""

from contextlib import suppress
from typing import Final

from events.access import TokenIssued, TokenRevoked, TokenUsed
from events.ids import new_id
from events.untrusted.safe_text import shortened
from events.wire.subjects import is_id, stream_name
from gateway.errors import GatewayError
from gateway.services.access.roles import Principal, Role
from gateway.services.access.signed_tokens import in_future
from gateway.services.access.token_states import KIND, TokenState, read_state
from store.errors import Conflict
from store.log.event_store import NEW, EventStore
from store.log.stream_ids import ids_of

ID: Final = "k"
"""How ids of tokens begin."""
DAY_S: Final = 86_400.0


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


def record(store: EventStore, principal: Principal, *, bound: bool = False, by: str = "") -> None:
    """Store that a principal's token is issued; once more changes nothing. Blocking."""
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
    with suppress(Conflict):
        store.append(stream_name(KIND, principal.token), NEW, [issued])


def bind(store: EventStore, token: str, device: str) -> None:
    """Have a bound token belong to a device, which comes back as often as it likes. Blocking.
    Raises ``OtherDevice``, ``UnknownToken``."""
    while True:
        state = _known(store, token)
        if state.device == device:
            return
        if state.device:
            raise OtherDevice
        try:
            store.append(stream_name(KIND, token), state.version, [TokenUsed(device=device)])
        except Conflict:
            continue
        return


def revoke(store: EventStore, token: str, by: str = "") -> bool:
    """Make a token worth nothing; False: it was that before. Blocking. Raises ``UnknownToken``."""
    while True:
        state = _known(store, token)
        if state.revoked:
            return False
        try:
            store.append(stream_name(KIND, token), state.version, [TokenRevoked(by=by)])
        except Conflict:
            continue
        return True


def tokens(store: EventStore) -> list[TokenState]:
    """All tokens that were ever issued, the oldest first. Blocking."""
    found = (read_state(store, id_) for id_ in ids_of(store, KIND))
    return [state for state in found if state is not None]


def _known(store: EventStore, token: str) -> TokenState:
    state = read_state(store, token) if is_id(token) else None
    if state is None:
        raise UnknownToken(token[:50])
    return state
