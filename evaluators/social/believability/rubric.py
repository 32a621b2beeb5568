"""Believability extended as LIFELONG-SOTOPIA has it: a score, eight checkpoints, and equation 1.

Goel and Zhu 2025, section 3.4 and appendix C.1, name the eight; the words are ours. Of the fourth
the printed prompt has a judge mark going on as 1, against its own scale, on which 1 is a pass: here
it is a failure (``docs/reference/judge.md``).
"""

from typing import Final

from evaluators.social import sotopia_eval
from evaluators.social.believability import strict_rubric
from evaluators.social.believability.checkpoints import PENALTY, Checkpoints, checkpoint
from events.evaluation import Dimension

NO_REPETITION: Final = strict_rubric.NO_REPETITION
IN_CHARACTER: Final = strict_rubric.IN_CHARACTER
OWN_GOALS: Final = "own_goals"
LEAVES_PROMPTLY: Final = "leaves_promptly"
NO_PARROTING: Final = strict_rubric.NO_PARROTING
NO_IDLING: Final = "no_idling"
RESPONDS: Final = "responds"
BEGINS_IN_SCENE: Final = "begins_in_scene"
EXTENDED: Final = "belext"
"""Not judged: equation 1, from 0 to 10."""
EXTENDED_RAW: Final = "belext_raw"
"""Not judged: the same, not cut off at 0, from -40 to 10."""

CHECKPOINTS: Final[tuple[Dimension, ...]] = (
    checkpoint(
        NO_REPETITION,
        "It does not say the same again and again, over two, three or more of its turns: neither a "
        "sentence in the same words, nor its gist in others, nor one sentiment (the same thanks, "
        "the same praise, the same worry).",
    ),
    checkpoint(
        IN_CHARACTER,
        "What it says and does keeps to its traits: personality, values, age, occupation and way "
        "of deciding. It does not take itself for another of the characters.",
    ),
    checkpoint(
        OWN_GOALS,
        "It works on its own private goal. It does not take the goal of another for its own, nor "
        "lose sight of what it came for.",
    ),
    checkpoint(
        LEAVES_PROMPTLY,
        "Once its goal is settled, one way or the other, it goes soon: it does not stay and go on "
        "talking for turn after turn. It passes where its goal stayed open to the end.",
    ),
    checkpoint(
        NO_PARROTING,
        "It pursues its goal in words of its own: it does not speak the very words in which its "
        "private goal is written.",
    ),
    checkpoint(
        NO_IDLING,
        "While its goal is still open it does not do nothing for several turns. It passes where it "
        "does nothing only once all is settled.",
    ),
    checkpoint(
        RESPONDS,
        "It answers what others said to it: questions, offers, reproaches, if only by declining. "
        "It does not talk past them or turn to something that has nothing to do with them.",
    ),
    checkpoint(
        BEGINS_IN_SCENE,
        "It begins in the situation of this episode, and not abruptly: not as if in the middle of "
        "something, and not with the situation, the goal or the events of an earlier episode taken "
        "for those of this one.",
    ),
)
"""1: passed, 0: failed. In the paper's order."""

_WORST: Final = -PENALTY * len(CHECKPOINTS)

PAPER: Final = Checkpoints(
    believability=sotopia_eval.BY_NAME[sotopia_eval.BELIEVABILITY],
    checkpoints=CHECKPOINTS,
    worked_out=(
        Dimension(
            name=EXTENDED,
            low=0,
            high=10,
            description=(
                f"Believability less {PENALTY:g} for each failed checkpoint, and never below 0; "
                "worked out, and only where all nine are there."
            ),
        ),
        Dimension(
            name=EXTENDED_RAW,
            low=_WORST,
            high=10,
            description=f"Likewise, but what is below 0 stays so, down to {_WORST:g}.",
        ),
    ),
    look_back=frozenset({OWN_GOALS, BEGINS_IN_SCENE}),
    by_absence=frozenset({LEAVES_PROMPTLY, NO_IDLING, RESPONDS}),
)
"""Believability, the eight, and what they come to."""
