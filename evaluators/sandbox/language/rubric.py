"""What talks can be judged by: conditions that are met or not, by a model or by the words alone."""

from typing import Final

from evaluators.plugin import Rubric
from evaluators.sandbox.language.dimensions import (
    CONDITION_NAMES,
    DIMENSIONS,
    FIRST,
    RATES,
    VARIANTS,
    work_out,
)
from events.base import replace
from events.evaluation import JudgeSpec
from events.lazy_function import LazyFunction


def _rubric(name: str) -> Rubric:
    return Rubric(
        name=name,
        dimensions=DIMENSIONS,
        whole=True,
        checkpoints=CONDITION_NAMES,
        form=LazyFunction("evaluators.sandbox.language.talk_form:talk_form"),
        prompts="evaluators.sandbox.language.prompts",
        prompt="sandbox-talk-v2",
        rule=LazyFunction("evaluators.sandbox.language.rule_judge:score"),
        kept=CONDITION_NAMES,
        worked_out=RATES,
        work_out=work_out,
        by_absence=CONDITION_NAMES,
    )


RUBRICS: Final = tuple(_rubric(name) for name in VARIANTS)
JUDGES: Final = tuple(
    JudgeSpec(name=name, kind="rule", dimensions=DIMENSIONS, rubric=name) for name in VARIANTS
)
"""By the words alone: they need no file and no model."""
FIRST_JUDGES: Final = tuple(replace(one, dimensions=(*FIRST, *RATES)) for one in JUDGES)
"""What they were before online activities needed the date. Their scores stay as they are."""
