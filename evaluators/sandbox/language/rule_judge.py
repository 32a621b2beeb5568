"""The judge of kind ``rule``: conditions by keywords, times to the hour and places, by the words
alone (``docs/explanation/sandbox-talk.md`` says what it cannot tell)."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from evaluators.judges.judge_answer import Outcome, Outcomes
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.sandbox.language import clock_times, keyword_cues
from evaluators.sandbox.language.conditions import NOWHERE, Condition
from evaluators.sandbox.language.outcomes import (
    SUBJECT,
    asked_of,
    scored,
    settled,
    with_rates,
)
from evaluators.sandbox.language.talks import PERFORMER, CaseTalk, Line, talk_of
from events.evaluation import JudgeSpec

_AGREED: Final = re.compile(r"\bagreed\b(?! on anything)", re.IGNORECASE)


class ConditionVerdict(NamedTuple):
    """Whether a condition is met, and by which lines."""

    met: bool
    reason: str
    lines: tuple[Line, ...] = ()


def score(spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]) -> Sequence[Outcome]:
    """``evaluators.plugin.Scorer``; nothing of an episode that is no case."""
    del past
    talk = talk_of(episode.events)
    return () if talk is None else list(judge(spec, talk).values())


def judge(spec: JudgeSpec, talk: CaseTalk) -> Outcomes:
    conditions = asked_of(spec, talk)
    found = settled(conditions, talk)
    for one in conditions:
        if (SUBJECT, one.dimension) in found:
            continue
        finding = _find(one, talk)
        found[SUBJECT, one.dimension] = scored(
            one,
            met=finding.met,
            reason=finding.reason,
            evidence=tuple(line.number for line in finding.lines),
            quotes=tuple(line.text for line in finding.lines),
        )
    ordered = {(SUBJECT, one.dimension): found[SUBJECT, one.dimension] for one in conditions}
    return with_rates(conditions, ordered)


def _find(condition: Condition, talk: CaseTalk) -> ConditionVerdict:
    if condition.part == "summary":
        assert talk.summary is not None, "it is settled where there is none"
        return _in_summary(condition, talk, talk.summary)
    if condition.what == "asked":
        return _asked(condition, talk)
    names = _naming(condition, talk)
    if condition.agreed:
        return _agreed(talk.lines, names)
    return _named(_of(talk, PERFORMER), names)


Names = Callable[[Line], frozenset[Any]]
"""What of a kind a line names: hours, or places."""


def _named(lines: Sequence[Line], names: Names) -> ConditionVerdict:
    found = next((line for line in lines if names(line)), None)
    if found is None:
        return ConditionVerdict(False, "No line names it.")
    return ConditionVerdict(True, "It is named.", (found,))


def _asked(condition: Condition, talk: CaseTalk) -> ConditionVerdict:
    spoken = _of(talk, PERFORMER)
    named = next(
        (line for line in spoken if keyword_cues.names_thing(line.text, condition.goal)), None
    )
    asking = [line for line in spoken if keyword_cues.asks(line.text)]
    if talk.case.task.kind == "help":
        named = _told_to(condition, talk, spoken)
    if named is None:
        return ConditionVerdict(False, "The performer does not name it.")
    if not asking:
        return ConditionVerdict(False, "The performer asks for nothing.")
    if named in asking:
        return ConditionVerdict(True, "The performer asks, naming it.", (named,))
    both = tuple(sorted({named, asking[0]}))
    return ConditionVerdict(True, "The performer names it, and asks.", both)


def _told_to(condition: Condition, talk: CaseTalk, spoken: Sequence[Line]) -> Line | None:
    """The line that holds the goal's verb, once what it is about has been named."""
    place = talk.case.task.goals.index(condition.goal)
    known = False
    for line in spoken:
        known = known or keyword_cues.names_object(line.text, condition.goal)
        if known and keyword_cues.tells_to(line.text, condition.goal, place):
            return line
    return None


def _agreed(lines: Sequence[Line], names: Names) -> ConditionVerdict:
    """The last proposal that the other took up, by consenting or saying it again, unless somebody
    declined thereafter."""
    found: tuple[Line, ...] = ()
    proposed = False
    for place, line in enumerate(lines):
        if found and line != found[-1] and keyword_cues.declines(line.text):
            found = ()
        named = names(line)
        if not named:
            continue
        proposed = True
        answer = next((one for one in lines[place + 1 :] if one.seat != line.seat), None)
        if answer is None or keyword_cues.declines(answer.text):
            continue
        if keyword_cues.consents(answer.text) or named & names(answer):
            found = (line, answer)
    if found:
        return ConditionVerdict(True, "It is proposed and taken up.", found)
    return ConditionVerdict(
        False, "It is proposed and not taken up." if proposed else "No line names it."
    )


def _in_summary(condition: Condition, talk: CaseTalk, summary: Line) -> ConditionVerdict:
    goal = condition.goal
    if condition.what != "asked":
        if (
            condition.agreed
            and keyword_cues.declines(summary.text)
            and not _AGREED.search(summary.text)
        ):
            return ConditionVerdict(False, "The summary tells that somebody declined.", (summary,))
        return _named([summary], _naming(condition, talk))
    if talk.case.task.kind != "help":
        met = keyword_cues.names_thing(summary.text, goal)
    else:
        place = talk.case.task.goals.index(goal)
        met = keyword_cues.names_object(summary.text, goal) and keyword_cues.tells_to(
            summary.text, goal, place
        )
    if met:
        return ConditionVerdict(True, "The summary names it.", (summary,))
    return ConditionVerdict(False, "The summary does not name it.")


def _naming(condition: Condition, talk: CaseTalk) -> Names:
    """What a line names of the time or the place that a condition is about."""
    goal, case = condition.goal, talk.case
    if condition.what == "place":
        if condition.agreed and not goal.place:
            return lambda line: keyword_cues.places_in(line.text, case.places)
        place, home = goal.place or NOWHERE, case.performer.inhabitant.home

        def places(line: Line) -> frozenset[str]:
            own = home if line.seat == PERFORMER else ""
            return frozenset({place} if keyword_cues.names_place(line.text, place, own) else ())

        return places
    start, today = _moment(goal.start), _moment(case.at)

    def hours(line: Line) -> frozenset[int]:
        found = clock_times.hours_in(line.text)
        if start is None:
            return found
        if condition.what == "date" and today is not None:
            # The day may have been named in another line.
            said = [line] if line == talk.summary else _of(talk, line.seat)
            day = (start.date(), today.date())
            if not any(clock_times.names_day(one.text, *day) for one in said):
                return frozenset()
        return found & {start.hour}

    return hours


def _of(talk: CaseTalk, seat: int) -> list[Line]:
    return [line for line in talk.lines if line.seat == seat]


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
