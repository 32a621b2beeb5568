"""The judges of a town's tasks. No model is asked."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from actors.sandbox.setup import Town
from evaluators.judges.judge_answer import Outcome
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.sandbox.dimensions import ACTION, BEFORE_THE_DAY, CONTACTS, POOLED
from evaluators.sandbox.scorers.published_scorer import Edition
from evaluators.sandbox.scorers.score_task import TrajectoryScores, scores_of
from evaluators.sandbox.scorers.task_scores import Failed, TaskScore
from events.episode import EpisodeEnded
from events.evaluation import Dimension, JudgeSpec, Scored, ScoreFailed

Which = Literal["paper", "published"]

PERFORMER: Final = 0
"""The seat that is scored: the performer's."""


def score(
    which: Which, spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]
) -> Sequence[Outcome]:
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
    edition = _edition(spec)
    return list(_outcomes(which, scores_of(town, episode.events, edition)))


def _edition(spec: JudgeSpec) -> Edition:
    """Which rules a judge of the published scorer was made with: its dimensions tell."""
    return 1 if any(one in (ACTION, BEFORE_THE_DAY) for one in spec.dimensions) else 2


def _outcomes(which: Which, scores: TrajectoryScores) -> Iterator[Outcome]:
    if which == "published":
        yield _outcome(ACTION, scores.published)
        yield _outcome(CONTACTS, scores.contacts)
        return
    yield _outcome(ACTION, scores.paper)
    if scores.pooled is not None:
        yield _outcome(POOLED, scores.pooled)


def _outcome(dimension: Dimension, found: TaskScore | Failed) -> Outcome:
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
