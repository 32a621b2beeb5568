"""Plans a day: wake-up hour, broad strokes, then hours (Generative Agents, section 4.3)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from actors.minds.generative import questions
from actors.minds.generative.answers import ClockAnswer, DayAnswer, Short
from actors.minds.generative.decision import DecisionProcess, Unconcluded, asked_together
from actors.minds.generative.schedule import DAY, clock, day_of, minute_of
from events.thoughts import DayPlanned, StatusRevised

PASSES: Final = 3
"""How often the hours are asked for where they are too much alike, at most."""
UNLIKE: Final = 5
"""Different activities that a day of hours should have."""


def minute_now(now: datetime) -> int:
    """Minutes since midnight."""
    return 60 * now.hour + now.minute


def day_now(thinking: DecisionProcess) -> int:
    """0 on the first day of the episode."""
    now = thinking.situation.now
    assert now is not None
    begun = now - timedelta(seconds=thinking.at)
    return (now.date() - begun.date()).days


async def plan_day(thinking: DecisionProcess) -> DayPlanned:
    """The plan of today; a later day begins with what one is about. Raises ``Unconcluded``."""
    later = bool(thinking.state.days)
    duties: tuple[str, ...] = ()
    if later:
        duties = await _revise(thinking)
    if thinking.lean:
        plan = await _at_once(thinking)
    else:
        plan = await _step_by_step(thinking, duties)
    thinking.conclude(plan)
    return plan


async def _revise(thinking: DecisionProcess) -> tuple[str, ...]:
    """What it is about, anew from memory; what the day must hold, where that is asked for too."""
    persona, now = thinking.persona, thinking.situation.now
    assert now is not None
    memories = await thinking.retrieve(
        [
            f"what {persona.name} has planned and agreed for {now:%A %d %B}",
            f"what has mattered lately in the life of {persona.name}",
        ]
    )
    words: dict[str, object] = {"now": now, "memories": thinking.shown(memories), "notes": []}
    duties: tuple[str, ...] = ()
    try:
        if not thinking.lean:
            news, mood = await asked_together(
                thinking, ((questions.NEWS, words), (questions.MOOD, words))
            )
            words = {**words, "notes": [news.text, mood.text]}
        revised = await thinking.ask(questions.REVISED, words)
        thinking.conclude(StatusRevised(currently=revised.text))
        if not thinking.lean:
            duties = (await thinking.ask(questions.DUTIES, words)).plan
    except Unconcluded as why:
        thinking.fell_back("currently", why, "it is about what it was about the day before")
    return duties


def _words(thinking: DecisionProcess) -> dict[str, object]:
    task, now = thinking.state.task, thinking.situation.now
    reminder = task.reminder if task is not None and not thinking.state.days else ""
    rooms = thinking.rooms()
    return {"now": now, "aim": thinking.aim, "reminder": reminder, "rooms": rooms}


async def _at_once(thinking: DecisionProcess) -> DayPlanned:
    """All in one call."""
    answer = await thinking.ask(questions.DAY, _words(thinking), _day_fault)
    wake = _minute(answer.wake)
    begun = [(_minute(hour.start), hour.activity) for hour in answer.hours]
    return DayPlanned(
        day=day_now(thinking), wake=wake, plan=answer.plan, schedule=day_of(wake, begun)
    )


async def _step_by_step(thinking: DecisionProcess, duties: tuple[str, ...]) -> DayPlanned:
    """A call for the waking hour, one for the day, one for each hour awake (published)."""
    words = _words(thinking)
    wake = _minute((await thinking.ask(questions.WAKE, words, _wake_fault)).time)
    plan = duties or (await thinking.ask(questions.BROAD, {**words, "wake": clock(wake)})).plan
    hours = range(wake // 60, 24)
    best: list[tuple[int, str]] = []
    for attempt in range(PASSES):
        begun: list[tuple[int, str]] = []
        for hour in hours:
            told = {
                **words,
                "plan": plan,
                "hour": clock(60 * hour),
                "before": [(clock(start), text) for start, text in begun],
                # Else the same would be asked, and answered the same where nothing is left to
                # chance.
                "unlike": attempt > 0,
            }
            answer = await thinking.ask(questions.HOUR, told, _hour_fault)
            begun.append((60 * hour, answer.text))
        if attempt == 0 or _different(begun) > _different(best):
            best = begun
        if _different(best) >= min(UNLIKE, len(hours)):
            break
    return DayPlanned(day=day_now(thinking), wake=wake, plan=plan, schedule=day_of(wake, best))


def _different(begun: Sequence[tuple[int, str]]) -> int:
    return len({text for _, text in begun})


def _minute(text: str) -> int:
    minute = minute_of(text)
    assert minute is not None, "the answer was checked"
    return minute


def _day_fault(answer: DayAnswer) -> list[str]:
    times = [answer.wake, *(hour.start for hour in answer.hours)]
    problems = [fault for text in times for fault in _time_fault(text)]
    if not problems and _minute(answer.wake) >= DAY:
        problems = ["wake must be before midnight"]
    problems += doing_fault(*(hour.activity for hour in answer.hours))
    return problems[:4]


def _hour_fault(answer: Short) -> list[str]:
    return doing_fault(answer.text)


def doing_fault(*texts: str) -> list[str]:
    """What is wrong with words for what is done: whoever does that would be refused."""
    problems = ["write no @ in what is done"] if any("@" in text for text in texts) else []
    if not all(text.strip() for text in texts):
        problems.append("say what is done; blanks say nothing")
    return problems


def _wake_fault(answer: ClockAnswer) -> list[str]:
    if minute_of(answer.time) == DAY:
        return ["the time must be before midnight"]
    return _time_fault(answer.time)


def _time_fault(text: str) -> list[str]:
    if minute_of(text) is not None:
        return []
    return [f"{text!r} is no time of day; write it as 07:30 or 19:00"]
