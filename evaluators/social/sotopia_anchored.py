"""SOTOPIA's seven dimensions with what stands in the middle of each range said, too.

Our own reading of SOTOPIA-EVAL: any number in the range, values between the ends described, and
what each dimension looks at named in one breath. Judge files without a prompt meant this one before
the rubric ``sotopia`` followed the paper's appendix D; these words never change.
"""

from typing import Final

from evaluators.social.sotopia_eval import (
    BELIEVABILITY,
    FINANCIAL,
    GOAL,
    KNOWLEDGE,
    RELATIONSHIP,
    SECRET,
    SOCIAL_RULES,
)
from events.evaluation import Dimension

DIMENSIONS: Final[tuple[Dimension, ...]] = (
    Dimension(
        name=GOAL,
        low=0,
        high=10,
        description=(
            "How far did the character get what its private goal asks for? Name the goal, then "
            "what the episode shows of it. 0: nothing of it, or its opposite; 5: about half, or a "
            "promise that may not hold; 10: all of it, within the episode, beyond doubt."
        ),
    ),
    Dimension(
        name=BELIEVABILITY,
        low=0,
        high=10,
        description=(
            "Would a reader take this for a real person in that situation, and for this person? "
            "Look at naturalness (no repetition of itself or of others, no stilted politeness, no "
            "speaking out of role) and at the fit with the character's age, occupation, "
            "personality and values. 0: neither natural nor in character; 10: both, throughout."
        ),
    ),
    Dimension(
        name=KNOWLEDGE,
        low=0,
        high=10,
        description=(
            "Did the character set out to learn something it did not know, and did it? Count what "
            "is new to it and matters to its situation; what it was told at the start is not new. "
            "0: learnt nothing; 10: asked for and got something new and important."
        ),
    ),
    Dimension(
        name=SECRET,
        low=-10,
        high=0,
        description=(
            "Did the character keep what it wants to keep to itself: its secret, or an intention "
            "that its goal needs hidden? 0: nothing came out, or there was nothing to hide; "
            "-5: hints from which somebody attentive could guess; -10: it came out."
        ),
    ),
    Dimension(
        name=RELATIONSHIP,
        low=-5,
        high=5,
        description=(
            "How do the character's ties to the others, and its standing among people, compare "
            "after the episode with before? State both. -5: broken or badly damaged; 0: as "
            "before; 5: clearly closer or more trusted than before."
        ),
    ),
    Dimension(
        name=SOCIAL_RULES,
        low=-10,
        high=0,
        description=(
            "Did the character break rules: manners and customs, what is thought right, or the "
            "law? Name each rule broken. 0: none; -5: a plain breach of good conduct, such as an "
            "insult or a lie that harms; -10: a serious wrong, such as a crime or a threat."
        ),
    ),
    Dimension(
        name=FINANCIAL,
        low=-5,
        high=5,
        description=(
            "What did the character gain or lose in money, goods, time at work, jobs or other "
            "material things, at once or in the long run? -5: a great loss; 0: neither, or the "
            "episode was not about such things; 5: a great gain."
        ),
    ),
)

BY_NAME: Final[dict[str, Dimension]] = {dimension.name: dimension for dimension in DIMENSIONS}
