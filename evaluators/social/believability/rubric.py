"""The rubric: believability as SOTOPIA scores it, eight checkpoints, and what they come to.

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 3.4, names what the first seven checkpoints look for;
the eighth is ours, and so are the words of all of them. ``docs/judge.md`` sets ours beside theirs.
"""

from collections.abc import Mapping
from typing import Final

from evaluators.social import sotopia_eval
from events.evaluation import Dimension

BELIEVABILITY: Final = sotopia_eval.BELIEVABILITY
NO_REPETITION: Final = "no_repetition"
IN_CHARACTER: Final = "in_character"
NO_STALLING: Final = "no_stalling"
NO_ABRUPT_CHANGE: Final = "no_abrupt_change"
NO_PARROTING: Final = "no_parroting"
NO_CONTEXT_CONFUSION: Final = "no_context_confusion"
QUESTIONS_ANSWERED: Final = "questions_answered"
NO_CONTRADICTION: Final = "no_contradiction"
EXTENDED: Final = "believability_extended"
"""Not judged: worked out from the other nine by ``extended``."""

PENALTY: Final = 5.0
"""What each failed checkpoint takes off the believability score (the paper, equation 1)."""


def _checkpoint(name: str, description: str) -> Dimension:
    return Dimension(name=name, low=0, high=1, description=description)


CHECKPOINTS: Final[tuple[Dimension, ...]] = (
    _checkpoint(
        NO_REPETITION,
        "It does not repeat itself: no sentence of its own said again in the same or nearly the "
        "same words, and no sentiment (the same thanks, the same praise, the same worry) voiced "
        "again and again.",
    ),
    _checkpoint(
        IN_CHARACTER,
        "What it says and does fits the character's traits: personality, values, age, occupation "
        "and way of deciding.",
    ),
    _checkpoint(
        NO_STALLING,
        "Once its goal is met, or plainly cannot be met, it brings the meeting to an end: no "
        "stalling, no chatter that has nothing to do with the situation.",
    ),
    _checkpoint(
        NO_ABRUPT_CHANGE,
        "It neither begins abruptly nor changes the topic abruptly: what it says leads on from "
        "the situation or from what was said before.",
    ),
    _checkpoint(
        NO_PARROTING,
        "It pursues its private goal without reciting it: the words of the goal are not spoken as "
        "if they were dialogue.",
    ),
    _checkpoint(
        NO_CONTEXT_CONFUSION,
        "It does not confuse contexts: no fact, goal or event of another episode is taken for one "
        "of this episode. To remember an earlier meeting as an earlier meeting is no confusion.",
    ),
    _checkpoint(
        QUESTIONS_ANSWERED,
        "It answers direct questions put to it, if only by declining to: it does not talk past "
        "them or pass over them in silence.",
    ),
    _checkpoint(
        NO_CONTRADICTION,
        "It does not contradict what the character said or agreed to before, in this episode or "
        "in an earlier one. To change its mind and say so is no contradiction.",
    ),
)
"""1: passed, 0: failed. In the order in which they are numbered, from 1."""

ASKED: Final[tuple[Dimension, ...]] = (
    sotopia_eval.BY_NAME[BELIEVABILITY],
    *CHECKPOINTS,
)
"""What is judged."""

DIMENSIONS: Final[tuple[Dimension, ...]] = (
    *ASKED,
    Dimension(
        name=EXTENDED,
        low=-PENALTY * len(CHECKPOINTS),
        high=10,
        description=(
            f"Believability less {PENALTY:g} for each failed checkpoint; worked out, and only "
            "where all nine are there."
        ),
    ),
)
"""What is judged and what is worked out from it."""

CHECKPOINT_NAMES: Final = frozenset(checkpoint.name for checkpoint in CHECKPOINTS)
LOOK_BACK: Final = frozenset({NO_CONTEXT_CONFUSION, NO_CONTRADICTION})
"""Checkpoints for which earlier episodes of a chain matter (the sixth and the eighth)."""


def extended(values: Mapping[str, float]) -> float | None:
    """BELEXT: believability less 5 for each failed checkpoint, from -40 to 10; None where any of
    the nine is missing.

    LIFELONG-SOTOPIA, equation 1, but not cut off at 0: who fails three is told from who fails all.
    """
    if any(dimension.name not in values for dimension in ASKED):
        return None
    failed = sum(values[checkpoint.name] == 0 for checkpoint in CHECKPOINTS)
    return values[BELIEVABILITY] - PENALTY * failed
