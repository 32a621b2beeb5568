"""The root of all events, and the envelope an event is stored and sent in."""

from typing import ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True, gc=False):
    """A fact that happened. The tag is the class name; it never changes once stored.

    Immutable trees cannot form cycles, so the collector need not look at them.

    A change of shape raises ``SCHEMA``, adds an upcaster in ``events.serialization.upcast`` and a
    frozen sample of the old shape in ``tests/events/samples``.
    """

    SCHEMA: ClassVar[int] = 1
    """The version of the shape, from 1."""


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """One stored event with everything the store knows about it."""

    event_id: str
    """UUIDv7, 32 hexadecimal digits; unique over the whole store."""
    stream: str
    """``<kind>-<id>``, for example ``episode-e3k9…``."""
    version: int
    """The event's place in its stream: 0, 1, 2, … without holes."""
    position: int
    """The event's place in the whole store's order: 1, 2, 3, …; 0 while not yet stored."""
    tag: str
    """The event's class name."""
    schema: int
    """The shape's version; old ones are lifted by ``events.serialization.upcast`` when read."""
    recorded_at: int
    """Microseconds since 1970-01-01 UTC."""
    correlation: str
    """The run this belongs to, or empty."""
    causation: str
    """The event or command behind it, or empty."""
    payload: msgspec.Raw
    """The event itself, encoded; ``events.serialization.codec.event_of`` decodes it."""


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The root of the plain values that events and messages carry."""

    listed: ClassVar[tuple[str, ...]] = ()
    """Fields with ids and names that rules list and follow, and whose type does not list them. They
    are nobody's words: they are not sealed, and stay when a participant is erased."""


replace = msgspec.structs.replace
"""A copy of a struct with some fields changed."""
