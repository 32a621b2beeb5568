"""Estimates of the model calls of planning minds, from the time they live or from the questions
they answer."""

from collections.abc import Iterator
from math import ceil, floor
from typing import Final, NamedTuple

from actors.episodes.port.game import AnyGame
from actors.runs.forecast.estimates import NOTHING, Bounds, EstimateKind
from events.episode import EpisodeStarted
from events.minds import GenerativeSpec, MindSpec, ModelSpec

A_DAY: Final = {"published": Bounds(500, 1_500), "lean": Bounds(60, 250)}
"""Questions of somebody who lives a day. ``published``: Generative Agents' code, where an action
alone is eight (a town of stubs that often talk: 1,125); ``lean`` is held to a quarter of it."""
AWAKE: Final = 2 / 3
"""Share of a day in which one is awake and asks: a shorter span may lie within."""
BEGINNING: Final = {"published": 80, "lean": 20}
"""Further questions, at most, of who begins in the middle of a day: its plan, and what it sees."""
A_QUESTION: Final = {"published": Bounds(3, 12), "lean": Bounds(1, 3)}
"""Questions for one answer, where no days are lived."""
OF_ITS_TASK: Final = {"published": Bounds(40, 150), "lean": Bounds(8, 40)}
"""Of the questions of a day: those for plan and talk, by the model of one who has a task; all
others go to the background's."""
TASK_PLAN: Final = 3
"""Questions of target-driven planning (STSS, section 4), once."""
AT_LENGTH: Final = {"published": (0.02, 0.25), "lean": (0.2, 0.5)}
"""Share of the questions that are answered at length: plans, reflections, a talk's summary.
Measured in towns of stubs: 0.02 to 0.08, and 0.21 to 0.41."""
PROMPT: Final = Bounds(300, 4_000)
"""Tokens of one prompt, without the lines of a talk."""
LATEST: Final = 6_500
"""Tokens of the longest prompt that shows no talk: a reflection's, of the latest memories."""
LINES: Final = 16
"""Lines of a talk that a prompt shows, at most."""
AS_BEFORE: Final = 2_500
"""Tokens of the longest plan of minds that were recorded before that was a setting."""


class Asked(NamedTuple):
    """Questions to one model, of one length."""

    kind: EstimateKind
    model: ModelSpec
    calls: Bounds
    longest: int
    """Tokens of the longest answer."""

    @property
    def prompts(self) -> Bounds:
        """Tokens of all the prompts."""
        longest = PROMPT.high + LINES * self.model.max_tokens
        if self.kind == "plans":
            longest = max(longest, LATEST)
        return Bounds(self.calls.low * PROMPT.low, self.calls.high * longest)


def thinks(
    game: AnyGame,
    started: EpisodeStarted,
    seat: int,
    mind: MindSpec,
    questions: Bounds | None,
) -> tuple[Asked, ...] | None:
    """What a generative mind asks of its models in an episode; None: nobody knows before.
    ``questions``: how often its seat is asked, where that is known."""
    assert mind.generative is not None
    assert mind.model is not None
    how, days = mind.generative, game.limits.days(started.setup)
    if days is not None:
        calls = _lived(how, A_DAY[how.profile], days)
    elif questions is not None:
        each = A_QUESTION[how.profile]
        calls = Bounds(questions.low * each.low, questions.high * each.high)
    else:
        return None
    has_task = _has_task(game, started, seat)
    planned = TASK_PLAN if has_task and how.agent == "ga+tdp" else 0
    if how.background is None:
        return tuple(_by_length(mind.model, how, calls, planned))
    own = NOTHING
    if has_task:
        own = calls if days is None else _lived(how, OF_ITS_TASK[how.profile], days)
    rest = Bounds(max(0, calls.low - own.high), max(0, calls.high - own.low))
    return (
        *_by_length(mind.model, how, own, planned),
        *_by_length(how.background, how, rest, 0),
    )


def _lived(how: GenerativeSpec, a_day: Bounds, days: float) -> Bounds:
    """Questions of so many days: as many as their part of a day, or as of a waking one."""
    high = min(ceil(a_day.high * days / AWAKE), a_day.high * ceil(days))
    return Bounds(floor(a_day.low * days), high + BEGINNING[how.profile])


def _by_length(
    model: ModelSpec, how: GenerativeSpec, calls: Bounds, planned: int
) -> Iterator[Asked]:
    """Those that are answered in short, and those at length."""
    least, most = AT_LENGTH[how.profile]
    long = Bounds(floor(calls.low * least), ceil(calls.high * most))
    short = Bounds(floor(calls.low * (1 - most)), calls.high - floor(calls.high * least))
    at_length = max(how.plan_tokens, how.reflect_tokens) or max(model.max_tokens, AS_BEFORE)
    yield Asked("mind", model, short, model.max_tokens if how.plan_tokens else at_length)
    yield Asked("plans", model, long + Bounds(planned, planned), at_length)


def _has_task(game: AnyGame, started: EpisodeStarted, seat: int) -> bool:
    living = game.planning.living(game.sight.background("", started, seat, ""))
    return living is not None and living.aim is not None
