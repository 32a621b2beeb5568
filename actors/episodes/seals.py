"""Which people's words an episode seals before they are appended."""

from collections.abc import Iterable, Sequence

from actors.episodes.people import People
from events.base import Event
from events.episode import ActionProposed, ActionTaken
from events.sealing import Key, key_of, sealed


class Seals:
    """The keys of those who sit, or sat, in one episode."""

    def __init__(self) -> None:
        self._keys: dict[str, Key | None] = {}
        """By pseudonym; None: they have none, and what they say stays as it is."""

    def know(self, participants: Iterable[str]) -> None:
        """Look up the keys of some people. Blocking."""
        for participant in participants:
            if participant and participant not in self._keys:
                self._keys[participant] = key_of(participant)

    def knows(self, participant: str) -> bool:
        """Whether their key was looked up."""
        return participant in self._keys

    def kept(self, events: Sequence[Event], people: People) -> Sequence[Event]:
        """Events as they are appended, while these people sit there."""
        return [self._kept(event, people) for event in events] if self._keys else events

    def _kept(self, event: Event, people: People) -> Event:
        if not isinstance(event, ActionTaken | ActionProposed):
            return event
        if isinstance(event, ActionTaken) and event.by:
            return event  # a researcher's words
        key = self._keys.get(people.participant(event.seat))
        return event if key is None else sealed(event, key)
