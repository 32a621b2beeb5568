"""Both scorers' scores of a town."""

from collections.abc import Sequence
from dataclasses import dataclass

from actors.sandbox.catalog_items import Task
from actors.sandbox.grid import grid_of
from actors.sandbox.setup import Town
from actors.sandbox.tracing import trajectory_of
from actors.sandbox.trajectory import Trajectory
from evaluators.sandbox.contacts import contacts
from evaluators.sandbox.findings import Failed, Finding, Outcome
from evaluators.sandbox.paper import paper_and_pooled
from evaluators.sandbox.published import NEWEST, Edition, published
from evaluators.sandbox.standing import AddressOf
from events.base import Event


@dataclass(frozen=True, slots=True)
class Scores:
    """What both scorers say of one task's trajectory."""

    paper: Outcome
    published: Outcome
    contacts: Outcome
    """The published code's second figure."""
    pooled: Finding | None = None
    """Beside the paper's score of help: how far several others came who share it."""


def both_scores(
    task: Task, trajectory: Trajectory, address_of: AddressOf, edition: Edition = NEWEST
) -> Scores:
    """Both scorers' scores; ``edition`` is of the published one. Pure."""
    stood, pooled = paper_and_pooled(task, trajectory, address_of)
    declared = published(task, trajectory, edition)
    return Scores(stood, declared, contacts(task, trajectory, declared, edition), pooled)


def scores_of(town: Town, history: Sequence[Event], edition: Edition = NEWEST) -> Scores:
    """The scores of a town's task, of its history. Raises ``NoTown``."""
    if town.task is None:
        nothing = Failed("nobody in the town has a task")
        return Scores(nothing, nothing, nothing)
    return both_scores(town.task, trajectory_of(history), grid_of(town.map).address, edition)
