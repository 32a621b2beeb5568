"""Finds a line that was not used yet, and fills it in."""

from functools import lru_cache

from actors.social.actions import Action
from actors.social.language.utterances import sentences
from actors.social.rehearsal.chance import SeededChance
from actors.social.rehearsal.notes import Notes, openings
from actors.social.rehearsal.parts import Reply, phrases
from actors.social.rehearsal.tempers import Temper

LONGEST = 330
"""Characters after which nothing more is added to an utterance."""


@lru_cache(maxsize=2048)
def core(line: str) -> str:
    """The longest sentence of a line, in lower case: by it one knows that it was said."""
    return max(sentences(line), key=len).lower()


class LineSpeaker:
    """One seat with one turn to speak in."""

    __slots__ = ("chance", "common", "known", "notes", "part", "temper", "to")

    def __init__(self, notes: Notes, temper: Temper, chance: SeededChance) -> None:
        self.notes = notes
        self.part = notes.part
        self.temper = temper
        self.chance = chance
        self.common = phrases(temper.warmth >= 0.5)
        present = [seat for seat in notes.others if seat not in notes.gone]
        speakers = [heard.seat for heard in notes.fresh if heard.seat not in notes.gone]
        self.to = speakers[-1] if speakers else present[0] if present else -1
        """The seat spoken to; -1 when nobody is left."""
        self.known = notes.known.get(self.to) if notes.known else None
        """What the seat remembers of whom it speaks to."""

    def _common(self, move: str) -> str | None:
        return self._pick(self.common[move])

    def _pick(self, pool: tuple[str, ...], n: str = "") -> str | None:
        """One of the pool that nobody has begun an utterance like."""
        count = len(pool)
        if not count:
            return None
        start = self.chance.below(count)
        for step in range(count):
            line = self._unsaid(pool[(start + step) % count], n)
            if line:
                return line
        return None

    def _fitting(self, pool: tuple[str | Reply, ...]) -> str | None:
        """One of those that fit the offer on the table."""
        table = self.notes.table
        fit = tuple(
            line if isinstance(line, str) else line.say
            for line in pool
            if isinstance(line, str)
            or (table is not None and line.on.met_by(table.terms or table.words))
        )
        return self._pick(fit)

    def _unsaid(self, line: str, n: str = "") -> str | None:
        line = self._render(line, n)
        notes = self.notes
        if openings(line)[0] in notes.used:
            return None
        # Who remembers having stood here before does not say the same again.
        return None if notes.said_here and core(line) in notes.said_here else line

    def _render(self, line: str, n: str = "") -> str:
        if "{" not in line:
            return line
        first = self._first_name()
        return line.replace("{n}", n).replace("{,you}", f", {first}" if first else "")

    def _first_name(self) -> str:
        """Of the person spoken to; empty where it is not known."""
        other = self.notes.others.get(self.to)
        names = (other.name or "").split() if other else []
        return names[0] if names else ""

    def _say(self, *parts: str | None) -> Action:
        text = ""
        for part in parts:
            if part and (not text or len(text) + len(part) < LONGEST):
                text = f"{text} {part}" if text else part
        first = self._first_name()
        if first and text.count(f", {first}") > 1:
            text = text.replace(f", {first}", "", 1)
        return Action(kind="speak", text=text) if text else Action(kind="none")
