"""Who did what counts for a task, and in which order."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.conversation.partner_address import CONVERSING
from actors.sandbox.movement.trajectory import Trajectory, TrajectorySpan
from evaluators.sandbox.scorers.task_scores import CountedAction, TaskScore


@dataclass(frozen=True, slots=True)
class GoalSpan:
    """A span that counts for a goal, in some of its steps."""

    start: int
    """The first step that counts."""
    end: int
    """The first behind them."""
    goal: int
    seat: int
    span: TrajectorySpan
    keyword: str
    address: str
    """Where it counts as done."""


def keyword_in(text: str, words: Iterable[str]) -> str:
    """The first of some keywords that a text holds, ignoring case; empty: none."""
    low = text.lower()
    return next((word for word in words if word.lower() in low), "")


def within(place: str, address: str) -> bool:
    """Whether an address is at a place: the place is a part of it, or anywhere will do."""
    return not place or place in address


def talking(span: TrajectorySpan) -> bool:
    """Whether somebody only talks."""
    return CONVERSING in span.text


def deeds_of(trajectory: Trajectory, done: Iterable[GoalSpan]) -> tuple[CountedAction, ...]:
    """The same for readers."""
    return tuple(
        CountedAction(
            seat=one.seat,
            name=trajectory.names[one.seat],
            start=trajectory.moment(one.start),
            end=trajectory.moment(one.end),
            text=one.span.text,
            address=one.address,
            keyword=one.keyword,
            goal=one.goal,
            number=one.span.number,
        )
        for one in done
    )


def best_step(
    trajectory: Trajectory,
    done: Sequence[GoalSpan],
    performer: int,
    needed: int,
    *,
    once: bool = True,
) -> TaskScore:
    """The greatest share of the others needed who did it in one step together with the performer.
    ``once``: who does what counts for several goals at once is still one person."""
    counts: NDArray[np.int64] = np.zeros(trajectory.steps, dtype=np.int64)
    there: NDArray[np.bool_] = np.zeros(trajectory.steps, dtype=np.bool_)
    by_person: dict[tuple[int, int], list[GoalSpan]] = {}
    for one in done:
        by_person.setdefault((one.seat, 0 if once else one.goal), []).append(one)
    for (seat, _), own in by_person.items():
        does: NDArray[np.bool_] = np.zeros(trajectory.steps, dtype=np.bool_)
        for one in own:
            does[one.start : one.end] = True
        if seat == performer:
            there |= does
        else:
            counts += does
    counts[~there] = 0
    step = int(counts.argmax())
    if not counts[step]:
        return TaskScore(0.0)
    then = [one for one in done if one.start <= step < one.end]
    return TaskScore(min(1.0, int(counts[step]) / needed), deeds_of(trajectory, then))


def best_meeting(
    trajectory: Trajectory,
    ours: Sequence[GoalSpan],
    theirs: Sequence[GoalSpan],
    same_place: Callable[[GoalSpan, GoalSpan], bool],
) -> TaskScore:
    """1 if two did it in one step at the same place, half of it if elsewhere."""
    best = 0.0
    found: tuple[GoalSpan, ...] = ()
    for one in ours:
        for other in theirs:
            if one.goal != other.goal or one.start >= other.end or other.start >= one.end:
                continue
            value = 1.0 if same_place(one, other) else 0.5
            if value > best:
                best, found = value, (one, other)
    return TaskScore(best, deeds_of(trajectory, found))


def in_order(done: Sequence[GoalSpan], goals: int) -> list[GoalSpan]:
    """The sub-tasks that were done in their order, as far as that goes: each in a step that is not
    before the one in which that before it was done."""
    found: list[GoalSpan] = []
    step = 0
    for goal in range(goals):
        later = [one for one in done if one.goal == goal and one.end > step]
        if not later:
            break
        found.append(min(later, key=lambda one: max(one.start, step)))
        step = max(found[-1].start, step)
    return found
