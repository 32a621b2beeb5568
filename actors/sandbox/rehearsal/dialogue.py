"""What somebody says in a talk: greetings, what they are about, invitations, answers."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.daily_life.pastimes import deed
from actors.sandbox.rehearsal.engagements import Engagement, moment_of
from actors.sandbox.rehearsal.language.grammar import capital
from actors.sandbox.rehearsal.language.interpretation import Heard
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.proposals import (
    at_place,
    at_where,
    errand_for,
    on_when,
    put,
)
from actors.sandbox.rehearsal.records import RememberedTalk
from actors.sandbox.rehearsal.traits import Traits
from actors.sandbox.setup import Say

_ENOUGH: Final = 6
"""Utterances of one's own after which nobody begins anything new."""


class Speaking:
    """One utterance in the making."""

    __slots__ = ("_about", "_life", "_moment", "_mood", "_of", "_said", "_talk", "_you")

    def __init__(self, life: Life, talk: RememberedTalk, moment: int) -> None:
        self._life, self._talk, self._moment = life, talk, moment
        self._mood = mood_of(life.traits)
        self._of = (moment // DAY, talk.partner, talk.own)
        self._said = talk.said()
        self._you = life.first(talk.partner)
        self._about = ""

    def say(self, left: int) -> Say:
        """What is said now; ``left``: how many utterances one still has, this one among them."""
        talk, last = self._talk, self._talk.last
        greeting = "" if talk.own else self._greeting()
        reply = self._reply(last) if last is not None else ""
        rest, ends = "", False
        if last is not None and "bye" in last.intents and last.proposal is None:
            rest, ends = "" if reply else self._line("bye_back"), True
        elif not self._waits(reply):
            rest = self._begin() if left > 1 and talk.own < _ENOUGH else ""
            if not rest:
                rest, ends = self._line("bye"), last is not None and "bye" in last.intents
        engagement = talk.mine or talk.theirs
        about = self._about or (engagement.name if engagement else "")
        text = " ".join(filter(None, (greeting, reply, rest)))
        return Say(text=text[:1900] or "…", ends=ends or left <= 1, about=about[:150])

    def _line(self, act: str, mood: str = "", **slots: str) -> str:
        slots.setdefault("you", self._you)
        return line(act, mood or self._mood, self._life.lots, self._of, self._said, **slots)

    def _waits(self, reply: str) -> bool:
        """Whether a reply wants an answer before anything else is said."""
        talk = self._talk
        open_ = (talk.theirs and not talk.answered) or (
            talk.mine and not talk.replied and talk.own < _ENOUGH
        )
        if not reply or reply.endswith("?") or open_:
            return bool(reply)
        errand = talk.mine or errand_for(self._life, talk.partner, self._moment)
        told = bool(self._about) or len(reply) > 45
        return told and (talk.mine is not None or errand is None)

    def _greeting(self) -> str:
        hour = self._moment % DAY // 60
        hello = (
            "Good morning" if 4 <= hour < 12 else "Good afternoon" if hour < 18 else "Good evening"
        )
        if self._life.lots.hit(0.35, "hello", *self._of):
            hello = "Hello"
        act = "greet_back" if self._talk.last is not None else "greet"
        return self._line(act, hello=hello, hello_low=hello[0].lower() + hello[1:])

    # ------------------------------------------------------------ answering

    def _reply(self, last: Heard) -> str:
        talk = self._talk
        mine, theirs = talk.mine, talk.theirs
        if theirs is not None and not talk.answered:
            return self._answer(theirs)
        if mine is not None and last.asks:
            return self._details(mine)
        if mine is not None and talk.replied and not talk.thanked:
            return self._thanks(mine)
        return "" if theirs is not None or "bye" in last.intents else self._react(last)

    def _react(self, last: Heard) -> str:
        words = next(one.text for one in reversed(self._talk.lines) if not one.mine)
        if "matter" in last.intents:
            return self._own_matter()
        if "weather" in last.intents:
            return self._line("weather_back")
        if words.endswith("?"):
            return self._line("some_answer")
        return self._line("react") if self._talk.own or len(words) >= 40 else ""

    def _own_matter(self) -> str:
        """What one is about at one's work, or what comes up there."""
        life = self._life
        job, before = life.routine.occupation, self._talk.said(mine=True)
        does = deed(life.lots.one(job.do, "project", *self._of)).text
        pool = [one for one in job.says if one not in self._said]
        if does not in before and (not pool or life.lots.hit(0.5, "project", *self._of)):
            self._about = self._about or does
            return self._line("project", does=does)
        self._about = self._about or "the day's work"
        return life.lots.one(pool, "says", *self._of) if pool else self._line("react")

    def _answer(self, theirs: Engagement) -> str:
        asks = open_questions(self._talk, theirs, self._life)
        if asks:
            return self._line("ask_open", asks)
        why = refusal(self._life, theirs)
        if why:
            return self._line(f"decline_{why}")
        if theirs.kind == "help":
            step = theirs.steps[0]
            said = f"{step.act}{at_place(step.place)}{on_when(theirs, self._moment)}"
            return self._line("accept_help", echo=f"{capital(said)}.")
        said = f"{at_where(theirs).removeprefix(' at ')},{on_when(theirs, self._moment)}"
        said = said.strip(" ,")
        if not said and not theirs.online:
            return self._line("accept_open", "any")
        return self._line("accept", echo=f"{capital(said)}." if said else "")

    def _details(self, mine: Engagement) -> str:
        """All that is known of when and where."""
        known = f"{on_when(mine, self._moment)},{at_where(mine)}".strip(" ,")
        return self._line("details", "any" if known else "unknown", known=known)

    def _thanks(self, mine: Engagement) -> str:
        if self._talk.replied == "no":
            return self._line("thanks_no")
        spread = mine is self._life.own and self._life.organized and mine.kind != "meeting"
        spread = spread and mine.kind != "help" and self._mood != "gruff"
        return self._line("thanks_yes", "spread" if spread else "")

    # ------------------------------------------------------------ beginning something

    def _begin(self) -> str:
        talk, life = self._talk, self._life
        if talk.mine is None:
            errand = errand_for(life, talk.partner, self._moment)
            if errand is not None:
                return put(life, errand, self._moment, talk.partner, self._line)
        if talk.mine is not None or talk.theirs is not None:
            return ""
        topics = 1 + round(2.4 * life.traits.sociable) - life.traits.gruff
        if talk.own >= topics + (talk.lines[0].mine if talk.lines else 1):
            return ""
        seen = life.seen.get(talk.partner)
        chance = life.lots.part("topic", *self._of)
        if not talk.lines and seen and "convers" not in seen.text and chance < 0.4:
            return self._line("doing", does=seen.text)
        if chance < 0.6 and "up to" not in self._said and "busy" not in self._said:
            return self._line("ask_about")
        if chance < 0.7:
            self._about = self._about or "the weather"
            return self._line("weather")
        return self._own_matter()


_APART: Final = 90
"""Minutes within which nobody is in two places."""
_LIKED: Final = {"gathering": 0.0, "meeting": 0.08, "help": -0.08, "company": -0.02}
"""How much readier one is for things of a kind."""


def open_questions(talk: RememberedTalk, one: Engagement, life: Life) -> str:
    """What one asks before one answers: ``when``, ``where``, ``when_where``; empty: nothing."""
    if one.accepted or one.kind == "help" or talk.asked:
        return ""
    open_ = "when" if one.when.minute is None else ""
    if not one.where and not one.online:
        open_ += "_where" if open_ else "where"
    keen = life.lots.hit(0.1 + 0.55 * life.traits.curious, "curious", one.number)
    return open_ if keen else ""


def refusal(life: Life, one: Engagement) -> str:
    """Why one says no: ``promised``, ``asleep``, ``busy``, ``wish``; empty: one says yes."""
    traits, lots, routine = life.traits, life.lots, life.routine
    at = moment_of(one, lots) if one.when.minute is not None else None
    if one.accepted:
        return ""
    if at is not None:
        minute = at % DAY
        if any(_clash(life, other, at) for other in life.engagements if other is not one):
            return "promised"
        if not routine.habits.wake <= minute <= routine.habits.bed - 30:
            return "asleep"
        starts, ends = routine.hours
        at_work = starts - 10 < minute < ends - 15 and not routine.works_at_home
        if at_work and not lots.hit(0.3 + 0.5 * traits.lively, "leave", one.number):
            return "busy"
    likes = 0.21 + 0.54 * traits.agreeable + _LIKED[one.kind]
    likes += 0.15 * (traits.lively - 0.5) if one.kind == "gathering" else 0.0
    return "" if lots.hit(likes, "agree", one.number, one.what) else "wish"


def _clash(life: Life, other: Engagement, at: int) -> bool:
    when = moment_of(other, life.lots) if other.accepted and not other.own else None
    return when is not None and abs(when - at) < _APART


_FILE: Final = Path(__file__).parent / "phrases.toml"


@cache
def phrases() -> dict[str, dict[str, tuple[str, ...]]]:
    """By what they do and by how they are put."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {act: {mood: tuple(lines) for mood, lines in one.items()} for act, one in data.items()}


def mood_of(traits: Traits) -> str:
    """How somebody puts things: ``warm``, ``plain`` or ``gruff``."""
    return "gruff" if traits.gruff else "warm" if traits.warm else "plain"


def line(
    act: str, mood: str, lots: Lots, of: tuple[object, ...], said: str, /, **slots: str
) -> str:
    """One of the lines for what is done, filled in; if there is one, one that does not begin as
    anything ``said`` before."""
    moods = phrases()[act]
    pool = moods.get(mood) or moods.get("plain") or moods["any"]
    start = lots.number(act, *of)
    turns = (pool[(start + turn) % len(pool)] for turn in range(len(pool)))
    text = next((one for one in turns if _core(one) not in said), pool[start % len(pool)])
    for name, value in slots.items():
        text = text.replace(f"{{{name}}}", value)
    return " ".join(text.split())


@cache
def _core(template: str) -> str:
    """By what a line is known, whatever is filled in."""
    return max(template.replace("}", "{").split("{")[::2], key=len).strip()
