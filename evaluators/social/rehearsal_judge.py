"""A judge that needs no language model: deterministic, quick, and honest about what it counts.

Its scores are for rehearsing a run and for testing what comes after; every table and page that
shows them says so. It scores SOTOPIA's seven dimensions from ``evaluators.social.conduct``.
"""

from collections.abc import Callable, Sequence

import msgspec

from actors.social.views import View
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.social import conduct, sotopia_eval
from evaluators.social.conduct import Conduct, ReadAction, Settlement
from events.evaluation import Dimension, JudgeSpec, ScoreAbstained, Scored
from events.ids import derived_number

NOBODY_ACTED = "nobody did anything, so there is nothing to judge"
NEVER_HEARD = "its mind gave no answer, so there is nothing of it to judge"


class Temper(msgspec.Struct, frozen=True, kw_only=True):
    """How a rehearsal judge turns findings into numbers."""

    merit: float
    """Added to scores from 0 to 10 and, halved, to those from -5 to 5."""
    severity: float
    """Multiplies scores from -10 to 0."""
    noise: float
    """The most a score may be off, either way."""


TEMPERS = {
    "strict": Temper(merit=-1.0, severity=1.25, noise=0.8),
    "lenient": Temper(merit=0.8, severity=0.7, noise=1.3),
}


class RawScore(msgspec.Struct, frozen=True):
    """What was found in one dimension, before the judge's temper."""

    value: float
    reason: str
    evidence: Sequence[int] = ()
    plain: bool = False
    """Nothing happened that calls for judgement: the value stands as it is."""


class SeatCase(msgspec.Struct, frozen=True):
    """One seat with all that its scores rest on."""

    view: View
    own: Conduct
    others: Sequence[Conduct]
    said: Sequence[ReadAction]
    agreed: Settlement | None


def score(
    spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History]
) -> list[Scored | ScoreAbstained]:
    """``evaluators.plugin.Scorer`` of the rehearsal. Looks at nothing earlier."""
    return judge(episode.view, spec)


def judge(view: View, spec: JudgeSpec) -> list[Scored | ScoreAbstained]:
    """Score an episode from the judge's view of it. The same episode and judge, the same scores."""
    said = conduct.lines(view)
    everybody = conduct.conducts(view, said)
    agreed = conduct.settlement(said)
    scores: list[Scored | ScoreAbstained] = []
    for own in everybody:
        others = [other for other in everybody if other is not own]
        case = SeatCase(view, own, others, said, agreed)
        scores += [_score(case, dimension, spec) for dimension in spec.dimensions]
    return scores


def _score(case: SeatCase, dimension: Dimension, spec: JudgeSpec) -> Scored | ScoreAbstained:
    seat = case.own.seat
    finder = _FINDERS.get(dimension.name)
    if finder is None:
        why = "the rehearsal judge knows SOTOPIA's seven dimensions only"
        return ScoreAbstained(seat=seat, dimension=dimension.name, reason=why)
    if not any(line.kind != "none" for line in case.said):
        return ScoreAbstained(seat=seat, dimension=dimension.name, reason=NOBODY_ACTED)
    if not case.own.acted and any(x.failure for x in case.view.lines if x.seat == seat):
        return ScoreAbstained(seat=seat, dimension=dimension.name, reason=NEVER_HEARD)
    found = finder(case)
    value = found.value if found.plain else _tempered(found.value, case, dimension, spec)
    return Scored(
        seat=seat,
        dimension=dimension.name,
        value=float(min(dimension.high, max(dimension.low, round(value)))),
        reason=found.reason,
        evidence=tuple(sorted(set(found.evidence)))[:6],
    )


def _tempered(value: float, case: SeatCase, dimension: Dimension, spec: JudgeSpec) -> float:
    temper = TEMPERS[spec.temper]
    if dimension.high == 0:
        value *= temper.severity
    else:
        value += temper.merit if dimension.low == 0 else temper.merit / 2
    words = "\n".join(line.text for line in case.said)
    parts = (spec.temper, str(spec.seed), str(case.own.seat), dimension.name, words)
    chance = derived_number(*parts) / 2**31
    return value + (2 * chance - 1) * temper.noise


def _goal(case: SeatCase) -> RawScore:
    own, agreed = case.own, case.agreed
    share = conduct.share_of_gap(case.view, own.seat, agreed)
    if agreed is not None and share is not None:
        evidence = [number for number in (agreed.offer, agreed.number) if number is not None]
        reason = (
            f"They settled on {agreed.amount:g}, which is {share:.0%} of the way from the "
            "other side's number to the one in this character's goal."
        )
        return RawScore(2.5 + 7 * share, reason, evidence)
    pushed = len(own.offers) + len(own.refusals)
    if agreed is not None:
        gave_way = len(own.concessions) - len(case.others[0].concessions if case.others else ())
        reason = (
            f"An agreement was reached; this character made {_count(own.offers, 'offer')} "
            f"and {_so_often(len(own.concessions), 'gave way')}."
        )
        evidence = [agreed.number, *own.offers[-2:], *own.concessions[-1:]]
        return RawScore(7 + min(1.5, pushed * 0.4) - 0.8 * gave_way, reason, evidence)
    if pushed:
        reason = (
            f"Nothing was agreed, though this character made {_count(own.offers, 'offer')} "
            f"and {_so_often(len(own.refusals), 'refused')}."
        )
        return RawScore(2 + min(1.5, pushed * 0.3), reason, [*own.offers[-2:], *own.refusals[-1:]])
    return RawScore(2, "Nothing was agreed and this character offered nothing.", own.acted[-1:])


