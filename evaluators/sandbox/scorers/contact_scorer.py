"""The second figure of the published code: whom the performer talked to before 14 February 2023."""

from datetime import datetime, time, timedelta
from typing import Final

from actors.sandbox.catalog_items import Task
from actors.sandbox.movement.trajectory import Trajectory
from evaluators.sandbox.scorers.published_scorer import NEWEST, Edition
from evaluators.sandbox.scorers.task_scores import (
    Failed,
    Outcome,
    TaskScore,
    Unscorable,
    others_needed,
    seat_named,
    target_of,
)

DAY: Final = datetime(2023, 2, 14)
"""The day of the published tasks, which stands in the published code whatever a task's day is."""


def contacts(
    task: Task, trajectory: Trajectory, score: Outcome, edition: Edition = NEWEST
) -> Outcome:
    """How many people the performer talked to before ``DAY``, of those who are to take part; above
    1 where more were talked to. In an appointment: whether the target was. In help: the score
    again."""
    if task.kind == "help":
        return score
    try:
        performer = seat_named(trajectory, task.performer, task)
        until = task_day(task, trajectory) if edition == 1 else DAY
        met = talked_to(trajectory, performer, until)
        said = ", ".join(trajectory.names[seat] for seat in met) or "nobody"
        day = "the task's day" if edition == 1 else f"{DAY.day} {DAY:%B %Y}"
        said = f"talked to {said} before {day}"
        if task.kind == "appointment":
            return TaskScore(float(target_of(trajectory, task) in met), said=said)
        return TaskScore(len(met) / others_needed(task), said=said)
    except Unscorable as error:
        return Failed(str(error))


def talked_to(trajectory: Trajectory, performer: int, until: datetime) -> tuple[int, ...]:
    """Seats of those to whom the performer talked, the first first, in talks that began before a
    moment."""
    found = dict.fromkeys(
        seat
        for talk in sorted(trajectory.talks, key=lambda talk: talk.start)
        if performer in talk.people and trajectory.moment(talk.start) < until
        for seat in talk.people
        if seat != performer
    )
    return tuple(found)


def task_day(task: Task, trajectory: Trajectory) -> datetime:
    """The midnight at which a task's day begins: of its first window, and where it has none of the
    day after the town begins. Edition 1 went by it."""
    for goal in task.goals:
        try:
            begins = datetime.fromisoformat(goal.start)
        except ValueError:
            continue
        return datetime.combine(begins.date(), time())
    return datetime.combine(trajectory.start.date(), time()) + timedelta(days=1)
