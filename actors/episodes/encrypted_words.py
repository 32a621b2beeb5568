"""Encrypts participants' words in events before they are appended: what they say, and quotes of it
in what others say."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from actors.episodes.rules.people import People
from actors.episodes.rules.state import EpisodeState
from actors.runtime.errors import CommandRefused
from events.agent import ModelAnswered
from events.base import Event
from events.episode import ActionProposed, ActionTaken, WorldChanged
from events.memory import MemoryWritten
from events.privacy.encrypted_quotes import Said, with_quotes_sealed
from events.privacy.encryption import Key, key_of, sealed
from events.thoughts import Decided
from store.errors import KeysUnavailable

MOST_HEARD: Final = 2_000
"""Episodes of which a process remembers at once what participants said."""
UNSEALED: Final = (
    "what a participant says here is to be sealed, and their key is not found by the process that "
    "plays this: every process needs the same TROUPE_KEYS_URL. Nothing was stored"
)
_REPEATING: Final = (WorldChanged, Decided, ModelAnswered, MemoryWritten)

_heard: OrderedDict[str, list[Said]] = OrderedDict()
"""By episode what those said in it who have a key: the latest last. Agents and memories seal by
it, which are other actors of the process."""


def quotes_sealed(episode: str, events: Sequence[Event]) -> Sequence[Event]:
    """Events of an episode, of its agents or of memories of it, with what repeats the words of
    somebody who can be erased sealed."""
    said = _heard.get(episode) if _heard else None
    if not said:
        return events
    return [
        with_quotes_sealed(event, said) if isinstance(event, _REPEATING) else event
        for event in events
    ]


class Seals:
    """The keys of those who sit, or sat, in one episode."""

    def __init__(self, episode: str) -> None:
        self._episode = episode
        self.keys: dict[str, Key | None] = {}
        """By pseudonym; None: they have none, and what they say stays as it is."""
        self.lacking: set[str] = set()
        """Whose words are to be sealed, with a key that this process does not find."""

    def know(self, participant: str, *, sealed: bool) -> None:
        """Look up a participant's key; ``sealed``: none of their words is stored without it.
        Blocking. Raises ``KeysUnavailable``."""
        if not participant or self.keys.get(participant) is not None:
            return
        key = self.keys[participant] = key_of(participant)
        self.lacking.discard(participant)
        if sealed and key is None:
            self.lacking.add(participant)

    async def look_up(self, participant: str, *, sealed: bool) -> None:
        """``know``, in a thread, again where a key was lacking. Raises ``CommandRefused`` where it
        is needed and not found."""
        must = sealed or participant in self.lacking
        try:
            await asyncio.to_thread(self.know, participant, sealed=must)
        except KeysUnavailable as error:
            raise CommandRefused(str(error), "try_again") from error
        if participant in self.lacking:
            raise CommandRefused(UNSEALED)

    def knows(self, participant: str, *, sealed: bool) -> bool:
        """Whether their key was looked up and, where their words are to be sealed, found."""
        known = participant in self.keys
        return known and not (sealed and self.keys[participant] is None)

    def may_find(self, participant: str) -> bool:
        """Whether a person has no key as far as is known, and may have one by now."""
        return bool(participant) and self.keys.get(participant) is None

    def heard(self, event: Event, before: EpisodeState) -> None:
        """Remember what a participant says in the state before the event, to know it where it is
        repeated."""
        started = before.started
        if not isinstance(event, ActionTaken | ActionProposed) or started is None:
            return
        key = self._key(event, before.people)
        if key is None:
            return
        said = _heard.setdefault(self._episode, [])
        _heard.move_to_end(self._episode)
        if len(_heard) > MOST_HEARD:
            _heard.popitem(last=False)
        one = next((one for one in said if (one.key.id, one.seat) == (key.id, event.seat)), None)
        if one is None:
            names = started.characters
            name = names[event.seat] if event.seat < len(names) else ""
            said.append(one := Said(key, event.seat, name, names))
        one.hear(event.action)

    def kept(self, events: Sequence[Event], before: EpisodeState) -> Sequence[Event]:
        """Events as they are appended in a state. Raises ``CommandRefused`` where words would be
        stored in clear that are to be sealed."""
        kept: list[Event] = []
        people = before.people
        for event in events:
            self.heard(event, before)
            key = self._key(event, people)
            if key is not None:
                kept.append(sealed(event, key))
            elif self.lacking and self._has_words(event, people):
                raise CommandRefused(UNSEALED)
            else:
                kept += quotes_sealed(self._episode, (event,))
        return kept

    def _has_words(self, event: Event, people: People) -> bool:
        """Whether a person in a seat says something: more than that they were late."""
        if not isinstance(event, ActionTaken | ActionProposed):
            return False
        if isinstance(event, ActionTaken) and event.by:
            return False
        failure = event.failure
        # That they were late is no word of theirs.
        silent = failure is not None and failure.reason == "timeout" and not failure.raw
        return not silent and people.participant(event.seat) in self.lacking

    def _key(self, event: Event, people: People) -> Key | None:
        if not isinstance(event, ActionTaken | ActionProposed):
            return None
        if isinstance(event, ActionTaken) and event.by:
            return None  # a researcher's words
        return self.keys.get(people.participant(event.seat))