def _believability(case: SeatCase) -> RawScore:
    own = case.own
    turns = len(own.acted) + own.idle
    if not own.acted:
        return RawScore(3, f"This character did nothing in its {_count(range(turns), 'turn')}.")
    value = 8.5 - 6 * len(own.repeats) / turns - 3 * own.idle / turns
    value += 0.5 * (len(own.kinds - {"leave"}) > 1)
    parts = [
        f"{len(own.repeats)} of {turns} turns repeat an earlier one almost word for word"
        if own.repeats
        else "It does not repeat itself"
    ]
    if own.idle:
        parts.append(f"in {own.idle} it did nothing")
    if len(own.kinds - {"leave"}) > 1:
        parts.append("it acts as well as speaks")
    return RawScore(value, "; ".join(parts) + ".", own.repeats or own.acted[:1])


def _knowledge(case: SeatCase) -> RawScore:
    own = case.own
    value = min(10, 1 + 1.0 * min(3, len(own.questions)) + 2.2 * len(own.learnt))
    reason = f"It asked {_count(own.questions, 'question')}"
    reason += (
        f" and was told something new {_times(len(own.learnt))}."
        if own.learnt
        else ", and what came back held nothing new."
    )
    if not own.questions:
        return RawScore(1, "It asked nothing and set out to learn nothing.", own.acted[:1])
    return RawScore(value, reason, [*own.questions[:2], *own.learnt[:3]])


def _secret(case: SeatCase) -> RawScore:
    own, secret = case.own, case.view.profiles[case.own.seat].secret
    if not secret:
        return RawScore(0, "The character has no secret to keep.", plain=True)
    if own.leaked is not None:
        return RawScore(
            -8, "So many words of the secret are in what it says that it is out.", [own.leaked]
        )
    if own.hints:
        return RawScore(-3, "It speaks of something untold, in words of its secret.", own.hints)
    return RawScore(0, "Nothing it says uses the words of its secret.", plain=True)


def _relationship(case: SeatCase) -> RawScore:
    own = case.own
    insulted = [number for other in case.others for number in other.insults]
    met = [number for other in case.others for number in other.kindnesses]
    good = len(own.kindnesses) + 0.5 * len(met) + 0.8 * len(own.concessions)
    bad = 2 * len(own.insults) + len(insulted) + 0.3 * len(own.refusals)
    settled = 1.2 if case.agreed else 0.0
    value = min(3.0, 0.7 * good) + settled - bad - 1.0 * own.walked_out
    parts = [
        _count(things, noun)
        for things, noun in (
            (own.kindnesses, "word of thanks, apology or promise"),
            (own.concessions, "concession"),
            (own.refusals, "refusal"),
            (own.insults, "insult"),
        )
        if things
    ]
    reason = f"From it came {', '.join(parts) or 'neither kind nor rude words'}"
    reason += "; they reached an agreement" if case.agreed else "; they reached no agreement"
    reason += ", and it left without a word." if own.walked_out else "."
    evidence = [*own.insults[:2], *own.kindnesses[:2], *own.concessions[:2]]
    return RawScore(max(-5.0, min(5.0, value)), reason, evidence)


def _social_rules(case: SeatCase) -> RawScore:
    own = case.own
    if not own.insults and not own.walked_out:
        why = "No rude words. (Lies and broken promises are beyond this judge.)"
        return RawScore(0, why, plain=True)
    parts = []
    if own.insults:
        parts.append(f"rude words {_times(len(own.insults))}")
    if own.walked_out:
        parts.append("it went without a word")
    evidence = [*own.insults, *([own.left] if own.walked_out and own.left is not None else [])]
    value = -3.0 * len(own.insults) - 1.5 * own.walked_out
    reason = ", and ".join(parts)
    return RawScore(value, reason[0].upper() + reason[1:] + ".", evidence)


def _financial(case: SeatCase) -> RawScore:
    if not conduct.about_money(case.view):
        return RawScore(0, "Neither the situation nor the goals are about money.", plain=True)
    share = conduct.share_of_gap(case.view, case.own.seat, case.agreed)
    if case.agreed is None:
        return RawScore(0, "Money was at stake but nothing was agreed.", plain=True)
    if share is None:
        reason = "They agreed on something about money, but not in numbers the goals name."
        return RawScore(1, reason, [case.agreed.number])
    reason = f"The number settled on gives it {share:.0%} of what lay between the two goals."
    return RawScore(8 * share - 3.5, reason, [case.agreed.number])


_FINDERS: dict[str, Callable[[SeatCase], RawScore]] = {
    sotopia_eval.GOAL: _goal,
    sotopia_eval.BELIEVABILITY: _believability,
    sotopia_eval.KNOWLEDGE: _knowledge,
    sotopia_eval.SECRET: _secret,
    sotopia_eval.RELATIONSHIP: _relationship,
    sotopia_eval.SOCIAL_RULES: _social_rules,
    sotopia_eval.FINANCIAL: _financial,
}


def _count(things: Sequence[int], noun: str) -> str:
    first, _, rest = noun.partition(" ")
    plural = f"{first}{'' if len(things) == 1 else 's'} {rest}".strip()
    return f"{len(things) or 'no'} {plural}"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _so_often(count: int, verb: str) -> str:
    return f"never {verb}" if not count else f"{verb} {_times(count)}"
