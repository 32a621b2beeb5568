"""Erasing what one participant said: their key is dropped, the log stays as it is."""

import time

from actors.studies.rules import Erase, decide
from gateway.studies.stored import Studies
from store.log import EventStore
from store.participant_keys import KEEP_S, use_keys_of


def erase(store: EventStore, study: str, participant: str, by: str = "") -> bool:
    """Drop the key of a participant of a study (id in full); whether there was one. Raises
    ``CommandRefused`` where the study has no such participant. Blocking."""
    studies = Studies(store)
    command = Erase(participant=participant, by=by)
    # First of all the refusal, last of all the record: an erasure that was cut off is repeated.
    decide(studies.load(study).state, command)
    dropped = use_keys_of(store.url).drop(participant)
    if dropped:
        # Answers are kept until the log moves on: what is made after the record below must not be
        # made with a key that some process still remembers.
        time.sleep(KEEP_S)
    studies.do(study, command)
    return dropped
