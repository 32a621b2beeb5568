"""Who is at a study's pages just now, as all gateways of a space tell each other. Never stored."""

import time
from collections import defaultdict
from collections.abc import Callable
from typing import Final

import msgspec

from actors.runtime.bus.nats_bus import Received
from events.wire import subjects
from events.wire.subjects import is_id
from gateway.process.subscription import EventSubscriptions

PRESENT_S: Final = 12.0
"""So long after its last sign a page counts as open, in seconds: browsers slow hidden ones down."""


class ParticipantPresence:
    """Signs of life of sessions, by study."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds since whenever."""
        self._clock = clock
        self._seen: dict[str, dict[str, float]] = defaultdict(dict)

    def listen(self, bus: EventSubscriptions) -> Callable[[], None]:
        """Hear what other gateways say, until what is returned is called."""
        subscribed = bus.subscribe_now(subjects.all_present(bus.space), self._heard)
        return subscribed.unsubscribe

    def here(self, bus: EventSubscriptions | None, study: str, session: str) -> None:
        """A session's page was heard from. ``bus``: how others are told; None: they are not."""
        self.note(study, session)
        if bus is not None and bus.connected:
            bus.publish(
                subjects.present(bus.space, study), msgspec.msgpack.encode((study, session))
            )

    def note(self, study: str, session: str) -> None:
        """The same, for this gateway alone."""
        self._seen[study][session] = self._clock()

    def of(self, study: str) -> frozenset[str]:
        """The sessions of a study whose pages are open."""
        oldest = self._clock() - PRESENT_S
        seen = self._seen.get(study, {})
        for session in [one for one, at in seen.items() if at < oldest]:
            del seen[session]
        return frozenset(seen)

    def _heard(self, received: Received) -> None:
        try:
            study, session = msgspec.msgpack.decode(received.data, type=tuple[str, str])
        except msgspec.MsgspecError:
            return
        if is_id(study) and is_id(session):
            self.note(study, session)
