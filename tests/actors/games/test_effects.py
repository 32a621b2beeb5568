"""Each effect of the closed list, and what comes of votes, protection, offers and costs."""

from typing import Any

import pytest

from actors.games.effects import MOST_FACTS
from actors.games.ruleset import MOST_COUNTED
from tests.actors.games.table import Table, deal_of, role, ruleset, verb

TALK = {"id": "talk", "verbs": [verb("say", says=True)]}


def table(*phases: dict[str, Any], seats: str = "wolf wolf farmer farmer", **fields: Any) -> Table:
    """A game of four, two of them wolves, if nothing else is said."""
    return Table(deal_of(ruleset(phases, rounds=3, **fields), seats.split()))


def together(id_: str, *verbs: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": id_, "order": "together", "verbs": list(verbs), **fields}


def vote(**fields: Any) -> dict[str, Any]:
    """A phase in which all vote at once; who is chosen is out."""
    counted = {"do": "vote", "name": "vote", **fields}
    out = {"do": "eliminate", "whom": "chosen", "shows": "role"}
    return together("vote", verb("vote", target={}), effects=[counted, out])


def votes(game: Table, *targets: int | None) -> Table:
    for seat, target in enumerate(targets):
        game.act(seat, *(() if target is None else ("vote",)), target=target)
    return game


def test_who_is_eliminated_is_out_and_all_learn_what_is_shown():
    game = votes(table(vote(), TALK), 1, 0, 1, 1)
    assert game.world.alive == (True, False, True, True)
    (fact,) = game.facts_of("spectator", "eliminated")
    assert (fact.seat, fact.name, fact.word) == (1, "role", "wolf")
    asked = set()
    while game.phase == "talk":
        asked |= game.open.keys()
        game.all_act()
    assert asked == {0, 2, 3}
    assert game.open.keys() == {0, 2, 3}
    assert game.open[0].options[0].targets == (2, 3)


@pytest.mark.parametrize(("shows", "word"), [("role", "wolf"), ("team", "pack"), ("nothing", "")])
def test_what_is_shown_of_who_is_out_is_as_the_rules_say(shows: str, word: str):
    out = {"do": "eliminate", "whom": {"roles": ["wolf"]}, "shows": shows}
    game = table({"id": "fall", "effects": [out]}, TALK)
    assert [one.word for one in game.facts_of(3, "eliminated")] == [word, word]
    assert [one.name for one in game.facts_of(3, "eliminated")] == [shows if word else ""] * 2


@pytest.mark.parametrize(("tie", "out"), [("nobody", []), ("lot", None), ("all", [0, 1])])
def test_a_tie_is_settled_as_the_rules_say(tie: str, out: list[int] | None):
    game = votes(table(vote(tie=tie), TALK), 1, 0, 1, 0)
    chosen = next(one for one in game.facts if one.kind == "chosen")
    assert chosen.votes == {"0": 2, "1": 2}
    gone = [seat for seat, alive in enumerate(game.world.alive) if not alive]
    assert gone == list(chosen.seats)
    assert gone == out if out is not None else len(gone) == 1


def test_a_lot_falls_by_the_seed_of_the_game_and_differs_from_game_to_game():
    rules = ruleset([vote(tie="lot"), TALK])
    fallen = [
        votes(Table(deal_of(rules, ["farmer"] * 4, seed=seed)), 1, 0, 1, 0).world.alive[0]
        for seed in (*range(20), *range(20))
    ]
    assert fallen[:20] == fallen[20:]
    assert set(fallen) == {True, False}


@pytest.mark.parametrize(
    ("rule", "targets", "out"),
    [
        ({}, (1, None, None, None), 1),
        ({"least": 2}, (1, None, None, None), None),
        ({"least": 2}, (1, None, 1, None), 1),
        ({"majority": True}, (1, None, 1, None), None),
        ({"majority": True}, (1, None, 1, 1), 1),
        ({"majority": True, "least": 4}, (1, 0, 1, 1), None),
        ({}, (None, None, None, None), None),
    ],
)
def test_who_is_chosen_needs_so_many_votes(rule, targets, out):
    game = votes(table(vote(**rule), TALK), *targets)
    gone = [seat for seat, alive in enumerate(game.world.alive) if not alive]
    assert gone == ([] if out is None else [out])


def test_the_last_vote_of_each_counts_and_votes_of_other_phases_do_not():
    twice = vote() | {"order": "turns", "repeat": 2}
    first = together("poll", verb("vote", target={}))
    game = votes(table(first, twice, TALK), 3, 3, 3, 0)
    for target in (1, 2, 1, 2, 2, 2, 3, None):
        seat = next(iter(game.open))
        game.act(seat, "pass" if target is None else "vote", target=target)
    chosen = next(one for one in game.facts if one.kind == "chosen")
    # Seat 3 did nothing the second time, so its first vote is its last.
    assert chosen.votes == {"2": 3, "3": 1}
    assert chosen.seats == (2,)


SHELTER = {
    "id": "healer",
    "who": {"roles": ["healer"]},
    "visibility": "self",
    "verbs": [verb("shelter", {"do": "protect", "whom": "target"}, target={}, oneself=True)],
}
HUNT = {
    "id": "hunt",
    "who": {"roles": ["wolf"]},
    "visibility": "team",
    "verbs": [verb("kill", {"do": "eliminate", "whom": "target"}, target={})],
}
HEALED = {"roles": [role("healer"), role("wolf", count=[{"players": 2, "count": 2}]), role("cat")]}
FOUR = "healer wolf wolf cat"


def test_protection_holds_until_the_end_of_the_next_phase_that_eliminates():
    game = table(SHELTER, TALK, HUNT, TALK | {"id": "after"}, seats=FOUR, **HEALED)
    game.act(0, "shelter", target=3)
    while game.phase == "talk":
        game.all_act()
    assert game.world.safe == {3}
    game.act(1, "kill", target=3)
    assert game.world.safe == {3}, "both who hunt meet the same shelter"
    game.act(2, "kill", target=3)
    assert game.world.alive == (True,) * 4
    assert game.world.safe == frozenset()
    assert game.told("saved") == [(), ()]
    assert game.told("unprotected") == [()]
    assert game.told("protected") == [(0,)]


def test_protection_ends_in_no_phase_that_nobody_acts_in():
    idle = HUNT | {"id": "idle", "who": {"marked": "never"}}
    game = table(SHELTER, idle, TALK, HUNT, seats=FOUR, **HEALED)
    game.act(0, "shelter", target=3)
    assert game.phase == "talk"
    assert game.world.safe == {3}


def test_who_is_eliminated_despite_protection_is_out():
    despite = {"do": "eliminate", "whom": {"roles": ["cat"]}, "despite": True}
    game = table(SHELTER, {"id": "fall", "effects": [despite]}, TALK, seats=FOUR, **HEALED)
    game.act(0, "shelter", target=3)
    assert game.world.alive == (True, True, True, False)


def test_one_who_is_out_is_not_put_out_again():
    kill = {"do": "eliminate", "whom": {"status": "any", "roles": ["wolf"]}}
    game = table({"id": "a", "effects": [kill, kill]}, TALK)
    assert [one.seat for one in game.facts if one.kind == "eliminated"] == [0, 1]


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("actor", (0,)),
        ("target", (2,)),
        ("all", None),
        ({"teams": ["pack"]}, (0, 1)),
        ("chosen", ()),
        ("offerer", ()),
    ],
)
@pytest.mark.parametrize(("what", "word"), [("role", "farmer"), ("team", "village")])
def test_what_is_revealed_is_told_to_whom_the_rules_say(to, told, what, word):
    reveal = {"do": "reveal", "whom": "target", "to": to, "what": what}
    look = {"id": "look", "visibility": "self", "verbs": [verb("look", reveal, target={})]}
    game = table(look).act(0, "look", target=2)
    (fact,) = [one for one in game.facts if one.kind == "revealed"]
    assert (fact.seat, fact.name, fact.word, fact.to) == (2, what, word, told)
    for viewer in (0, 1, 2, 3, "spectator"):
        assert len(game.facts_of(viewer, "revealed")) == (told is None or viewer in told)


