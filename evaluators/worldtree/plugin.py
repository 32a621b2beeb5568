"""What walks and inquiries can be judged by: what came of them, by rule. No model is asked."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from actors.worldtree.setup import NAME, Inquiry, Walk
from evaluators.plugin import EvaluatorPlugin, ReportSection, Rubric, Scorer
from evaluators.worldtree.lines.rubric import LINES_JUDGE, OF_LINES
from events.episode import EpisodeEnded, WorldChanged
from events.evaluation import Dimension, JudgeSpec, ScoreAbstained, Scored, ScoreFailed
from events.lazy_function import LazyFunction

if TYPE_CHECKING:
    from evaluators.judges.judge_answer import Outcome
    from evaluators.judges.judged_episode import History, JudgedEpisode
    from store.read_model.records import EpisodeRow

GOAL: Final = Dimension(
    name="goal_achievement",
    low=0,
    high=2,
    integer=True,
    description="What the ending that was reached says of the goal: 2 achieved, 1 partly, 0 not.",
)
ABILITY: Final = Dimension(
    name="ability",
    low=0,
    high=1,
    integer=True,
    description="Whether the line was found that shows the ability asked about.",
)
_GOALS: Final = {"achieved": 2, "partly": 1, "not": 0}
_ABILITIES: Final = {"right": 1, "wrong": 0}


def score(
    kind: type[Walk | Inquiry],
    said: str,
    dimension: Dimension,
    values: Mapping[str, int],
    spec: JudgeSpec,
    episode: "JudgedEpisode",
    past: "Sequence[History]",
) -> "Sequence[Outcome]":
    """The value of what the ending's summary says under ``said``; nothing of episodes of another
    kind. A tree that does not score its ending is abstained from: that is no failure of the mind's.
    A walk or an answer that came to nothing is a failed score, never a low one."""
    del spec, past
    if not isinstance(episode.started.setup, kind):
        return ()
    end = next((event for event in episode.events if isinstance(event, EpisodeEnded)), None)
    found = end.summary.get(said) if end else None
    ending = episode.environment.ending(end.reason) if end else "it has not ended"
    if isinstance(found, str) and found in values:
        steps = (n for n, event in enumerate(episode.events) if isinstance(event, WorldChanged))
        value = float(values[found])
        return [
            Scored(
                seat=0,
                dimension=dimension.name,
                value=value,
                reason=f"{ending}: {found}",
                evidence=tuple(steps),
            )
        ]
    if found == "unscored":
        why = f"{ending}, and the tree does not say what that is for the goal"
        return [ScoreAbstained(seat=0, dimension=dimension.name, reason=why)]
    return [ScoreFailed(seat=0, dimension=dimension.name, error=f"nothing to score: {ending}")]


def _rule(name: str, dimension: Dimension, scorer: Scorer) -> tuple[Rubric, JudgeSpec]:
    checkpoints = frozenset({dimension.name} if dimension is ABILITY else ())
    return (
        Rubric(name=name, dimensions=(dimension,), rule=scorer, checkpoints=checkpoints),
        JudgeSpec(name=name, kind="rule", dimensions=(dimension,), rubric=name),
    )


_OF_GOALS: Final = _rule("worldtree-goal", GOAL, partial(score, Walk, "outcome", GOAL, _GOALS))
_OF_ABILITIES: Final = _rule(
    "worldtree-ability", ABILITY, partial(score, Inquiry, "verdict", ABILITY, _ABILITIES)
)


def next_steps(rows: "Sequence[EpisodeRow]") -> Iterator[tuple[str, str]]:
    """By the kinds of tasks that were played."""
    kinds = {row.task.partition(".")[0] for row in rows}
    if kinds & {"walk", "ask"}:
        yield "worldtree scores", "goals and abilities, with chance beside them"
        yield "worldtree report", "tables and figures as in the paper, and each tree's walks"
    if "line" in kinds:
        yield "worldtree lines sheet", "for annotators, who mark which lines mean the same"
        yield "worldtree lines table", "how often the trees have a line that means the same"
    if "translation" in kinds:
        yield "worldtree translate --from", "the translated trees and their review sheets"


WORLDTREE: Final = EvaluatorPlugin(
    environment=NAME,
    next_steps=next_steps,
    rubrics=(_OF_GOALS[0], _OF_ABILITIES[0], OF_LINES),
    judges=(_OF_GOALS[1], _OF_ABILITIES[1], LINES_JUDGE),
    report=ReportSection(
        id="worldtrees",
        title="World trees",
        package="evaluators.worldtree.report",
        template="section.html.j2",
        data=LazyFunction("evaluators.worldtree.report.section:section"),
    ),
)
"""What the entry point names."""
