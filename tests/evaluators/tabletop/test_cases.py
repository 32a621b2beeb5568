"""The case study: which sessions are drawn, and what is made of readers' words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.tabletop.cases.drawn import drawn
from evaluators.tabletop.cases.words import GivenWord, WordsGiven, words_given
from evaluators.tabletop.report.case_words import bars, word_table

P = {f"e{n}": n / 10 for n in range(10)}


def words(*said: str) -> WordsGiven:
    """Of sessions, each as ``polite polite vague``: a word a reader."""
    return words_given(
        GivenWord(f"e{session}", f"p-{reader}", word)
        for session, line in enumerate(said)
        for reader, word in enumerate(line.split())
    )


def test_sessions_below_are_drawn_in_their_order_and_the_same_by_the_same_seed():
    assert [one.episode for one in drawn(P, 0.5, 20, 1)] == ["e0", "e1", "e2", "e3", "e4"]
    three = drawn(P, 0.5, 3, 1)
    assert three == drawn(P, 0.5, 3, 1)
    assert [one.episode for one in three] == sorted(one.episode for one in three)
    assert {tuple(drawn(P, 0.5, 3, seed)) for seed in range(20)} != {tuple(three)}
    assert drawn(P, 0.0, 3, 1) == []


def test_counts_by_hand_whatever_the_case():
    found = words("polite Polite vague", "vague vague vague")
    assert found.counts == (("vague", 4), ("polite", 2))
    assert found.readers == 3
    # One of three pairs agrees in the first session, all three in the second.
    assert found.same == pytest.approx((1 / 3 + 1) / 2)
    assert found.alpha.value is not None


def test_words_that_come_again_from_one_reader_count_once():
    again = [GivenWord("e1", "p-a", "vague"), GivenWord("e1", "p-a", "polite")]
    assert words_given(again).counts == (("polite", 1),)


@pytest.mark.parametrize(
    ("said", "why"),
    [((), "no session"), (("one", "two"), "no item"), (("a a", "a a"), "everybody")],
)
def test_agreement_that_is_not_there_says_why(said: tuple[str, ...], why: str):
    found = words(*said)
    assert found.alpha.value is None
    assert why in found.alpha.why
    assert found.same == (1.0 if said == ("a a", "a a") else None)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), max_size=8))
def test_each_word_that_was_given_is_counted(said: list[list[str]]):
    found = words(*[" ".join(one) for one in said])
    assert sum(one.times for one in found.counts) == sum(map(len, said))
    assert len(found.sessions) == len(said)
    assert found.same is None or 0 <= found.same <= 1


def test_bars_name_each_word_for_those_who_do_not_see_them():
    found = words("polite polite <b>", "vague polite $x$")
    drawing = str(bars("case-words", "Words", found.counts))
    assert "polite: 3" in drawing
    assert "<b>" not in drawing
    assert word_table(found).rows[0] == ("polite", 3)
