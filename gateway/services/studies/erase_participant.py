"""Erasing what one participant said: their key is dropped, the log stays as it is."""

from actors.studies.rules import Erase, decide
from gateway.services.participants.erase_words import Erasure, drop_key, require_none_in_clear
from gateway.services.studies.study_repository import Sessions, Studies
from store.log.event_store import EventStore


def erase(store: EventStore, study: str, participant: str, by: str = "") -> Erasure:
    """Drop the key of a participant of a study (id in full). Raises ``CommandRefused`` where the
    study has no such participant, ``NoKey`` where no key of theirs is found, ``WordsInClear``,
    ``KeysUnavailable``. Blocking."""
    studies = Studies(store)
    command = Erase(participant=participant, by=by)
    # First of all the refusal, last of all the record: an erasure that was cut off is repeated.
    state = studies.load(study).state
    decide(state, command)
    wrote = Sessions(store).get(participant) is not None
    done = drop_key(store, participant, wrote=wrote)
    studies.do(study, command)
    for place in state.places.values():
        if place.participant == participant:
            require_none_in_clear(store, place.episode, participant)
    return done
