"""Notes written by fixed rules."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.lifelong.memory.prompt_entries import words_of
from actors.social.chains.rule_notes import rule_note
from actors.social.views import View
from tests.actors.lifelong.memory.memories import seen
from tests.support.builders import Move, act, scenario, started

BOUNDS = [(200, 300), (40, 50), (250, 300), (800, 1000)]
WORDS = """
offer €480 deal promise. my sister Mara keeps bees? I like no one knows, how about 250 dollars. yes!
the boat
"""
SPEECH = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=40).map(" ".join),
    ),
    max_size=20,
)


def views(*given: Any, **more: Any) -> View:
    """An episode as one of its seats saw it."""
    return seen(*given, **more).view


def test_what_the_other_offered_promised_and_confided_is_quoted():
    knowledge = rule_note(views(), 200, 300).knowledge
    for words in (
        "I could give you 180 dollars for it.",
        "My sister Mara has a van on Thursdays. I promise to bring it.",
        "I've told no one this: the bakery is closing in May.",
    ):
        assert words in knowledge
    assert "Ben Okafor said:" in knowledge
    assert "270" not in knowledge


def test_the_overview_says_what_was_wanted_and_agreed():
    overview = rule_note(views(), 200, 300).overview
    assert "Sell the oven for 300 dollars." in overview
    assert "We came to an agreement." in overview
    assert "I had offered “Then let's say 240 dollars.” and Ben Okafor said yes." in overview


def test_the_other_seat_has_a_note_of_its_own():
    note = rule_note(views(seat=1), 200, 300)
    assert "Buy the oven for 200 dollars." in note.overview
    assert "Sell the oven" not in note.overview
    assert "Ada Reyes said: “Then let's say 240 dollars.”" in note.knowledge


def test_strategies_count_offers_and_say_how_far_they_went():
    strategies = rule_note(views(), 200, 300).strategies
    assert "I made 2 offers, from 270 to 240." in strategies
    assert "Ben Okafor made one offer." in strategies
    assert "Ben Okafor gave one promise." in strategies


def test_a_whisper_to_somebody_else_is_in_no_note():
    first = started(
        cast=(*started().setup.cast, started().setup.cast[0]),
        scenario=scenario(goals=("A.", "B.", "C.")),
    )
    moves: list[Move] = [
        (0, "Good day to you both."),
        (1, act("speak", "The safe holds 900 dollars.", (2,))),
        (2, "Is it cold in here?"),
    ]
    told, untold = (rule_note(views(moves, seat, first), 10, 100) for seat in (2, 0))
    assert "whispered: “The safe holds 900 dollars.”" in told.knowledge
    assert "900" not in str(untold)


@pytest.mark.parametrize("bounds", BOUNDS)
def test_what_weighs_most_is_kept_when_there_is_little_room(bounds: tuple[int, int]):
    chat = "The weather was fine, and so was the sea, and so were we."
    moves: list[Move] = [(1, f"{chat} Nothing came of it at all, number {n}.") for n in range(9)]
    moves.insert(4, (1, "I promise you the blue van."))
    assert "I promise you the blue van." in rule_note(views(moves), *bounds).knowledge


def test_importance_grows_with_what_happened():
    nothing = rule_note(views([(0, "Hello."), (1, "Hello.")]), 200, 300)
    much = rule_note(views(), 200, 300)
    assert (nothing.importance, much.importance) == (0.2, 0.8)


def test_an_episode_in_which_nothing_happened_has_a_short_note():
    note = rule_note(views([]), 200, 300)
    assert "We agreed on nothing." in note.overview
    assert "Ben Okafor made no offers." in note.strategies
    assert note.knowledge == ""


@settings(deadline=None)
@given(SPEECH, st.integers(5, 400), st.integers(0, 200))
def test_a_note_keeps_to_its_bounds_where_the_episode_has_that_many_words(
    moves: list[tuple[int, str]], low: int, wider: int
):
    view = views(moves)
    note = rule_note(view, low, low + wider)
    assert words_of(note) <= low + wider
    said = sum(len(line.text.split()) for line in view.lines)
    if said >= low:
        assert words_of(note) >= low
    assert note == rule_note(view, low, low + wider)
