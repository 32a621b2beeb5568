"""Pykka's registry of running actors, made to let an actor go in constant time.

Pykka keeps a list and searches it whenever an actor stops: 100,000 actors that stop cost five
thousand million comparisons. Nothing but the container is changed.
"""

from collections.abc import Iterable
from typing import Any, cast

from pykka import ActorRef, ActorRegistry


class ActorRefs(dict[ActorRef[Any], None]):
    """References in the order they came, with the handful of list operations Pykka's registry uses.

    ``in``, iteration and ``len`` are a dictionary's.
    """

    def append(self, ref: ActorRef[Any]) -> None:
        """Put a reference at the end."""
        self[ref] = None

    def remove(self, ref: ActorRef[Any]) -> None:
        """Take a reference out. Raises ``KeyError`` if it is not there."""
        del self[ref]

    def __getitem__(self, key: Any) -> Any:
        return list(self)[key]


def install() -> None:
    """Make Pykka's registry use ``ActorRefs``; harmless when repeated."""
    with ActorRegistry._actor_refs_lock:
        refs: Iterable[ActorRef[Any]] = ActorRegistry._actor_refs
        if not isinstance(refs, ActorRefs):
            ActorRegistry._actor_refs = cast(Any, ActorRefs.fromkeys(refs))
