"""What comes of acts and of the end of a phase, as facts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from actors.games.acts import acting, amount_of, held, party
from actors.games.conditions import holds, is_one_of, number_of, seats_of
from actors.games.ruleset import Effect, Phase, SeatFilter, Verb
from actors.games.setup import Decide, GameAct, Happened
from actors.games.state import Done, GameState, phase_places, roles_of, rounds_of, with_fact
from actors.seeded_draws import SeededDraws
from events.base import replace

TIME: Final = "rounds-over"
"""The id of the ending after the last round."""


def audience(
    state: GameState, phase: Phase, seat: int | None, named: int | None = None
) -> tuple[int, ...] | None:
    """Who learns of an act in a phase; None: everybody."""
    roles = roles_of(state.deal)
    match phase.visibility:
        case "public":
            return None
        case "team":
            team = roles[seat].team if seat is not None else ""
            acts = phase.who.roles, phase.who.teams
            return tuple(
                [
                    place
                    for place, role in enumerate(roles)
                    if role.team == team
                    or (seat is None and (role.id in acts[0] or role.team in acts[1]))
                ]
            )
        case "named":
            return tuple(sorted({one for one in (seat, named) if one is not None}))
    return () if seat is None else (seat,)


def consequences(state: GameState) -> tuple[Happened, ...]:
    """All that comes of the acts that have no consequences yet, and of what they end: the phase,
    others that nobody acts in, the game."""
    course = _Course(state)
    course.take_acts()
    return tuple(course.facts)


class _Course:
    """Goes on from a state, and keeps what happens."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.facts: list[Happened] = []

    def take_acts(self) -> None:
        state = self.state
        if state.ended:
            return
        if state.phase < 0:
            self._enter(0, 1)
            return
        phase = state.here
        verbs = {verb.id: verb for verb in phase.verbs}
        for done in sorted(state.fresh, key=lambda done: done.seat):
            verb = verbs.get(done.act.verb)
            if verb is not None:
                self._act(phase, verb, done)
        self.state = replace(self.state, fresh=())
        if self.facts and self._over():
            return
        if holds(self.state, phase.until) if phase.until else False:
            self._close(phase)
        elif not next_turn(self.state):
            self._close(phase)

    def _tell(self, fact: Happened) -> None:
        self.facts.append(fact)
        self.state = with_fact(self.state, fact)

    def _act(self, phase: Phase, verb: Verb, done: Done) -> None:
        for name, cost in verb.costs.items():
            if cost:
                self._tell(
                    Happened(
                        kind="counted", seat=done.seat, name=name, amount=-cost, to=(done.seat,)
                    )
                )
        self._effects(phase, verb.effects, done.seat, done.act)

    def _close(self, phase: Phase) -> None:
        """The phase is over: its effects, then what follows."""
        self._effects(phase, phase.effects, None, GameAct())
        if phase.effects and self._over():
            return
        self._enter(*self._following())

    def _following(self) -> tuple[int, int]:
        """The place of the next phase, and the round in which it is."""
        here, rules = self.state.phase, self.state.rules
        place = next(
            (
                phase_places(rules)[one.phase]
                for one in rules.phases[here].next
                if holds(self.state, one.when)
            ),
            (here + 1) % len(rules.phases),
        )
        return place, self.state.round + (place <= here)

    def _enter(self, place: int, round_: int) -> None:
        """A phase begins; where nobody acts in it, those after it, until somebody does."""
        while True:
            state = self.state
            if round_ > rounds_of(state.deal):
                self._end(TIME, state.rules.rounds_winners)
                return
            phase = state.rules.phases[place]
            begun = Happened(kind="phase", name=phase.id, amount=round_)
            trial = with_fact(state, begun)
            playable = bool(next_turn(trial))
            if playable or not phase.verbs:
                self._tell(replace(begun, to=self._told_of(trial, phase)))
            else:
                # Nobody learns that it was skipped.
                self._tell(replace(begun, to=()))
            if self._over():
                return
            if playable:
                return
            if not phase.verbs:
                self._effects(phase, phase.effects, None, GameAct())
                if self._over():
                    return
            place, round_ = self._following()

    def _told_of(self, state: GameState, phase: Phase) -> tuple[int, ...] | None:
        if phase.visibility == "public":
            return None
        if not phase.verbs:
            return ()
        return seats_of(state, phase.who)

    def _over(self) -> bool:
        for one in self.state.rules.ends:
            if holds(self.state, one.when):
                self._end(one.id, one.winners)
                return True
        return False

    def _end(self, name: str, winners: Sequence[str]) -> None:
        roles = roles_of(self.state.deal)
        seats = tuple(
            [
                seat
                for seat, role in enumerate(roles)
                if role.id in winners or role.team in winners
            ]
        )
        self._tell(Happened(kind="ended", name=name, seats=seats))
        if self.state.rules.roles_at_end:
            for seat, role in enumerate(roles):
                self._tell(Happened(kind="revealed", seat=seat, name="role", word=role.id))

    def _effects(
        self, phase: Phase, effects: Sequence[Effect], seat: int | None, act: GameAct
    ) -> None:
        chosen: tuple[int, ...] = ()
        for effect in effects:
            if not holds(self.state, effect.when, seat):
                continue
            if effect.do == "vote":
                chosen = self._vote(phase, effect)
            else:
                self._effect(phase, effect, seat, act, chosen)
        if self.state.safe and any(effect.do == "eliminate" for effect in effects):
            for one in sorted(self.state.safe):
                self._tell(Happened(kind="unprotected", seat=one, to=()))

    def _vote(self, phase: Phase, effect: Effect) -> tuple[int, ...]:
        state = self.state
        last = {done.seat: done.act for done in state.acts if done.act.verb == effect.name}
        votes = Counter(act.target for act in last.values() if act.target is not None)
        voters = sum(1 for seat in range(len(state.alive)) if is_one_of(state, seat, phase.who))
        least = max(effect.least, voters // 2 + 1 if effect.majority else 1)
        most = max(votes.values(), default=0)
        first = sorted(seat for seat, count in votes.items() if count == most and count >= least)
        if len(first) > 1 and effect.tie == "nobody":
            first = []
        elif len(first) > 1 and effect.tie == "lot":
            draws = SeededDraws("games-lot", str(state.deal.seed))
            first = [draws.one(f"{phase.id}.{state.round}.{effect.name}", first)]
        self._tell(
            Happened(
                kind="chosen",
                name=effect.name,
                seats=tuple(first),
                votes={str(seat): count for seat, count in sorted(votes.items())},
                to=audience(state, phase, None),
            )
        )
        return tuple(first)

    def _effect(
        self, phase: Phase, effect: Effect, seat: int | None, act: GameAct, chosen: tuple[int, ...]
    ) -> None:
        state = self.state
        whom = self._whom(effect.whom, seat, act.target, chosen)
        own = audience(state, phase, seat, act.target)
        match effect.do:
            case "eliminate":
                for one in whom:
                    self._eliminate(effect, one)
            case "protect":
                for one in whom:
                    self._tell(Happened(kind="protected", seat=one, to=own))
            case "reveal":
                told = None if effect.to == "all" else self._whom(effect.to, seat, act.target, chosen)
                for one in whom:
                    role = roles_of(state.deal)[one]
                    word = role.id if effect.what == "role" else role.team
                    self._tell(
                        Happened(kind="revealed", seat=one, name=effect.what, word=word, to=told)
                    )
            case "mark" | "unmark":
                for one in whom:
                    kind = "marked" if effect.do == "mark" else "unmarked"
                    told = own if effect.do == "mark" else ()
                    self._tell(Happened(kind=kind, seat=one, name=effect.name, to=told))
            case "give":
                self._give(effect, seat, act.target, act.numbers, own)
            case "offer":
                self._tell(Happened(kind="offered", seat=seat, numbers=act.numbers, to=own))
            case "accept" | "refuse":
                self._close_offer(effect, seat, own)
            case "guess":
                right = act.word == state.deal.values.get(effect.name)
                self._tell(
                    Happened(kind="guessed", seat=seat, word=act.word, amount=int(right), to=own)
                )
                if right:
                    self._tell(Happened(kind="counted", name=effect.counter, amount=1, to=()))
            case "count":
                self._count(effect, seat, whom, own)

    def _whom(
        self,
        whom: str | SeatFilter | None,
        seat: int | None,
        target: int | None,
        chosen: tuple[int, ...],
    ) -> tuple[int, ...]:
        if isinstance(whom, SeatFilter):
            return seats_of(self.state, whom)
        offer = self.state.offer
        named: Mapping[str | None, tuple[int | None, ...]] = {
            "actor": (seat,),
            "target": (target,),
            "offerer": (offer.seat if offer else None,),
            "chosen": chosen,
        }
        return tuple([one for one in named.get(whom, ()) if one is not None])

    def _eliminate(self, effect: Effect, one: int) -> None:
        if not self.state.alive[one]:
            return
        if one in self.state.safe and not effect.despite:
            self._tell(Happened(kind="saved", seat=one, to=()))
            return
        role = roles_of(self.state.deal)[one]
        shown = {"role": role.id, "team": role.team}.get(effect.shows, "")
        self._tell(
            Happened(kind="eliminated", seat=one, name=effect.shows if shown else "", word=shown)
        )

    def _give(
        self,
        effect: Effect,
        seat: int | None,
        target: int | None,
        numbers: Mapping[str, int],
        told: tuple[int, ...] | None,
    ) -> None:
        for one in effect.transfers:
            actor = 0 if seat is None else seat
            giver, taker = (
                party(self.state, name, actor, target) if seat is not None else None
                for name in (one.giver, one.taker)
            )
            amount = min(
                amount_of(self.state, one, actor, numbers), held(self.state, giver, one.item)
            )
            if amount:
                self._tell(
                    Happened(
                        kind="gave", seat=giver, other=taker, name=one.item, amount=amount, to=told
                    )
                )

    def _close_offer(self, effect: Effect, seat: int | None, told: tuple[int, ...] | None) -> None:
        offer = self.state.offer
        if offer is None:
            return
        if told is not None:
            told = tuple(sorted({*told, offer.seat}))
        if effect.do == "accept":
            self._give(effect, seat, None, offer.numbers, told)
        self._tell(
            Happened(
                kind="closed",
                seat=offer.seat,
                other=seat,
                amount=int(effect.do == "accept"),
                numbers=dict(offer.numbers),
                to=told,
            )
        )

    def _count(
        self,
        effect: Effect,
        seat: int | None,
        whom: tuple[int, ...],
        told: tuple[int, ...] | None,
    ) -> None:
        by = number_of(self.state, effect.by, seat)
        if not by:
            return
        if effect.whom is None:
            self._tell(Happened(kind="counted", name=effect.counter, amount=by, to=told))
        for one in whom:
            self._tell(
                Happened(
                    kind="counted",
                    seat=one,
                    name=effect.counter,
                    amount=by,
                    to=None if told is None else (one,),
                )
            )


def next_turn(state: GameState) -> tuple[tuple[int, Decide], ...]:
    """Who acts next in this phase, and what each is asked; empty: nobody does any more."""
    for turn in state.queue:
        if asked := acting(state, turn):
            return asked
    return ()
