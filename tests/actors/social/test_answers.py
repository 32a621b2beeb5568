"""From a model's words to an action: what is taken for what, and what is asked about."""

import pytest

from actors.models.errors import Unreadable
from actors.social.actions import Action
from actors.social.answers import READER, action_of
from actors.social.prompt_names import NEWEST
from events.base import replace
from tests.actors.minds.test_model_mind import scene

BACKGROUND = scene().background


def read(text: str) -> Action:
    return action_of(READER.read(text, "test"), BACKGROUND, text)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("speak", "speak"),
        ("Speak", "speak"),
        ("SAY", "speak"),
        ("non-verbal communication", "non_verbal"),
        ("Non_Verbal", "non_verbal"),
        ("action", "physical"),
        ("physical", "physical"),
        ("leave", "leave"),
    ],
)
@pytest.mark.parametrize("fields", [("kind", "text"), ("action_type", "argument")])
def test_names_of_kinds_are_taken_in_every_usual_spelling(
    name: str, kind: str, fields: tuple[str, str]
):
    text = f'{{"{fields[0]}": "{name}", "{fields[1]}": "hm"}}'
    assert read(text) == Action(kind=kind, text="hm")


@pytest.mark.parametrize("name", ["shout", "act", "", "speak|leave", "spea"])
def test_a_name_that_could_mean_anything_is_not_guessed(name: str):
    with pytest.raises(Unreadable, match="Invalid enum value"):
        read(f'{{"kind": "{name}", "text": "hm"}}')


def test_doing_nothing_has_no_text():
    assert read('{"kind": "none", "text": "(waits)"}') == Action(kind="none")
    assert read('{"action_type": "none", "argument": null}') == Action(kind="none")


def test_leaving_needs_no_text():
    assert read('{"kind": "leave"}') == Action(kind="leave")


@pytest.mark.parametrize("kind", ["speak", "non_verbal", "physical"])
def test_an_action_without_words_is_asked_about(kind: str):
    with pytest.raises(Unreadable, match="needs a text"):
        read(f'{{"kind": "{kind}", "text": "  "}}')


@pytest.mark.parametrize(
    ("to", "seats"),
    [
        ("[]", ()),
        ("null", ()),
        ('""', ()),
        ("[1]", (1,)),
        ("2", (2,)),
        ('["seat 2"]', (2,)),
        ('["Bo Berg"]', (1,)),
        ('["bo"]', (1,)),
        ('"Person 3"', (2,)),
        ("[0, 1]", (1,)),
        ("[1, 2]", ()),
        ('["everyone"]', ()),
    ],
)
def test_recipients_are_found_by_seat_or_name(to: str, seats: tuple[int, ...]):
    assert read(f'{{"kind": "speak", "text": "psst", "to": {to}}}').to == seats


@pytest.mark.parametrize("to", ["[7]", '["Zoe"]', '["person"]', "[0]", '["Ann"]', "[1.5]"])
def test_a_whisper_to_nobody_known_never_becomes_a_word_to_everybody(to: str):
    with pytest.raises(Unreadable):
        read(f'{{"kind": "speak", "text": "psst", "to": {to}}}')


def test_a_whisper_that_was_cut_off_is_not_repaired_into_a_word_to_everybody():
    with pytest.raises(Unreadable):
        read('{"kind": "speak", "text": "only for you", "to": [1')


@pytest.mark.parametrize(
    ("to", "seats"),
    [
        ("[2]", (1,)),
        ('["Person 2"]', (1,)),
        ('["2"]', (1,)),
        ("3", (2,)),
        ('["Person 3"]', (2,)),
        ('["seat 3"]', (2,)),
        ("[1, 3]", (2,)),
        ("[2, 3]", ()),
    ],
)
@pytest.mark.parametrize("prompt", NEWEST.values())
def test_a_prompt_and_its_answer_have_one_number_for_everybody(
    prompt: str, to: str, seats: tuple[int, ...]
):
    answer = f'{{"kind": "speak", "text": "psst", "to": {to}}}'
    known = replace(BACKGROUND, prompt=prompt)
    assert action_of(READER.read(answer, "test"), known, answer).to == seats


@pytest.mark.parametrize("to", ["[0]", "[1]", "[4]", '["seat 0"]'])
def test_a_number_that_nobody_else_has_is_asked_about_with_those_they_have(to: str):
    answer = f'{{"kind": "speak", "text": "psst", "to": {to}}}'
    known = replace(BACKGROUND, prompt="act-3")
    with pytest.raises(Unreadable) as error:
        action_of(READER.read(answer, "test"), known, answer)
    if to != "[1]":
        assert "the others are 2 (Bo Berg), 3 (Person 3)" in str(error.value)
