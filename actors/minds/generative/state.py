"""What a mind has concluded so far: a fold over the ``Decided`` events of its agent."""

from collections.abc import Callable, Sequence

from actors.minds.generative.hashed_vectors import Vectors, hashed
from actors.minds.generative.memory import Memories
from events.thoughts import (
    AnyThought,
    DayPlanned,
    Decided,
    FellBack,
    MemoriesRetrieved,
    MemoryAdded,
    Reflected,
    StatusRevised,
    TaskPlanned,
)

IMPORTANCE = "importance"
"""``FellBack.what`` where memories could not be rated."""


class MindState:
    """A mind between two questions. It follows from the events alone."""

    def __init__(self, embed: Callable[[Sequence[str]], Vectors] | None = hashed) -> None:
        """``embed``: as ``Memories`` takes it."""
        self.memories = Memories(embed)
        self.days: dict[int, DayPlanned] = {}
        """The latest plan of each day."""
        self.currently = ""
        """What it is about these days; empty: as at the beginning."""
        self.task: TaskPlanned | None = None
        self.noticed = -1
        """The number of the last event it has taken in."""
        self.fresh = 0.0
        """Importance of what it lived through since it last reflected."""
        self.ratings: dict[str, float] = {}
        """How much what it lived through mattered, by its words."""
        self.talks: set[tuple[str, float]] = set()
        """What it remembers of talks, and when they were."""
        self._unrated = False

    def fold(self, decided: Decided) -> None:
        """One more decision."""
        for thought in decided.thoughts:
            self.apply(thought)
        self.close(decided.noticed)

    def apply(self, thought: AnyThought) -> None:
        """One more thought of the decision under way."""
        match thought:
            case MemoryAdded():
                self.memories.add(thought)
                if thought.kind == "talk":
                    self.talks.add((thought.text, thought.at))
                # As an event beside the talk that it was: it matters once.
                again = thought.kind == "event" and (thought.text, thought.at) in self.talks
                if thought.kind != "thought":
                    self.fresh += 0.0 if again else thought.importance
                    if not self._unrated:
                        self.ratings.setdefault(thought.text, thought.importance)
            case MemoriesRetrieved(ids=ids, at=at):
                self.memories.use(ids, at)
            case DayPlanned(day=day):
                self.days[day] = thought
                # Older ones are never asked for: what was done then is remembered.
                for other in [one for one in self.days if one < day - 1]:
                    del self.days[other]
            case StatusRevised(currently=currently):
                self.currently = currently
            case TaskPlanned():
                self.task = thought
            case Reflected():
                self.fresh = 0.0
            case FellBack(what=what) if what == IMPORTANCE:
                self._unrated = True

    def close(self, noticed: int) -> None:
        """The decision is made; all up to this event was taken in."""
        self.noticed = max(self.noticed, noticed)
        self._unrated = False
