"""The rubric by which a judge says which lines of a tree mean the same as a free line.

It has one dimension: 1 where any does, else 0. The lines that do are the score's quotes.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evaluators.plugin import Rubric
from events.evaluation import Dimension, JudgeSpec

if TYPE_CHECKING:
    from evaluators.judges.judge_answer import Outcome
    from evaluators.judges.judge_form import Form
    from evaluators.judges.judged_episode import History, JudgedEpisode

RUBRIC: Final = "worldtree-lines"
SIMILAR: Final = Dimension(
    name="similar",
    low=0,
    high=1,
    integer=True,
    description="1: a line of the tree means the same as the free line; 0: none does. The quotes "
    "are the lines that do.",
)
TEMPERS: Final[Mapping[str, float]] = {"lenient": 0.35, "strict": 0.6}
"""How alike the words of two lines must be for a rehearsal, 0 to 1."""


def _form(spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]") -> "Form":
    from evaluators.worldtree.lines.line_judge import lines_form

    return lines_form(spec, episode, past)


def _rehearse(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.worldtree.lines.line_judge import rehearse

    return rehearse(spec, episode, past)


OF_LINES: Final = Rubric(
    name=RUBRIC,
    dimensions=(SIMILAR,),
    whole=True,
    checkpoints=frozenset({SIMILAR.name}),
    form=_form,
    prompts="evaluators.worldtree.lines.prompts",
    prompt="worldtree-lines-v1",
    rehearsal=_rehearse,
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
