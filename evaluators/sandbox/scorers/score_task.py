"""Both scorers' scores of a town."""

from collections.abc import Sequence
from dataclasses import dataclass

from actors.sandbox.catalog_items import Task
from actors.sandbox.map.grid import grid_of
from actors.sandbox.movement.trajectory import Trajectory
from actors.sandbox.movement.trajectory_reader import trajectory_of
from actors.sandbox.setup import Town
from evaluators.sandbox.scorers.contact_scorer import contacts
from evaluators.sandbox.scorers.locations import AddressOf
from evaluators.sandbox.scorers.paper_scorer import paper_and_pooled
from evaluators.sandbox.scorers.published_scorer import NEWEST, Edition, published
from evaluators.sandbox.scorers.task_scores import Failed, Outcome, TaskScore
from events.base import Event


@dataclass(frozen=True, slots=True)
class TrajectoryScores:
    """What both scorers say of one task's trajectory."""

    paper: Outcome
    published: Outcome
    contacts: Outcome
    """The published code's second figure."""
    pooled: TaskScore | None = None
    """Beside the paper's score of help: how far several others came who share it."""


def both_scores(
    task: Task, trajectory: Trajectory, address_of: AddressOf, edition: Edition = NEWEST
) -> TrajectoryScores:
    """Both scorers' scores; ``edition`` is of the published one. Pure."""
    stood, pooled = paper_and_pooled(task, trajectory, address_of)
    declared = published(task, trajectory, edition)
    return TrajectoryScores(stood, declared, contacts(task, trajectory, declared, edition), pooled)


def scores_of(town: Town, history: Sequence[Event], edition: Edition = NEWEST) -> TrajectoryScores:
    """The scores of a town's task, of its history. Raises ``NoTown``."""
    if town.task is None:
        nothing = Failed("nobody in the town has a task")
        return TrajectoryScores(nothing, nothing, nothing)
    return both_scores(town.task, trajectory_of(history), grid_of(town.map).address, edition)
