"""Selects a move: what to answer first, what to try next, and when to leave."""

from actors.social.actions import Action, ActionKind
from actors.social.language.utterances import read
from actors.social.rehearsal.acquaintance import Acquaintance
from actors.social.rehearsal.chance import SeededChance
from actors.social.rehearsal.notes import HeardUtterance, Notes, openings
from actors.social.rehearsal.offers import (
    acceptable,
    next_amount,
    next_rung,
    progress,
    worth_of_table,
    written,
)
from actors.social.rehearsal.shared_memories import CLOSE, Rememberer, eased
from actors.social.rehearsal.tempers import Temper


def choose_move(notes: Notes, temper: Temper, seed: int, turn: int) -> Action:
    """The action that follows from the notes, and from nothing else."""
    return Turn(notes, temper, SeededChance((seed, notes.seat, turn))).act()


class Turn(Rememberer):
    """One turn of one seat."""

    __slots__ = ("limit",)

    def __init__(self, notes: Notes, temper: Temper, chance: SeededChance) -> None:
        super().__init__(notes, temper, chance)
        if self.known is not None:
            self.temper = eased(temper, self.known)
        # Everybody has to get a word in before the cap.
        turns = notes.background.turn_cap // (len(notes.others) + 1) - 1
        self.limit = max(3, min(temper.patience, turns))

    # ------------------------------------------------------------ the order of things

    def act(self) -> Action:
        notes = self.notes
        if self.to < 0:
            return Action(kind="leave")
        if notes.settled:
            return self._after_agreement()
        answer = self._must_answer()
        if answer is not None:
            return answer
        if notes.mine == 0:
            return self._open()
        if notes.to_recall:
            return self._recall()
        as_before = self._as_before()
        if as_before is not None:
            return as_before
        if acceptable(notes, self.temper, self.limit) and self._knows_enough():
            return self._accept()
        if notes.mine >= self.limit:
            return self._give_up()
        if notes.mine == self.limit - 1:
            return self._last_try()
        return self._middle()

    def _must_answer(self) -> Action | None:
        """An answer to what nobody passes over: an insult, a confidence."""
        for heard in self.notes.fresh:
            if heard.reading.insult:
                rebuke = self._common("rebuke")
                if rebuke and self.notes.insults > 1 and not self.chance.hit(self.temper.warmth):
                    return Action(kind="leave", text=rebuke)
                if rebuke:
                    return self._say(rebuke)
            if heard.reading.confides and self.chance.hit(0.95):
                console = self._common("console")
                if console:
                    return self._say(console)
        return None

    def _open(self) -> Action:
        if self.known is not None:
            return self._open_again(self.known)
        greeting = self._common(self._greeting()) if self.chance.hit(0.6) else None
        opening = self._pick(self.part.open)
        if not self.notes.fresh:
            return self._say(greeting, opening)
        reply = self._reply()
        if reply and self.chance.hit(0.65):
            return self._say(reply, opening if len(reply) < 110 else None)
        return self._say(opening)

    def _open_again(self, known: Acquaintance) -> Action:
        """With somebody it knows: what lies between them first, and then the matter."""
        if not self.notes.fresh:
            return self._say(self._greet_again(known), self._matter(known))
        back = self._greet_back(known)
        reply = self._reply()
        if reply and (known.here or self.chance.hit(0.65)):
            return self._say(back, reply, self._matter(known) if len(reply) < 80 else None)
        return self._say(back, self._matter(known))

    def _matter(self, known: Acquaintance) -> str | None:
        """What it is about; where they have been before nobody has to be told."""
        if known.here and known.terms:
            return self._familiar("here_again") if not self.notes.fresh else None
        if known.here:
            return self._pick(self.part.ask) or self._pick(self.part.argue)
        return self._pick(self.part.open)

    def _recall(self) -> Action:
        """What the goal tells it to remember, put so that the others can take it up."""
        source, text = self.notes.to_recall[0]
        line = self._pick(self.common[f"recall_{source}"], n=text) or f"“{text}”"
        # As it stands: by these very words the notes know that it was said.
        return Action(kind="speak", text=line)

    def _middle(self) -> Action:
        notes, temper, chance = self.notes, self.temper, self.chance
        heard = notes.fresh[-1] if notes.fresh else None
        if self._secret_comes_up():
            told = self._taken_for_granted() if notes.told_before else self._secret()
            if told:
                return self._say(told)
        if len(notes.others) > 1 and chance.hit(0.2):
            whisper = self._whisper()
            if whisper:
                return whisper
        if heard and not heard.reading.question and chance.hit(0.02 * (1 - temper.warmth)):
            return Action(kind="none")
        quiet = heard is not None and not (heard.reading.question or heard.reading.offer)
        if quiet and chance.hit(0.13):
            shown = self._shown()
            if shown:
                return shown
        reply = self._reply()
        asked = any(h.reading.question for h in notes.fresh)
        offered = heard is not None and heard.reading.offer and notes.offered_by != notes.seat
        if reply and chance.hit(0.9):
            return self._say(reply, self._addition(reply))
        if asked and chance.hit(0.3 if offered else 0.9):
            answer = self._answer(evade=not offered)
            if answer:
                return self._say(answer, self._addition(answer))
        if heard and offered:
            return self._counter(heard)
        return self._initiative(temper)

    # ------------------------------------------------------------ moves

    def _initiative(self, temper: Temper) -> Action:
        """Nothing has to be answered: offer, argue, ask or wait."""
        chance = self.chance
        ready = 0.3 + 0.5 * temper.concession
        tries = ["offer", "argue", "ask"] if chance.hit(ready) else ["argue", "ask", "offer"]
        if chance.hit(0.25):
            tries.insert(0, "ask")
        for move in tries:
            line = self._line(move)
            if line and move == "argue" and chance.hit(0.25):
                return self._say(line, self._line("ask"))
            if line:
                return self._say(line)
        stall = self._common("stall")
        if stall and chance.hit(0.7):
            return self._say(stall)
        return self._shown() or Action(kind="none")

    def _line(self, move: str) -> str | None:
        if move == "offer":
            return self._offer()
        return self._pick(self.part.argue if move == "argue" else self.part.ask)

    def _counter(self, heard: HeardUtterance) -> Action:
        """An offer that is not good enough: say so, and put something beside it."""
        refusal = self._pick(self.part.refuse) or self._common("refuse")
        if heard.reading.concession and self.chance.hit(0.4):
            refusal = self._common("nearly") or refusal
        beside = self._offer()
        if beside is None or self.chance.hit(0.25 * (1 - self.temper.concession)):
            beside = self._pick(self.part.argue) or beside
        return self._say(refusal, beside) if refusal or beside else self._initiative(self.temper)

    def _offer(self) -> str | None:
        """The next offer, if the seat is ready to make one."""
        notes, part = self.notes, self.part
        if part.price is not None:
            amount = next_amount(notes, self.temper, self.limit)
            if amount is None:
                return None
            templates = part.price.say + self.common["amount"]
            return self._pick(templates, n=written(amount, part.price))
        rung = next_rung(notes, self.temper, self.limit, notes.used)
        return None if rung is None else self._render(part.offer[rung])

    def _addition(self, first: str) -> str | None:
        """Something to put after an answer."""
        chance, temper = self.chance, self.temper
        if read(first).offer:
            return None
        if self.notes.mine and chance.hit(0.15 + 0.45 * temper.concession):
            return self._offer()
        if chance.hit(0.2):
            return self._pick(self.part.ask)
        return self._pick(self.part.argue) if chance.hit(0.15) else None

    def _reply(self) -> str | None:
        """A written answer to something in what was just said."""
        for heard in reversed(self.notes.fresh):
            for reply in self.part.reply:
                if reply.on.heard_in(heard.reading):
                    line = self._unsaid(reply.say)
                    if line:
                        return line
        return None

    def _answer(self, evade: bool) -> str | None:
        """To a question: the truth, or something in its place."""
        honest = self.chance.hit(self.temper.honesty)
        pools = (self.part.tell, self.part.bluff) if honest else (self.part.bluff, self.part.tell)
        evasion = self._common("evade") if evade else None
        return self._pick(pools[0]) or evasion or self._pick(pools[1])

    def _knows_enough(self) -> bool:
        """Few agree to the first thing they are offered, however kind they are; but those who
        remember the other know when it is all they could want."""
        notes = self.notes
        if notes.background.memory and worth_of_table(notes) >= 0.95:
            return True
        return notes.mine > 1 or self.chance.hit(0.25)

    def _accept(self) -> Action:
        notes = self.notes
        price = self.part.price
        line = None
        if price is not None and notes.table_number is not None:
            line = self._pick(self.common["accept_amount"], n=written(notes.table_number, price))
        own = self._fitting(self.part.accept)
        if own and (line is None or self.chance.hit(0.6)):
            line = own
        return self._say(line or self._common("accept") or "Agreed. That settles it.")

    def _after_agreement(self) -> Action:
        """All agreed: a last confidence or a hand on it, and then the door."""
        notes, chance = self.notes, self.chance
        if notes.said_after == 0:
            if self._closeness() and chance.hit(0.3 * (1 - self.temper.secrecy)):
                told = self._secret(now=True)
                if told:
                    return self._say(self._common("lead"), told)
            if notes.fresh and notes.fresh[-1].reading.confides:
                console = self._common("console")
                if console:
                    return self._say(console)
            if not notes.sealed and chance.hit(0.15):
                sealed = self._common("seal")
                if sealed:
                    return Action(kind="physical", text=sealed)
        until = self._until_next(agreed=True) if chance.hit(0.5) else None
        return self._leave(until or self._fitting(self.part.part_deal) or self._common("part_deal"))

    def _last_try(self) -> Action:
        """One turn before patience runs out."""
        last = self._offer()
        if last is None and self.part.offer and self.chance.hit(self.temper.concession + 0.2):
            unsaid = [line for line in self.part.offer if self._unsaid(line)]
            last = self._render(unsaid[0]) if unsaid else None
        reply = self._reply() if last is None else None
        line = last or reply or self._pick(self.part.argue) or self._common("stall")
        return self._say(self._common("last"), line)

    def _give_up(self) -> Action:
        until = self._until_next(agreed=False) if self.chance.hit(0.5) else None
        return self._leave(until or self._pick(self.part.part_none) or self._common("part_none"))

    def _leave(self, line: str | None) -> Action:
        return Action(kind="leave", text=line or "")

    def _shown(self) -> Action | None:
        """Something done instead of said."""
        kind: ActionKind = "non_verbal"
        pool = self.notes.voice.gesture or self.common["gesture"]
        if self.part.act and self.chance.hit(0.4):
            kind, pool = "physical", self.part.act
        line = self._pick(pool)
        return Action(kind=kind, text=line) if line else None

    def _whisper(self) -> Action | None:
        for whisper in self.part.whisper:
            if whisper.to in self.notes.others and whisper.to not in self.notes.gone:
                self.to = whisper.to
                line = self._unsaid(whisper.say)
                if line:
                    return Action(kind="speak", text=line, to=(whisper.to,))
        return None

    # ------------------------------------------------------------ the secret

    def _secret_comes_up(self) -> bool:
        notes = self.notes
        loose = 1.0 - self.temper.secrecy
        pull = 0.65 if self.part.tempts else 0.45
        if notes.confided or any(openings(line)[0] in notes.used for line in notes.voice.hint):
            pull += 0.3
        if not self._closeness():
            pull *= 0.6
        return progress(notes, self.limit) >= 0.25 and self.chance.hit(loose * loose * pull)

    def _secret(self, now: bool = False) -> str | None:
        """The next step towards telling: first a hint, then all of it."""
        voice, used = self.notes.voice, self.notes.used
        if self.notes.told_before or any(openings(line)[0] in used for line in voice.confess):
            return None
        hinted = any(openings(line)[0] in used for line in voice.hint)
        if voice.hint and not hinted and not now:
            return self._pick(voice.hint)
        return self._pick(voice.confess)

    def _greeting(self) -> str:
        other = self.notes.others[self.to]
        if other.relationship in CLOSE:
            return "greet_close"
        return "greet_known" if other.name else "greet_stranger"
