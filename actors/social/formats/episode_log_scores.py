"""One judge's scores as the ``rewards`` and ``reasoning`` of SOTOPIA's episode logs.

``rewards`` has ``[overall, {dimension: value}]`` a seat, for the seven dimensions of SOTOPIA-EVAL
(a judge's own have no place in the format), as numbers only, or its readers refuse the whole log.
So a score that is missing is left out of the mapping, and the overall is the mean of those that
are there, which is what SOTOPIA makes of them. A seat without any score has ``[0.0, {}]``: whoever
reads a reward without a value for any dimension must not take it for a zero.

``reasoning`` says why the episode ended, and gives for each seat a line a dimension: the judge's
reason, or why there is no score, after one of the words below.
"""

import re
from typing import Final

from actors.episodes.formats import Judged, Score
from actors.social import render
from events.evaluation import Dimension, ScoreAbstained, Scored, ScoreFailed

SEVEN: Final = (
    Dimension(name="believability", low=0, high=10),
    Dimension(name="relationship", low=-5, high=5),
    Dimension(name="knowledge", low=0, high=10),
    Dimension(name="secret", low=-10, high=0),
    Dimension(name="social_rules", low=-10, high=0),
    Dimension(name="financial_and_material_benefits", low=-5, high=5),
    Dimension(name="goal", low=0, high=10),
)
"""The dimensions of SOTOPIA-EVAL and their ranges (SOTOPIA, section 3), in the logs' order."""
OVERALL: Final = "overall_score"
"""The mean of a seat's scores, among them."""

ENDING: Final = "Environment comments: terminated: "
NO_SCORE: Final = "no score: "
ABSTAINED: Final = "abstained: "
NOT_ASKED: Final = "not asked"

Reward = tuple[float, dict[str, float]]

_NAMES: Final = frozenset(dimension.name for dimension in SEVEN)
AGENT: Final = re.compile(r"Agent (\d+) comments:\s*")
"""Begins a seat's reasons; seats count from 1."""


def heading(line: str) -> str:
    """The dimension whose reason a line begins; empty where it begins none."""
    name, colon, _ = line.partition(":")
    return name.strip() if colon and name.strip() in _NAMES else ""


def reward_of(seat: int, judged: Judged | None) -> Reward:
    scores = _by_dimension(seat, judged)
    values = {
        dimension.name: score.value
        for dimension in SEVEN
        if isinstance(score := scores.get(dimension.name), Scored)
    }
    if not values:
        return 0.0, {}
    overall = sum(values.values()) / len(values)
    return overall, {**values, OVERALL: overall}


def reasoning_of(ended: str, said: str, failures: str, seats: int, judged: Judged | None) -> str:
    """Why the episode ended, in the words of the log it came in where there are any, the line for
    its failures, and why it was scored as it was."""
    lines = [ENDING + (said or render.ending(ended)), *filter(None, (failures,))]
    for seat in range(seats) if judged else ():
        scores = _by_dimension(seat, judged)
        lines.append(f"Agent {seat + 1} comments:")
        lines += [f"{one.name}: {_comment(scores.get(one.name), judged)}" for one in SEVEN]
    return "\n".join(lines) + "\n"


def _by_dimension(seat: int, judged: Judged | None) -> dict[str, Score]:
    scores = judged.scores if judged else ()
    return {score.dimension: score for score in scores if score.seat == seat}


def _comment(score: Score | None, judged: Judged | None) -> str:
    match score:
        case Scored(reason=reason):
            text = reason
        case ScoreAbstained(reason=reason):
            text = ABSTAINED + reason.strip()
        case ScoreFailed(raw=reason) if reason and judged and judged.judge.kind == "imported":
            # The reason of a score that was lost before the log came in.
            text = reason
        case ScoreFailed(error=error):
            text = NO_SCORE + error.strip()
        case None:
            text = NOT_ASKED
    lines = [line for line in (" ".join(line.split()) for line in text.split("\n")) if line]
    # On a line of its own such a line would begin the reason of something else.
    clear = not any(heading(line) or AGENT.fullmatch(line) for line in lines[1:])
    return ("\n" if clear else " ").join(lines)
