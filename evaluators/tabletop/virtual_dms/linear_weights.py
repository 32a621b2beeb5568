"""What linear virtual game masters learn, as numbers that a file can hold."""

from math import isfinite
from typing import Protocol, runtime_checkable

import msgspec

from actors.tabletop.skills import SKILLS, Skill
from evaluators.tabletop.virtual_dms.candidate_features import BLOCKS, FORMS


class Thresholds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From which chance on somebody or something is predicted, each from 0 to 1."""

    least: float = 0.0
    """The likeliest who acts."""
    also: float = 1.0
    """Any other one."""
    skill: float = 1.0
    """Another skill than the likeliest, of somebody who is predicted."""


class LinearWeights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that was learned."""

    words: list[str]
    near_rarity: list[float]
    """How much each word counts for who acts, and below for what is meant (idf)."""
    recent_rarity: list[float]
    who: list[float]
    """Of words, then of forms; the last is the intercept. Empty: all who spoke act."""
    skills: list[Skill]
    """Those that were called for."""
    meant: list[list[float]]
    """By skill: of words, then of counts of skills' words; the last is the intercept. Empty where
    there is one skill only."""
    usual: list[float]
    """By all skills: the log of how often they are called for."""
    mean: list[float]
    spread: list[float]
    """Of counts of skills' words."""
    stands_out: list[float]
    """What a count that stands out says; the last is the intercept."""
    thresholds: Thresholds


@runtime_checkable
class HasWeights(Protocol):
    """A virtual game master that learns these."""

    @property
    def weights(self) -> LinearWeights | None:
        """What was learned; None: nothing yet."""
        ...

    def take(self, weights: LinearWeights, trained_on: str) -> None:
        """Take what was learned before, and has no ``misfit``."""
        ...


def misfit(weights: LinearWeights) -> str:
    """Why weights cannot be used; empty where they can."""
    words, skills = len(weights.words), len(SKILLS)
    shapes = {
        "near_rarity": (weights.near_rarity, words),
        "recent_rarity": (weights.recent_rarity, words),
        "usual": (weights.usual, skills),
        "mean": (weights.mean, BLOCKS * skills),
        "spread": (weights.spread, BLOCKS * skills),
        "stands_out": (weights.stands_out, 2 * BLOCKS + 2),
    }
    if weights.who:
        shapes["who"] = (weights.who, words + FORMS + 1)
    for place, row in enumerate(weights.meant):
        shapes[f"meant[{place}]"] = (row, words + (BLOCKS - 1) * skills + 1)
    for name, (values, count) in shapes.items():
        if len(values) != count:
            return f"{name} has {len(values):,} numbers and must have {count:,}"
        if not all(map(isfinite, values)):
            return f"{name} has a number that is none"
    called = len(weights.skills)
    if len(set(weights.words)) != words or not words:
        return "words must have some, and none twice"
    if len(set(weights.skills)) != called or not called:
        return "skills must have some, and none twice"
    if len(weights.meant) != (called if called > 1 else 0):
        return f"meant has {len(weights.meant)} rows for {called} skills"
    if min(weights.spread) <= 0:
        return "spread must be more than 0"
    return ""
