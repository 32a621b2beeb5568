"""Erasing what somebody wrote who sat down by a participant's link, without a study."""

import time
from typing import Final

from gateway.access.roles import Principal
from gateway.access.standing import KIND, read_state
from gateway.errors import BadArgument
from store.log import EventStore
from store.lookup import UnknownId
from store.participant_keys import KEEP_S, VARIABLE, keys_are_shared, use_keys_of
from store.streams_of import find_of

_RESERVED: Final = "study-"
"""How the names begin under which studies have keys of their own."""


def make_key(store: EventStore, principal: Principal) -> None:
    """Have what a participant writes from now on sealed under a key of theirs, where all processes
    of the store would find it: else some could not read it. A study has made theirs before; whoever
    else sits down has none. Blocking."""
    if principal.role != "participant" or principal.study or _reserved(principal.name):
        return
    if keys_are_shared(store.url):
        use_keys_of(store.url).make(principal.name)


def erase_holder(store: EventStore, given: str) -> tuple[Principal, bool]:
    """Drop the key of whoever a participant's token (its id, or how it begins) was issued to: whose
    words are gone, and whether there was a key. Two links of one name are one participant. The
    caller records it behind that. Blocking. Raises ``UnknownId``, ``BadArgument``."""
    token = find_of(store, KIND, given, "token")
    state = read_state(store, token)
    if state is None:
        raise UnknownId("token", given)
    principal = state.principal
    if principal.role != "participant" or _reserved(principal.name):
        why = f"is for {principal.role} {principal.name}; only words of participants can be erased"
        raise BadArgument("token", token, why)
    if principal.study:
        who = f"{principal.study} {principal.name}"
        why = f"is for a participant of a study, which keeps the record: `troupe study erase {who}`"
        raise BadArgument("token", token, why)
    if not keys_are_shared(store.url):
        why = (
            "has no key: whoever sits down by a link to a store on PostgreSQL is given one where "
            f"{VARIABLE} names the database of keys that all processes use"
        )
        raise BadArgument("token", token, why)
    dropped = use_keys_of(store.url).drop(principal.name)
    if dropped:
        # What is answered from memory once this is recorded must not be made with a key that some
        # process still remembers.
        time.sleep(KEEP_S)
    return principal, dropped


def _reserved(name: str) -> bool:
    return name.startswith(_RESERVED)
