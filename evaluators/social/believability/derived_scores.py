"""The figures that are worked out from the other nine, put beside them."""

from collections.abc import Mapping

from evaluators.judges.judge_answer import Outcome, Outcomes
from evaluators.social.believability.checkpoints import PENALTY, Checkpoints
from evaluators.social.sotopia_eval import BELIEVABILITY
from events.evaluation import Dimension, ScoreAbstained, Scored, ScoreFailed


def with_extended(found: Mapping[tuple[int, str], Outcome], rubric: Checkpoints) -> Outcomes:
    """All outcomes seat by seat in the rubric's order, with what is worked out for each seat.

    Where one of the nine is missing that is missing, too: failed if one of them failed, else
    declined.
    """
    whole: Outcomes = {}
    for seat in dict.fromkeys(seat for seat, _ in found):
        nine = {d.name: found[seat, d.name] for d in rubric.asked}
        whole |= {(seat, name): outcome for name, outcome in nine.items()}
        for dimension in rubric.worked_out:
            whole[seat, dimension.name] = _extended(seat, dimension, nine, rubric)
    return whole


def _extended(
    seat: int, dimension: Dimension, nine: Mapping[str, Outcome], rubric: Checkpoints
) -> Outcome:
    values = {name: o.value for name, o in nine.items() if isinstance(o, Scored)}
    value = rubric.value(dimension, values)
    if value is None:
        missing = ", ".join(name for name in nine if name not in values)
        why = f"cannot be worked out without {missing}"
        if any(isinstance(outcome, ScoreFailed) for outcome in nine.values()):
            return ScoreFailed(seat=seat, dimension=dimension.name, error=why)
        return ScoreAbstained(seat=seat, dimension=dimension.name, reason=why)
    failed, score = rubric.failed(values), values[BELIEVABILITY]
    taken = f" less {PENALTY:g} for each of {', '.join(failed)}" if failed else ""
    if score - PENALTY * len(failed) < value:
        taken += f", but not below {dimension.low:g}"
    evidence = {n for name in failed for n in getattr(nine[name], "evidence", ())}
    return Scored(
        seat=seat,
        dimension=dimension.name,
        value=value,
        reason=f"Believability {score:g}{taken}.",
        evidence=tuple(sorted(evidence)),
    )
