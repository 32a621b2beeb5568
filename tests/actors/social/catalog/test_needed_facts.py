"""Facts by their keys: found as whole words in any case, kept back, and taught."""

import pytest

from actors.social.catalog.needed_facts import (
    first_key,
    keys_fault,
    needed_by,
    own_text,
    says,
    teaching_fault,
    without_keys,
)
from actors.social.catalog_items import NeededFact
from tests.support.builders import scenario

CLOCK = (("clock", "clocks"), ("three", "3"))


def fact(keys: tuple[tuple[str, ...], ...] = CLOCK, **fields: object) -> NeededFact:
    return NeededFact(**{"id": "promise", "text": "Three times the clock.", "keys": keys} | fields)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Wind the CLOCK three times.", True),
        ("Two clocks, 3 hands.", True),
        ("The clock.", False),
        ("Clockwork and threescore.", False),
        ("", False),
    ],
)
def test_a_text_says_a_fact_that_has_a_word_of_every_group(text, found):
    assert says(text, CLOCK) is found


def test_nothing_says_a_fact_without_keys():
    assert not says("Anything at all.", ())
    assert not says("Anything at all.", ((),))


@pytest.mark.parametrize("text", ["1,350 in all", "350.50", "3500", "12:350"])
def test_a_number_is_not_found_inside_another(text):
    assert not says(text, (("350",),))


@pytest.mark.parametrize("text", ["€350, carriage included", "It was 350.", "(350)", "350, or 400"])
def test_a_number_is_found_beside_what_is_written_around_it(text):
    assert says(text, (("350",),))


def test_spaces_hyphens_and_apostrophes_of_any_kind_are_one():
    assert says("the  baker’s\nboy", (("baker's boy",),))
    assert says("three–fifty", (("three-fifty",),))


def test_the_first_key_that_stands_in_a_text_is_named():
    assert first_key("No more than 3.", CLOCK) == "3"
    assert first_key("No more than that.", CLOCK) is None


def test_keys_are_left_out_with_the_sign_before_them_and_gaps_run_together():
    keys = (("350",), ("carriage",), ("three hundred", "three"))
    assert without_keys("At €350, Carriage included.", keys) == "At …, … included."
    assert without_keys("Three hundred three 350 it is", keys) == "… it is"
    assert without_keys("Nothing of it.", keys) == "Nothing of it."


def test_a_scenario_s_own_text_is_all_it_says_without_its_markup():
    text = own_text(
        scenario(
            context='A shed. <p viewer="agent_0">Mind the clock.</p>',
            goals=("Buy. <extra_info>Three euros.</extra_info>", "Sell."),
        )
    )
    assert says(text, CLOCK)
    assert "agent_0" not in text
    assert "extra_info" not in text


def test_facts_are_needed_by_the_seats_named_or_by_all():
    one, both = fact(seats=(1,)), fact(id="both")
    needing = scenario(needs=(one, both))
    assert needed_by(needing, 0) == (both,)
    assert needed_by(needing, 1) == (one, both)


@pytest.mark.parametrize(
    ("changes", "says_why"),
    [
        ({"needs": (fact(), fact())}, "'promise' is there twice"),
        ({"needs": (fact(keys=()),)}, "needs keys"),
        ({"needs": (fact(keys=(("clock",), ())),)}, "at least one spelling"),
        ({"needs": (fact(keys=((" ",),)),)}, "at least one spelling"),
        ({"needs": (fact(seats=(2,)),)}, "is for seat 2, seats are 0 to 1"),
        ({"needs": (fact(),), "context": "Under the clock."}, "given away: 'clock'"),
        ({"needs": (fact(),), "codename": "Three"}, "given away: 'three'"),
        ({"needs": (fact(),), "goals": ("Go.", "Ask. <extra_info>3 times.</extra_info>")}, "'3'"),
    ],
)
def test_a_scenario_that_gives_a_fact_away_or_cannot_be_told_is_found_out(changes, says_why):
    assert says_why in keys_fault(scenario(**changes))


def test_a_scenario_that_keeps_its_facts_back_is_sound():
    assert keys_fault(scenario(needs=(fact(seats=(1,)),))) is None
    assert keys_fault(scenario()) is None


def test_a_fact_is_taught_where_the_scenario_it_names_has_all_its_keys():
    needing = scenario(needs=(fact(taught_by="tower"),))
    tower = scenario(id="tower", context="A tower with a clock.", goals=("Climb three times.", ""))
    half = scenario(id="tower", context="A tower with a clock.")
    assert teaching_fault(needing, {"tower": tower}) is None
    assert "does not have all of its keys" in teaching_fault(needing, {"tower": half})
    assert "'tower', which is no scenario here" in teaching_fault(needing, {})
    assert teaching_fault(scenario(needs=(fact(),)), {}) is None