def test_a_mark_is_set_and_cleared_and_that_it_is_cleared_nobody_learns():
    mark = verb("curse", {"do": "mark", "whom": "target", "name": "cursed"}, target={})
    curse = {"id": "curse", "who": {"roles": ["wolf"]}, "visibility": "team", "verbs": [mark]}
    cursed = {"marked": "cursed"}
    clear = {"do": "unmark", "whom": cursed, "name": "cursed"}
    moan = {"id": "moan", "who": cursed, "verbs": [verb("say", says=True)], "effects": [clear]}
    game = table(curse, moan, TALK)
    game.act(0, "curse", target=3).act(1, "curse", target=2)
    assert game.world.marks == {"cursed": {2, 3}}
    assert game.told("marked") == [(0, 1), (0, 1)]
    assert game.open.keys() == {2}
    assert game.act(2).open.keys() == {3}
    game.act(3)
    assert game.world.marks == {"cursed": frozenset()}
    assert game.told("unmarked") == [(), ()]


def test_only_who_bears_a_mark_loses_it():
    mark = {"do": "mark", "whom": {"roles": ["wolf"]}, "name": "cursed"}
    clear = {"do": "unmark", "whom": {"status": "any"}, "name": "cursed"}
    game = table({"id": "dusk", "effects": [mark, clear, clear]}, TALK)
    assert [one.seat for one in game.facts if one.kind == "unmarked"] == [0, 1]


