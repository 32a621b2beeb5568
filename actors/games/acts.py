"""What a seat can do now, and whether what it did is that."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from actors.games.conditions import holds, is_one_of, number_of, seats_of
from actors.games.ruleset import ACTOR, CHOSEN, OFFERER, PASS, TARGET, Effect, Transfer, Verb
from actors.games.setup import MOST_WORDS, ActOption, Decide, GameAct, NumberRange
from actors.games.state import GameState

_NOTHING = ActOption(verb=PASS, text="do nothing")


def next_turn(state: GameState) -> tuple[tuple[int, Decide], ...]:
    """Who acts next in this phase, and what each is asked; empty: nobody does any more."""
    for turn in state.queue:
        if asked := acting(state, turn):
            return asked
    return ()


def anybody_acts(state: GameState) -> bool:
    """Whether ``next_turn`` asks somebody."""
    phase = state.here
    return any(
        is_one_of(state, seat, phase.who)
        and any(option_of(state, seat, verb) is not None for verb in phase.verbs)
        for seat in {seat: None for turn in state.queue for seat in turn}
    )


def acting(state: GameState, turn: tuple[int, ...]) -> tuple[tuple[int, Decide], ...]:
    """Who of a turn of the queue acts, and what each is asked. Who can do nothing is not asked."""
    phase, asked = state.here, []
    for seat in turn:
        if not is_one_of(state, seat, phase.who):
            continue
        options = [
            option for verb in phase.verbs if (option := option_of(state, seat, verb)) is not None
        ]
        if not options:
            continue
        if phase.passes:
            options.append(_NOTHING)
        question = Decide(
            phase=phase.id,
            title=phase.title,
            text=phase.text,
            round=state.round,
            together=phase.order == "together",
            heard=phase.visibility,
            options=tuple(options),
        )
        asked.append((seat, question))
    return tuple(asked)


def option_of(state: GameState, seat: int, verb: Verb) -> ActOption | None:
    """A verb as a seat can choose it now; None: it cannot."""
    counters = state.own[seat]
    if any(counters.get(name, 0) < cost for name, cost in verb.costs.items()):
        return None
    if not holds(state, verb.when, seat) or not _offer_fits(state, seat, verb):
        return None
    targets: tuple[int, ...] = ()
    if verb.target is not None:
        targets = tuple(
            [one for one in seats_of(state, verb.target) if one != seat or verb.oneself]
        )
        if not targets:
            return None
    numbers = tuple(
        [
            NumberRange(
                id=one.id,
                text=one.text,
                low=number_of(state, one.low, seat),
                high=number_of(state, one.high, seat),
            )
            for one in verb.numbers
        ]
    )
    if any(one.high < one.low for one in numbers):
        return None
    words = verb.words
    if verb.among:
        words = _words_of(state, verb.among)
    return ActOption(
        verb=verb.id,
        text=verb.text,
        says=verb.says,
        direct=_hearers(state, seat) if verb.direct else (),
        targets=targets,
        numbers=numbers,
        words=words,
    )


def _words_of(state: GameState, value: str) -> tuple[str, ...]:
    """The words of which a value was drawn; those of a row of a bank in an order that tells nothing
    of their columns."""
    words = next(one.words for one in state.rules.values if one.id == value)
    row = [str(word) for name, word in state.deal.values.items() if name.startswith(f"{value}.")]
    return words or tuple(sorted(row))


def _hearers(state: GameState, seat: int) -> tuple[int, ...]:
    """To whom alone a seat can speak: whoever is told that it acts in this phase at all."""
    heard, roles = state.here.visibility, state.roles
    return tuple(
        [
            one
            for one, alive in enumerate(state.alive)
            if alive
            and one != seat
            and (heard == "public" or (heard == "team" and roles[one].team == roles[seat].team))
        ]
    )


def _offer_fits(state: GameState, seat: int, verb: Verb) -> bool:
    """An offer can be closed where one of another seat stands, and be accepted where all have what
    they are to give."""
    for effect in verb.effects:
        if effect.do not in ("accept", "refuse"):
            continue
        offer = state.offer
        if offer is None or offer.seat == seat:
            return False
        if effect.do == "accept" and not affordable(state, effect, Parties(state, seat)):
            return False
    return True


class Parties(NamedTuple):
    """Whom an effect can name: who acts, whom the act names, whose offer stands, whom the votes
    chose."""

    state: GameState
    actor: int | None = None
    target: int | None = None
    chosen: tuple[int, ...] = ()

    def named(self, name: str | None) -> tuple[int, ...]:
        """The seats of a name, often one; none: nobody is meant."""
        offer = self.state.offer
        found: tuple[int | None, ...] = self.chosen if name == CHOSEN else ()
        if name == ACTOR:
            found = (self.actor,)
        elif name == TARGET:
            found = (self.target,)
        elif name == OFFERER and offer is not None:
            found = (offer.seat,)
        return tuple([one for one in found if one is not None])

    def owners(self, name: str) -> tuple[int | None, ...]:
        """Who gives or takes in a transfer; None: the game itself."""
        return (None,) if name == "game" else self.named(name)


def affordable(state: GameState, effect: Effect, parties: Parties) -> bool:
    """Whether all have what they are to give when the offer that stands is accepted."""
    assert state.offer is not None, "there is one to accept"
    owed: Counter[tuple[int | None, str]] = Counter()
    for one in effect.transfers:
        amount = amount_of(state, one, parties.actor, state.offer.numbers)
        for giver in parties.owners(one.giver):
            owed[giver, one.item] += amount * len(parties.owners(one.taker))
    return all(held(state, giver, item) >= most for (giver, item), most in owed.items())


def held(state: GameState, seat: int | None, item: str) -> int:
    """How much of something a seat, or the game, has."""
    return (state.shared if seat is None else state.own[seat]).get(item, 0)


def amount_of(
    state: GameState, one: Transfer, actor: int | None, numbers: Mapping[str, int]
) -> int:
    """How much is moved, never less than nothing."""
    found = one.amount
    return max(
        0, numbers.get(found, 0) if isinstance(found, str) else number_of(state, found, actor)
    )


def act_fault(question: Decide, act: GameAct) -> str | None:
    """Why an act is no answer to a question, as half a sentence; None if it is one."""
    option = next((one for one in question.options if one.verb == act.verb), None)
    if option is None:
        known = ", ".join(one.verb for one in question.options)
        return f"there is no verb {act.verb!r} now; there are {known}"
    if option.targets and act.target not in option.targets:
        return f"{act.verb} names one of {_seats(option.targets)}"
    if not option.targets and act.target is not None:
        return f"{act.verb} names nobody"
    if set(act.numbers) != {one.id for one in option.numbers}:
        wanted = ", ".join(one.id for one in option.numbers)
        return f"{act.verb} takes the numbers {wanted}" if wanted else f"{act.verb} takes no number"
    for one in option.numbers:
        if not one.low <= act.numbers[one.id] <= one.high:
            return f"{one.id} is {one.low} to {one.high}, not {act.numbers[one.id]}"
    if option.words and act.word not in option.words:
        return f"{act.verb} names one of {', '.join(option.words)}"
    if not option.words and act.word:
        return f"{act.verb} names no word"
    if option.says and not act.text.strip():
        return f"{act.verb} has words"
    if not option.says and act.text:
        return f"{act.verb} has no words"
    if len(act.text) > MOST_WORDS:
        return f"what is said has at most {MOST_WORDS:,} characters"
    if act.to is not None and act.to not in option.direct:
        return f"words go to one of {_seats(option.direct)}" if option.direct else "words go to all"
    return None


def _seats(seats: tuple[int, ...]) -> str:
    return "the seats " + ", ".join(str(seat + 1) for seat in seats)
