"""What a plain model is asked in a town and in a case of one."""

import pytest

from actors.episodes.registry import game_of
from actors.sandbox import prompt_writer
from actors.sandbox.environment import SANDBOX
from actors.sandbox.plan_section import Section
from actors.sandbox.prompt_names import FIRST, TEMPLATES
from actors.sandbox.setup import (
    ActionStarted,
    Case,
    Happened,
    Settings,
    Town,
    WhatToDo,
    WhatToSay,
    WhatWasAgreed,
)
from events.base import Event, replace
from events.environments import Question
from events.episode import WorldChanged
from tests import golden
from tests.support.generative_minds import thinker
from tests.support.small_town import case, started, town

BEGUN = Happened(
    at=0,
    facts=(
        ActionStarted(seat=0, text="winding a clock", address="Small:Ann's house:room", until=20),
    ),
)
ASKED: dict[str, Question] = {
    "do": WhatToDo(at=20, why="done", near=(1,)),
    "say": WhatToSay(at=20, talk=0, to=1, left=3),
    "recap": WhatWasAgreed(to=1),
}


def asked_by(template: str, what: str, setup: Town | Case) -> tuple[str, dict[str, str]]:
    """The version of a prompt of the first seat, and its words."""
    first = started(thinker(), setup)
    history: list[Event] = [first]
    if isinstance(setup, Town):
        history.append(WorldChanged(change=BEGUN))
    game = game_of(first)
    writer = prompt_writer.TownPromptWriter(game.sight.background("e", first, 0, ""))
    prompt = writer.prompt(ASKED[what], game.sight.view(history, 0, "").noticed, 1)
    assert prompt.version.partition(":")[0] == f"{what}-{template.rpartition('-')[2]}"
    return prompt.version, {"system": prompt.system, "user": prompt.user}


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_plain_model_is_asked_in_these_words(template: str):
    lived, cut = town(prompt=template), replace(case(), prompt=template)
    number = template.rpartition("-")[2]
    for name, what, setup in (
        (f"do-{number}", "do", lived),
        (f"say-{number}", "say", lived),
        (f"say-{number}-in-a-case", "say", cut),
        (f"recap-{number}-in-a-case", "recap", cut),
    ):
        golden.check(f"towns/{name}", *asked_by(template, what, setup))


@pytest.mark.parametrize("template", ["say-2", "say-3"])
def test_only_who_is_coached_is_told_to_name_when_and_where(template: str):
    for setup in (town(prompt=template), replace(case(), prompt=template)):
        assert "name what, when and where" not in asked_by(template, "say", setup)[1]["system"]
    assert (
        "keep what you agreed on"
        not in asked_by(template, "do", town(prompt=template))[1]["system"]
    )


def test_what_was_recorded_before_there_was_a_choice_was_coached():
    assert (Settings().prompt, case().prompt, FIRST) == ("say-1", "say-1", "say-1")


def test_a_plan_names_a_prompt_and_an_episode_records_the_template():
    assert SANDBOX.plans.settings(Section(), 7) == Settings(prompt="say-3")
    assert SANDBOX.plans.settings(Section(prompt="say-2"), 7) == Settings(prompt="say-2")
    coached = SANDBOX.plans.settings(Section(prompt="say-coached", steps=5), 7)
    assert coached == Settings(steps=5)
    assert type(coached) is Settings


def test_every_template_of_towns_has_a_golden_prompt():
    asked = golden.templates_of("towns")
    parts = {part for name in asked for part in prompt_writer.parts(name)}
    assert parts == set(prompt_writer.templates())