MONEY = {"roles": [role("rich", counters={"coins": 5}), role("poor", counters={"coins": 1})]}


def give(amount: Any, giver: str, taker: str) -> dict[str, Any]:
    return {"item": "coins", "amount": amount, "giver": giver, "taker": taker}


@pytest.mark.parametrize(
    ("transfer", "coins", "pot"),
    [
        (give(2, "actor", "target"), (3, 3), 4),
        (give(9, "actor", "target"), (0, 6), 4),
        (give("n", "actor", "game"), (2, 1), 7),
        (give(3, "game", "target"), (5, 4), 1),
        (give(9, "game", "target"), (5, 5), 0),
        (give(2, "target", "actor"), (6, 0), 4),
        (give(-2, "actor", "target"), (5, 1), 4),
        (give(2, "actor", "chosen"), (5, 1), 4),
        (give(2, "offerer", "game"), (5, 1), 4),
        (give(2, "actor", "actor"), (5, 1), 4),
        (give({"own": "coins"}, "actor", "target"), (0, 6), 4),
    ],
)
def test_what_is_given_is_no_more_than_there_is(transfer, coins, pot):
    number = {"id": "n", "text": "n", "low": 0, "high": {"own": "coins"}}
    gives = verb("give", {"do": "give", "transfers": [transfer]}, target={}, numbers=[number])
    phase = {"id": "give", "verbs": [gives]}
    game = table(phase, seats="rich poor", counters={"coins": 4}, **MONEY)
    assert game.open[0].options[0].numbers[0].high == 5
    game.act(0, "give", target=1, numbers={"n": 3})
    assert tuple(one["coins"] for one in game.world.own) == coins
    assert game.world.shared == {"coins": pot}


def test_each_of_those_who_were_chosen_is_given_so_much():
    count = {"do": "vote", "name": "vote", "tie": "all"}
    prize = {"do": "give", "transfers": [give(2, "game", "chosen")]}
    phase = together("vote", verb("vote", target={}), effects=[count, prize])
    game = table(phase, seats="rich poor", counters={"coins": 4}, **MONEY)
    votes(game, 1, 0)
    assert tuple(one["coins"] for one in game.world.own) == (7, 3)
    assert game.world.shared == {"coins": 0}


PRICE = {"id": "price", "text": "p", "low": 0, "high": 9}
TRADE = [
    {"item": "coins", "amount": "price", "giver": "actor", "taker": "offerer"},
    {"item": "hats", "amount": 1, "giver": "offerer", "taker": "actor"},
]
OFFER = verb("offer", {"do": "offer"}, numbers=[PRICE])
ACCEPT = verb("accept", {"do": "accept", "transfers": TRADE})
REFUSE = verb("refuse", {"do": "refuse"})
SELLERS = [
    role("seller", counters={"hats": 1}),
    role("buyer", counters={"coins": 5}, count=[{"players": 2, "count": 2}]),
]


def market(*phases: dict[str, Any]) -> Table:
    return Table(deal_of(ruleset(phases, rounds=3, roles=SELLERS), ["seller", "buyer", "buyer"]))


def verbs_of(game: Table, seat: int) -> set[str]:
    return {one.verb for one in game.open[seat].options}


