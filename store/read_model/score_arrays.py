"""Scores as columns: what tables, comparisons and reports compute from.

A run of 20,000 episodes has half a million scores. As one object each they cost a kilobyte and
twenty microseconds; as columns, a few bytes and less than a microsecond.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from store.read_model.records import EvaluationStatus

SCORED, FAILED, ABSTAINED = 0, 1, 2
"""What became of a score, by the code in ``ScoreArrays.status``."""
STATUSES = ("scored", "failed", "abstained")
"""Their words, as the projection has them."""


class EvaluationFacts(msgspec.Struct, frozen=True, gc=False):
    """One evaluation: who read which episode."""

    id: str
    episode: str
    judge: str
    """The judge's name."""
    judge_kind: str
    judge_hash: str
    status: EvaluationStatus = "ended"


class EpisodeFacts(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What tables need to know of an episode, one field a column of theirs."""

    id: str
    run: str = ""
    environment: str = ""
    catalog: str = ""
    """The catalog that the task is from, by name; empty: none."""
    task: str = ""
    scenario: str = ""
    """The scenario's id; where it has none, what it is called."""
    minds: tuple[str, ...] = ()
    """Names, one a seat; of seats that a person and a mind shared both, ``calm + person``."""
    shared: tuple[int, ...] = ()
    """Those seats."""
    characters: tuple[str, ...] = ()
    """Names, one a seat."""
    chain: str = ""
    """Empty: none."""
    memory: str = ""
    """The chain's memory, by name; empty without a chain."""
    index: int = 0
    """Its place in the chain."""
    seed: int = -1
    """What its plan began chance with; -1: no plan says, as of a fork."""
    hard: bool = False
    """It rests on what was said in earlier episodes of its chain."""
    failed_actions: int = 0
    """Actions that a mind failed to give."""
    ended: bool = True
    """It came to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreArrays:
    """Scores, one a place of the arrays, and what they refer to."""

    episodes: Sequence[EpisodeFacts]
    """In the order of their runs' plans; those with and without scores."""
    evaluations: Sequence[EvaluationFacts]
    """The oldest first: a later one of the same judge and episode counts where both scored."""
    scales: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    """By a judge's hash, the least and the greatest value of each dimension it declares."""
    dimensions: tuple[str, ...]
    evaluation: NDArray[np.int32]
    """Places in ``evaluations``."""
    dimension: NDArray[np.int32]
    """Places in ``dimensions``."""
    seat: NDArray[np.int32]
    status: NDArray[np.int8]
    """``SCORED``, ``FAILED`` or ``ABSTAINED``."""
    value: NDArray[np.float64]
    """NaN where there is none."""
