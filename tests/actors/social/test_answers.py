"""From a model's words to an action: what is taken for what, and what is asked about."""

import json
from typing import Any

import pytest

from actors.models.errors import Unreadable
from actors.social.actions import Action
from actors.social.answers import held_schema, written
from actors.social.answers import read as read_as
from actors.social.prompt_names import NEWEST
from actors.social.views import Background
from events.base import replace
from tests.actors.minds.test_model_mind import scene

BACKGROUND = scene().background


def read(text: str, background: Background = BACKGROUND) -> Action:
    return read_as(text, background, "test")


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
    with pytest.raises(Unreadable, match='the field "kind" may not be'):
        read(f'{{"kind": "{name}", "text": "hm"}}')


def test_doing_nothing_has_no_text():
    assert read('{"kind": "none", "text": "Do nothing."}') == Action(kind="none")
    assert read('{"kind": "none", "text": "…"}') == Action(kind="none")
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
    assert read(answer, known).to == seats


@pytest.mark.parametrize("to", ["[0]", "[1]", "[4]", '["seat 0"]'])
def test_a_number_that_nobody_else_has_is_asked_about_with_those_they_have(to: str):
    answer = f'{{"kind": "speak", "text": "psst", "to": {to}}}'
    known = replace(BACKGROUND, prompt="act-3")
    with pytest.raises(Unreadable) as error:
        read(answer, known)
    if to != "[1]":
        assert "the others are 2 (Bo Berg), 3 (Person 3)" in str(error.value)


# ---------------------------------------------------------------- one reading

TWO = replace(BACKGROUND, prompt="act-4", others=BACKGROUND.others[:1])
SPEECH = replace(TWO, plain="speech")


@pytest.mark.parametrize(
    "to", ["[1]", "[2]", '["Ann"]', '["Bo Berg", "Ann"]', '"Person 2"', "[1, 2]"]
)
def test_between_two_whoever_is_named_hears_it(to: str):
    answer = f'{{"kind": "speak", "text": "psst", "to": {to}}}'
    assert read(answer, TWO) == Action(kind="speak", text="psst")


@pytest.mark.parametrize("to", ["[7]", '["Zoe"]'])
def test_between_two_who_is_not_there_is_asked_about(to: str):
    with pytest.raises(Unreadable, match="the others are 2"):
        read(f'{{"kind": "leave", "to": {to}}}', TWO)


@pytest.mark.parametrize(
    "answer", ['{"text": "Hi!"}', '{"kind": null, "argument": "Hi!", "to": []}']
)
def test_a_text_without_a_kind_is_said(answer: str):
    assert read(answer) == Action(kind="speak", text="Hi!")


def test_words_beside_doing_nothing_are_not_lost():
    answer = (
        '{"kind": "none", "text": "You have nothing to show, I\'m not going to be there", "to": []}'
    )
    with pytest.raises(Unreadable, match='use "speak" to say it'):
        read(answer, TWO)
    said = Action(
        kind="speak", text="You have nothing to show, I'm not going to be there", plain=True
    )
    assert read(answer, SPEECH) == said


@pytest.mark.parametrize(
    "prose", ["Good evening, Bo.", '"Good evening, Bo."', "Ann Arden: Good evening, Bo."]
)
def test_prose_is_speech_where_the_plan_has_it_so(prose: str):
    with pytest.raises(Unreadable):
        read(prose, TWO)
    name = SPEECH.character.name
    said = read(prose.replace("Ann Arden", name), SPEECH)
    assert said == Action(kind="speak", text="Good evening, Bo.", plain=True)


@pytest.mark.parametrize(
    "text", ["", "…", '{"kind": "shout", "text": "Hi"}', "```json\n```", "Hi {"]
)
def test_what_holds_something_of_a_form_is_no_speech(text: str):
    with pytest.raises(Unreadable):
        read(text, SPEECH)


# ---------------------------------------------------------------- the schema


def shapes(background: Background) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = held_schema(background)["properties"]["answer"]["anyOf"]
    return [shape["properties"] for shape in found]


def test_between_two_nobody_can_be_named_and_doing_nothing_has_no_words():
    does, leaves, nothing = shapes(TWO)
    assert list(does) == ["kind", "text"]
    assert does["kind"]["enum"] == ["speak", "non_verbal", "physical"]
    assert list(leaves) == ["kind", "text"]
    assert list(nothing) == ["kind"]


@pytest.mark.parametrize(("prompt", "numbers"), [("act-1", [1, 2]), ("act-4", [2, 3])])
def test_among_more_the_numbers_of_the_others_are_listed(prompt: str, numbers: list[int]):
    does = shapes(replace(BACKGROUND, prompt=prompt))[0]
    assert list(does) == ["kind", "to", "text"]
    assert does["to"]["items"]["enum"] == numbers
    assert does["to"]["maxItems"] == len(numbers)


def test_what_is_held_to_the_schema_is_read_as_it_stands():
    assert read('{"answer": {"kind": "none"}}', TWO) == Action(kind="none")
    spoken = '{"answer": {"kind": "speak", "to": [2], "text": "psst"}}'
    assert read(spoken, replace(BACKGROUND, prompt="act-4")).to == (1,)
    assert read(spoken.replace("speak", "say"), TWO) == Action(kind="speak", text="psst")


@pytest.mark.parametrize(
    "action",
    [
        Action(kind="speak", text='Say "yes" — now.\nPlease.'),
        Action(kind="non_verbal", text="nods"),
        Action(kind="physical", text="pours tea"),
        Action(kind="leave"),
        Action(kind="leave", text="Bye."),
        Action(kind="none"),
    ],
    ids=lambda action: f"{action.kind} {len(action.text)}",
)
@pytest.mark.parametrize("template", [*NEWEST.values(), "act-1"])
def test_an_action_is_written_as_it_is_read(action: Action, template: str):
    many = replace(BACKGROUND, prompt=template)
    two = replace(many, others=many.others[:1])
    assert read(written(action, two), two) == action
    assert "to" not in json.loads(written(action, two)), "between two nobody is named"
    whisper = replace(action, to=(2,)) if action.kind not in ("leave", "none") else action
    assert read(written(whisper, many), many) == whisper
