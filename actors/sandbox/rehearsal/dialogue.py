"""What somebody says in a talk: greetings, what they are about, invitations, answers."""

import re
from typing import Final

from actors.sandbox.rehearsal.consent import GivenAnswer, answer_to
from actors.sandbox.rehearsal.daily_life.pursuits import own, topic
from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.grammar import capital
from actors.sandbox.rehearsal.language.interpretation import Heard
from actors.sandbox.rehearsal.language.times import DAY, clock
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.phrases import line, mood_of
from actors.sandbox.rehearsal.places.sectors import parts
from actors.sandbox.rehearsal.proposals import errand_for, on_when, put, spoken, wanted
from actors.sandbox.rehearsal.records import RememberedTalk
from actors.sandbox.setup import Say

_WEATHER: Final = re.compile(r"\b(?:sky|wind has|like spring|day for a walk)\b")
_ENOUGH: Final = 6
"""Utterances of one's own after which nobody begins anything new."""


class Speaking:
    """One utterance in the making."""

    __slots__ = (
        "_about",
        "_ends",
        "_life",
        "_moment",
        "_mood",
        "_of",
        "_said",
        "_talk",
        "_told",
        "_you",
    )

    def __init__(self, life: Life, talk: RememberedTalk, moment: int) -> None:
        self._life, self._talk, self._moment = life, talk, moment
        self._mood = mood_of(life.traits)
        self._of = (moment // DAY, talk.partner, talk.own)
        self._said = " ".join(one.text for one in talk.lines)
        self._you = life.first(talk.partner)
        self._about, self._ends, self._told = "", False, False

    def say(self, left: int) -> Say:
        """What is said now; ``left``: how many utterances one still has, this one among them."""
        pieces = list(self._pieces(left))
        text = " ".join(piece for piece in pieces if piece)
        engagement = self._talk.mine or self._talk.theirs
        about = self._about or (engagement.name if engagement else "")
        return Say(text=text[:1900] or "…", ends=self._ends or left <= 1, about=about[:150])

    def _line(self, act: str, mood: str = "", **slots: str) -> str:
        slots.setdefault("you", self._you)
        said = self._said
        return line(act, mood or self._mood, self._life.lots, self._of, said, **slots)

    # ------------------------------------------------------------ the course of a talk

    def _pieces(self, left: int) -> list[str]:
        talk, last = self._talk, self._talk.last
        said = [] if talk.own else [self._greeting(answering=last is not None)]
        if last is not None:
            answer = self._reply(last)
            said += answer
            if last.bye and not last.proposal:
                self._ends = True
                return said if answer else [*said, self._line("bye_back")]
            if answer and (
                self._waits(answer[-1])
                or (not self._errand_open() and (self._told or len(answer[-1]) > 45))
            ):
                return said
        if left > 1 and talk.own < _ENOUGH:
            begun = self._begin(last)
            if begun:
                return [*said, begun]
        self._ends = last is not None and (last.bye or left <= 1)
        return [*said, self._line("bye")]

    def _errand_open(self) -> bool:
        talk = self._talk
        return "errand" not in talk.told and errand_for(self._life, talk, self._moment) is not None

    def _waits(self, text: str) -> bool:
        """Whether what was said wants an answer before anything else."""
        talk = self._talk
        open_ = (talk.theirs is not None and not talk.answered) or (
            talk.mine is not None and not talk.replied and talk.own < _ENOUGH
        )
        return text.endswith("?") or open_

    def _greeting(self, answering: bool) -> str:
        hour = self._moment % DAY // 60
        hello = (
            "Good morning" if 4 <= hour < 12 else "Good afternoon" if hour < 18 else "Good evening"
        )
        if self._life.lots.hit(0.35, "hello", *self._of):
            hello = "Hello"
        low = hello[0].lower() + hello[1:]
        return self._line("greet_back" if answering else "greet", hello=hello, hello_low=low)

    # ------------------------------------------------------------ answering

    def _reply(self, last: Heard) -> list[str]:
        talk, _life = self._talk, self._life
        mine, theirs = talk.mine, talk.theirs
        if theirs is not None and not talk.answered and talk.counter is None:
            return [self._answer(theirs)]
        if theirs is not None and talk.counter is not None and last.yes and not last.bye:
            return [self._line("settled", "any", echo=self._echo(theirs))]
        if mine is not None and not talk.replied and talk.counter is not None:
            return [self._line("agreed", time=capital(clock(talk.counter)))]
        if mine is not None and (last.asks_when or last.asks_where):
            return [self._details(mine, last)]
        if last.asks_for:
            return [self._whereabouts(last.asks_for)]
        if last.saw is not None and "look" in talk.told:
            return [self._line("thanks_saw")]
        if mine is not None and "thanked" not in talk.told and (last.yes or last.no):
            return [self._thanks(mine, last)]
        if last.does is not None or (last.proposal is None and not last.yes and not last.no):
            return self._react(last)
        return []

    def _react(self, last: Heard) -> list[str]:
        words = next(one.text for one in reversed(self._talk.lines) if not one.mine)
        asked = words.endswith("?") and re.search(r"\b(?:up to|busy|with you)\b", words)
        if asked or re.search(r"\b(?:I see|So) you are\b", words):
            return [self._own_matter()]
        if self._talk.theirs is not None and self._talk.answered:
            return []
        if _WEATHER.search(words):
            return [self._line("weather_back")]
        if words.endswith("?") and not last.bye:
            return [self._line("some_answer")]
        if self._talk.own == 0 and len(words) < 40:
            return []
        if last.bye:
            return []
        return [self._line("react")]

    def _own_matter(self) -> str:
        """What one is about, or what comes up at one's work."""
        self._told = True
        talk, life = self._talk, self._life
        talked = tuple(
            one
            for one in life.own_pursuits()
            if own(one) not in " ".join(x.text for x in talk.lines if x.mine)
        )
        if talked and life.lots.hit(0.6, "project", *self._of):
            does = own(life.lots.one(talked, "project", *self._of))
            self._about = self._about or topic(does)
            return self._line("project", does=does)
        before = " ".join(one.text for one in talk.lines)
        pool = [one for one in life.routine.occupation.says if one not in before]
        if not pool:
            return self._line("react")
        self._about = self._about or "the day's work"
        return life.lots.one(pool, "says", *self._of)

    def _answer(self, theirs: Engagement) -> str:
        life = self._life
        answer = answer_to(life, self._talk, theirs)
        echo = self._echo(theirs)
        match answer:
            case GivenAnswer("ask", what):
                return self._line("ask_open", what)
            case GivenAnswer("yes"):
                if theirs.kind == "help":
                    return self._line("accept_help", echo=echo)
                if theirs.when.day is None and theirs.when.minute is None:
                    return (
                        self._line("accept_open", "any")
                        if not theirs.where
                        else self._line("accept", echo=echo)
                    )
                return self._line("accept", echo=echo)
            case GivenAnswer("counter", what):
                return self._line("counter", "any", time=what)
            case GivenAnswer(_, why):
                return self._line(f"decline_{why}")
        raise AssertionError(answer)

    def _echo(self, one: Engagement) -> str:
        """What one has understood, said again."""
        if one.kind == "help":
            first = " ".join(
                filter(
                    None,
                    (one.steps[0].act, f"at {one.steps[0].place}" if one.steps[0].place else ""),
                )
            )
            return capital(first) + on_when(one, self._moment) + "."
        where = spoken(one.where) if not one.online else "online"
        when = on_when(one, self._moment).strip().rstrip(",")
        text = ", ".join(filter(None, (where, when)))
        return f"{capital(text)}." if text else ""

    def _details(self, mine: Engagement, last: Heard) -> str:
        when = (
            on_when(mine, self._moment).strip()
            if last.asks_when or mine.when.minute is not None
            else ""
        )
        where = (
            "online, wherever you are"
            if mine.online
            else f"at {spoken(mine.where)}"
            if mine.where
            else ""
        )
        if not (when or where) or (last.asks_where and not last.asks_when and not where):
            return self._line("details", "unknown")
        return self._line(
            "details",
            "any",
            at_time=when,
            at_place=f"{', ' if when else ''}{where}" if where else "",
        )

    def _thanks(self, mine: Engagement, last: Heard) -> str:
        if last.no:
            return self._line("thanks_no")
        spread = (
            mine is self._life.own
            and self._life.organized
            and mine.kind in ("gathering", "company")
        )
        return self._line("thanks_yes", "spread" if spread and self._mood != "gruff" else "")

    def _whereabouts(self, who: str) -> str:
        life = self._life
        low = who.lower()
        for seat, seen in life.seen.items():
            name = life.who.names[seat].lower()
            if name != low and not name.startswith(f"{low} "):
                continue
            ago = self._ago(seen.moment)
            if ago and (place := self._place_name(seen.address)):
                return self._line("saw", "any", name=life.who.names[seat], where=place, ago=ago)
        return self._line("saw", "not", name=who)

    def _ago(self, moment: int) -> str:
        minutes = self._moment - moment
        if minutes < 20:
            return "just now"
        if minutes < 90:
            return "not an hour ago"
        if moment // DAY == self._moment // DAY:
            return f"around {clock(moment % DAY // 30 * 30)}"
        return "yesterday" if moment // DAY == self._moment // DAY - 1 else ""

    def _place_name(self, address: str) -> str:
        names = parts(address)
        return names[1] if len(names) > 1 and "<" not in address else ""

    # ------------------------------------------------------------ beginning something

    def _begin(self, last: Heard | None) -> str:
        talk, life = self._talk, self._life
        if "errand" not in talk.told and talk.mine is None:
            errand = errand_for(life, talk, self._moment)
            if errand is not None:
                return put(self._life, errand, self._moment, self._of, self._line)
        if wanted(life, talk):
            assert life.own is not None
            self._about = self._about or f"where {life.own.what_for} is"
            return self._line("look_for", name=life.own.what_for)
        if talk.mine is not None or talk.theirs is not None:
            return ""
        topics = 1 + round(2.4 * life.traits.sociable) - (life.traits.gruff)
        if talk.own >= topics + (talk.lines[0].mine if talk.lines else 1):
            return ""
        if not talk.lines:
            seen = life.seen.get(talk.partner)
            if (
                seen
                and seen.text
                and "convers" not in seen.text
                and life.lots.hit(0.4, "doing", *self._of)
            ):
                return self._line("doing", does=seen.text)
        if last is not None and talk.own >= 1 and (news := self._gossip()):
            return news
        chance = life.lots.part("topic", *self._of)
        if chance < 0.3 and not any(
            "up to" in one.text or "busy" in one.text for one in talk.lines
        ):
            return self._line("ask_about")
        if chance < 0.42:
            self._about = self._about or "the weather"
            return self._line("weather")
        return self._own_matter()

    def _gossip(self) -> str:
        life, talk = self._life, self._talk
        known = [
            (name, does)
            for name, does in life.pursuits.items()
            if name not in (self._you, life.first(life.who.seat))
            and does not in " ".join(one.text for one in talk.lines)
        ]
        if not known or not life.lots.hit(0.25 + 0.3 * life.traits.sociable, "gossip", *self._of):
            return ""
        name, does = life.lots.one(known, "gossip", *self._of)
        does = re.sub(r"\bmy\b", "their", does)
        self._about = self._about or f"{name} {does}"
        return self._line("gossip", name=name, does=does)
