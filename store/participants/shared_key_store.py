"""One key store for all processes of a store. The log names it, so that a process with another key
store is detected before it encrypts words that the others could not read."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from events.access import KeyStoreChosen
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.database.engines import parsed_url
from store.errors import Conflict, KeysNotRead, KeysNotShared, OtherKeys
from store.log.event_store import ANY, NEW, EventStore
from store.participants.key_locations import FILE, VARIABLE, KeyLocation, place_of, sharing_fault
from store.participants.participant_keys import KeyRow, ParticipantKeys, keys_of

KIND: Final = "keys"
_STREAM: Final = stream_name(KIND, "participants")
FRESH_S: Final = 10.0
"""For how long an answer that people may come in is gone by, in seconds."""

_found_good: dict[tuple[str, KeyLocation], float] = {}


def require_keys(store: EventStore, *, recording: bool = False) -> ParticipantKeys:
    """The keys of a store, where every process that writes or reads people's words reaches the
    same: to be asked before people are let in, and before it is said that they may be.

    ``recording``: from now on the log says which key store it is; without it nothing is changed.
    Blocking. Raises ``KeysNotShared``, ``KeysUnavailable``.
    """
    keys = keys_of(store.url)
    asked = (store.url, keys.place)
    if recording and _found_good.get(asked, 0.0) > time.monotonic():
        return keys
    if fault := sharing_fault(store.url, os.environ.get(VARIABLE, "")):
        raise KeysNotShared(fault)
    if fault := keys.could_be_made():
        raise KeysNotShared(f"there is no database of their keys ({keys.place.shown}): {fault}")
    chosen = chosen_of(store)
    own = identity_of(store, keys, make=recording)
    if chosen is None and recording:
        keys.make_tables()
        try:
            store.append(_STREAM, NEW, [KeyStoreChosen(id=own)])
        except Conflict:
            # Another process was first.
            chosen = chosen_of(store)
    if chosen is not None and chosen != own:
        raise OtherKeys(_other(chosen))
    if recording:
        _found_good[asked] = time.monotonic() + FRESH_S
    return keys


def require_readable(store: EventStore) -> None:
    """For what is read to be kept elsewhere: with other keys than the log names, words that are
    there would read as erased. Nothing is asked where the log names none. Blocking. Raises
    ``KeysNotRead``, ``KeysUnavailable``."""
    chosen = chosen_of(store)
    if chosen is None:
        return
    keys = keys_of(store.url)
    if chosen != identity_of(store, keys):
        raise KeysNotRead(_other(chosen))
    keys.check_readable()


def chosen_of(store: EventStore) -> str | None:
    """The identity of the key store that a store's log names; None: none yet."""
    version = store.version(_STREAM)
    if version == NEW:
        return None
    (envelope,) = store.read(_STREAM, version)
    event = event_of(envelope)
    assert isinstance(event, KeyStoreChosen)
    return event.id


def identity_of(store: EventStore, keys: ParticipantKeys, *, make: bool = False) -> str:
    """What tells a key store from others of the same store; empty: it is where keys are by
    default. ``make``: another one is given an identity where it has none."""
    if keys.place == place_of(store.url, ""):
        return ""
    return keys.identity(make=make) or "none yet"


def choose(store: EventStore) -> ParticipantKeys:
    """Have the log name the key store that the settings of this process say. Raises
    ``KeysNotShared``, ``KeysUnavailable``."""
    keys = keys_of(store.url)
    if fault := sharing_fault(store.url, os.environ.get(VARIABLE, "")):
        raise KeysNotShared(fault)
    keys.make_tables()
    own = identity_of(store, keys, make=True)
    if chosen_of(store) != own:
        store.append(_STREAM, ANY, [KeyStoreChosen(id=own)])
    return keys


def move(
    old: ParticipantKeys, new: ParticipantKeys, wanted: Callable[[KeyRow], bool] = lambda _: True
) -> tuple[Sequence[str], Sequence[str]]:
    """Take the keys of one key store over into another: whose were moved, and whose stay since they
    have another key there. One that is cut off is repeated. Raises ``KeysUnavailable``."""
    moved: list[str] = []
    stay: list[str] = []
    for row in filter(wanted, old.rows()):
        # The key of a study tells its participants apart, and no word is sealed with it.
        kept = new.take(row) or row.participant.startswith("study-")
        (moved if kept else stay).append(row.participant)
    if moved:
        # Kept there durably first; an erasure must find no second copy.
        old.forget(moved)
    return moved, stay


def take_over_file(store: EventStore, folder: Path) -> tuple[Sequence[str], Sequence[str]]:
    """Move the keys that an earlier version made for a store on PostgreSQL in a file of its own
    data folder to where all processes find them, as ``move`` says. Only those of people that the
    log knows: the file may be that of an SQLite store, too."""
    file = folder / FILE
    keys = keys_of(store.url)
    if parsed_url(store.url).get_backend_name() == "sqlite" or not file.exists():
        return (), ()
    old = ParticipantKeys(KeyLocation(f"sqlite:///{file}"))
    if old.place == keys.place:
        return (), ()

    def known(row: KeyRow) -> bool:
        study = row.participant.startswith("study-")
        stream = row.participant if study else stream_name("session", row.participant)
        return store.version(stream) != NEW

    try:
        return move(old, keys, known)
    finally:
        old.close()


def _other(chosen: str) -> str:
    here = "names another one" if os.environ.get(VARIABLE) else "is not set"
    if chosen:
        where = f"the database that {VARIABLE} named when it was chosen"
        right = f"set {VARIABLE} as the other processes have it"
    else:
        where, right = "the place that is the default", f"unset {VARIABLE}"
    return (
        f"the keys of this store's participants are in {where}, but here {VARIABLE} {here}; "
        f"{right}, or have the keys moved (`troupe study keys`)"
    )
