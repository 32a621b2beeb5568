"""What minds that think ask of their models, before anything is played: known by the day they live,
or by the question they answer."""

from math import ceil
from typing import Any, Final, NamedTuple

from actors.episodes.environment import Environment
from actors.runs.estimates import Bounds
from events.episode import EpisodeStarted
from events.minds import GenerativeSpec, MindSpec, ModelSpec

A_DAY: Final = {"published": Bounds(500, 1_000), "lean": Bounds(60, 250)}
"""Calls of somebody who lives a day. ``published``: Generative Agents' code, where an action alone
is eight; ``lean`` is held to a quarter of it."""
A_QUESTION: Final = {"published": Bounds(3, 12), "lean": Bounds(1, 3)}
"""Calls for one answer, where no days are lived."""
OF_ITS_TASK: Final = {"published": Bounds(40, 150), "lean": Bounds(8, 40)}
"""Of the calls of a day: those for plan and talk, by the model of one who has a task; all others go
to the background's."""
TASK_PLAN: Final = 3
"""Calls of target-driven planning (STSS, section 4), once."""
PROMPT: Final = Bounds(300, 1_500)
"""Tokens of one prompt."""


class Asked(NamedTuple):
    """Calls to one model."""

    model: ModelSpec
    calls: Bounds


def thinks(
    environment: Environment[Any],
    started: EpisodeStarted,
    seat: int,
    mind: MindSpec,
    questions: Bounds | None,
) -> tuple[Asked, ...] | None:
    """What a generative mind asks of its models in an episode; None: nobody knows before.
    ``questions``: how often its seat is asked, where that is known."""
    assert mind.generative is not None
    assert mind.model is not None
    how, days = mind.generative, environment.days(started.setup)
    if days is not None:
        calls = A_DAY[how.profile].times(ceil(days))
    elif questions is not None:
        each = A_QUESTION[how.profile]
        calls = Bounds(questions.low * each.low, questions.high * each.high)
    else:
        return None
    has_task = _has_task(environment, started, seat)
    planned = TASK_PLAN if has_task and how.agent == "ga+tdp" else 0
    if how.background is None:
        return (Asked(mind.model, calls + Bounds(planned, planned)),)
    own = _own(how, days, calls) + Bounds(planned, planned) if has_task else Bounds(0, 0)
    rest = Bounds(max(0, calls.low - own.low), max(0, calls.high - own.low))
    return (Asked(mind.model, own), Asked(how.background, rest))


def _own(how: GenerativeSpec, days: float | None, calls: Bounds) -> Bounds:
    return calls if days is None else OF_ITS_TASK[how.profile].times(ceil(days))


def _has_task(environment: Environment[Any], started: EpisodeStarted, seat: int) -> bool:
    living = environment.living(environment.background("", started, seat, ""))
    return living is not None and living.aim is not None
