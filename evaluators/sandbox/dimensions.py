"""What a town's tasks are scored in, and the judges that need no file."""

from typing import Final

from events.base import replace
from events.evaluation import Dimension, JudgeSpec

ACTION: Final = Dimension(
    name="action_level",
    low=0,
    high=1,
    description="How far the task was reached by what everybody did (STSS, section 3.1).",
)
AS_PUBLISHED: Final = replace(
    ACTION,
    description="How far the task was reached by what everybody declared, as the published program "
    "counts it (STSS).",
)
CONTACTS: Final = Dimension(
    name="contacts",
    low=0,
    high=1_000,
    description="People the performer talked to before 14 February 2023, of those who are to take "
    "part; of an appointment whether the target was one; of help the score again.",
)
BEFORE_THE_DAY: Final = replace(
    CONTACTS,
    description="People the performer talked to before the task's day, of those who are to take "
    "part; of an appointment whether the target was one; of help the score again.",
)
POOLED: Final = Dimension(
    name="pooled_help",
    low=0,
    high=1,
    description="How far several others together came with the sub-tasks, in their order.",
)


def _judge(name: str, *dimensions: Dimension) -> JudgeSpec:
    return JudgeSpec(name=name, kind="rule", dimensions=dimensions, rubric=name)


PAPER: Final = _judge("stss-paper", ACTION, POOLED)
PUBLISHED: Final = _judge("stss-published", AS_PUBLISHED, CONTACTS)
PUBLISHED_1: Final = _judge("stss-published", ACTION, BEFORE_THE_DAY)
"""The judge that it was before companions with two goals counted twice, as they do in the published
program, and contacts ended on 14 February 2023. Its scores stay as they are."""
