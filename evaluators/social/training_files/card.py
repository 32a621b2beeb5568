"""What is said of a file for trainers beside it: where it is from, and what was left out."""

import msgspec

from evaluators.social.training_files.filters import Filters
from evaluators.social.training_files.selection import FilterStep


class CardJudge(msgspec.Struct, frozen=True, kw_only=True):
    """A judge whose scores are in the file."""

    name: str
    hash: str
    """The fingerprint of its whole specification."""
    kind: str
    """``rehearsal``: its scores check the machinery and find out nothing about models."""
    scores: str
    """What of it: ``goal`` or ``attribution``."""


class CardRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run whose episodes are in the file."""

    id: str
    """Empty: none, as of forks."""
    name: str
    episodes: int
    """That have ended."""


class CardCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many are left out for a reason."""

    reason: str
    count: int


class Card(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    """``sft``, ``rewards`` or ``pairs``."""
    of: str
    """The id that was exported: a run's, a chain's or an episode's."""
    lines: int
    sha256: str
    """The checksum of the file of lines, in hexadecimal: tells whether the card is of a file."""
    runs: tuple[CardRun, ...]
    judges: tuple[CardJudge, ...]
    models: tuple[str, ...]
    """Models that were asked for what is in the file, by name."""
    filters: Filters
    """As they were applied."""
    least_goal: float | None
    """The least goal score; null: none."""
    excluded_lists: tuple[str, ...]
    """The lists whose scenarios are left out, by name."""
    excluded_scenarios: tuple[str, ...]
    """Those of them that the episodes have, by id."""
    unended: int
    """Episodes that have not ended, and are left out."""
    seats: int
    """Before all filters: a seat of an episode that has ended."""
    steps: tuple[FilterStep, ...]
    """Seats that each filter left out, in the order of the filters."""
    actions: int
    """Of seats that passed; of pairs: of episodes and forks that have one event in common."""
    actions_left_out: tuple[CardCount, ...]
    cut: int
    """Lines whose prompt is shorter than the one that was sent."""
    notes: tuple[str, ...]
    """What a reader must know, in sentences."""
