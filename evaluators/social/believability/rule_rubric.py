"""What the rule judge is to decide, and where it draws its lines.

A description names what decides, so that with another threshold it is another judge.
"""

from typing import Final

from evaluators.social.believability import rubric, strict_rubric
from evaluators.social.believability.checkpoints import checkpoint

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

IDLE: Final = 3
"""Turns of a seat's own in a row in which it did nothing."""

_REPETITION = (
    f"No two sentences of {LEAST_WORDS} words or more that the seat spoke are alike to "
    f"{SAME:g} of 100. Sentiments are beyond a rule."
)
_PARROTING = checkpoint(
    rubric.NO_PARROTING,
    f"No sentence it spoke has {PARROTED:.0%} of the content words of a sentence of its "
    f"private goal with {LEAST_STEMS} or more; between {UNCLEAR:.0%} and that it declines.",
)
_QUESTIONS = (
    "No direct question is passed over in silence, or followed by words that turn to "
    "another topic and share none of the question's; what may be an answer it declines."
)

DIMENSIONS: Final = (
    checkpoint(rubric.NO_REPETITION, f"{_REPETITION} Twice in one turn does not count."),
    _PARROTING,
    checkpoint(
        rubric.NO_IDLING,
        f"It does not do nothing for {IDLE} of its turns in a row before anybody has agreed, "
        "refused or taken leave; of 2, or after that, it declines.",
    ),
    checkpoint(rubric.RESPONDS, _QUESTIONS),
)
"""The paper's checkpoints there is a rule for: 1 passed, 0 failed."""

STRICT_DIMENSIONS: Final = (
    checkpoint(strict_rubric.NO_REPETITION, _REPETITION),
    _PARROTING,
    checkpoint(strict_rubric.QUESTIONS_ANSWERED, _QUESTIONS),
)
"""The strict rubric's."""
