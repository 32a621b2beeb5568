"""What a rehearsal mind remembers of a scene: enough to choose, and no more work for a long scene
than for a short one."""

import re
from functools import lru_cache
from typing import NamedTuple

from actors.social.language.utterances import Reading, read, sentences
from actors.social.rehearsal.acquaintance import Acquaintance, acquaintance, remembered, was_said
from actors.social.rehearsal.improvised_parts import improvised_part, improvised_voice
from actors.social.rehearsal.parts import Price, ScriptPart, Voice, voices, written_part
from actors.social.rehearsal.recall import recollections
from actors.social.render import own_label
from actors.social.views import Background, OtherSeat, SeenAction

_FIGURE = re.compile(r"[$€£]?\d[\d,.:]*")
SHORTEST, LONGEST = 6, 18
"""Characters of a sentence that make its opening."""


class HeardUtterance(NamedTuple):
    """Something somebody else said."""

    seat: int
    reading: Reading
    whisper: bool
    text: str


@lru_cache(maxsize=2048)
def openings(text: str) -> tuple[str, ...]:
    """How each sentence of an utterance begins. Two that begin alike would sound repeated, and so
    would two offers that differ in nothing but the figure."""
    return tuple(_opening(sentence.lower()) for sentence in sentences(text))


def _opening(sentence: str) -> str:
    figure = _FIGURE.search(sentence)
    if figure and figure.start() >= SHORTEST:
        return sentence[: min(figure.start(), LONGEST)]
    return _FIGURE.sub("#", sentence)[:LONGEST]


class Notes:
    """Grows with every action the seat notices; ``take`` is the only thing that changes it."""

    __slots__ = (
        "agreed", "background", "confided", "fresh", "gone", "insults", "known", "mine",
        "my_amount", "my_offers", "offered_by", "offers_heard", "others", "part", "refused",
        "remembered", "said_after", "said_here", "sealed", "seat", "settled", "table",
        "table_number", "their_amount", "to_recall", "told_before", "used", "voice",
    )  # fmt: skip

    def __init__(self, background: Background) -> None:
        self.background = background
        self.seat = background.seat
        self.others: dict[int, OtherSeat] = {other.seat: other for other in background.others}
        self.part: ScriptPart = written_part(background.context, self.seat) or improvised_part(
            background.context, background.goal, background.advice
        )
        character = background.character
        self.voice: Voice = voices().get(character.id) or improvised_voice(character.secret)
        self.used: set[str] = set()
        """How every sentence began that anybody has said, and every gesture."""
        self.fresh: list[HeardUtterance] = []
        """What others said since the seat last acted."""
        self.mine = 0
        """Own actions so far."""
        self.my_offers = 0
        self.my_amount: float | None = None
        self.offers_heard = 0
        self.their_amount: float | None = None
        self.table: Reading | None = None
        """The offer that stands."""
        self.table_number: float | None = None
        self.offered_by = -1
        self.agreed: set[int] = set()
        """Who stands by the offer on the table."""
        self.refused = 0
        """How often one of the seat's offers was refused."""
        self.insults = 0
        self.confided: set[int] = set()
        """Who has told the seat something untold."""
        self.gone: set[int] = set()
        self.settled = False
        self.sealed = False
        """Whether somebody has put a hand on it."""
        self.said_after = 0
        """Own actions since all agreed."""
        memory, me = background.memory, own_label(background)
        self.to_recall = recollections(memory, background.goal, me) if memory else ()
        """What the goal says must be remembered, and nobody has said yet."""

        self.remembered = remembered(memory)
        self.known: dict[int, Acquaintance] = self._known() if memory else {}
        """Whom of the others the seat remembers."""
        self.said_here: frozenset[str] = frozenset().union(
            *(one.said_here for one in self.known.values())
        )
        """Sentences, in lower case, that were said in this same situation before."""
        self.told_before = any(
            was_said(part, self.remembered)
            for line in self.voice.confess
            for part in sentences(line)
            if len(part) > LONGEST
        )
        """Whether the seat remembers having told its secret."""

    def _known(self) -> dict[int, Acquaintance]:
        background, me = self.background, own_label(self.background)
        names = frozenset(
            word.lower()
            for label in (me, *(other.label for other in self.others.values()))
            for word in label.split()
        )
        found = {
            seat: acquaintance(
                self.remembered, other.label, me, background.context, background.goal, names
            )
            for seat, other in self.others.items()
        }
        return {seat: known for seat, known in found.items() if known is not None}

    def is_of_another(self, background: Background) -> bool:
        """Whether these notes were taken in another scene."""
        return self.background is not background and self.background != background

    def take(self, action: SeenAction) -> None:
        """Remember one more action."""
        mine = action.seat == self.seat
        if mine:
            self.mine += 1
            self.said_after += self.settled
            self.fresh.clear()
        self.sealed = self.sealed or (self.settled and action.kind == "physical")
        self.used.update(openings(action.text))
        if self.to_recall and action.text:
            self.to_recall = tuple(one for one in self.to_recall if one.text not in action.text)
        if action.text and action.kind in ("speak", "leave"):
            reading = read(action.text)
            self._take_words(action.seat, reading, mine)
            if not mine:
                self.fresh.append(HeardUtterance(action.seat, reading, action.whisper, action.text))
        if action.kind == "leave":
            self.gone.add(action.seat)
            self.agreed.discard(action.seat)
        self._settle()

    def _take_words(self, seat: int, reading: Reading, mine: bool) -> None:
        amount = self._amount(reading)
        counters = reading.offer and amount is not None and amount != self.table_number
        if reading.agreement and self.table and self.offered_by != seat and not counters:
            self.agreed.add(seat)
        elif (reading.offer or amount is not None) and not self.settled:
            self.table, self.table_number, self.offered_by = reading, amount, seat
            self.agreed = {seat}
            if mine:
                self.my_offers += 1
                self.my_amount = amount if amount is not None else self.my_amount
            else:
                self.offers_heard += 1
                self.their_amount = amount if amount is not None else self.their_amount
        elif reading.refusal and self.offered_by == self.seat and not mine:
            self.refused += 1
        if not mine:
            self.insults += reading.insult
            if reading.confides:
                self.confided.add(seat)

    def _amount(self, reading: Reading) -> float | None:
        """The last number that can be meant for what is bargained over."""
        price = self.part.price
        if price is None:
            return None
        low, high = sorted((price.start, price.limit))
        for amount in reversed(reading.amounts):
            if plausible(amount, low, high, price):
                return amount
        return None

    def _settle(self) -> None:
        if not self.settled and self.table is not None:
            present = {self.seat, *self.others} - self.gone
            self.settled = len(self.agreed) > 1 and present <= self.agreed


def plausible(amount: float, low: float, high: float, price: Price) -> bool:
    """Whether a number is near enough to a price range to be an offer in it."""
    if price.form == "clock":
        return low - 2 <= amount <= high + 2
    return low * 0.3 <= amount <= high * 2.5
