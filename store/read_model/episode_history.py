"""What happened in an episode, and which episodes are forks of which.

Reading composes forks by reference (see ``store.log.forked_history``); ``lineage`` draws their
tree.
"""

from collections.abc import Iterator, Sequence

import msgspec

from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.log.forked_history import BrokenFork, NoSuchEvent, Numbered, follow_history, read_history
from store.projections.tables import episodes
from store.read_model import queries
from store.read_model.records import EpisodeRow

__all__ = [
    "BrokenFork",
    "Lineage",
    "NoSuchEvent",
    "Numbered",
    "ancestors",
    "follow_history",
    "lineage",
    "read_history",
]


class Lineage(msgspec.Struct, frozen=True, kw_only=True):
    """An episode and everything that was forked from it."""

    episode: EpisodeRow
    forks: tuple["Lineage", ...]
    """The oldest first."""

    def walk(self) -> Iterator[tuple[int, EpisodeRow]]:
        """Every episode of the tree with its depth, each before its forks."""
        waiting = [(0, self)]
        while waiting:
            depth, node = waiting.pop()
            yield depth, node.episode
            waiting.extend((depth + 1, fork) for fork in reversed(node.forks))


def ancestors(store: EventStore, episode: EpisodeRow) -> list[EpisodeRow]:
    """The episode's parent, its parent, and so on, as far as the store knows them."""
    found: list[EpisodeRow] = []
    known = {episode.id}
    current = episode
    while current.parent is not None and current.parent not in known:
        rows = queries.episodes_where(store, episodes.c.id == current.parent)
        if not rows:
            break
        current = rows[0]
        known.add(current.id)
        found.append(current)
    return found


def lineage(store: EventStore, episode: str) -> Lineage:
    """The whole tree that an episode belongs to, from its earliest ancestor.

    Takes the beginning of an id too. Raises ``UnknownId``, ``AmbiguousId``.
    """
    asked = queries.episode(store, episode)
    root = [asked, *ancestors(store, asked)][-1]
    # Level by level, so that a tree costs as many queries as it is deep.
    order, level, known = [root], [root.id], {root.id}
    while level:
        forks = [row for row in _forks_of(store, level) if row.id not in known]
        level = [row.id for row in forks]
        known.update(level)
        order.extend(forks)
    children: dict[str, list[Lineage]] = {}
    for row in reversed(order):
        node = Lineage(episode=row, forks=tuple(reversed(children.pop(row.id, []))))
        if row is root:
            return node
        children.setdefault(row.parent or "", []).append(node)
    raise AssertionError("the root is the first of the order")


def _forks_of(store: EventStore, parents: Sequence[str]) -> Iterator[EpisodeRow]:
    for some in in_batches(parents):
        yield from queries.episodes_where(store, episodes.c.parent.in_(some))
