"""What a scorer says of one task, and what it rests on."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from actors.sandbox.catalog_items import Task
from actors.sandbox.formats.movement_types import BETWEEN
from actors.sandbox.movement.trajectory import Trajectory
from events.untrusted.safe_text import shortened


@dataclass(frozen=True, slots=True)
class CountedAction:
    """Something somebody did that counts: who, when, where, and by which keyword."""

    seat: int
    name: str
    start: datetime
    end: datetime
    """Of the first step in which it is over."""
    text: str
    address: str
    """Where it counts as done: as declared, or as stood at."""
    keyword: str
    """The one of the task's that was found."""
    goal: int = 0
    """Which of the task's goals, from 0."""
    number: int = -1
    """The number of the event it came of; -1: none is known."""

    def __str__(self) -> str:
        same_day = self.start.date() == self.end.date()
        end = f"{self.end:%H:%M}" if same_day else f"{self.end:%Y-%m-%d %H:%M}"
        when = f"{self.start:%Y-%m-%d %H:%M}–{end}"
        where = self.address or "nowhere in particular"
        return f"{self.name}, {when}, {where}: {self.text!r} (keyword {self.keyword!r})"


@dataclass(frozen=True, slots=True)
class TaskScore:
    value: float
    """0 to 1."""
    deeds: tuple[CountedAction, ...] = ()
    """What it rests on."""
    said: str = ""
    """What it rests on where that is nothing done."""

    @property
    def reason(self) -> str:
        """What it rests on, in words."""
        return "; ".join(map(str, self.deeds)) or self.said or "nothing that was done counts"


@dataclass(frozen=True, slots=True)
class Failed:
    """A task that cannot be scored: its score is missing, never zero."""

    error: str
    """Why, as a sentence."""


Outcome = TaskScore | Failed


class Unscorable(ValueError):
    """Why a task or a trajectory has no score, as a sentence."""


def others_needed(task: Task) -> int:
    """n - 1: how many are to take part beside the performer. Raises ``Unscorable``."""
    if task.people < 2:
        why = f"task {task.id!r} is for {task.people} people, the performer among them: 2 at least"
        raise Unscorable(why)
    return task.people - 1


def window(task: Task, goal: int) -> tuple[datetime, datetime]:
    """From when to when a goal is to be done, both moments included. Raises ``Unscorable``."""
    start = task.goals[goal].start
    which = f"goal {goal + 1} of task {task.id!r}"
    if not start:
        why = f"{which} has no start (N/A), and a task of kind {task.kind!r} counts within a window"
        raise Unscorable(why)
    why = f"{which} starts at {start!r}, which is no date and time of the town"
    try:
        begins = datetime.fromisoformat(start)
        ends = begins + timedelta(minutes=task.goals[goal].minutes)
    except (ValueError, OverflowError):
        raise Unscorable(why) from None
    if begins.tzinfo is not None:
        raise Unscorable(why)
    return begins, ends


def keywords(task: Task, goal: int) -> tuple[str, ...]:
    """What counts for a goal: the other keywords, then the keyword. Raises ``Unscorable``."""
    one = task.goals[goal]
    found = tuple(dict.fromkeys(word for word in (*one.other_keywords, one.keyword) if word))
    if not found:
        raise Unscorable(f"goal {goal + 1} of task {task.id!r} has no keyword")
    return found


def seat_named(trajectory: Trajectory, name: str, task: Task) -> int:
    """Whose trajectory is whose. Raises ``Unscorable``."""
    try:
        return trajectory.names.index(name)
    except ValueError:
        raise Unscorable(f"{name!r}, of task {task.id!r}, is not in the town") from None


def target_of(trajectory: Trajectory, task: Task) -> int:
    """The seat of whom an appointment is with. Raises ``Unscorable``."""
    if len(task.targets) != 1:
        why = f"task {task.id!r} is an appointment with {len(task.targets)} people instead of one"
        raise Unscorable(why)
    return seat_named(trajectory, task.targets[0], task)


def check(task: Task, trajectory: Trajectory) -> None:
    """Raises ``Unscorable`` where no score can be had: there is no goal, or an action and its
    address cannot be told apart."""
    if not task.goals:
        raise Unscorable(f"task {task.id!r} has no goal")
    for name, spans in zip(trajectory.names, trajectory.spans, strict=True):
        for span in spans:
            if BETWEEN in span.text or BETWEEN in span.address:
                written = shortened(f"{span.text}{BETWEEN}{span.address}")
                raise Unscorable(
                    f"what {name} does in step {span.start}, {written!r}, has {BETWEEN!r} twice: "
                    "where its address begins cannot be told"
                )
