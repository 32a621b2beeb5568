"""The second figure of the published code: whom the performer talked to before the task's day."""

from datetime import datetime, time, timedelta

from actors.sandbox.catalog_items import Task
from actors.sandbox.trajectory import Trajectory
from evaluators.sandbox.findings import (
    Failed,
    Finding,
    Outcome,
    Unscorable,
    others_needed,
    seat_named,
    target_of,
)


def contacts(task: Task, trajectory: Trajectory, score: Outcome) -> Outcome:
    """How many people the performer talked to before the task's day (published: before 14
    February), of those who are to take part; above 1 where more were talked to. In an appointment:
    whether the target was. In help: the score again."""
    if task.kind == "help":
        return score
    try:
        performer = seat_named(trajectory, task.performer, task)
        met = talked_to(trajectory, performer, task_day(task, trajectory))
        said = ", ".join(trajectory.names[seat] for seat in met) or "nobody"
        said = f"talked to {said} before the task's day"
        if task.kind == "appointment":
            return Finding(float(target_of(trajectory, task) in met), said=said)
        return Finding(len(met) / others_needed(task), said=said)
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
    day after the town begins."""
    for goal in task.goals:
        try:
            begins = datetime.fromisoformat(goal.start)
        except ValueError:
            continue
        return datetime.combine(begins.date(), time())
    return datetime.combine(trajectory.start.date(), time()) + timedelta(days=1)
