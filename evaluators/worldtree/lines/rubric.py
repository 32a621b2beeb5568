"""The rubric by which a judge says which lines of a tree mean the same as a free line.

It has one dimension: 1 where any does, else 0. The lines that do are the score's quotes.
"""

from typing import Final

from evaluators.plugin import Rubric
from evaluators.worldtree.lines.similarity_scale import SIMILAR, TEMPERS
from events.evaluation import JudgeSpec
from events.lazy_function import LazyFunction

RUBRIC: Final = "worldtree-lines"
OF_LINES: Final = Rubric(
    name=RUBRIC,
    dimensions=(SIMILAR,),
    whole=True,
    checkpoints=frozenset({SIMILAR.name}),
    form=LazyFunction("evaluators.worldtree.lines.line_judge:lines_form"),
    prompts="evaluators.worldtree.lines.prompts",
    prompt="worldtree-lines-v1",
    rehearsal=LazyFunction("evaluators.worldtree.lines.line_judge:rehearse"),
    tempers=tuple(TEMPERS),
)
LINES_JUDGE: Final = JudgeSpec(
    name="worldtree-lines",
    kind="rehearsal",
    dimensions=(SIMILAR,),
    temper="lenient",
    rubric=RUBRIC,
)
"""The offline judge, which needs no file."""
