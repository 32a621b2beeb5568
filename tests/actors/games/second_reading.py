"""A second reading of the rules, which knows a deal and what was done: who has won, and what each
has got. It shares nothing with ``actors/games/effects.py`` but the draw of lots."""

import operator
from collections import Counter
from typing import Any

from actors.games.ruleset import Effect, Phase, Quantity, Requirement, SeatFilter
from actors.games.setup import Deal, GameAct
from actors.seeded_draws import SeededDraws
from tests.actors.games.play import Result, Turn

COMPARE = {"<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne,
           ">=": operator.ge, ">": operator.gt}  # fmt: skip
GAME = -1
"""Who gives or takes where no seat does."""


class SecondReading:
    def __init__(self, deal: Deal) -> None:
        self.deal, self.rules, self.round = deal, deal.rules, 1
        named = {one.id: one for one in self.rules.roles}
        self.roles = [named[card.role] for card in deal.cards if card]
        self.seats = list(range(len(self.roles)))
        self.gone: set[int] = set()
        self.safe: set[int] = set()
        self.marks: dict[str, set[int]] = {}
        self.have = {n: Counter(self.roles[n].counters) for n in self.seats}
        self.have[GAME] = Counter(self.rules.counters)
        self.offer: tuple[int, dict[str, int]] | None = None
        self.votes: list[tuple[int, GameAct]] = []

    def some(self, wanted: SeatFilter) -> list[int]:
        found = {"in": set(self.seats) - self.gone, "out": self.gone, "any": set(self.seats)}
        left = found[wanted.status] - self.marks.get(wanted.unmarked, set())
        if wanted.marked:
            left &= self.marks.get(wanted.marked, set())
        role = self.roles
        return [
            n for n in sorted(left)
            if role[n].id in (wanted.roles or [role[n].id])
            and role[n].team in (wanted.teams or [role[n].team])
            and role[n].team not in wanted.not_teams
        ]  # fmt: skip

    def number(self, given: int | Quantity | None, actor: int | None) -> int:
        if not isinstance(given, Quantity):
            return given or 0
        if given.seats is not None:
            return len(self.some(given.seats))
        if given.value:
            return int(self.deal.values[given.value])
        if given.own:
            return 0 if actor is None else self.have[actor][given.own]
        return self.have[GAME][given.counter] if given.counter else self.round

    def holds(self, when: Requirement | None, actor: int | None = None) -> bool:
        if when is None:
            return True
        if when.all or when.any:
            parts = [self.holds(one, actor) for one in when.all or when.any]
            return all(parts) if when.all else any(parts)
        return COMPARE[when.compare](self.number(when.left, actor), self.number(when.right, actor))

    def named(self, name: Any, actor: int | None, act: GameAct, chosen: list[int]) -> list[int]:
        if isinstance(name, SeatFilter):
            return self.some(name)
        one = {"actor": actor, "target": act.target, "game": GAME,
               "offerer": self.offer[0] if self.offer else None}  # fmt: skip
        return chosen if name == "chosen" else [n for n in [one.get(name)] if n is not None]

    def moves(self, effect: Effect, actor: int | None, act: GameAct, chosen: list[int]) -> Any:
        """Each transfer as item, amount, giver and taker."""
        said = act.numbers if effect.do == "give" or not self.offer else self.offer[1]
        for one in effect.transfers:
            for giver in self.named(one.giver, actor, act, chosen):
                for taker in self.named(one.taker, actor, act, chosen):
                    amount = one.amount
                    wanted = said.get(amount, 0) if isinstance(amount, str) else amount
                    yield one.item, max(0, self.number(wanted, actor)), giver, taker

    def count(self, effect: Effect, phase: Phase) -> list[int]:
        last = {seat: act.target for seat, act in self.votes if act.verb == effect.name}
        votes = Counter([one for one in last.values() if one is not None])
        needed = effect.least
        if effect.majority:
            needed = max(needed, len(self.some(phase.who)) // 2 + 1)
        first = sorted(n for n in votes if votes[n] == max(votes.values()) and votes[n] >= needed)
        if len(first) < 2 or effect.tie == "all":
            return first
        draws = SeededDraws("games-lot", str(self.deal.seed))
        lot = draws.one(f"{phase.id}.{self.round}.{effect.name}", first)
        return [lot] if effect.tie == "lot" else []

    def apply(
        self, effects: Any, phase: Phase, actor: int | None, act: GameAct, stood: Any
    ) -> None:
        chosen: list[int] = []
        for effect in effects:
            if not self.holds(effect.when, actor):
                continue
            whom, mark = self.named(effect.whom, actor, act, chosen), effect.name
            if effect.do == "eliminate":
                out = set(whom) - self.gone - (set() if effect.despite else self.safe)
                self.gone |= out
                self.offer = None if self.offer and self.offer[0] in out else self.offer
            elif effect.do == "protect":
                self.safe |= set(whom)
            elif effect.do == "mark":
                self.marks.setdefault(mark, set()).update(whom)
            elif effect.do == "unmark":
                self.marks.setdefault(mark, set()).difference_update(whom)
            elif effect.do == "vote":
                chosen = self.count(effect, phase)
            elif effect.do == "give":
                for item, amount, giver, taker in self.moves(effect, actor, act, chosen):
                    self.move(item, amount, giver, taker)
            elif effect.do == "offer" and actor is not None:
                self.offer = (actor, act.numbers)
            elif effect.do in ("accept", "refuse"):
                self.close(effect, actor, act, stood, chosen)
            elif effect.do == "guess" and act.word == str(self.deal.values[effect.name]):
                self.have[GAME][effect.counter] += 1
            elif effect.do == "count":
                by = self.number(effect.by, actor)
                for n in [GAME] if effect.whom is None else whom:
                    self.have[n][effect.counter] += by

    def move(self, item: str, amount: int, giver: int, taker: int) -> None:
        amount = max(0, min(amount, self.have[giver][item]))
        self.have[giver][item] -= amount
        self.have[taker][item] += amount

    def close(self, effect: Effect, actor: Any, act: GameAct, stood: Any, chosen: Any) -> None:
        if self.offer is None or self.offer is not stood or self.offer[0] == actor:
            return
        if effect.do == "accept":
            moves = list(self.moves(effect, actor, act, chosen))
            owed = Counter[tuple[int, str]]()
            for item, amount, giver, _ in moves:
                owed[giver, item] += amount
            if any(self.have[giver][item] < most for (giver, item), most in owed.items()):
                return
            for item, amount, giver, taker in moves:
                self.move(item, amount, giver, taker)
        self.offer = None

    def over(self) -> tuple[str, tuple[str, ...]] | None:
        ends = [one for one in self.rules.ends if self.holds(one.when)]
        return (ends[0].id, ends[0].winners) if ends else None

    def play(self, turns: list[Turn]) -> tuple[str, tuple[str, ...]]:
        """The ending, and which roles and teams have won."""
        left, phases = list(turns), self.rules.phases
        place, most = 0, self.rules.rounds or 1
        while self.round <= min(most, self.deal.settings.rounds or most):
            phase, self.votes = phases[place], []
            if over := self.over():
                break
            while left and (left[0].phase, left[0].round) == (phase.id, self.round):
                acts, stood = sorted(left.pop(0).acts, key=lambda act: act[0]), self.offer
                self.votes += acts
                verbs = {one.id: one for one in phase.verbs}
                for seat, act in acts:
                    self.have[seat].subtract(verbs[act.verb].costs if act.verb in verbs else {})
                for seat, act in acts:
                    if act.verb in verbs:
                        self.apply(verbs[act.verb].effects, phase, seat, act, stood)
                if over := self.over():
                    break
            if over:
                break
            if self.votes or not phase.verbs:
                self.apply(phase.effects, phase, None, GameAct(), None)
                every = [*phase.effects, *[one for verb in phase.verbs for one in verb.effects]]
                if any(one.do == "eliminate" for one in every):
                    self.safe.clear()
                if over := self.over():
                    break
            ids = [one.id for one in phases]
            to = [ids.index(one.phase) for one in phase.next if self.holds(one.when)]
            before, place = place, (to or [(place + 1) % len(phases)])[0]
            self.round += place <= before
        assert not left, "the game went on after its end"
        return over or ("rounds-over", self.rules.rounds_winners)


def second_reading_of(deal: Deal, turns: list[Turn]) -> tuple[Result, set[int]]:
    """How a game in which this was done has ended, and who is out."""
    reading, got = SecondReading(deal), []
    ended, winners = reading.play(turns)
    won = [n for n in reading.seats if {reading.roles[n].id, reading.roles[n].team} & set(winners)]
    for n, role in enumerate(reading.roles):
        rule = [one for one in deal.rules.payoffs if role.id in (one.roles or [role.id])]
        terms = rule[0].terms if rule else ()
        got.append(0.0 if deal.rules.payoffs else float(n in won))
        for one in terms:
            weight = one.weight
            if isinstance(weight, str):
                sign = -1 if weight[0] == "-" else 1
                weight = sign * float(deal.values[weight.lstrip("-")])
            have = reading.have[GAME if one.shared else n][one.counter] if one.counter else 1
            got[-1] += have * weight / (len(reading.seats) if one.per_seat else 1)
    return Result(ended, tuple(won), tuple(round(one, 6) for one in got)), reading.gone
