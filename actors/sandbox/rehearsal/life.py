"""The history of one character, as far as it matters for its next action.

It is built only from the seat's own notices, one after the other, so the same notices always give
the same history.
"""

from collections import Counter
from typing import Final

from actors.sandbox.conversation.partner_address import is_place
from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.daily_life.pursuits import pursuits_of
from actors.sandbox.rehearsal.daily_life.routine import SLEEPING, DayRoutine, Routine
from actors.sandbox.rehearsal.engagements import Engagement, engagement_of, own_engagement
from actors.sandbox.rehearsal.language.interpretation import Heard, Proposal, heard
from actors.sandbox.rehearsal.language.times import DAY, When
from actors.sandbox.rehearsal.places.known_places import Places
from actors.sandbox.rehearsal.places.sectors import parts
from actors.sandbox.rehearsal.records import (
    RememberedNote,
    RememberedTalk,
    Sighting,
    SpokenLine,
    Who,
)
from actors.sandbox.rehearsal.traits import traits_of
from actors.sandbox.views import Did, Notice, Perceived, Said, TalkBegun, TalkDone

STRANGE_WAY: Final = 35
"""Steps that one reckons with to a place to which one has never gone from here."""
GOING: Final = "walking to "
"""How what one does begins while one is on the way: it takes as long as the way."""


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
        self.pursuits: dict[str, str] = {}
        """What others are about, by name, as it was heard."""
        self.wanted: str = ""
        """Where somebody I look for was last seen, as I was told."""
        self.avoid: set[str] = set()
        """Places that could not be reached."""
        self.notes: list[RememberedNote] = []
        self.asleep = False
        """Whether what I do is to sleep."""
        self.last: Did | None = None
        """What I do, or did last; None: nothing yet."""
        self.arena = who.me.home
        """Where I am, or go."""
        self.ways: dict[tuple[str, str], int] = {}
        """How many steps it takes from arena to arena, as far as I have gone there."""
        if who.aim is not None:
            self.own = own_engagement(who.aim, who.seat, who.names, self.organized, self.lots)
            self.engagements.append(self.own)
            if (
                self.own.kind == "meeting"
                and not self.own.where
                and (self.organized or self.lots.hit(0.75, "room"))
            ):
                self.own.where = self._quiet_place()

    def _quiet_place(self) -> str:
        """Somewhere that everybody knows, to meet at."""
        public = self.places.out(
            "library", "cafe", "café", "green", "park", "reading", "inn", "quay", "square"
        )
        pool = sorted({":".join(parts(one)[:3]) for one in public}) or list(self.places.public())
        if not pool:
            # Who knows no place for all asks others home.
            return parts(self.places.home)[1] if ":" in self.places.home else ""
        _, sector, arena = parts(self.lots.one(pool, "quiet"))[:3]
        alone = len(self.places.arenas(f"{parts(pool[0])[0]}:{sector}")) == 1
        return sector if alone else f"the {arena} of {sector}"

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
            case TalkBegun(talk=number, seats=(one, other)):
                self.talk = RememberedTalk(number, other if one == self.who.seat else one)
            case Said():
                self.hear(notice.at, notice.seat, notice.to, notice.text)
            case TalkDone(seats=(one, other)):
                partner = other if one == self.who.seat else one
                self._remember_talk(self.moment(notice.at), partner, notice.about)
                self.talks[self.moment(notice.at) // DAY] += 1
                self.talk = None

    def _did(self, did: Did) -> None:
        moment = self.moment(did.at)
        self.day(moment)
        self.asleep = did.text == SLEEPING
        if did.fault:
            self.avoid.add(did.address)
        elif not is_place(did.address):
            if self.last and self.last.text.startswith(GOING) and did.at < self.last.until:
                # A talk on the way: one is neither here nor there.
                self.arena = ""
        else:
            arena = ":".join(parts(did.address)[:3])
            if did.text.startswith(GOING) and self.arena:
                self.ways[self.arena, arena] = self.ways[arena, self.arena] = did.until - did.at
            self.arena = arena
        if is_place(did.address):
            self.last = did
        for engagement in self.engagements:
            engagement.began(did.text, self.moment(did.until))

    def way(self, address: str) -> int:
        """Minutes that one reckons with to get to a place from where one is."""
        arena = ":".join(parts(address)[:3])
        steps = 0 if arena == self.arena else self.ways.get((self.arena, arena), STRANGE_WAY)
        return -(-steps * self.who.step_s // 60)

    # ------------------------------------------------------------ what is said

    def hear(self, at: int, speaker: int, to: int, text: str) -> None:
        """An utterance of a talk of one's own."""
        moment = self.moment(at)
        talk = self.talk
        if talk is None:
            # In a case nobody says that a talk begins.
            talk = self.talk = RememberedTalk(0, to if speaker == self.who.seat else speaker)
        mine = speaker == self.who.seat
        told = heard(text, moment // DAY)
        talk.add(SpokenLine(mine, text, told))
        if told.proposal is not None:
            self._proposed(talk, told.proposal, mine, moment)
        elif mine:
            self._said(talk, told)
        else:
            self._told(talk, told)
        if told.does is not None and not mine:
            whose = self._seat(told.does[0]) if told.does[0] else talk.partner
            if whose not in (-1, self.who.seat):
                self.pursuits.setdefault(self.first(whose), told.does[1])
        if told.saw is not None and not mine and self.own and told.saw[0] in self.own.what_for:
            self.wanted = self.places.named(f"at {told.saw[1]}")

    def _proposed(self, talk: RememberedTalk, proposal: Proposal, mine: bool, moment: int) -> None:
        known = self._about(proposal)
        if known is not None:
            known.told.add(talk.partner)
        if mine:
            talk.mine, talk.replied, talk.counter = known, "", None
            talk.told.add("errand")
            if known is not None and known is self.own:
                self.asked.setdefault(talk.partner, "")
            return
        if known is not None and known is self.own:
            self.asked[talk.partner] = "yes"
            known.coming.add(talk.partner)
            return
        if known is None:
            host = self._seat(proposal.host) if proposal.host else talk.partner
            known = engagement_of(proposal, host, self._name(proposal.host, talk.partner), moment)
            known.number = len(self.engagements)
            known.told.update((talk.partner, host))
            self.engagements.append(known)
        else:
            known.settle(proposal.when, proposal.where)
        talk.theirs, talk.answered, talk.counter = known, "", None

    def _said(self, talk: RememberedTalk, told: Heard) -> None:
        """What I say changes what I am bound to."""
        if told.asks_for:
            talk.told.add("look")
        theirs, mine = talk.theirs, talk.mine
        if theirs is not None and not talk.answered:
            if told.asks_when or told.asks_where:
                talk.asked = True
            elif told.yes or told.no:
                talk.answered = "yes" if told.yes else "no"
                theirs.accepted, theirs.refused = told.yes, told.no
            elif told.when.minute is not None:
                talk.counter = told.when.minute
        elif mine is not None:
            if talk.counter is not None and told.yes and not talk.replied:
                mine.settle(When(None, talk.counter), "", anew=True)
                self._replied(talk, mine, yes=True)
            elif talk.replied:
                talk.told.add("thanked")

    def _told(self, talk: RememberedTalk, told: Heard) -> None:
        """What the partner says changes what I count on."""
        theirs, mine = talk.theirs, talk.mine
        if mine is not None and not talk.replied:
            if told.asks_when or told.asks_where:
                pass
            elif told.yes or told.no:
                self._replied(talk, mine, yes=told.yes)
            elif told.when.minute is not None and mine.kind == "meeting":
                talk.counter = told.when.minute
        if theirs is not None:
            if talk.counter is not None and told.yes and not talk.answered:
                theirs.settle(When(None, talk.counter), "", anew=True)
                theirs.accepted, talk.answered = True, "yes"
            elif told.when.minute is not None or told.where:
                theirs.settle(told.when, told.where)

    def _replied(self, talk: RememberedTalk, mine: Engagement, yes: bool) -> None:
        talk.replied = "yes" if yes else "no"
        if mine is self.own:
            self.asked[talk.partner] = talk.replied
        if yes:
            mine.coming.add(talk.partner)

    def _about(self, proposal: Proposal) -> Engagement | None:
        """What I know already of what is proposed."""
        return next((one for one in self.engagements if one.same(proposal)), None)

    def _seat(self, name: str) -> int:
        low = name.lower()
        return next(
            (
                seat
                for seat, one in enumerate(self.who.names)
                if one.lower() == low or one.lower().partition(" ")[0] == low
            ),
            -1,
        )

    def _name(self, said: str, partner: int) -> str:
        if not said:
            return self.who.names[partner]
        seat = self._seat(said)
        return self.who.names[seat] if seat >= 0 else said

    # ------------------------------------------------------------ what is kept

    def _remember_talk(self, moment: int, partner: int, about: str) -> None:
        talk, name = self.talk, self.who.names[partner]
        if talk is None or not talk.lines:
            return
        engagement = talk.theirs or talk.mine
        if engagement is None:
            text = f"{name} and I talked about {about}." if about else f"{name} and I had a chat."
            self.notes.append(
                RememberedNote(moment, "talk", text, 2.0 + 2 * (len(talk.lines) > 4), name)
            )
            return
        plan = engagement.in_words(moment // DAY)
        answer = (talk.answered if engagement is talk.theirs else talk.replied) or "nothing yet"
        if engagement is talk.theirs:
            text = f"{name} told me of {plan}; I said {answer}."
        else:
            text = f"I told {name} of {plan}; {self.first(partner)} said {answer}."
        self.notes.append(RememberedNote(moment, "talk", text, 7.0, name))

    def own_pursuits(self) -> tuple[str, ...]:
        """What one is about these days, as a phrase."""
        return pursuits_of(self.who.me.currently)
