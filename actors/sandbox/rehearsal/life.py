"""The history of one character, as far as it matters for its next action.

It is built only from the seat's own notices, one after the other, so the same notices always give
the same history.
"""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from actors.sandbox.conversation.partner_address import is_place
from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.daily_life.routine import SLEEPING, DayRoutine, Routine
from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.known_places import Places, wholes
from actors.sandbox.rehearsal.language.interpretation import Heard, Proposal, heard
from actors.sandbox.rehearsal.language.times import DAY, When
from actors.sandbox.rehearsal.records import (
    RememberedNote,
    RememberedTalk,
    Sighting,
    SpokenLine,
    Who,
)
from actors.sandbox.rehearsal.traits import traits_of
from actors.sandbox.views import Did, Notice, Perceived, Said, TalkBegun, TalkDone

_HOURS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"company": (1050, 1080, 1065, 690, 1095), "meeting": (1020, 1065, 1050, 1035, 990)}
)
"""Minutes after midnight at which who may choose asks others to come."""
_QUIET: Final = ("library", "cafe", "café", "green", "park", "reading", "inn", "quay", "square")


class Life:
    """One character's."""

    def __init__(self, who: Who, temper: str) -> None:
        self.who = who
        self.temper = temper
        self.lots = Lots(who.seed, who.seat)
        extra = temper if temper in ("forgetful", "homebody") else ""
        self.traits = traits_of(who.me.innate, f"{who.me.temper} {extra}".strip())
        self.routine = Routine(who.me, self.traits, self.lots)
        self.places = Places(
            who.me.first_name or who.me.id.partition(" ")[0], who.me.home, who.known
        )
        self.planned: dict[int, DayRoutine] = {}
        self.seen: dict[int, Sighting] = {}
        self.talk: RememberedTalk | None = None
        self.talks: Counter[int] = Counter()
        """How many are over, by the day on which they ended."""
        self.engagements: list[Engagement] = []
        self.own: Engagement | None = None
        self.asked: dict[int, str] = {}
        """Whom I spoke to about my aim, and what they said: ``yes``, ``no``; empty: nothing."""
        self.avoid: set[str] = set()
        """Places that could not be reached."""
        self.notes: list[RememberedNote] = []
        self.asleep = False
        """Whether what I do is to sleep."""
        self.arena = who.me.home
        """Where I am, or go."""
        if who.aim is not None:
            self._take_up(who.aim)

    def _take_up(self, aim: Proposal) -> None:
        """One's own aim. Who is organized sets hour and place where they are left open."""
        own = Engagement(aim, self.who.seat, self.who.names[self.who.seat], own=True)
        self.own = own
        self.engagements.append(own)
        if own.kind not in _HOURS or not (self.organized or self.lots.hit(0.75, "idea")):
            return
        own.settle(When(None, self.lots.one(_HOURS[own.kind], "hour")), "")
        if own.kind == "meeting" and not own.where:
            own.where = self._quiet_place()

    def _quiet_place(self) -> str:
        """Somewhere that everybody knows, to meet at; who knows no such place asks others home."""
        public = self.places.out(*_QUIET) or self.places.public() or (self.places.home,)
        names = self.lots.one(sorted({wholes(one)[1] for one in public}), "quiet").split(":")
        return f"the {names[2]} of {names[1]}" if len(names) > 2 else names[-1]

    @property
    def organized(self) -> bool:
        """Whether it has a plan for its aim and a checklist (STSS, section 4)."""
        return self.temper == "ga+tdp" and self.who.aim is not None

    def moment(self, at: int) -> int:
        """The moment of a step."""
        return self.who.start + at * self.who.step_s // 60

    def first(self, seat: int) -> str:
        """A first name."""
        return self.who.names[seat].partition(" ")[0]

    def day(self, moment: int) -> DayRoutine:
        """The day of a moment, as it was planned when it began."""
        number = moment // DAY - self.who.start // DAY
        day = self.planned.get(number)
        if day is None:
            day = self.planned[number] = self.routine.day(number, self.places)
        return day

    # ------------------------------------------------------------ what happens

    def take(self, notice: Notice) -> None:
        """Something happens that one notices."""
        match notice:
            case Did():
                self._did(notice)
            case Perceived(seen=seen, learned=learned):
                moment = self.moment(notice.at)
                self.day(moment)
                for one in seen:
                    self.seen[one.seat] = Sighting(moment, one.address, one.text)
                if learned:
                    self.places.learn(learned)
            case TalkBegun(seats=seats):
                self.talk = RememberedTalk(self._partner(seats))
            case Said():
                self.hear(notice.at, notice.seat, notice.to, notice.text)
            case TalkDone(seats=seats):
                moment = self.moment(notice.at)
                self._remember_talk(moment, self._partner(seats), notice.about)
                self.talks[moment // DAY] += 1
                self.talk = None

    def _partner(self, seats: tuple[int, int]) -> int:
        return seats[1] if seats[0] == self.who.seat else seats[0]

    def _did(self, did: Did) -> None:
        moment = self.moment(did.at)
        self.day(moment)
        self.asleep = did.text == SLEEPING
        if is_place(did.address):
            if did.fault:
                self.avoid.add(did.address)
            else:
                self.arena = wholes(did.address)[1]
        for engagement in self.engagements:
            engagement.began(did.text, self.moment(did.until))

    # ------------------------------------------------------------ what is said

    def hear(self, at: int, speaker: int, to: int, text: str) -> None:
        """An utterance of a talk of one's own."""
        moment, mine = self.moment(at), speaker == self.who.seat
        talk = self.talk
        if talk is None:
            # In a case nobody says that a talk begins.
            talk = self.talk = RememberedTalk(self._partner((speaker, to)))
        told = heard(text, moment // DAY)
        talk.add(SpokenLine(mine, text, told))
        if told.proposal is not None:
            self._proposed(talk, told.proposal, moment, mine=mine)
        elif mine:
            self._said(talk, told)
        else:
            self._told(talk, told)

    def _proposed(
        self, talk: RememberedTalk, proposal: Proposal, moment: int, *, mine: bool
    ) -> None:
        known = next((one for one in self.engagements if one.same(proposal)), None)
        if mine:
            talk.mine, talk.replied = known, ""
            if known is not None:
                known.told.add(talk.partner)
                if known is self.own:
                    self.asked.setdefault(talk.partner, "")
            return
        if known is None:
            host = self._host(proposal.names, talk.partner)
            known = Engagement(proposal, host, self.who.names[host])
            known.made, known.number = moment, len(self.engagements)
            known.told.add(host)
            self.engagements.append(known)
        else:
            known.settle(proposal.when, proposal.where)
        known.told.add(talk.partner)
        if known is self.own:
            # Somebody who tells me of it has heard of it, and means to come.
            self.asked[talk.partner] = "yes"
            known.coming.add(talk.partner)
            return
        talk.theirs, talk.answered = known, ""

    def _host(self, words: str, partner: int) -> int:
        """Whose something is: of another whom the words name, else of the partner."""
        others = (seat for seat in range(len(self.who.names)) if seat != self.who.seat)
        named = (seat for seat in others if self.first(seat) in words)
        return next(named, partner) if words else partner

    def _said(self, talk: RememberedTalk, told: Heard) -> None:
        """What I say changes what I am bound to."""
        theirs = talk.theirs
        if theirs is not None and not talk.answered:
            if told.asks:
                talk.asked = True
            elif told.yes or told.no:
                talk.answered = "yes" if told.yes else "no"
                theirs.accepted = told.yes
        elif talk.replied:
            talk.thanked = True

    def _told(self, talk: RememberedTalk, told: Heard) -> None:
        """What the partner says changes what I count on."""
        mine = talk.mine
        if mine is not None and not (talk.replied or told.asks) and (told.yes or told.no):
            talk.replied = "yes" if told.yes else "no"
            if mine is self.own:
                self.asked[talk.partner] = talk.replied
            if told.yes:
                mine.coming.add(talk.partner)
        if talk.theirs is not None:
            talk.theirs.settle(told.when, told.where)

    def _remember_talk(self, moment: int, partner: int, about: str) -> None:
        talk, name = self.talk, self.who.names[partner]
        if talk is None or not talk.lines:
            return
        engagement, importance = talk.theirs or talk.mine, 7.0
        if engagement is None:
            text = f"{name} and I talked about {about}." if about else f"{name} and I had a chat."
            importance = 4.0 if len(talk.lines) > 4 else 2.0
        elif engagement is talk.theirs:
            answer = talk.answered or "nothing yet"
            text = f"{name} told me of {engagement.in_words(moment // DAY)}; I said {answer}."
        else:
            answer = f"{self.first(partner)} said {talk.replied or 'nothing yet'}"
            text = f"I told {name} of {engagement.in_words(moment // DAY)}; {answer}."
        self.notes.append(RememberedNote(moment, text, importance, name))
