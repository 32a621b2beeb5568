"""What theory says of a game is computed from formulas, or from the last offer that is made."""

from typing import Any

import msgspec
import pytest

from actors.games.catalog.starter import starter_catalog
from actors.games.deals import dealt
from actors.games.ruleset import Ruleset
from actors.games.setup import Player
from actors.games.theory import BadFormula, TheoryOutcome, formula, theory_fault, theory_of

OFFER = {
    "by": "a",
    "to": "b",
    "numbers": {"price": ("1", "9")},
    "gains": {"a": "price - cost", "b": "worth - price"},
    "unknown": ["worth"],
}


def rules(**theory: Any) -> Ruleset:
    """Two roles, and two numbers that are drawn."""
    roles = [
        {"id": one, "name": one, "team": one, "goal": "g", "count": [{"players": 2, "count": 1}]}
        for one in "ab"
    ]
    given = {
        "id": "r", "title": "t", "about": "a", "least": 2, "most": 2, "rounds": 3, "roles": roles,
        "phases": [{"id": "p", "title": "p"}],
        "values": [
            {"id": "cost", "low": 3, "high": 3},
            {"id": "worth", "low": 2, "high": 8, "step": 2},
        ],
        "theory": theory or None,
    }  # fmt: skip
    return msgspec.convert(given, Ruleset)


def outcome(**theory: Any) -> TheoryOutcome:
    """Of the first game, in which a sits in the seat it is dealt."""
    players = [Player(id=one, name=one) for one in ("x", "y")]
    return theory_of(dealt(rules(**theory), players, {}, "s", 1))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("-x - -2", -5),
        ("1.5 * two-words", 16.5),
        ("x - two-words", -4),
    ],
)
def test_a_formula_is_computed_as_it_is_written(text: str, value: float) -> None:
    assert formula(text)({"x": 7, "two-words": 11}) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no formula"),
        ("2 +", "is no formula"),
        ("x ** 9", "has more than numbers"),
        ("x / 2", "has more than numbers"),
        ("abs(x)", "has more than numbers"),
        ("x.real", "has more than numbers"),
        ("True", "has more than numbers"),
        ("'x'", "has more than numbers"),
        ("x-y", "there is no number 'x-y', but x; a minus stands between spaces"),
        ("(" * 5_000, "is no formula"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadFormula, match=why.replace("(", r"\(")):
        formula(text)({"x": 7})


def test_a_game_without_theory_has_no_expected_payoffs() -> None:
    assert outcome() == TheoryOutcome((None, None), None)


def test_a_role_that_no_formula_names_has_no_expected_payoff() -> None:
    assert sorted(outcome(equilibrium={"a": "rounds + players"}).equilibrium, key=str) == [5, None]


def test_the_last_offer_is_the_best_by_what_who_makes_it_knows() -> None:
    # At 6 half of 2, 4, 6, 8 buy: (6 - 3) * 2; at 8 a quarter: (8 - 3) * 1; at 4: (4 - 3) * 3.
    found = outcome(offer={**OFFER, "without": {"b": "10"}})
    worth = dealt(rules(), [Player(id=one, name=one) for one in "xy"], {}, "s", 1).values["worth"]
    gains = (3, int(worth) - 6) if int(worth) >= 6 else (0, 0)
    assert sorted(filter(None, found.equilibrium)) == sorted(
        filter(None, (gains[0], 10 + gains[1]))
    )
    assert found.efficient == 10 + max(0, int(worth) - 3)


def test_without_an_offer_that_promises_a_gain_everybody_keeps_what_they_have() -> None:
    found = outcome(
        offer={**OFFER, "gains": {"a": "cost - 5 - price", "b": "price"}, "without": {"a": "7"}}
    )
    assert sorted(map(str, found.equilibrium)) == ["0.0", "7.0"]
    assert found.efficient == 7


def test_an_offer_that_cannot_be_made_is_none() -> None:
    assert outcome(offer={**OFFER, "numbers": {"price": ("9", "1")}}).equilibrium == (0, 0)


@pytest.mark.parametrize(
    ("theory", "why"),
    [
        ({"equilibrium": {"c": "1"}}, "there is no role 'c'"),
        ({"equilibrium": {"a": "price"}}, "there is no number 'price'"),
        ({"efficient": "2 *"}, "is no formula"),
        ({"offer": OFFER, "efficient": "1"}, "follow from it"),
        ({"offer": {**OFFER, "gains": {"a": "price"}}}, "of who is offered"),
        ({"offer": {**OFFER, "without": {"c": "1"}}}, "there is no role 'c'"),
        ({"offer": {**OFFER, "unknown": ["price"]}}, "no number 'price' is drawn"),
        ({"offer": {**OFFER, "numbers": {"price": ("1", "1e400")}}}, "'1e400' is inf;"),
        ({"offer": {**OFFER, "numbers": {"price": ("1", "100001")}}}, "at most 100,000"),
        ({"offer": {**OFFER, "numbers": {"price": ("1", "99999")}}}, "more than 100,000 cases"),
    ],
)
def test_theory_that_cannot_be_computed_is_named(theory: dict[str, Any], why: str) -> None:
    assert why in (theory_fault(rules(**theory)) or "")


def test_the_theory_of_our_games_can_be_computed() -> None:
    known = [one for one in starter_catalog().rulesets if one.theory is not None]
    assert {one.id for one in known} == {"ultimatum", "buy-sell", "trade", "public-goods"}
    assert [theory_fault(one) for one in known] == [None] * 4
    assert all(one.theory and one.theory.source for one in known)
    assert theory_fault(rules()) is None
