"""The forks around an episode: the tree that it is part of, cut where it is large."""

from events.base import Value
from store.log.event_store import EventStore
from store.read_model.episode_history import Lineage, lineage

MOST: int = 60
"""Episodes of a tree that are shown."""


class Branch(Value, frozen=True, kw_only=True):
    id: str
    depth: int
    """How many forks it is away from the first one; 0: it is that."""
    here: bool
    """It is the one that is looked at."""
    forked_at: int | None
    """The last event that it shares with its parent."""
    minds: tuple[str, ...]
    status: str
    turns: int
    forks: int
    """Made of it."""


class Family(Value, frozen=True, kw_only=True):
    """The tree, each episode before its forks."""

    branches: tuple[Branch, ...]
    left_out: int = 0
    """Episodes that are not shown."""


def family_of(store: EventStore, episode: str) -> Family:
    """The tree of an episode (id in full): itself, its ancestors and its own forks first."""
    tree = lineage(store, episode)
    walked = list(tree.walk())
    forks: dict[str, int] = {}
    for _, row in walked:
        if row.parent is not None:
            forks[row.parent] = forks.get(row.parent, 0) + 1
    shown = walked if len(walked) <= MOST else [walked[at] for at in _nearest(tree, episode)]
    return Family(
        branches=tuple(
            Branch(
                id=row.id,
                depth=depth,
                here=row.id == episode,
                forked_at=row.forked_at,
                minds=row.minds,
                status=row.status,
                turns=row.turns,
                forks=forks.get(row.id, 0),
            )
            for depth, row in shown
        ),
        left_out=len(walked) - len(shown),
    )


def _nearest(tree: Lineage, episode: str) -> list[int]:
    """The places of those to be shown in a large tree."""
    walked = list(tree.walk())
    parents = {row.id: row.parent for _, row in walked}
    line = set()
    current: str | None = episode
    while current is not None and current in parents and current not in line:
        line.add(current)
        current = parents[current]

    def distance(at: int) -> tuple[bool, bool, bool, int]:
        row = walked[at][1]
        return (
            row.id not in line,
            row.parent != episode,
            row.parent != parents.get(episode),
            at,
        )

    return sorted(sorted(range(len(walked)), key=distance)[:MOST])
