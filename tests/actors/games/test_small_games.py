"""Rational scripts reach the outcome that theory expects of a small game, and those who share what
they know the efficient one. They read their cards, what they notice and what they are offered."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import pytest

from actors.games.setup import Decide, GameAct, Settings
from actors.games.sight import ActSeen, FactSeen, GameView
from actors.games.theory import theory_of
from tests.actors.games.scripted import PASSES, Script, deal_of, played

GAMES = range(1, 41)
LAST = 4
"""The round after which there is no other."""


def known(view: GameView) -> list[int]:
    """The numbers of a seat's own card."""
    assert isinstance(view.viewer, int)
    card = view.setup.cards[view.viewer]
    assert card is not None
    return [int(one) for one in re.findall(r"\d+", f"{card.goal} {card.secret}")]


def standing(view: GameView) -> Mapping[str, int]:
    """The numbers that were offered last; empty: nothing was."""
    facts = [one.fact for one in view.noticed if isinstance(one, FactSeen)]
    return next((one.numbers for one in reversed(facts) if one.kind == "offered"), {})


def heard(view: GameView, seat: int) -> list[int]:
    """The numbers in what a seat has said."""
    said = [one.act.text for one in view.noticed if isinstance(one, ActSeen) and one.seat == seat]
    return [int(one) for one in re.findall(r"\d+", " ".join(said))]


def offers(question: Decide, verb: str) -> list[dict[str, int]]:
    """All that can be offered with a verb now."""
    fields = next(one.numbers for one in question.options if one.verb == verb)
    ranges = [range(one.low, one.high + 1) for one in fields]
    names = [one.id for one in fields]
    return [dict(zip(names, numbers, strict=True)) for numbers in product(*ranges)]


def says(question: Decide, text: str = "Let us see.") -> GameAct | None:
    """Something said, where that is what is asked for."""
    return GameAct(verb="say", text=text) if question.phase == "talk" else None


def best(
    question: Decide,
    verb: str,
    own: Callable[[Mapping[str, int]], int],
    theirs: Sequence[Callable[[Mapping[str, int]], int]],
) -> GameAct:
    """The offer by which the script expects to gain most: it is taken by those of the other's
    possible selves who lose nothing. No offer where none promises a gain."""

    def hoped(offer: Mapping[str, int]) -> tuple[int, int]:
        takers = [gain(offer) for gain in theirs if gain(offer) >= 0]
        return own(offer) * len(takers), sum(takers)

    found = max(offers(question, verb), key=hoped)
    return GameAct(verb=verb, numbers=found) if hoped(found)[0] > 0 else PASSES


def has(question: Decide, verb: str) -> bool:
    return any(one.verb == verb for one in question.options)


# The division


def proposer(view: GameView, question: Decide) -> GameAct:
    pie = known(view)[0]
    return says(question) or best(
        question, "propose", lambda offer: pie - offer["share"], [lambda offer: offer["share"]]
    )


def responder(view: GameView, question: Decide) -> GameAct:
    if spoken := says(question):
        return spoken
    return GameAct(verb="accept" if standing(view)["share"] > 0 else "refuse")


def proud(view: GameView, question: Decide) -> GameAct:
    """Refuses less than half."""
    if spoken := says(question):
        return spoken
    return GameAct(verb="accept" if 2 * standing(view)["share"] >= known(view)[0] else "refuse")


@pytest.mark.parametrize("number", GAMES)
def test_a_rational_division_is_the_equilibrium_of_the_ultimatum_game(number: int) -> None:
    deal = deal_of(f"ultimatum-2-{number}")
    game = played(deal, {"proposer": proposer, "responder": responder})
    expected = theory_of(deal)
    pie = int(deal.values["pie"])
    assert game.payoffs == expected.equilibrium
    assert sorted(game.payoffs) == [1, pie - 1]
    assert sum(game.payoffs) == expected.efficient == pie


def test_a_share_that_is_refused_is_nobodys() -> None:
    game = played(deal_of("ultimatum-2-1"), {"proposer": proposer, "responder": proud})
    assert (game.payoffs, game.end.reason, game.end.summary["ending"]) == (
        *((0, 0), "settled", "lost"),
    )


# Buying and selling

WORTHS = range(40, 101)
"""As all are told."""


def seller(view: GameView, question: Decide) -> GameAct:
    """Waits for the last round, in which the buyer cannot answer with another price."""
    cost = known(view)[0]
    if spoken := says(question):
        return spoken
    if question.round < LAST:
        return PASSES
    selves = [lambda offer, worth=worth: worth - offer["price"] for worth in WORTHS]
    return best(question, "ask", lambda offer: offer["price"] - cost, selves)


def buyer(view: GameView, question: Decide) -> GameAct:
    """Takes what is no loss."""
    worth = known(view)[0]
    if spoken := says(question):
        return spoken
    fair = has(question, "buy") and standing(view)["price"] <= worth
    return GameAct(verb="buy") if fair else PASSES


def honest_seller(view: GameView, question: Decide) -> GameAct:
    """Says what it cost, and asks that."""
    cost = known(view)[0]
    return says(question, f"It cost me {cost}.") or GameAct(verb="ask", numbers={"price": cost})


