"""Reading a struct out of whatever a model wrote."""

from typing import Literal

import msgspec
import pytest

from actors.models.answers.structured import AnswerReader, renamed, simple
from actors.models.errors import Unreadable


class Choice(msgspec.Struct, frozen=True):
    name: Literal["tea", "coffee"]
    cups: int = 1


reader = AnswerReader(Choice)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "tea", "cups": 2}',
        '  \n{"cups": 2, "name": "tea", "why": "it is late"}\n',
        '```json\n{"name": "tea", "cups": 2}\n```',
        'Let me think {carefully}.\n```\n{"name": "tea", "cups": 2}\n```\nThat is all.',
        'I would take this: {"name": "tea", "cups": 2}. Thank you!',
        "{'name': 'tea', 'cups': 2}",
        '{"name": "tea", "cups": 2,}',
        '{name: "tea", cups: 2}',
        '{"name": "tea" /* or coffee */, "cups": 2}',
        '{"name": "tea", "cups": 2} So, again: {"name": "tea", "cups": 2}',
        '{"a draft": 1} then {"name": "tea", "cups": 2}',
    ],
)
def test_an_answer_is_found_wherever_it_leaves_no_doubt(text: str):
    assert reader.read(text, "test") == Choice("tea", 2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("I'd rather not say.", "JSON object"),
        ("[1, 2]", "JSON object"),
        ('"tea"', "JSON object"),
        ('{"name": "milk"}', 'the field "name" may not be "milk"'),
        ('{"cups": 3}', 'the field "name" is missing'),
        ('{"name": "tea", "cups": "many"}', 'the field "cups" must be a whole number'),
        ('{"name": "tea"} or {"name": "coffee"}', "2 different answers"),
        ('{"name": "tea", "cups": 1', "not complete"),
        ('{"name": "te', "not complete"),
        ("{" * 5000, "not complete"),
        ('{"name": ' * 1500 + "1" + "}" * 1500, 'the field "name" must be a text'),
        ("x" * 200_000, "longer than"),
        ('{"name": "tea", "why": "half an emoji: \\ud83d"}', "half of a surrogate pair"),
        ('{"name": "tea", "why": "half an emoji: \\ud83d",}', "half of a surrogate pair"),
        ('{"name": "tea", "\\ud83d": 1}', "half of a surrogate pair"),
    ],
)
def test_an_answer_in_doubt_is_unreadable_and_says_why(text: str, why: str):
    with pytest.raises(Unreadable) as unreadable:
        reader.read(text, "test")
    assert why in unreadable.value.detail
    assert unreadable.value.raw == text


class Pair(msgspec.Struct, frozen=True):
    names: tuple[str, str]


def test_a_list_that_is_too_short_is_called_so():
    with pytest.raises(Unreadable, match='the field "names" must be a list of exactly 2'):
        AnswerReader(Pair).read('{"names": ["tea"]}', "test")


@pytest.mark.parametrize("text", ['{"name": "\ud83d"}', '{"\ud83d": 1}', "\ud83d", '"\ud83d'])
def test_half_a_surrogate_pair_in_the_text_itself_makes_it_unreadable(text: str):
    with pytest.raises(Unreadable) as unreadable:
        reader.read(text, "test")
    assert unreadable.value.raw.encode()


def test_what_is_wrong_is_told_in_few_words_however_long_the_answer():
    with pytest.raises(Unreadable) as unreadable:
        reader.read('{"name": "' + "shout" * 4_000 + '"}', "test")
    assert "shout" in unreadable.value.detail
    assert len(unreadable.value.detail) < 300


def test_other_spellings_are_mapped_and_what_is_unknown_stays():
    names = {"name": "name", "drink": "name"}
    assert renamed({"Drink": "tea", "x": 1}, names) == {"name": "tea", "x": 1}
    assert renamed({"name": "tea", "drink": "coffee"}, names) == {"name": "tea", "drink": "coffee"}


def test_simple_spelling_forgets_case_and_punctuation():
    assert simple(" Non-Verbal_Communication ") == "non verbal communication"
