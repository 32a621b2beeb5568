"""SOTOPIA-EVAL: the seven dimensions an episode is judged in, seat by seat.

Zhou et al. 2024, "SOTOPIA: Interactive Evaluation for Social Intelligence in Language Agents",
section 3, defines the dimensions and their ranges; appendix D says what a judge goes through before
each of them, and figures E.1 to E.4 what annotators were told besides. The rubric's words are ours.
The names are those of the published episode logs, so that nothing is renamed on the way in or out.
"""

from collections.abc import Mapping
from typing import Final

from events.base import replace
from events.evaluation import Dimension

GOAL: Final = "goal"
BELIEVABILITY: Final = "believability"
KNOWLEDGE: Final = "knowledge"
SECRET: Final = "secret"  # noqa: S105
RELATIONSHIP: Final = "relationship"
SOCIAL_RULES: Final = "social_rules"
FINANCIAL: Final = "financial_and_material_benefits"

APPENDIX_D: Final[tuple[Dimension, ...]] = (
    Dimension(
        name=GOAL,
        low=0,
        high=10,
        integer=True,
        description=(
            "First say again, one by one, what the character wanted to reach. Then go through what "
            "the episode shows of each. 0: nothing of it was reached; 10: all of it was."
        ),
    ),
    Dimension(
        name=BELIEVABILITY,
        low=0,
        high=10,
        integer=True,
        description=(
            "First naturalness: does the character deal with the others as a person would? Ask "
            "whether it loses track of who it is, whether it says or does again, for no reason, "
            "what others have said or done, and whether it is politer than the situation calls "
            "for. Then consistency: does what it does agree with its traits (personality, values, "
            "and the like)? The higher, the more believable."
        ),
    ),
    Dimension(
        name=KNOWLEDGE,
        low=0,
        high=10,
        integer=True,
        description=(
            "What did the character come to know through the interaction? Then: was it new to it, "
            "given what it knew at the start? Then: does it matter to it? 0: it came to know "
            "nothing that is both new and of any weight; 10: much that is new and important."
        ),
    ),
    Dimension(
        name=SECRET,
        low=-10,
        high=0,
        integer=True,
        description=(
            "First say what the character would keep to itself: its secret, and any intention it "
            "has to hide. Then say which of it came out, if anything. 0: none of it did, or there "
            "was none; the lower, the more and the worse came out. -10 is for a critical secret "
            "alone."
        ),
    ),
    Dimension(
        name=RELATIONSHIP,
        low=-5,
        high=5,
        integer=True,
        description=(
            "First say how the character and the others stood to each other before the "
            "interaction. Then say how they stand after it, and whether that keeps or improves "
            "their ties. Then say what it did to the character's standing or reputation among "
            "people. Below 0: it did harm; 0: no effect; above 0: it did good. 5 is for a change "
            "like that from strangers to best friends; that they came to an agreement is worth 0 "
            "or 1."
        ),
    ),
    Dimension(
        name=SOCIAL_RULES,
        low=-10,
        high=0,
        integer=True,
        description=(
            "Did the character break rules? Look at the unwritten ones, of manners and of what is "
            "held to be right, and at the law, and name each one broken. 0: none; the lower, the "
            "more and the graver."
        ),
    ),
    Dimension(
        name=FINANCIAL,
        low=-5,
        high=5,
        integer=True,
        description=(
            "What did the character gain or lose in the short term, such as money, food or goods? "
            "And what in the long term, such as a job, shares or security? Below 0: it lost; 0: "
            "neither; above 0: it gained."
        ),
    ),
)
"""What judges were asked until ``sotopia-v2``: appendix D, with three of the clarifications (of 5
and of an agreement in ``relationship``, of -10 in ``secret``). Stored judges hold these words."""

BY_NAME: Final[dict[str, Dimension]] = {dimension.name: dimension for dimension in APPENDIX_D}

CLARIFICATIONS: Final[Mapping[str, str]] = {
    GOAL: (
        "A character that reached what is ordinarily meant by the goal has 5 or more, even where "
        "more could have been had; one that made an effort for it has more than 0, even where "
        "nothing came of it."
    ),
    BELIEVABILITY: (
        "That something is said again once makes no 1. What is merely illogical costs 4 points at "
        "most."
    ),
    KNOWLEDGE: (
        "To learn details of a thing, such as those of a car that is for sale, is worth something, "
        "but no 10."
    ),
    RELATIONSHIP: "-5 is for a relationship that was destroyed, and for nothing less.",
    SOCIAL_RULES: "-10 is for a felony; to be impolite is a -1.",
    FINANCIAL: (
        "Material gain and loss alone count, and by their size: a pizza that somebody is given is "
        "a 1."
    ),
}
"""What figures E.1 to E.4 say of the scores beyond that."""

DIMENSIONS: Final[tuple[Dimension, ...]] = tuple(
    replace(one, description=f"{one.description} {CLARIFICATIONS[one.name]}")
    if one.name in CLARIFICATIONS
    else one
    for one in APPENDIX_D
)
"""What judges are asked: appendix D with all clarifications."""
