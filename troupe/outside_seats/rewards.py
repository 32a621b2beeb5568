"""What a seat is given for an episode: a number out of its scores."""

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any

from evaluators.plugin import OVERALL
from events.evaluation import JudgeSpec
from gateway.errors import BadArgument
from troupe.outside_seats.episode import Ended
from troupe.outside_seats.scores import SeatScores, dimensions_of

Scores = Mapping[str, Mapping[str, float]]
"""By judge and dimension; what is missing is not there."""
RewardOf = str | Callable[[Scores], float]
"""A dimension of the plan's first judge, or what is called with all scores of the seat. Empty:
``overall`` where that judge has it, or its only dimension."""


class Reward:
    """How scores become a reward."""

    def __init__(self, given: RewardOf, judges: Sequence[JudgeSpec], missing: float = nan) -> None:
        """``missing``: what is given where a score that it needs is missing. Raises ``BadArgument``
        where there is no such dimension."""
        self._given: RewardOf = given
        self._missing = missing
        self._judged = bool(judges)
        if callable(given):
            return
        known = dimensions_of(judges[0]) if judges else []
        chosen = given or (OVERALL if OVERALL in known else known[0] if len(known) == 1 else "")
        if judges and chosen not in known:
            why = f"{judges[0].name} scores {', '.join(known)}; name one"
            raise BadArgument("reward", given, why)
        if given and not judges:
            why = 'the plan has no judge; give it one: "judges": {"use": [...]}'
            raise BadArgument("reward", given, why)
        self._given = chosen

    def of(self, scores: Sequence[SeatScores]) -> float:
        """For an episode that is over; 0 where the plan has no judge."""
        if callable(self._given):
            return float(self._given(_values(scores)))
        if not self._judged:
            return 0.0
        return scores[0].values.get(self._given, self._missing) if scores else self._missing


def told(ended: Ended, seat: int) -> dict[str, Any]:
    """What an environment's last ``info`` says of how an episode ended for a seat."""
    scores = ended.scores.get(seat, ())
    return {
        "outcome": ended.ending,
        "scores": _values(scores),
        "missing": {one.judge.name: dict(one.missing) for one in scores if one.missing},
        "no_findings": [one.judge.name for one in scores if one.judge.offline],
    }


def last_words(ended: Ended, seat: int) -> str:
    """What a seat is shown at the end: what it noticed since it last answered, and the ending."""
    return "\n".join((*ended.lines.get(seat, ()), f"The episode is over: {ended.ending}."))


def _values(scores: Sequence[SeatScores]) -> dict[str, dict[str, float]]:
    return {one.judge.name: dict(one.values) for one in scores}