def test_an_offer_is_closed_by_another_seat_that_can_pay_and_ends_then():
    game = market({"id": "deal", "repeat": 3, "verbs": [OFFER, ACCEPT, REFUSE]})
    assert verbs_of(game, 0) == {"offer", "pass"}
    game.act(0, "offer", numbers={"price": 6})
    assert verbs_of(game, 1) == {"offer", "refuse", "pass"}, "six are too much"
    game.act(1, "refuse")
    assert game.world.offer is None
    game.act(2)
    game.act(0, "offer", numbers={"price": 4})
    assert verbs_of(game, 1) == {"offer", "accept", "refuse", "pass"}
    game.act(1, "accept")
    assert game.world.own == ({"hats": 0, "coins": 4}, {"coins": 1, "hats": 1}, {"coins": 5})
    assert [one.amount for one in game.facts if one.kind == "closed"] == [0, 1]
    assert verbs_of(game, 2) == {"offer", "pass"}


def test_of_two_who_accept_at_once_the_first_seat_has_it():
    phases = [{"id": "ask", "who": {"roles": ["seller"]}, "verbs": [OFFER]}]
    game = market(*phases, together("take", ACCEPT, REFUSE, who={"roles": ["buyer"]}))
    game.act(0, "offer", numbers={"price": 2})
    game.act(2, "accept").act(1, "accept")
    assert [one["coins"] for one in game.world.own] == [2, 3, 5]
    assert [one.other for one in game.facts if one.kind == "closed"] == [1]


def test_nothing_comes_of_an_offer_that_was_replaced_in_the_same_turn():
    game = market({"id": "ask", "verbs": [OFFER]}, together("take", OFFER, ACCEPT))
    game.act(0, "offer", numbers={"price": 1}).act(1).act(2)
    game.act(0, "offer", numbers={"price": 5}).act(1, "accept").act(2)
    assert [one.get("coins", 0) for one in game.world.own] == [0, 5, 5]
    assert game.world.offer is not None
    assert game.world.offer.numbers == {"price": 5}


def test_an_offer_falls_with_who_made_it():
    fall = {"do": "eliminate", "whom": {"roles": ["seller"]}}
    game = market(
        {"id": "ask", "who": {"roles": ["seller"]}, "verbs": [OFFER], "effects": [fall]},
        {"id": "take", "verbs": [ACCEPT, REFUSE, verb("say", says=True)]},
    )
    game.act(0, "offer", numbers={"price": 1})
    assert game.world.offer is None
    assert verbs_of(game, 1) == {"say", "pass"}


def test_in_a_secret_phase_who_made_an_offer_learns_that_it_is_closed():
    ask = {"id": "ask", "who": {"roles": ["seller"]}, "visibility": "self", "verbs": [OFFER]}
    take = {"id": "take", "who": {"roles": ["buyer"]}, "visibility": "self", "verbs": [ACCEPT]}
    game = market(ask, take).act(0, "offer", numbers={"price": 1}).act(1, "accept")
    assert game.told("offered") == [(0,)]
    assert set(game.told("gave")) == {(0, 1)}
    assert game.told("closed") == [(0, 1)]
    assert game.facts_of(2, "closed") == game.facts_of("spectator", "closed") == []


@pytest.mark.parametrize(("word", "right"), [("mill", 1), ("well", 0)])
def test_a_guess_is_compared_with_what_was_drawn(word: str, right: int):
    guess = verb("guess", {"do": "guess", "name": "place", "counter": "found"}, among="place")
    rules = ruleset(
        [{"id": "guess", "verbs": [guess], "visibility": "team"}],
        values=[{"id": "place", "words": ["mill", "well"]}],
        counters={"found": 0},
        ends=[{"id": "known", "when": {"left": {"counter": "found"}, "right": 1}, "text": "Found.",
               "winners": ["pack"]}],
    )  # fmt: skip
    game = Table(deal_of(rules, ["wolf", "wolf", "farmer"], {"place": "mill"}))
    game.act(0, "guess", word=word)
    (fact,) = [one for one in game.facts if one.kind == "guessed"]
    assert (fact.seat, fact.word, fact.amount, fact.to) == (0, word, right, (0, 1))
    assert game.world.shared == {"found": right}
    assert game.told("counted") == [()] * right
    assert bool(game.end) == bool(right)
    assert game.world.winners == ((0, 1) if right else ())


def test_a_number_that_was_drawn_can_be_guessed():
    guess = verb("guess", {"do": "guess", "name": "n", "counter": "found"}, words=["1", "2"])
    rules = ruleset([{"id": "g", "verbs": [guess]}], values=[{"id": "n", "low": 1, "high": 2}])
    game = Table(deal_of(rules, ["farmer"] * 2, {"n": 2}))
    assert game.act(0, "guess", word="2").world.shared == {"found": 1}


