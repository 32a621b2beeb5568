"""Quotes: words that stand in an episode are found where they stand, and others nowhere."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.social.sight import view
from evaluators.judges.quotes import Quoted
from evaluators.social.believability.form import quotable
from tests.support.builders import act, episode, started

LINES = (
    "Well, I've thought about it: 300 dollars, not less.",
    "That’s too much! What if I pay 210 now and the rest in May?",
    "You said the same yesterday, and the day before.",
)
EPISODE = view(
    episode(
        started(),
        [
            (0, LINES[0]),
            (1, LINES[1]),
            (0, act("non_verbal", "shrugs")),
            (1, act("none")),
            (0, act("speak", LINES[2], to=(1,))),
            (1, LINES[0]),
        ],
    ),
    "judge",
)
EARLIER = view(episode(started(), [(0, "I will never sell this oven.")]), "judge")
QUOTABLE = quotable(EPISODE, [EARLIER])


@pytest.mark.parametrize(
    ("quote", "text", "number"),
    [
        ("300 dollars, not less", "300 dollars, not less", 2),
        ("  “WELL — I’ve   thought about it”. ", "Well, I've thought about it", 2),
        ("That's too much", "That’s too much", 4),
        ("Ben Okafor said: That's too much!", "said: That’s too much", 4),
        ("[4] turn 2, Ben Okafor said: That's too much", "said: That’s too much", 4),
        ("did nothing", "did nothing", 8),
        ("showed: shrugs", "showed: shrugs", 6),
    ],
)
def test_a_quote_is_found_with_the_words_as_they_stand(quote: str, text: str, number: int) -> None:
    [found] = QUOTABLE.find(quote, 0)
    assert (found.text, found.number) == (text, number)


@pytest.mark.parametrize(
    "quote",
    ["", "…", "?!", "I", "Ada Reyes", "Ben Okafor said", "300 euros", "too much what about",
     "ell I've thought", "I will never sell this oven", "not less … 300 dollars"],
)  # fmt: skip
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert QUOTABLE.find(quote, 0) == []


def test_dots_stand_for_words_left_out_of_one_action() -> None:
    found = QUOTABLE.find("I've thought about it ... [...] not less", 0)
    assert found == [Quoted("I've thought about it", 0, 2), Quoted("not less", 0, 2)]
    assert QUOTABLE.find("I've thought about it … the day before", 0) == []


def test_of_several_places_the_one_pointed_at_comes_first_then_the_seats_own() -> None:
    line = "300 dollars, not less"
    assert [QUOTABLE.find(line, seat)[0].number for seat in (0, 1)] == [2, 12]
    assert QUOTABLE.find(line, 0, near={12})[0].seat == 1


def test_an_earlier_episode_is_quoted_only_where_one_may_look_back() -> None:
    assert QUOTABLE.find("I will never sell", 0) == []
    assert QUOTABLE.find("I will never sell", 0, look_back=True) == [
        Quoted("I will never sell", 0, None)
    ]


@given(st.sampled_from(LINES), st.data())
def test_any_two_words_or_more_of_a_line_are_found_in_it(line: str, data: st.DataObject) -> None:
    words = re.findall(r"\S+", line)
    begin = data.draw(st.integers(0, len(words) - 2))
    end = data.draw(st.integers(begin + 2, len(words)))
    quote = data.draw(st.sampled_from([" ", "  ", "\n"])).join(words[begin:end])
    [found] = QUOTABLE.find(data.draw(st.sampled_from([quote, quote.upper()])), 0)
    assert found.text in line
    assert found.text.split()[0].strip(",.:!?") in words[begin]


@given(st.text(max_size=80))
def test_whatever_is_found_stands_in_the_episode(quote: str) -> None:
    for found in QUOTABLE.find(quote, 0):
        assert any(found.text in f"said: {line.text}" for line in EPISODE.lines)
