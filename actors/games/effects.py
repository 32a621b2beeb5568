"""What comes of acts and of the end of a phase, as facts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from actors.games.acts import (
    Parties,
    affordable,
    amount_of,
    anybody_acts,
    held,
    next_turn,
)
from actors.games.conditions import holds, is_one_of, may_be_one_of, number_of, seats_of
from actors.games.ruleset import MOST_COUNTED, PASS, Effect, Phase, SeatFilter
from actors.games.setup import Decide, GameAct, GameFact
from actors.games.state import GameState, Offer, phase_places, rounds_of, with_fact
from actors.seeded_draws import SeededDraws
from events.base import replace

TIME: Final = "rounds-over"
"""The id of the ending after the last round."""
MOST_FACTS: Final = 10_000
"""After so many without an act a game is over as if its rounds were: nobody might act any more."""
_NOTHING: Final = GameAct()

Told = tuple[int, ...] | None
"""Seats that learn of something; None: everybody; empty: only those who know everything."""


def audience(
    state: GameState,
    phase: Phase,
    seat: int | None,
    named: int | None = None,
    to: int | None = None,
) -> Told:
    """Who learns of an act in a phase, which names somebody, or has words ``to`` one alone; without
    a ``seat``, of what the end of the phase does."""
    if to is not None:
        return _seats(seat, to)
    match phase.visibility:
        case "public":
            return None
        case "team":
            roles = state.roles
            teams = (
                {role.team for role in roles if may_be_one_of(role, phase.who)}
                if seat is None
                else {roles[seat].team}
            )
            # Where several teams act, each in secret, none may know what came of it together.
            if len(teams) > 1:
                return ()
            return tuple([place for place, role in enumerate(roles) if role.team in teams])
        case "named":
            return _seats(seat, named)
    return _seats(seat)


def _seats(*seats: int | None) -> tuple[int, ...]:
    return tuple(sorted({one for one in seats if one is not None}))


def what_follows(
    state: GameState,
) -> tuple[tuple[GameFact, ...], tuple[tuple[int, Decide], ...]]:
    """All that comes of the acts that have no consequences yet, and of what they end: the phase,
    others that nobody acts in, the game. Where nothing comes of them, who acts next and what each
    is asked."""
    course = _Course(state)
    asked = course.go_on()
    return tuple(course.facts), asked


class _Doing(NamedTuple):
    """What has effects: an act, or the end of a phase."""

    phase: Phase
    told: Told
    """Who learns of it."""
    seat: int | None = None
    act: GameAct = _NOTHING
    stood: Offer | None = None
    """The offer that the seat knew of when it acted."""


class _Course:
    """Goes on from a state, and keeps what happens."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.facts: list[GameFact] = []

    def go_on(self) -> tuple[tuple[int, Decide], ...]:
        """Take the acts that have no consequences yet, and close the phase where it is over."""
        state = self.state
        if state.phase < 0:
            self._enter(0, 1)
            return ()
        phase = state.here
        if state.fresh:
            self._take_acts(phase)
            if self.facts and self._over():
                return ()
            if phase.until is not None and holds(self.state, phase.until):
                self._close(phase)
                return ()
        if self.facts:
            if not anybody_acts(self.state):
                self._close(phase)
            return ()
        asked = next_turn(self.state)
        if not asked:
            self._close(phase)
        return asked

    def _tell(self, fact: GameFact) -> None:
        self.facts.append(fact)
        self.state = with_fact(self.state, fact)

    def _take_acts(self, phase: Phase) -> None:
        """What acts cost, then their effects, in the order of the seats."""
        verbs = {verb.id: verb for verb in phase.verbs}
        stood = self.state.offer
        taken = [
            (verbs[done.act.verb], done)
            for done in sorted(self.state.fresh, key=lambda done: done.seat)
            if done.act.verb != PASS and done.act.verb in verbs
        ]
        for verb, done in taken:
            for name, cost in verb.costs.items():
                if cost:
                    self._change(done.seat, name, -cost, (done.seat,))
        for verb, done in taken:
            if verb.effects:
                told = audience(self.state, phase, done.seat, done.act.target, done.act.to)
                self._effects(verb.effects, _Doing(phase, told, done.seat, done.act, stood))

    def _close(self, phase: Phase) -> None:
        """The phase is over: its effects, then what follows."""
        if not self._finish(phase):
            self._enter(*self._following())

    def _finish(self, phase: Phase) -> bool:
        """The effects of a phase that is over; whether the game is, too."""
        if phase.effects:
            self._effects(phase.effects, _Doing(phase, audience(self.state, phase, None)))
        if self.state.safe and _eliminates(phase):
            for one in sorted(self.state.safe):
                self._tell(GameFact(kind="unprotected", seat=one, to=()))
        return bool(phase.effects) and self._over()

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
        most = rounds_of(self.state.deal)
        while round_ <= most and len(self.facts) < MOST_FACTS:
            phase = self.state.rules.phases[place]
            begun = GameFact(kind="phase", name=phase.id, amount=round_)
            self.state = with_fact(self.state, begun)
            playable = bool(phase.verbs) and anybody_acts(self.state)
            skipped = bool(phase.verbs) and not playable
            # Nobody learns that a phase was skipped.
            told = () if skipped else self._told_of(phase)
            self.facts.append(begun if told is None else replace(begun, to=told))
            if self._over() or playable:
                return
            if not phase.verbs and self._finish(phase):
                return
            place, round_ = self._following()
        self._end(TIME, self.state.rules.rounds_winners)

    def _told_of(self, phase: Phase) -> Told:
        if phase.visibility == "public":
            return None
        return seats_of(self.state, phase.who) if phase.verbs else ()

    def _over(self) -> bool:
        for one in self.state.rules.ends:
            if holds(self.state, one.when):
                self._end(one.id, one.winners)
                return True
        return False

    def _end(self, name: str, winners: Sequence[str]) -> None:
        roles = self.state.roles
        won = [
            seat for seat, role in enumerate(roles) if role.id in winners or role.team in winners
        ]
        self._tell(GameFact(kind="ended", name=name, seats=tuple(won)))
        if self.state.rules.roles_at_end:
            for seat, role in enumerate(roles):
                self._tell(GameFact(kind="revealed", seat=seat, name="role", word=role.id))

    def _effects(self, effects: Sequence[Effect], doing: _Doing) -> None:
        chosen: tuple[int, ...] = ()
        for effect in effects:
            if not holds(self.state, effect.when, doing.seat):
                continue
            if effect.do == "vote":
                chosen = self._vote(effect, doing)
            else:
                parties = Parties(self.state, doing.seat, doing.act.target, chosen)
                self._effect(effect, doing, parties)

    def _vote(self, effect: Effect, doing: _Doing) -> tuple[int, ...]:
        state, phase = self.state, doing.phase
        last = {done.seat: done.act for done in state.acts if done.act.verb == effect.name}
        votes = Counter(act.target for act in last.values() if act.target is not None)
        least = effect.least
        if effect.majority:
            voters = sum(is_one_of(state, seat, phase.who) for seat in range(len(state.alive)))
            least = max(least, voters // 2 + 1)
        most = max(votes.values(), default=0)
        first = sorted(seat for seat, count in votes.items() if count == most and count >= least)
        if len(first) > 1 and effect.tie == "nobody":
            first = []
        elif len(first) > 1 and effect.tie == "lot":
            draws = SeededDraws("games-lot", str(state.deal.seed))
            first = [draws.one(f"{phase.id}.{state.round}.{effect.name}", first)]
        self._tell(
            GameFact(
                kind="chosen",
                name=effect.name,
                seats=tuple(first),
                votes={str(seat): count for seat, count in sorted(votes.items())},
                to=doing.told,
            )
        )
        return tuple(first)

    def _effect(self, effect: Effect, doing: _Doing, parties: Parties) -> None:
        whom, own = self._whom(effect.whom, parties), doing.told
        match effect.do:
            case "eliminate":
                for one in whom:
                    self._eliminate(effect, one)
            case "protect":
                for one in whom:
                    self._tell(GameFact(kind="protected", seat=one, to=own))
            case "reveal":
                told = None if effect.to == "all" else self._whom(effect.to, parties)
                for one in whom:
                    role = self.state.roles[one]
                    word = role.id if effect.what == "role" else role.team
                    self._tell(
                        GameFact(kind="revealed", seat=one, name=effect.what, word=word, to=told)
                    )
            case "mark":
                for one in whom:
                    self._tell(GameFact(kind="marked", seat=one, name=effect.name, to=own))
            case "unmark":
                bearers = self.state.marks.get(effect.name, frozenset())
                for one in sorted(bearers.intersection(whom)):
                    self._tell(GameFact(kind="unmarked", seat=one, name=effect.name, to=()))
            case "give":
                self._give(effect, parties, doing.act.numbers, own)
            case "offer":
                self._tell(
                    GameFact(kind="offered", seat=doing.seat, numbers=doing.act.numbers, to=own)
                )
            case "accept" | "refuse":
                self._close_offer(effect, doing, parties)
            case "guess":
                self._guess(effect, doing)
            case "count":
                self._count(effect, doing, whom)

    def _whom(self, whom: str | SeatFilter | None, parties: Parties) -> tuple[int, ...]:
        return seats_of(self.state, whom) if isinstance(whom, SeatFilter) else parties.named(whom)

    def _eliminate(self, effect: Effect, one: int) -> None:
        if not self.state.alive[one]:
            return
        if one in self.state.safe and not effect.despite:
            self._tell(GameFact(kind="saved", seat=one, to=()))
            return
        role = self.state.roles[one]
        shown = {"role": role.id, "team": role.team}.get(effect.shows, "")
        self._tell(
            GameFact(kind="eliminated", seat=one, name=effect.shows if shown else "", word=shown)
        )

    def _give(
        self, effect: Effect, parties: Parties, numbers: Mapping[str, int], told: Told
    ) -> None:
        for one in effect.transfers:
            for giver in parties.owners(one.giver):
                for taker in parties.owners(one.taker):
                    wanted = amount_of(self.state, one, parties.actor, numbers)
                    room = MOST_COUNTED - held(self.state, taker, one.item)
                    amount = min(wanted, held(self.state, giver, one.item), room)
                    if amount > 0 and giver != taker:
                        self._tell(
                            GameFact(
                                kind="gave",
                                seat=giver,
                                other=taker,
                                name=one.item,
                                amount=amount,
                                to=told,
                            )
                        )

    def _close_offer(self, effect: Effect, doing: _Doing, parties: Parties) -> None:
        """An offer that another of the same turn has closed or replaced is closed by nobody else,
        and what its seats can give no more is not traded."""
        offer, told, accepts = self.state.offer, doing.told, effect.do == "accept"
        if offer is None or offer is not doing.stood or offer.seat == doing.seat:
            return
        if accepts and not affordable(self.state, effect, parties):
            return
        if told is not None:
            told = _seats(*told, offer.seat)
        if accepts:
            self._give(effect, parties, offer.numbers, told)
        self._tell(
            GameFact(
                kind="closed",
                seat=offer.seat,
                other=doing.seat,
                amount=int(accepts),
                numbers=dict(offer.numbers),
                to=told,
            )
        )

    def _guess(self, effect: Effect, doing: _Doing) -> None:
        word = doing.act.word
        right = word == str(self.state.deal.values.get(effect.name, ""))
        self._tell(
            GameFact(kind="guessed", seat=doing.seat, word=word, amount=int(right), to=doing.told)
        )
        if right and effect.counter:
            self._change(None, effect.counter, 1, ())

    def _count(self, effect: Effect, doing: _Doing, whom: tuple[int, ...]) -> None:
        by = number_of(self.state, effect.by, doing.seat)
        if not by:
            return
        if effect.whom is None:
            self._change(None, effect.counter, by, doing.told)
        for one in whom:
            # Each knows what it has itself.
            self._change(one, effect.counter, by, None if doing.told is None else (one,))

    def _change(self, seat: int | None, counter: str, by: int, told: Told) -> None:
        now = held(self.state, seat, counter)
        by = min(MOST_COUNTED, max(-MOST_COUNTED, now + by)) - now
        self._tell(GameFact(kind="counted", seat=seat, name=counter, amount=by, to=told))


def _eliminates(phase: Phase) -> bool:
    """Whether a phase can put somebody out of the game."""
    verbs = (effect for verb in phase.verbs for effect in verb.effects)
    return any(effect.do == "eliminate" for effect in (*phase.effects, *verbs))