def test_what_is_counted_belongs_to_the_game_or_to_seats():
    point = {"do": "count", "counter": "points", "by": 2}
    mine = {"do": "count", "counter": "points", "whom": "actor"}
    theirs = {"do": "count", "counter": "points", "whom": {"roles": ["farmer"]}, "by": -1}
    none = {"do": "count", "counter": "points", "by": {"own": "nothing"}}
    phase = {"id": "a", "visibility": "self", "verbs": [verb("do", point, mine, theirs, none)]}
    game = table(phase).act(0, "do")
    assert game.world.shared == {"points": 2}
    assert [one.get("points", 0) for one in game.world.own] == [1, 0, -1, -1]
    assert game.told("counted") == [(0,), (0,), (2,), (3,)]


def test_no_counter_comes_to_more_than_can_be_stored():
    doubled = {"do": "count", "counter": "pot", "by": {"counter": "pot"}}
    paid = {
        "do": "give",
        "transfers": [{"item": "pot", "amount": {"counter": "pot"}, "giver": "game",
                       "taker": "actor"}],
    }  # fmt: skip
    more = {"do": "count", "counter": "pot", "by": 7}
    down = {"do": "count", "counter": "debt", "by": {"counter": "debt"}}
    rules = ruleset(
        [
            *[{"id": f"growth{n}", "effects": [more, doubled, down] * 15} for n in range(2)],
            {"id": "pay", "verbs": [verb("take", paid)]},
        ],
        rounds=20,
        counters={"pot": 1_000_000, "debt": -1},
    )
    table = Table(deal_of(rules, ("farmer", "farmer")))
    while table.open:
        table.all_act("take")
    held = [table.world.shared, *table.world.own]
    assert max(one["pot"] for one in held) == MOST_COUNTED == -table.world.shared["debt"]
    assert max(abs(fact.amount) for fact in table.facts) <= 2 * MOST_COUNTED


def test_a_game_in_which_nobody_acts_any_more_is_over_before_it_is_too_long_to_store():
    busy = {"do": "count", "counter": "c", "whom": {}}
    quiet = [{"id": f"quiet{n}", "effects": [busy] * 50} for n in range(50)]
    table = Table(deal_of(ruleset(quiet, rounds=100), ("farmer",) * 12))
    assert table.end is not None
    assert table.end.reason == "exhausted"
    assert MOST_FACTS <= len(table.facts) < MOST_FACTS + 1_000


def test_what_a_verb_costs_is_paid_first_and_it_cannot_be_chosen_without_enough():
    coin = {"do": "count", "counter": "coins", "whom": "target", "by": -1}
    rob = verb("rob", coin, target={}, costs={"coins": 1})
    game = table(together("rob", rob, repeat=2), seats="rich poor", **MONEY)
    game.act(0, "rob", target=1).act(1, "rob", target=0)
    assert [one["coins"] for one in game.world.own] == [3, -1]
    assert game.told("counted")[:2] == [(0,), (1,)]
    assert game.open.keys() == {0}, "who cannot pay can do nothing"


def test_an_act_counts_even_if_another_of_the_same_turn_puts_its_seat_out():
    kill = verb("kill", {"do": "eliminate", "whom": "target"}, target={})
    game = table(together("duel", kill), TALK)
    game.act(0, "kill", target=1).act(1, "kill", target=0).act(2).act(3)
    assert game.world.alive == (False, False, True, True)
    assert game.open.keys() == {2}


def test_who_was_put_out_in_an_earlier_turn_of_a_phase_is_not_asked_any_more():
    kill = verb("kill", {"do": "eliminate", "whom": "target"}, target={})
    game = table({"id": "duel", "repeat": 2, "verbs": [kill]}, TALK)
    order = []
    for target in (1, 3, None, None):
        seat = next(iter(game.open))
        order.append(seat)
        game.act(seat, "pass" if target is None else "kill", target=target)
    assert order == [0, 2, 0, 2]


def test_an_effect_has_a_condition_on_who_acts():
    rich = {"left": {"own": "coins"}, "compare": ">=", "right": 5}
    mark = {"do": "mark", "whom": "actor", "name": "rich", "when": rich}
    game = table(together("a", verb("show", mark)), seats="rich poor", **MONEY)
    game.act(0, "show").act(1, "show")
    assert game.world.marks == {"rich": {0}}
