"""Erases a participant's words, both for participants of studies and for users of links."""

import time
from collections.abc import Iterator
from typing import Final, Literal

from events.base import Event
from events.episode import ActionProposed, ActionTaken, SeatReleased, SeatTaken
from events.privacy.encryption import ERASED
from events.serialization.codec import event_of
from events.study import QuestionsAnswered, SessionBegan
from events.untrusted.safe_text import shortened
from events.wire.subjects import stream_name
from gateway.errors import GatewayError
from store.errors import NoKey
from store.log.event_store import EventStore
from store.participants.participant_keys import KEEP_S, keys_of
from store.read_model.episode_history import read_history

Erasure = Literal["erased", "erased_before", "nothing_written"]
"""What erasing came to: the words are gone; they had been before; there never were any."""
_NOT_ERASED: Final = "nothing was erased"


class WordsInClear(GatewayError):
    """A participant's words that no key seals."""

    def __init__(self, participant: str, count: int) -> None:
        super().__init__(
            f"{count} answers of {shortened(participant)} were stored in clear, by a process that "
            "did not find their key: they stay, and no command takes them out of the log. What was "
            "sealed is erased"
        )
        self.participant, self.count = participant, count


def drop_key(store: EventStore, participant: str, *, wrote: bool) -> Erasure:
    """Drop a participant's key. ``wrote``: they may have written something. Returns when no process
    remembers the key. Blocking. Raises ``NoKey`` where they may have and there never was a key,
    ``KeysUnavailable``."""
    match keys_of(store.url).drop(participant):
        case "now":
            # What is answered from memory once this is recorded must not be made with a key that
            # some process still remembers.
            time.sleep(KEEP_S)
            return "erased"
        case "before":
            return "erased_before"
    if wrote:
        raise NoKey(participant, _NOT_ERASED)
    return "nothing_written"


def sat_in(store: EventStore, episode: str, participant: str) -> bool:
    """Whether a participant ever sat in an episode. Blocking."""
    return any(
        isinstance(event, SeatTaken) and event.participant == participant
        for event in _history(store, episode)
    )


def require_none_in_clear(store: EventStore, episode: str, participant: str) -> None:
    """Raises ``WordsInClear`` where words of a participant whose key is dropped can still be read,
    in an episode (empty: none) or in what they answered on a study's pages: stored by a version, or
    a fleet, that did not find it. Blocking."""
    sitting: dict[int, str] = {}
    count = 0
    for envelope in store.read(stream_name("session", participant)):
        match event_of(envelope):
            case QuestionsAnswered(answers=given) | SessionBegan(parameters=given):
                count += sum(one.value not in ("", ERASED) for one in given)
    for event in _history(store, episode):
        match event:
            case SeatTaken():
                sitting[event.seat] = event.participant
            case SeatReleased():
                sitting.pop(event.seat, None)
            case ActionTaken(by="") | ActionProposed() if sitting.get(
                event.seat
            ) == participant and _readable(event):
                count += 1
    if count:
        raise WordsInClear(participant, count)


def _readable(event: ActionTaken | ActionProposed) -> bool:
    texts = [getattr(event.action, field, "") for field in type(event.action).said]
    if event.failure is not None:
        texts.append(event.failure.raw)
    return any(isinstance(text, str) and text not in ("", ERASED) for text in texts)


def _history(store: EventStore, episode: str) -> Iterator[Event]:
    if episode:
        yield from (numbered.event for numbered in read_history(store, episode))
