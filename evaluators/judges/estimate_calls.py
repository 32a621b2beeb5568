"""What the judges of a plan will ask of their models: see ``actors.runs.forecast.estimates``."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from actors.models import tokens
from actors.models.answers.ask import reasks_of
from actors.runs.forecast.estimate_stages import Estimating, Stage
from actors.runs.forecast.estimates import Bounds, Tally, answered_by
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.question_series import ExpectedQuestion
from evaluators.registry import rubric_of
from events.base import Envelope
from events.episode import EpisodeStarted
from events.evaluation import JudgeSpec
from events.serialization.codec import encode
from store.read_model.episode_history import Numbered

SHORT_SCORE: Final = 30
"""Tokens of a score with a short reason."""


def tally_judges(tally: Tally, estimating: Estimating) -> None:
    """Add what the judges ask to ``tally``; the encoding of ``actors.models.tokens`` is read."""
    planned = estimating.planned
    for judge in planned.plan.judges:
        if judge.kind != "model" or judge.model is None:
            continue
        rendered: dict[int, Sequence[_Shown]] = {}
        for episode in planned.episodes:
            stage = estimating.stage(episode)
            if stage is None:
                continue
            key = id(stage.started)
            if key not in rendered:
                rendered[key] = _shown(judge, stage.started)
            for shown in rendered[key]:
                tally.add(
                    "judge",
                    judge.name,
                    judge.model,
                    calls=Bounds(1, 1),
                    asked=Bounds(*(2 * [shown.prompt]))
                    + (shown.more or stage.transcript + _past(judge, stage, episode.index)),
                    answered=answered_by(
                        judge.model, Bounds(1, 1), judge.model.max_tokens, shown.answer
                    ),
                    reasks=reasks_of(judge.model),
                )


def least_judge_calls(estimating: Estimating) -> int:
    """How many questions model judges put at least, none of them twice."""
    planned, calls = estimating.planned, 0
    for judge in planned.plan.judges:
        if judge.kind != "model":
            continue
        series = rubric_of(judge).series is not None
        counted: dict[int, int] = {}
        for episode in planned.episodes:
            # A form is one question, as far as nobody looks whether it is about the episode.
            if not series:
                calls += 1
                continue
            started = estimating.started(episode)
            if id(started) not in counted:
                counted[id(started)] = len(_expected(judge, started))
            calls += counted[id(started)]
    return calls


class _Shown(NamedTuple):
    """A question of a judge about an episode in which nothing has happened."""

    prompt: int
    """Tokens."""
    answer: int
    """Tokens of a short answer."""
    more: Bounds | None = None
    """Tokens that what is said adds; None: those of the transcript and of what was before."""


def _shown(judge: JudgeSpec, started: EpisodeStarted) -> Sequence[_Shown]:
    """The questions; none: the episode is none that the rubric is about."""
    rubric = rubric_of(judge)
    prompt = JudgePrompt(rubric, judge.prompt_version)
    system = tokens.count_by_line(prompt.system)
    if rubric.series is not None:
        return [
            _Shown(system + tokens.count_by_line(one.text), one.answer, Bounds(one.least, one.most))
            for one in _expected(judge, started)
        ]
    assert rubric.form is not None, "a model judges by a form or a series"
    form = rubric.form(judge, JudgedEpisode([_numbered(started)]), ())
    if not form.asked:
        return ()
    scores = len(form.asked) * (form.seats or len(started.minds))
    return (_Shown(system + tokens.count_by_line(form.question(prompt)), SHORT_SCORE * scores),)


def _expected(judge: JudgeSpec, started: EpisodeStarted) -> Sequence[ExpectedQuestion]:
    """The questions of a judge that asks by a series."""
    rubric = rubric_of(judge)
    assert rubric.series is not None, "the caller looked"
    prompt = JudgePrompt(rubric, judge.prompt_version)
    return rubric.series(judge, JudgedEpisode([_numbered(started)]), prompt).expected()


def _past(judge: JudgeSpec, stage: Stage, index: int) -> Bounds:
    """Tokens of the earlier episodes that the judge is shown."""
    looks_back = judge.past_tokens and index and rubric_of(judge).looks_back
    return stage.transcript.times(index).at_most(judge.past_tokens) if looks_back else Bounds(0, 0)


def _numbered(started: EpisodeStarted) -> Numbered:
    envelope = Envelope(
        event_id="",
        stream="",
        version=0,
        position=0,
        tag=type(started).__name__,
        schema=started.SCHEMA,
        recorded_at=0,
        correlation="",
        causation="",
        payload=msgspec.Raw(encode(started)),
    )
    return Numbered(0, envelope, started)
