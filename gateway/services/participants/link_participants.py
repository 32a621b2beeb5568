"""Erases what the user of a participant's link wrote, outside studies."""

from typing import Final

from gateway.errors import BadArgument
from gateway.services.access.roles import Principal
from gateway.services.access.token_repository import Tokens
from gateway.services.participants.erase_words import Erasure, drop_key, sat_in
from store.log.event_store import EventStore
from store.participants.shared_key_store import require_keys

_RESERVED: Final = "study-"
"""How the names begin under which studies have keys of their own."""
NOT_LET_IN: Final = (
    "people cannot be let in at present: the server has something to be set up first"
)
"""What people are told where their words could not be sealed; the server's log says why."""


def make_key(store: EventStore, principal: Principal) -> bool:
    """Have what a principal writes from now on sealed under a key of theirs; whether it is to be.
    A study has made theirs before; researchers who sit down themselves have none. Blocking. Raises
    ``BadArgument``, ``KeysNotShared``, ``KeysUnavailable``."""
    if principal.role != "participant":
        return False
    if not principal.study:
        make_key_of(store, principal.name)
    return True


def make_key_of(store: EventStore, participant: str) -> None:
    """Have a participant's words sealed from now on, whoever seats them. Blocking. Raises
    ``BadArgument``, ``KeysNotShared``, ``KeysUnavailable``."""
    check_name(participant)
    keys = require_keys(store, recording=True)
    if keys.of(participant) is None:
        keys.make(participant)


def check_name(participant: str) -> None:
    """Raises ``BadArgument`` for a name under which no words could be sealed and erased."""
    if _reserved(participant):
        why = f"begins with {_RESERVED!r}, which names keys of studies; choose another name"
        raise BadArgument("participant", participant, why)


def erase_holder(store: EventStore, given: str) -> tuple[Principal, Erasure]:
    """Drop the key of whoever a participant's token (its id, or how it begins) was issued to: whose
    words are gone, and whether they had been before. Two links of one name are one participant. The
    caller records it, and behind that says what stays
    (``gateway.services.participants.erase_words.require_none_in_clear``). Blocking. Raises
    ``UnknownId``, ``BadArgument``, ``NoKey``, ``KeysUnavailable``."""
    tokens = Tokens(store)
    token = tokens.find(given)
    principal = tokens.load(token).state.principal
    if principal.role != "participant" or _reserved(principal.name):
        why = f"is for {principal.role} {principal.name}; only words of participants can be erased"
        raise BadArgument("token", token, why)
    if principal.study:
        who = f"{principal.study} {principal.name}"
        why = f"is for a participant of a study, which keeps the record: `troupe study erase {who}`"
        raise BadArgument("token", token, why)
    sat = sat_in(store, principal.episode, principal.name)
    return principal, drop_key(store, principal.name, wrote=sat)


def _reserved(name: str) -> bool:
    return name.startswith(_RESERVED)
