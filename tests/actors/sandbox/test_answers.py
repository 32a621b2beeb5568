"""What models answer and people type, as what somebody does or says."""

import pytest

from actors.models.errors import Unreadable
from actors.sandbox.catalog.generator import generated
from actors.sandbox.environment import TOWN
from actors.sandbox.map.addresses import address_of
from actors.sandbox.prompt_writer import MOST_PLACES
from actors.sandbox.setup import (
    Act,
    CarryOn,
    Recap,
    Say,
    Settings,
    TalkTo,
    Town,
    WhatToDo,
    WhatToSay,
    WhatWasAgreed,
)
from actors.sandbox.views import Resident
from events.base import replace
from events.environments import Action
from tests.actors.sandbox.lives import started
from tests.actors.sandbox.random_towns import random_town

DONE = WhatToDo(at=5, why="done", near=(1,), place="Small:inn:hall")
MET = WhatToDo(at=5, why="met", met=(1,), place="Small:inn:hall")
SAY = WhatToSay(at=5, talk=0, to=1, left=3)


@pytest.fixture(scope="module")
def somebody() -> Resident:
    town = random_town(7)
    town = replace(town, settings=Settings(start="2023-02-13 21:00:00"))
    return TOWN.sight.background("e1", started(town), 0, "")  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("question", "line", "action"),
    [
        (
            DONE,
            "do making tea at inn:kitchen for 20",
            Act(text="making tea", address="Small:inn:kitchen", minutes=20),
        ),
        (
            DONE,
            "do meeting at noon at kitchen for 2 hours",
            Act(text="meeting at noon", address="Small:inn:kitchen", minutes=120),
        ),
        (DONE, "do reading", Act(text="reading")),
        (DONE, "do reading here", Act(text="reading here")),
        (DONE, "go on", CarryOn()),
        (MET, "talk P1", TalkTo(seat=1)),
        (DONE, "talk to p1", TalkTo(seat=1)),
        (SAY, "Good morning!", Say(text="Good morning!")),
        (SAY, "See you at the inn. (bye)", Say(text="See you at the inn.", ends=True)),
        (WhatWasAgreed(to=1), "We meet at six.", Recap(text="We meet at six.")),
    ],
)
def test_a_line_that_is_typed_is_what_it_says(somebody, question, line: str, action: Action):
    assert TOWN.people.typed(question, somebody, line) == action


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("reading", "begin with what you want: do …, go on, talk NAME"),
        ("do tea at the moon", "'the moon' is no place that you know"),
        ("talk Zed", "'Zed' cannot be talked to now; there is P1"),
        ("places", "Ann's house: room; .*; and what is in them"),
        ("", "begin with what you want"),
    ],
)
def test_a_line_that_is_none_is_refused_with_what_would_be(somebody, line: str, why: str):
    with pytest.raises(ValueError, match=why):
        TOWN.people.typed(DONE, somebody, line)


@pytest.mark.parametrize(
    ("question", "text", "action"),
    [
        (
            DONE,
            '{"kind": "do", "what": "baking", "place": "inn:kitchen", "minutes": 30, "emoji": "🥐",'
            ' "with_whom": ""}',
            Act(text="baking", address="Small:inn:kitchen", minutes=30, emoji="🥐"),
        ),
        (
            DONE,
            '```json\n{"action": "baking", "duration": "30 min"}\n```',
            Act(text="baking", minutes=30),
        ),
        (DONE, 'I will {"kind": "continue"}', CarryOn()),
        (DONE, '{"what": "tea", "minutes": "inf"}', Act(text="tea", minutes=1440)),
        (DONE, '{"what": "tea", "minutes": "nan"}', Act(text="tea", minutes=1)),
        (DONE, '{"what": "tea", "minutes": -1e999}', Act(text="tea", minutes=1)),
        (MET, '{"kind": "talk", "with": "P1"}', TalkTo(seat=1)),
        (
            SAY,
            '{"say": " Hello. ", "ends": false, "about": "tea"}',
            Say(text="Hello.", about="tea"),
        ),
        (WhatWasAgreed(to=1), '{"summary": "tea at six"}', Recap(text="tea at six")),
    ],
)
def test_a_models_answer_is_read(somebody, question, text: str, action: Action):
    assert TOWN.prompts.read(question, somebody, text, "test") == action


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"kind": "do", "what": "tea", "place": "the moon"}', "is no place that you know"),
        ('{"kind": "do", "what": ""}', '"what" is empty'),
        ('{"kind": "do", "what": "tea @ inn"}', "neither holds @"),
        ('{"kind": "talk", "with_whom": "nobody"}', "there is P1"),
        ('{"kind": "dance"}', "dance"),
        ("tea, please", "it held no JSON object"),
    ],
)
def test_what_cannot_be_read_is_said_to_the_model(somebody, text: str, why: str):
    with pytest.raises(Unreadable, match=why):
        TOWN.prompts.read(DONE, somebody, text, "test")


def test_a_place_that_was_learned_later_is_taken_at_its_word(somebody):
    text = '{"kind": "do", "what": "tea", "place": "new inn:bar"}'
    action = TOWN.prompts.read(DONE, somebody, text, "test")
    assert action == Act(text="tea", address="Small:new inn:bar")


KNOWN = ("T", "T:inn", "T:inn:hall", "T:inn:hall:table", "T:hut", "T:hut:room", "T:hut:room:table")


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("T:inn:hall", "T:inn:hall"),
        ("inn:hall", "T:inn:hall"),
        ("INN: Hall", "T:inn:hall"),
        ("hall", "T:inn:hall"),
        ("hall:table", "T:inn:hall:table"),
        ("hut", "T:hut"),
        ("here", ""),
        ("", ""),
    ],
)
def test_a_place_is_found_by_what_only_it_is_called(given: str, address: str):
    assert address_of(given, KNOWN, "T") == address


def test_what_several_places_are_called_is_no_place():
    with pytest.raises(ValueError, match="inn:hall:table"):
        address_of("table", KNOWN, "T")


def test_a_prompt_of_a_large_town_is_short_and_has_what_is_near():
    map_, people = generated(3, 400)
    background = TOWN.sight.background("e1", started(Town(map=map_, inhabitants=people)), 0, "")
    assert isinstance(background, Resident)
    assert len(background.known) > 2 * MOST_PLACES
    asked = WhatToDo(at=0, why="begins", place=background.place)
    told = TOWN.prompts.writer(background).prompt(asked, [], 1).user
    listed = [line for line in told.splitlines() if line.startswith("- ")]
    assert len(listed) < MOST_PLACES + 10
    home = background.me.home.partition(":")[2]
    inside = [one for one in background.known if one.startswith(f"{background.me.home}:")]
    assert inside
    assert {home, *(one.partition(":")[2] for one in inside)} <= {line[2:] for line in listed}


def test_every_question_is_put_to_people_in_words(somebody):
    asked = TOWN.people.wording(MET, somebody)
    assert asked.lead == "Mon 21:05, inn:hall. P1 in view. What do you do?"
    assert [typed for typed, _ in asked.options] == ["go on", "talk P1"]
    for typed, _ in asked.options:
        TOWN.people.typed(MET, somebody, typed)
    assert "P1" in TOWN.people.wording(SAY, somebody).lead
