"""Checks at the start of a process that serves or plays: it must have the same participants' keys
as the other processes."""

import structlog

from gateway.errors import BadSetting
from gateway.settings import Settings
from store.errors import KeysNotShared, KeysUnavailable, OtherKeys
from store.log.event_store import EventStore
from store.participants.key_locations import VARIABLE
from store.participants.shared_key_store import chosen_of, require_keys, take_over_file

log = structlog.get_logger(__name__)


def look_after_keys(settings: Settings, store: EventStore) -> None:
    """Take over what keys an earlier version left in this data folder, and compare where keys are
    with what the log says. Where people cannot be let in for another reason, the log of the process
    says it, and everything else goes on. Raises ``BadSetting`` where it has other keys."""
    try:
        moved, stay = take_over_file(store, settings.data_dir)
        if moved:
            log.info("participants_keys_taken_over", keys=len(moved), of=str(settings.data_dir))
        if stay:
            log.warning("participants_keys_not_taken_over", participants=stay)
        # Processes of an SQLite store find the file beside it, and most stores never need one.
        alone = store.backend == "sqlite" and chosen_of(store) is None
        require_keys(store, recording=not alone)
    except OtherKeys as error:
        raise BadSetting(VARIABLE, "", error.why) from error
    except (KeysNotShared, KeysUnavailable) as error:
        log.warning("people_not_let_in", reason=str(error))
