"""The dimensions of the judge of facts; ``evaluators.social.facts`` scores them."""

from events.evaluation import Dimension, JudgeSpec

FACTS_USED = Dimension(
    name="facts_used",
    low=0,
    high=1,
    description="The share of the facts from earlier episodes that the character's goal rests on "
    "which the character itself brought up.",
)
FACTS_JUDGE = JudgeSpec(name="facts", kind="rule", dimensions=(FACTS_USED,), rubric="facts")
"""The built-in judge."""
