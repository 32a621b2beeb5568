"""Attributions without a language model, for rehearsals: by what the words of an action do."""

from collections.abc import Sequence

from actors.social.views import View
from evaluators.judges.judge_answer import Outcome
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.social import conduct
from evaluators.social.conduct import Conduct, Settlement
from evaluators.social.training_files.attribution import REDUNDANT, scale_of
from evaluators.social.training_files.attribution_series import actions_of, score_of
from events.evaluation import JudgeSpec


def score(spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History]) -> list[Outcome]:
    """``evaluators.plugin.Scorer``: all for where something was agreed, two thirds for offers,
    refusals and concessions, a third for questions and kind words, nothing for the rest, and -1
    for what was said before."""
    view: View = episode.view
    said = conduct.lines(view)
    agreed = conduct.settlement(said)
    numbers = actions_of(view)
    return [
        score_of(
            own.seat, spec, _of(own, numbers[own.seat], agreed, scale_of(spec)), numbers[own.seat]
        )
        for own in conduct.conducts(view, said)
    ]


def _of(
    own: Conduct, numbers: Sequence[int], agreed: Settlement | None, scale: int
) -> dict[int, int]:
    settled = set() if agreed is None else {agreed.number, agreed.offer}
    much = {*own.offers, *own.refusals, *own.concessions}
    some = {*own.questions, *own.kindnesses}
    found: dict[int, int] = {}
    for number in numbers:
        if number in own.repeats:
            found[number] = REDUNDANT
        elif number in settled:
            found[number] = scale
        else:
            found[number] = round(scale * (2 * (number in much) or (number in some)) / 3)
    return found
