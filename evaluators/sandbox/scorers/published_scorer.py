"""Scores as STSS's published code works them out: over what was declared, never where one stood.

Its rules are kept as they are, oddities among them: a public activity counts at that time of any
day, with those who only talk of it at no place in particular; a search for companions counts the
place in the words of an action, too, and counts who does what counts for two goals twice; sub-tasks
of which everybody did one count together.
"""

from typing import Final, Literal

from actors.sandbox.catalog_items import Task
from actors.sandbox.movement.trajectory import Trajectory, TrajectorySpan
from evaluators.sandbox.scorers.task_actions import (
    GoalSpan,
    best_meeting,
    best_step,
    deeds_of,
    keyword_in,
    talking,
    within,
)
from evaluators.sandbox.scorers.task_scores import (
    Failed,
    Outcome,
    TaskScore,
    Unscorable,
    check,
    keywords,
    others_needed,
    seat_named,
    target_of,
    window,
)

Edition = Literal[1, 2]
"""1: companions with two goals were one person, and contacts were those before the task's day. What
was scored by it keeps its values."""
NEWEST: Final[Edition] = 2


def published(task: Task, trajectory: Trajectory, edition: Edition = NEWEST) -> Outcome:
    """The score of a task's trajectory, by the rule of the task's kind."""
    try:
        check(task, trajectory)
        match task.kind:
            case "public" | "online":
                return _attended(task, trajectory)
            case "appointment":
                return _met(task, trajectory)
            case "companions":
                return _joined(task, trajectory, once=edition == 1)
            case "help":
                return _helped(task, trajectory)
    except Unscorable as error:
        return Failed(str(error))


def _doing(task: Task, trajectory: Trajectory, goal: int, seat: int) -> list[GoalSpan]:
    """What somebody did whose words hold one of the goal's keywords."""
    words = keywords(task, goal)
    return [
        GoalSpan(span.start, span.end, goal, seat, span, word, span.address)
        for span in trajectory.spans[seat]
        if (word := keyword_in(span.text, words))
    ]


def _attended(task: Task, trajectory: Trajectory) -> TaskScore:
    performer, needed = seat_named(trajectory, task.performer, task), others_needed(task)
    windows = [window(task, goal) for goal in range(len(task.goals))]
    counted: list[GoalSpan] = []
    for seat in range(len(trajectory.names)):
        if seat == performer:
            continue
        for goal, (begins, ends) in enumerate(windows):
            counted += [
                one
                for one in _doing(task, trajectory, goal, seat)
                if within(task.goals[goal].place, one.address)
                and begins.time() <= trajectory.moment(one.start).time() <= ends.time()
            ][:1]
    value = min(1.0, len(counted) / len(task.goals) / needed)
    return TaskScore(value, deeds_of(trajectory, counted))


def _met(task: Task, trajectory: Trajectory) -> TaskScore:
    performer, target = seat_named(trajectory, task.performer, task), target_of(trajectory, task)

    def doing(seat: int) -> list[GoalSpan]:
        return [
            one
            for goal in range(len(task.goals))
            for one in _doing(task, trajectory, goal, seat)
            if not talking(one.span)
        ]

    def same_place(one: GoalSpan, other: GoalSpan) -> bool:
        return one.address.rpartition(":")[0] == other.address.rpartition(":")[0]

    return best_meeting(trajectory, doing(performer), doing(target), same_place)


def _joined(task: Task, trajectory: Trajectory, *, once: bool) -> TaskScore:
    performer, needed = seat_named(trajectory, task.performer, task), others_needed(task)

    def there(place: str, span: TrajectorySpan) -> bool:
        return within(place, span.address) or place.lower() in span.text.lower()

    done = [
        one
        for seat in range(len(trajectory.names))
        for goal in range(len(task.goals))
        for one in _doing(task, trajectory, goal, seat)
        if there(task.goals[goal].place, one.span)
    ]
    return best_step(trajectory, done, performer, needed, once=once)


def _helped(task: Task, trajectory: Trajectory) -> TaskScore:
    performer, count = seat_named(trajectory, task.performer, task), len(task.goals)
    first: dict[int, GoalSpan] = {}
    """By sub-task, the first of all others who did it, seat by seat."""
    best = 0.0
    found: list[GoalSpan] = []
    for seat in range(len(trajectory.names)):
        if seat == performer:
            continue
        done = sorted(
            (one for goal in range(count) for one in _doing(task, trajectory, goal, seat)),
            key=lambda one: (one.start, one.goal),
        )
        own: list[GoalSpan] = []
        for one in done:
            if talking(one.span) or not _in_time(task, trajectory, one):
                continue
            if not within(task.goals[one.goal].place, one.address):
                continue
            first.setdefault(one.goal, one)
            if len(own) == one.goal:
                own.append(one)
        if len(first) < count:
            value, rests_on = len(first) / count, list(first.values())
        elif len(own) < count:
            value, rests_on = 0.5, list(first.values())
        else:
            value, rests_on = 1.0, own
        if value > best:
            best, found = value, rests_on
    return TaskScore(best, deeds_of(trajectory, found))


def _in_time(task: Task, trajectory: Trajectory, one: GoalSpan) -> bool:
    """Where a sub-task has a window, it begins within it, at that time of any day; its ends do not
    count."""
    if not task.goals[one.goal].start:
        return True
    begins, ends = window(task, one.goal)
    return begins.time() < trajectory.moment(one.start).time() < ends.time()
