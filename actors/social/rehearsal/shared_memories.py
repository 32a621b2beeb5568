"""Lines of characters who remember having met: how they greet each other, which promises they
mention, what they take for granted, and how they part."""

from zlib import crc32

from actors.social.actions import Action
from actors.social.catalog_items import RelationshipKind
from actors.social.rehearsal.acquaintance import Acquaintance, kept, was_said
from actors.social.rehearsal.notes import openings
from actors.social.rehearsal.parts import familiar
from actors.social.rehearsal.speaker import LineSpeaker, core
from actors.social.rehearsal.tempers import Temper
from events.base import replace

CLOSE = frozenset({RelationshipKind.FRIEND, RelationshipKind.ROMANTIC, RelationshipKind.FAMILY})
OFTEN, LONG = 5, 15
"""Meetings after which people have habits, and after which they are part of each other's year."""
MOST_EASE = 0.25
"""How much sooner, at most, who knows the other gives ground."""


class Rememberer(LineSpeaker):
    """One seat with one turn to speak in, which may have met whom it speaks to."""

    __slots__ = ()

    def _familiar(self, move: str, n: str = "") -> str | None:
        """One of the lines for a move: another each time they meet, and none that the memory
        holds already."""
        known, notes = self.known, self.notes
        if known is None:
            return None
        pool = familiar(self.temper.warmth >= 0.5)[move]
        first = known.met + crc32(notes.background.character.id.encode())
        again = None
        for step in range(len(pool)):
            raw = pool[(first + step) % len(pool)]
            line = self._unsaid(raw, n)
            if line and not was_said(core(line), notes.remembered):
                return line
            again = again or line
        return again

    def _was_said(self, move: str) -> bool:
        """Whether a line for a move was said in this episode."""
        pool = familiar(self.temper.warmth >= 0.5)[move]
        return any(openings(line)[0] in self.notes.used for line in pool)

    def _greet_again(self, known: Acquaintance) -> str | None:
        """How the seat begins with somebody it knows."""
        if known.here and not known.terms:
            return self._familiar("here_open")
        ways = ["met"]
        if known.promised:
            ways.append("promised")
        if known.agreed is not None:
            ways += ["after", "met"]
        if known.confided:
            ways.append("told")
        match ways[(known.met + self.notes.seat) % len(ways)]:
            case "promised":
                promise = self._promise(known)
                return self._familiar("they_kept" if kept(promise) else "they_broke", promise)
            case "after":
                return self._familiar("after_deal" if known.agreed else "after_none")
            case "told" if known.name:
                return self._familiar("they_told_named", known.name)
            case "told":
                return self._familiar("they_told")
            case _:
                return self._familiar(self._how_often(known))

    def _promise(self, known: Acquaintance) -> str:
        """The promise to hold the other to: one that was not brought up again, if there is one."""
        memory = self.notes.remembered
        once = [one for one in known.promised if not was_said(one, memory, 2)] or known.promised
        return once[known.met % len(once)]

    def _how_often(self, known: Acquaintance) -> str:
        if known.met >= LONG:
            return "met_long"
        return "met_often" if known.met >= OFTEN or self._close_by_tie() else "met_few"

    def _held_to(self) -> str | None:
        """An answer to somebody who holds up a promise of the seat's own."""
        known = self.known
        if known is None:
            return None
        for heard in self.notes.fresh:
            for promise in known.own if "“" in heard.text else ():
                if promise in heard.text:
                    return self._familiar("i_kept" if kept(promise) else "i_broke")
        return None

    def _greet_back(self, known: Acquaintance) -> str | None:
        """An answer to how the other began."""
        held = self._held_to()
        if held:
            return held
        if known.agreed is False and known.met % 2:
            return self._familiar("known_back_sore")
        return self._familiar("known_back") if known.met % 3 else self._greet_again(known)

    def _taken_for_granted(self) -> str | None:
        """What the seat says where it would tell its secret, had it not told it before: now and
        then, and once, that the other knows; else nothing."""
        known = self.known
        if known is None or known.met % 3:
            return None
        if self._was_said("i_told"):
            return None
        line, reason = self._familiar("i_told"), self._pick(self.part.argue)
        return f"{line} {reason}" if line and reason else line

    def _as_before(self) -> Action | None:
        """Where they agreed in this same place before: how the other is, and then the same terms
        again, or a yes to them."""
        known, notes = self.known, self.notes
        if known is None or not known.terms:
            return None
        if any(known.terms in heard.text for heard in notes.fresh):
            return self._say(self._familiar("here_yes") or "Agreed, as before.")
        pools = familiar(self.temper.warmth >= 0.5)
        answers = dict(zip(pools["ask_after"], pools["answer_after"], strict=True))
        for heard in notes.fresh:
            if heard.text in answers:
                return self._say(answers[heard.text])
        if self._was_said("here_deal"):
            return None
        # The second time they still say some of it over, later no more.
        if known.here > 1 and notes.mine == 1 and not self._was_said("ask_after"):
            return self._say(self._familiar("ask_after"))
        if notes.mine != 2:
            return None
        line = self._familiar("here_deal", known.terms)
        # As it stands: by these very words the other knows what it was.
        return Action(kind="speak", text=line) if line else None

    def _until_next(self, agreed: bool) -> str | None:
        """Parting words to somebody one will meet again."""
        return self._familiar("until_next" if agreed else "until_next_sore")

    def _close_by_tie(self) -> bool:
        return any(other.relationship in CLOSE for other in self.notes.others.values())

    def _closeness(self) -> bool:
        """Whether the seat is close to somebody here: by who they are, or by now."""
        known = self.known
        grown = known is not None and known.met >= OFTEN and known.agreed is not False
        return grown or self._close_by_tie()


def eased(temper: Temper, known: Acquaintance) -> Temper:
    """A temper towards somebody known: it gives ground sooner the longer they know each other, and
    sooner again where they failed to agree in this same place."""
    ease = min(MOST_EASE, 0.01 * known.met + (0.1 if known.here and not known.terms else 0.0))
    return replace(temper, concession=min(1.0, temper.concession + ease))
