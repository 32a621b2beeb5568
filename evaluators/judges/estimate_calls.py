"""What the judges of a plan will ask of their models: see ``actors.runs.forecast.estimates``."""

from typing import Final, NamedTuple

import msgspec

from actors.models import tokens
from actors.models.answers.ask import reasks_of
from actors.runs.forecast.estimate_stages import Estimating, Stage
from actors.runs.forecast.estimates import Bounds, Tally, answered_by
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.registry import rubric_of
from events.base import Envelope
from events.episode import EpisodeStarted
from events.evaluation import JudgeSpec
from events.minds import ModelSpec
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
        rendered: dict[int, _Shown] = {}
        for episode in planned.episodes:
            stage = estimating.stage(episode)
            if stage is None:
                continue
            key = id(stage.started)
            if key not in rendered:
                rendered[key] = _shown(judge, stage.started)
            shown = rendered[key]
            if not shown.scores:  # The episode is none that the rubric is about.
                continue
            tally.add(
                "judge",
                judge.name,
                judge.model,
                calls=Bounds(1, 1),
                asked=Bounds(*(2 * [shown.prompt]))
                + stage.transcript
                + _past(judge, stage, episode.index),
                answered=_answer(judge.model, shown.scores),
                reasks=reasks_of(judge.model),
            )


class _Shown(NamedTuple):
    """What a judge is asked of an episode in which nothing has happened."""

    prompt: int
    """Tokens."""
    scores: int
    """How many are asked for."""


def _shown(judge: JudgeSpec, started: EpisodeStarted) -> _Shown:
    rubric = rubric_of(judge)
    assert rubric.form is not None, "a model judges by a form"
    prompt = JudgePrompt(rubric, judge.prompt_version)
    form = rubric.form(judge, JudgedEpisode([_numbered(started)]), ())
    if not form.asked:
        return _Shown(prompt=0, scores=0)
    return _Shown(
        prompt=tokens.count(prompt.system) + tokens.count(form.question(prompt)),
        scores=len(form.asked) * (form.seats or len(started.minds)),
    )


def _past(judge: JudgeSpec, stage: Stage, index: int) -> Bounds:
    """Tokens of the earlier episodes that the judge is shown."""
    looks_back = judge.past_tokens and index and rubric_of(judge).looks_back
    return stage.transcript.times(index).at_most(judge.past_tokens) if looks_back else Bounds(0, 0)


def _answer(model: ModelSpec, scores: int) -> Bounds:
    return answered_by(model, Bounds(1, 1), model.max_tokens, SHORT_SCORE * scores)


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
