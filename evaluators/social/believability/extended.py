"""The score that is worked out from the other nine, put beside them."""

from collections.abc import Mapping

from evaluators.judge_answer import Outcome, Outcomes
from evaluators.social.believability import rubric
from events.evaluation import ScoreAbstained, Scored, ScoreFailed


def with_extended(found: Mapping[tuple[int, str], Outcome]) -> Outcomes:
    """All outcomes seat by seat in the rubric's order, with believability extended for each seat.

    Where one of the nine is missing it is missing, too: failed if one of them failed, else
    declined.
    """
    whole: Outcomes = {}
    for seat in dict.fromkeys(seat for seat, _ in found):
        nine = {d.name: found[seat, d.name] for d in rubric.ASKED}
        whole |= {(seat, name): outcome for name, outcome in nine.items()}
        whole[seat, rubric.EXTENDED] = _extended(seat, nine)
    return whole


def _extended(seat: int, nine: Mapping[str, Outcome]) -> Outcome:
    values = {name: o.value for name, o in nine.items() if isinstance(o, Scored)}
    value = rubric.extended(values)
    if value is None:
        missing = ", ".join(name for name in nine if name not in values)
        why = f"cannot be worked out without {missing}"
        if any(isinstance(outcome, ScoreFailed) for outcome in nine.values()):
            return ScoreFailed(seat=seat, dimension=rubric.EXTENDED, error=why)
        return ScoreAbstained(seat=seat, dimension=rubric.EXTENDED, reason=why)
    failed = [c.name for c in rubric.CHECKPOINTS if values[c.name] == 0]
    taken = f" less {rubric.PENALTY:g} for each of {', '.join(failed)}" if failed else ""
    evidence = {n for name in failed for n in getattr(nine[name], "evidence", ())}
    return Scored(
        seat=seat,
        dimension=rubric.EXTENDED,
        value=value,
        reason=f"Believability {values[rubric.BELIEVABILITY]:g}{taken}.",
        evidence=tuple(sorted(evidence)),
    )