@pytest.mark.parametrize("number", GAMES)
def test_a_rational_sale_is_at_the_price_that_theory_expects(number: int) -> None:
    deal = deal_of(f"buy-sell-2-{number}")
    game = played(deal, {"seller": seller, "buyer": buyer})
    cost, worth = int(deal.values["cost"]), int(deal.values["worth"])
    price = max(min(WORTHS), (max(WORTHS) + 1 + cost) // 2)
    gains = (price - cost, worth - price) if worth >= price else (0, 0)
    assert game.payoffs == theory_of(deal).equilibrium
    assert sorted(game.payoffs) == sorted(gains)


@pytest.mark.parametrize("number", GAMES)
def test_who_asks_what_it_cost_sells_wherever_that_is_efficient(number: int) -> None:
    deal = deal_of(f"buy-sell-2-{number}")
    game = played(deal, {"seller": honest_seller, "buyer": buyer})
    cost, worth = int(deal.values["cost"]), int(deal.values["worth"])
    assert sum(game.payoffs) == theory_of(deal).efficient == max(0, worth - cost)


def test_a_private_value_makes_sales_fail_that_would_be_efficient() -> None:
    expected = [theory_of(deal_of(f"buy-sell-2-{number}")) for number in GAMES]
    assert any(sum(filter(None, one.equilibrium)) < (one.efficient or 0) for one in expected)


# Apples and honey


def grower(view: GameView, question: Decide) -> GameAct:
    """Waits for the last round, and reckons with all that the other may think of the goods."""
    apple, jar = known(view)
    if spoken := says(question):
        return spoken
    if question.round < LAST:
        return PASSES
    selves = [
        lambda offer, a=a, h=h: a * offer["apples"] - h * offer["honey"]
        for a, h in product(range(2, 7), range(1, 5))
    ]
    return best(question, "offer", lambda o: jar * o["honey"] - apple * o["apples"], selves)


def keeper(view: GameView, question: Decide) -> GameAct:
    """Says what the goods are worth, and takes what is no loss."""
    apple, jar = known(view)
    if spoken := says(question, f"A crate is worth {apple} to me, and a jar {jar}."):
        return spoken
    offer = standing(view)
    fair = has(question, "accept") and apple * offer["apples"] >= jar * offer["honey"]
    return GameAct(verb="accept") if fair else PASSES


def trusting(view: GameView, question: Decide) -> GameAct:
    """Proposes the exchange that is worth most to both together among those that neither loses
    by, once it was told what the goods are worth to the other."""
    apple, jar = known(view)
    if spoken := says(question):
        return spoken
    assert isinstance(view.viewer, int)
    numbers = heard(view, 1 - view.viewer)

    def gains(offer: Mapping[str, int]) -> tuple[int, int]:
        other = numbers[0] * offer["apples"] - numbers[1] * offer["honey"]
        return jar * offer["honey"] - apple * offer["apples"], other

    fair = [one for one in offers(question, "offer") if min(gains(one)) >= 0]
    found = max(fair, key=lambda one: sum(gains(one)), default=None)
    return GameAct(verb="offer", numbers=found) if found else PASSES


@pytest.mark.parametrize("number", GAMES)
def test_a_rational_exchange_is_the_one_that_theory_expects(number: int) -> None:
    deal = deal_of(f"trade-2-{number}")
    game = played(deal, {"grower": grower, "keeper": keeper})
    assert game.payoffs == theory_of(deal).equilibrium


@pytest.mark.parametrize("number", GAMES)
def test_the_best_exchange_that_both_accept_is_efficient(number: int) -> None:
    deal = deal_of(f"trade-2-{number}")
    game = played(deal, {"grower": trusting, "keeper": keeper})
    expected = theory_of(deal)
    assert sum(game.payoffs) == expected.efficient
    assert sum(game.payoffs) >= sum(filter(None, expected.equilibrium))


# The pot


def contributes(amount: int) -> Script:
    def script(view: GameView, question: Decide) -> GameAct:
        del view
        return says(question) or GameAct(verb="give", numbers={"amount": amount})

    return script


def selfish(view: GameView, question: Decide) -> GameAct:
    """A coin in the pot is worth 1.8 to all together."""
    if spoken := says(question):
        return spoken
    own = 1.8 / len(view.setup.players)
    choices = offers(question, "give")
    found = max(choices, key=lambda one: own * one["amount"] - one["amount"])
    return GameAct(verb="give", numbers=found)


@pytest.mark.parametrize("players", [3, 4, 6])
def test_who_thinks_of_themselves_puts_nothing_into_the_pot(players: int) -> None:
    deal = deal_of(f"public-goods-{players}-1")
    game = played(deal, {"member": selfish})
    given = [act.numbers["amount"] for *_, act in game.acts if act.verb == "give"]
    assert given == [0] * 4 * players
    assert game.payoffs == theory_of(deal).equilibrium == (40,) * players


@pytest.mark.parametrize("players", [3, 4, 6])
def test_who_puts_everything_into_the_pot_has_the_efficient_sum(players: int) -> None:
    deal = deal_of(f"public-goods-{players}-1")
    game = played(deal, {"member": contributes(10)})
    assert sum(game.payoffs) == pytest.approx(theory_of(deal).efficient)
    assert game.payoffs == (72,) * players


def test_fewer_rounds_are_fewer_coins_in_theory_too() -> None:
    deal = deal_of("public-goods-4-1", Settings(rounds=2))
    assert played(deal, {"member": selfish}).payoffs == theory_of(deal).equilibrium == (20,) * 4
    assert theory_of(deal).efficient == 144
