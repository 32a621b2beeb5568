"""The strict rubric, which is ours: no checkpoint of the paper's is told apart here as there, two
are our own (no context confusion, no contradiction), and what eight failures come to is not cut.

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 3.4, describes the faults behind the first seven; the
words of all of them are ours. ``docs/reference/judge.md`` sets ours beside theirs. Judges made of
the rubric ``believability`` before it followed the paper's list are of this one, so these words
never change.
"""

from typing import Final

from evaluators.social import sotopia_anchored
from evaluators.social.believability.checkpoints import PENALTY, Checkpoints, checkpoint
from evaluators.social.sotopia_eval import BELIEVABILITY
from events.evaluation import Dimension

NO_REPETITION: Final = "no_repetition"
IN_CHARACTER: Final = "in_character"
NO_STALLING: Final = "no_stalling"
NO_ABRUPT_CHANGE: Final = "no_abrupt_change"
NO_PARROTING: Final = "no_parroting"
NO_CONTEXT_CONFUSION: Final = "no_context_confusion"
QUESTIONS_ANSWERED: Final = "questions_answered"
NO_CONTRADICTION: Final = "no_contradiction"
EXTENDED: Final = "believability_extended"
"""Not judged: believability less 5 for each failed checkpoint, from -40 to 10."""

CHECKPOINTS: Final[tuple[Dimension, ...]] = (
    checkpoint(
        NO_REPETITION,
        "It does not repeat itself: no sentence of its own said again in the same or nearly the "
        "same words, and no sentiment (the same thanks, the same praise, the same worry) voiced "
        "again and again.",
    ),
    checkpoint(
        IN_CHARACTER,
        "What it says and does fits the character's traits: personality, values, age, occupation "
        "and way of deciding.",
    ),
    checkpoint(
        NO_STALLING,
        "Once its goal is met, or plainly cannot be met, it brings the meeting to an end: no "
        "stalling, no chatter that has nothing to do with the situation.",
    ),
    checkpoint(
        NO_ABRUPT_CHANGE,
        "It neither begins abruptly nor changes the topic abruptly: what it says leads on from "
        "the situation or from what was said before.",
    ),
    checkpoint(
        NO_PARROTING,
        "It pursues its private goal without reciting it: the words of the goal are not spoken as "
        "if they were dialogue.",
    ),
    checkpoint(
        NO_CONTEXT_CONFUSION,
        "It does not confuse contexts: no fact, goal or event of another episode is taken for one "
        "of this episode. To remember an earlier meeting as an earlier meeting is no confusion.",
    ),
    checkpoint(
        QUESTIONS_ANSWERED,
        "It answers direct questions put to it, if only by declining to: it does not talk past "
        "them or pass over them in silence.",
    ),
    checkpoint(
        NO_CONTRADICTION,
        "It does not contradict what the character said or agreed to before, in this episode or "
        "in an earlier one. To change its mind and say so is no contradiction.",
    ),
)
"""1: passed, 0: failed. In the order in which they are numbered, from 1."""

STRICT: Final = Checkpoints(
    believability=next(d for d in sotopia_anchored.DIMENSIONS if d.name == BELIEVABILITY),
    checkpoints=CHECKPOINTS,
    worked_out=(
        Dimension(
            name=EXTENDED,
            low=-PENALTY * len(CHECKPOINTS),
            high=10,
            description=(
                f"Believability less {PENALTY:g} for each failed checkpoint; worked out, and only "
                "where all nine are there."
            ),
        ),
    ),
    look_back=frozenset({NO_CONTEXT_CONFUSION, NO_CONTRADICTION}),
    by_passing_over=frozenset({QUESTIONS_ANSWERED}),
)
"""Believability, the eight, and what they come to: who fails three is told from who fails all."""
