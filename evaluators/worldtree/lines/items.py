"""Free lines as people and judges compare them: each with the lines that its tree has there."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from actors.worldtree.free_lines.setup import Writing, Wrote
from actors.worldtree.setup import NAME
from actors.worldtree.trees.tree import Beat, Language
from events.base import Event, Value
from events.episode import ActionTaken, EpisodeStarted
from events.ids import derived_number
from events.untrusted.safe_text import shortened
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""How candidates are called, in the order in which they are shown."""


class Item(Value, frozen=True, kw_only=True):
    """A free line and its candidates."""

    id: str
    """The episode's."""
    who: str
    """The mind that wrote it."""
    tree: str
    node: int
    language: Language
    protagonist: str
    goal: str
    scenario: str = ""
    before: tuple[Beat, ...] = ()
    """What had happened."""
    text: str
    candidates: tuple[str, ...]
    """The tree's lines, in the file's order."""

    @property
    def order(self) -> tuple[int, ...]:
        """The candidates in the order in which they are shown, by their places: the same for people
        and judges, and no telling one."""
        places = range(len(self.candidates))
        of = ("lines", self.tree, str(self.node), self.text)
        return tuple(sorted(places, key=lambda place: derived_number(*of, str(place))))


class NoLines(LookupError):
    """A run without a free line."""

    def __init__(self, run: str) -> None:
        super().__init__(
            f"run {shortened(run)} has no free line; "
            'tasks = { tags = ["line"] } in a plan plays some'
        )
        self.run = run


def items_of(store: EventStore, run: str) -> list[Item]:
    """The free lines of a run, in the plan's order. Raises ``UnknownId``, ``NoLines``."""
    found: list[Item] = []
    for row in queries.episodes(store, run=run):
        if row.environment == NAME and row.summary.get("kind") == "line":
            events = [numbered.event for numbered in read_history(store, row.id)]
            found += item_of(row.id, row.minds[0], events)
    if not found:
        raise NoLines(run)
    return found


def item_of(id_: str, who: str, history: Iterable[Event]) -> Iterator[Item]:
    """The item of an episode; nothing where it is none, or no line was written."""
    setup: Writing | None = None
    for event in history:
        match event:
            case EpisodeStarted(setup=Writing() as setup):
                pass
            case ActionTaken(action=Wrote(text=text)) if setup is not None:
                yield Item(
                    id=id_,
                    who=who,
                    tree=setup.tree,
                    node=setup.node,
                    language=setup.language,
                    protagonist=setup.protagonist.name,
                    goal=setup.protagonist.goal,
                    scenario=setup.scenario,
                    before=setup.before,
                    text=text,
                    candidates=tuple(line.text for line in setup.candidates),
                )


def shuffled(items: Sequence[Item], seed: int) -> list[Item]:
    """Items in an order that tells nothing of who wrote them."""
    return sorted(items, key=lambda item: (derived_number("sheet", str(seed), item.id), item.id))
