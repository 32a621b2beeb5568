"""What sessions can be judged by: what each player has learned, by the terms of the key points or
by a model that pairs points."""

from typing import Final

from actors.tabletop.catalog_items import NAME
from evaluators.plugin import EvaluatorPlugin, Rubric
from events.evaluation import Dimension, JudgeSpec
from events.lazy_function import LazyFunction

LEARNED: Final = Dimension(
    name="learned",
    low=0,
    high=1,
    description="p: the share of the key points that the player has learned (IEP).",
)
GUESSED: Final = Dimension(
    name="guessed",
    low=0,
    high=1,
    description="The share of the key points that the player named before the first turn.",
)
NOT_KEPT: Final = Dimension(
    name="not_kept",
    low=0,
    high=1,
    description="The share that came out and is not in the player's answer.",
)
NOT_TOLD: Final = Dimension(
    name="not_told",
    low=0,
    high=1,
    description="The share that was asked for and did not come out.",
)
NOT_ASKED: Final = Dimension(
    name="not_asked",
    low=0,
    high=1,
    description="The share that did not come out for want of questions.",
)
DIMENSIONS: Final = (LEARNED, GUESSED, NOT_KEPT, NOT_TOLD, NOT_ASKED)
RULE: Final = "information-rule"
PAIRS: Final = "information-pairs"
BY_PAIRS: Final = Rubric(
    name=PAIRS,
    dimensions=(LEARNED, GUESSED),
    whole=True,
    series=LazyFunction("evaluators.tabletop.pair_judge:information_series"),
    prompts="evaluators.tabletop.prompts",
    prompt="information-pairs-v1",
    optional=frozenset({GUESSED.name, LEARNED.name}),
)
"""The paper's judge: a model reduces knowledge and answers to points and pairs them."""

TABLETOP: Final = EvaluatorPlugin(
    environment=NAME,
    rubrics=(
        Rubric(
            name=RULE,
            dimensions=DIMENSIONS,
            rule=LazyFunction("evaluators.tabletop.rule_scores:score"),
            optional=frozenset(one.name for one in DIMENSIONS),
        ),
        BY_PAIRS,
    ),
    judges=(JudgeSpec(name=RULE, kind="rule", dimensions=DIMENSIONS, rubric=RULE),),
)
"""What the entry point names."""
