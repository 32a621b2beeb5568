"""What a town's tasks can be judged by. No model is asked for what was done."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from actors.sandbox.conversation.cases import is_case
from actors.sandbox.setup import NAME, Town
from evaluators.plugin import EvaluatorPlugin, ReportSection, Rubric
from evaluators.sandbox.language.rubric import JUDGES as TALK_JUDGES
from evaluators.sandbox.language.rubric import RUBRICS as TALK_RUBRICS
from events.base import replace
from events.episode import EpisodeEnded
from events.evaluation import Dimension, JudgeSpec, Scored, ScoreFailed

if TYPE_CHECKING:
    from evaluators.judges.judge_answer import Outcome
    from evaluators.judges.judged_episode import History, JudgedEpisode
    from evaluators.report.data.run_data import RunData
    from evaluators.sandbox.scorers.published_scorer import Edition
    from evaluators.sandbox.scorers.score_task import TrajectoryScores
    from evaluators.sandbox.scorers.task_scores import Failed, TaskScore
    from store.read_model.records import EpisodeRow

Which = Literal["paper", "published"]

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
_BEFORE_THE_DAY: Final = replace(
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
PERFORMER: Final = 0
"""The seat that is scored: the performer's."""


def score(
    which: Which, spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    """The performer's scores; nothing of what is no town, or has no task. A town that did not live
    to its end has failed scores, never low ones."""
    del past
    town = episode.started.setup
    if not isinstance(town, Town) or town.task is None:
        return ()
    dimensions = (ACTION, CONTACTS) if which == "published" else (ACTION,)
    end = next((event for event in episode.events if isinstance(event, EpisodeEnded)), None)
    if end is None or end.reason not in episode.environment.endings:
        ending = episode.environment.ending(end.reason) if end else "it has not ended"
        why = f"the town did not live to its end: {ending}"
        return [ScoreFailed(seat=PERFORMER, dimension=one.name, error=why) for one in dimensions]
    from evaluators.sandbox.scorers.score_task import scores_of

    edition = _edition(spec)
    return list(_outcomes(which, scores_of(town, episode.events, edition)))


def _edition(spec: JudgeSpec) -> "Edition":
    """Which rules a judge of the published scorer was made with: its dimensions tell."""
    return 1 if any(one in (ACTION, _BEFORE_THE_DAY) for one in spec.dimensions) else 2


def _outcomes(which: Which, scores: "TrajectoryScores") -> "Iterator[Outcome]":
    if which == "published":
        yield _outcome(ACTION, scores.published)
        yield _outcome(CONTACTS, scores.contacts)
        return
    yield _outcome(ACTION, scores.paper)
    if scores.pooled is not None:
        yield _outcome(POOLED, scores.pooled)


def _outcome(dimension: Dimension, found: "TaskScore | Failed") -> "Outcome":
    from evaluators.sandbox.scorers.task_scores import Failed

    if isinstance(found, Failed):
        return ScoreFailed(seat=PERFORMER, dimension=dimension.name, error=found.error)
    numbers = sorted({deed.number for deed in found.deeds if deed.number >= 0})
    return Scored(
        seat=PERFORMER,
        dimension=dimension.name,
        value=found.value,
        reason=found.reason,
        evidence=tuple(numbers),
    )


def _rule(name: str, which: Which, action: Dimension, *more: Dimension) -> tuple[Rubric, JudgeSpec]:
    kept = frozenset(one.name for one in more)
    dimensions = (action, *more)
    return (
        Rubric(
            name=name,
            dimensions=dimensions,
            rule=partial(score, which),
            kept=kept,
            optional=kept,
        ),
        JudgeSpec(name=name, kind="rule", dimensions=dimensions, rubric=name),
    )


PAPER: Final = _rule("stss-paper", "paper", ACTION, POOLED)
PUBLISHED: Final = _rule("stss-published", "published", AS_PUBLISHED, CONTACTS)
PUBLISHED_1: Final = _rule("stss-published", "published", ACTION, _BEFORE_THE_DAY)[1]
"""The judge that it was before companions with two goals counted twice, as they do in the published
program, and contacts ended on 14 February 2023. Its scores stay as they are."""


def _section(gathered: "RunData", histories: Any) -> Mapping[str, Any]:
    from evaluators.sandbox.report.section import section

    return section(gathered, histories)


def next_steps(rows: "Sequence[EpisodeRow]") -> "Iterator[tuple[str, str]]":
    """After a run in which towns lived, or cases were played."""
    of_cases = {is_case(row.task) for row in rows if "kind" in row.summary}
    if False in of_cases:
        yield "sandbox score", "how far each task was reached, and why; Table 4"
        yield "sandbox freeze", "the performers' talks, to be played again by other minds"
    if True in of_cases:
        yield "sandbox talks", "how far each talk came; Table 3"


SANDBOX: Final = EvaluatorPlugin(
    environment=NAME,
    next_steps=next_steps,
    rubrics=(PAPER[0], PUBLISHED[0], *TALK_RUBRICS),
    judges=(PAPER[1], PUBLISHED[1], *TALK_JUDGES),
    report=ReportSection(
        id="towns",
        title="Towns",
        package="evaluators.sandbox.report",
        template="section.html.j2",
        data=_section,
    ),
    abbreviations={ACTION.name: "action"},
)
