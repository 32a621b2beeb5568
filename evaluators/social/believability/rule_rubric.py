"""What the rule judge is to decide, and where it draws its lines.

A description names what decides, so that with another threshold it is another judge.
"""

from typing import Final

from evaluators.social.believability.rubric import NO_PARROTING, NO_REPETITION, QUESTIONS_ANSWERED
from events.evaluation import Dimension

SAME: Final = 90.0
"""Two sentences whose letters are alike to this degree (rapidfuzz's ratio, 0 to 100, in lower case
and without punctuation) are one sentence said twice."""
LEAST_WORDS: Final = 5
"""Shorter sentences ("That sounds fair.") may be said twice without repeating oneself."""
PARROTED: Final = 0.8
"""A spoken sentence with this share of the content words of a sentence of the goal recites it."""
UNCLEAR: Final = 0.6
"""From this share on a rule cannot tell reciting the goal from pursuing it."""
LEAST_STEMS: Final = 5
"""Content words that a sentence of a goal needs, to be told from an ordinary offer when spoken."""

DIMENSIONS: Final = tuple(
    Dimension(name=name, low=0, high=1, description=description)
    for name, description in (
        (
            NO_REPETITION,
            f"No two sentences of {LEAST_WORDS} words or more that the seat spoke are alike to "
            f"{SAME:g} of 100. Sentiments are beyond a rule.",
        ),
        (
            NO_PARROTING,
            f"No sentence it spoke has {PARROTED:.0%} of the content words of a sentence of its "
            f"private goal with {LEAST_STEMS} or more; between {UNCLEAR:.0%} and that it declines.",
        ),
        (
            QUESTIONS_ANSWERED,
            "No direct question is passed over in silence, or followed by words that turn to "
            "another topic and share none of the question's; what may be an answer it declines.",
        ),
    )
)
"""The checkpoints there is a rule for: 1 passed, 0 failed."""
