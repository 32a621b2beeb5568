"""What ``troupe contrast`` shows."""

from collections.abc import Sequence

from evaluators.registry import judging_of
from evaluators.report.data.run_data import RunData, gather
from evaluators.scores.questions import QUESTIONS, Part, Question
from evaluators.scores.seat_scores import find_judge
from evaluators.statistics.significance_tests import Family, families
from events.base import Value
from gateway.errors import BadArgument, did_you_mean
from store.log.event_store import EventStore

ALL = "all"
"""Stands for all dimensions."""


class RunContrasts(Value, frozen=True, kw_only=True):
    """The tests of a run."""

    run: str
    families: tuple[Family, ...]
    rehearsal_minds: tuple[str, ...]
    rehearsal_judges: tuple[str, ...]
    local_minds: tuple[str, ...] = ()
    local_judges: tuple[str, ...] = ()


def run_contrasts(
    store: EventStore,
    given: str,
    *,
    judges: Sequence[str] = (),
    dimensions: Sequence[str] = (),
    between: Sequence[str] = (),
    part: Part = "all",
    unclean: bool = False,
) -> RunContrasts:
    """The tests of a run by these judges, in these dimensions, of these questions; none given: all
    judges and questions, and the dimensions that the environment shows first. ``unclean``: with
    episodes in which an action failed.

    Raises ``UnknownId``, ``UnknownJudgeOfRun``, ``BadArgument``.
    """
    questions = [_question(name) for name in between]
    gathered = gather(store, given)
    known = [judge.judged for judge in gathered.judges]
    wanted = [find_judge(known, judge) for judge in judges] or known
    columns = gathered.columns
    if part != "all" and not columns.hard.any():
        why = f"run {gathered.run.id} has no scores of hard scenarios that end its chains"
        raise BadArgument("--part", part, why)
    found = families(
        columns,
        gathered.chains,
        judges=wanted,
        dimensions=tested_dimensions(gathered, dimensions),
        between=questions,
        part=part,
        unclean=unclean,
    )
    return RunContrasts(
        run=gathered.run.id,
        families=tuple(found),
        **gathered.offline_names({judge.hash for judge in wanted}),
    )


def tested_dimensions(gathered: RunData, given: Sequence[str]) -> list[str]:
    """The dimensions that are meant: those given, or of those that were scored the ones that the
    environment shows first. Raises ``BadArgument``."""
    for name in given:
        if name not in (*gathered.dimensions, ALL):
            why = f"nothing here was scored in it{did_you_mean(name, gathered.dimensions)}"
            raise BadArgument("--dimension", name, why)
    if ALL in given:
        return list(gathered.dimensions)
    first = judging_of(gathered.planned.plan.environment).first
    return list(given) or [d for d in gathered.dimensions if d in first] or gathered.dimensions


def _question(given: str) -> Question:
    for known in QUESTIONS:
        if given == known:
            return known
    why = f"is none of {', '.join(QUESTIONS)}{did_you_mean(given, QUESTIONS)}"
    raise BadArgument("--between", given, why)
