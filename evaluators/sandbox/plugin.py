"""What a town's tasks can be judged by. No model is asked for what was done."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from actors.sandbox.conversation.cases import is_case
from actors.sandbox.setup import NAME
from evaluators.plugin import EvaluatorPlugin, ReportSection, Rubric
from evaluators.sandbox.dimensions import (
    ACTION,
    PAPER,
    PUBLISHED,
)
from evaluators.sandbox.language.rubric import JUDGES as TALK_JUDGES
from evaluators.sandbox.language.rubric import RUBRICS as TALK_RUBRICS
from events.evaluation import JudgeSpec
from events.lazy_function import LazyFunction

if TYPE_CHECKING:
    from store.read_model.records import EpisodeRow


def _rubric(judge: JudgeSpec, which: str) -> Rubric:
    optional = frozenset(one.name for one in judge.dimensions[1:])
    return Rubric(
        name=judge.name,
        dimensions=judge.dimensions,
        rule=partial(LazyFunction("evaluators.sandbox.task_judge:score"), which),
        kept=optional,
        optional=optional,
    )


def next_steps(rows: "Sequence[EpisodeRow]") -> "Iterator[tuple[str, str]]":
    """After a run in which towns lived, or cases were played."""
    of_cases = {is_case(row.task) for row in rows if "kind" in row.summary}
    if False in of_cases:
        yield "town score", "how far each task was reached, and why; Table 4"
        yield "town freeze", "the performers' talks, to be played again by other minds"
    if True in of_cases:
        yield "town talks", "how far each talk came; Table 3"


SANDBOX: Final = EvaluatorPlugin(
    environment=NAME,
    next_steps=next_steps,
    rubrics=(_rubric(PAPER, "paper"), _rubric(PUBLISHED, "published"), *TALK_RUBRICS),
    judges=(PAPER, PUBLISHED, *TALK_JUDGES),
    report=ReportSection(
        id="towns",
        title="Towns",
        package="evaluators.sandbox.report",
        template="section.html.j2",
        data=LazyFunction("evaluators.sandbox.report.section:section"),
    ),
    abbreviations={ACTION.name: "action"},
)
