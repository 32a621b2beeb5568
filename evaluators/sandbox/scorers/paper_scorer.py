"""Scores as STSS's paper describes them (section 3.1): over what was done and where one stood.

Where the paper leaves something open, it is decided here as docs/explanation/sandbox-scores.md
says.
"""

from datetime import datetime

from actors.sandbox.catalog_items import Task
from actors.sandbox.movement.trajectory import Trajectory
from evaluators.sandbox.scorers.locations import AddressOf, Locations, arena_of, standing
from evaluators.sandbox.scorers.task_actions import (
    GoalSpan,
    best_meeting,
    best_step,
    deeds_of,
    in_order,
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


def paper_and_pooled(
    task: Task, trajectory: Trajectory, address_of: AddressOf
) -> tuple[Outcome, TaskScore | None]:
    """The score of a task's trajectory, by the rule of the task's kind; and in a task of help how
    far several others together came with the sub-tasks in their order."""
    try:
        check(task, trajectory)
        scorer = _Scorer(task, trajectory, standing(trajectory, address_of))
        match task.kind:
            case "public" | "online":
                return scorer.attended(), None
            case "appointment":
                return scorer.met(), None
            case "companions":
                return scorer.joined(), None
            case "help":
                return scorer.helped()
    except Unscorable as error:
        return Failed(str(error)), None


class _Scorer:
    """Raises ``Unscorable``."""

    def __init__(self, task: Task, trajectory: Trajectory, stood: Locations) -> None:
        self.task, self.trajectory, self.stood = task, trajectory, stood
        self.performer = seat_named(trajectory, task.performer, task)
        self.others = [s for s in range(len(trajectory.names)) if s != self.performer]

    def attended(self) -> TaskScore:
        """Others who did it within the dated window, at the place, and did not just talk."""
        needed = others_needed(self.task)
        steps = [self.steps(goal) for goal in range(len(self.task.goals))]
        done = [
            one
            for seat in self.others
            for goal, (first, last) in enumerate(steps)
            for one in self.doing(goal, seat, first, last)[:1]
        ]
        value = min(1.0, len(done) / len(steps) / needed)
        return TaskScore(value, deeds_of(self.trajectory, done))

    def met(self) -> TaskScore:
        """Both did it in one step, in one arena or not."""
        target = target_of(self.trajectory, self.task)
        # By the arena, and nowhere in particular where there is none: there nobody meets.
        ours, theirs = (
            [
                GoalSpan(start, end, goal, seat, one.span, one.keyword, address)
                for goal in range(len(self.task.goals))
                for one in self.saying(goal, seat)
                for start, end, address in self.stood.runs(
                    seat, one.start, one.end, lambda address: arena_of(address) or " "
                )
            ]
            for seat in (self.performer, target)
        )

        def same_place(one: GoalSpan, other: GoalSpan) -> bool:
            return bool(arena_of(one.address)) and arena_of(one.address) == arena_of(other.address)

        return best_meeting(self.trajectory, ours, theirs, same_place)

    def joined(self) -> TaskScore:
        """The performer and others did it in one step at the place."""
        needed = others_needed(self.task)
        done = [
            one
            for seat in range(len(self.trajectory.names))
            for goal in range(len(self.task.goals))
            for one in self.doing(goal, seat)
        ]
        return best_step(self.trajectory, done, self.performer, needed)

    def helped(self) -> tuple[TaskScore, TaskScore]:
        """How far the best single other came with the sub-tasks in their order; the same of all
        others together."""
        goals = len(self.task.goals)
        done = [
            one
            for seat in self.others
            for goal in range(goals)
            for one in self.doing(goal, seat, *self.steps(goal))
        ]
        alone = [in_order([one for one in done if one.seat == seat], goals) for seat in self.others]
        best, all_ = (
            TaskScore(len(found) / goals, deeds_of(self.trajectory, found))
            for found in (max(alone, key=len, default=[]), in_order(done, goals))
        )
        return best, all_

    def steps(self, goal: int) -> tuple[int, int]:
        """The steps that begin within a goal's dated window, the last not among them; all, where a
        sub-task has none."""
        trajectory, task = self.trajectory, self.task
        if task.kind == "help" and not task.goals[goal].start:
            return 0, trajectory.steps
        begins, ends = window(task, goal)

        def steps_until(moment: datetime) -> int:
            """How many begin before or at a moment."""
            return int((moment - trajectory.start).total_seconds() // trajectory.step_s) + 1

        exact = trajectory.moment(steps_until(begins) - 1) == begins
        return steps_until(begins) - exact, steps_until(ends)

    def saying(
        self, goal: int, seat: int, first: int = 0, last: int | None = None
    ) -> list[GoalSpan]:
        """What somebody did, wherever, whose words hold one of the goal's keywords, and who did not
        just talk."""
        words = keywords(self.task, goal)
        last = self.trajectory.steps if last is None else last
        return [
            GoalSpan(
                max(span.start, first), min(span.end, last), goal, seat, span, word, span.address
            )
            for span in self.trajectory.spans[seat]
            if span.start < last
            and span.end > first
            and not talking(span)
            and (word := keyword_in(span.text, words))
        ]

    def doing(
        self, goal: int, seat: int, first: int = 0, last: int | None = None
    ) -> list[GoalSpan]:
        """The same where they stood at the goal's place."""
        place = self.task.goals[goal].place

        def at_place(address: str) -> str:
            return "there" if within(place, address) else ""

        return [
            GoalSpan(start, end, goal, seat, one.span, one.keyword, address)
            for one in self.saying(goal, seat, first, last)
            for start, end, address in self.stood.runs(seat, one.start, one.end, at_place)
        ]
