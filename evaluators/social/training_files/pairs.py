"""Pairs of actions for one state: what an episode and its forks from one event did next."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from evaluators.social.training_files.lines import TrainerAction


class Alternative(NamedTuple):
    """What one of several continuations did first, and how it ended for the seat."""

    action: TrainerAction
    goal: float


class ChosenPair(NamedTuple):
    """A better action and another one."""

    chosen: TrainerAction
    rejected: TrainerAction
    margin: float


def pairs_of(alternatives: Sequence[Alternative], least: float) -> Iterator[ChosenPair]:
    """All pairs whose goal scores differ by ``least`` or more; of one seat that was asked the same,
    and did different things."""
    for one, other in combinations(alternatives, 2):
        better, worse = (one, other) if one.goal >= other.goal else (other, one)
        margin = better.goal - worse.goal
        alike = _state(one.action) == _state(other.action)
        if alike and margin >= least and better.action.output != worse.action.output:
            yield ChosenPair(better.action, worse.action, margin)


def _state(action: TrainerAction) -> tuple[int, int, object]:
    return action.origin.seat, action.origin.turn, action.prompt
