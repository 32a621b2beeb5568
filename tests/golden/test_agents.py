"""What a language model in a seat of a social episode is shown, and how it is asked again."""

from collections.abc import Sequence
from typing import get_args

import pytest

from actors.models.answers.corrections import correction
from actors.social import prompt_writer, sight
from actors.social.actions import ACT, WRITE_SCRIPT, WRITE_TURN
from actors.social.modes import SCRIPTED
from actors.social.prompt_names import NEWEST, PromptName
from events.base import Event, replace
from events.episode import EpisodeStarted
from tests import golden
from tests.golden.scenes import FRIENDS, MEMORY, SEVERAL_LINES, haggled, pair, three
from tests.support.builders import with_setup

ACT_5 = {"prompt": "act-5", "stories": False}
ACT_4 = {"prompt": "act-4", "stories": False}
PAPER_3 = {"prompt": "act-paper-3", "stories": False}
PAPER_2 = {"prompt": "act-paper-2", "stories": False}
ACT_3 = {"prompt": "act-3", "stories": False}
PAPER = {"prompt": "act-paper-1", "stories": False}
SCENES = {
    "act-1-strangers": (pair(), ""),
    "act-1-friends": (pair(FRIENDS), ""),
    "act-1-three": (three(FRIENDS), ""),
    "act-1-at-once": (three(order="simultaneous", turn_cap=9), ""),
    "act-2-strangers": (pair(), MEMORY),
    "act-3-strangers": (pair(**ACT_3), ""),
    "act-3-friends": (pair(FRIENDS, **ACT_3), ""),
    "act-3-friends-with-a-story": (pair(FRIENDS, prompt="act-3"), ""),
    "act-3-three": (three(FRIENDS, **ACT_3), ""),
    "act-3-at-once": (three(order="simultaneous", turn_cap=9, **ACT_3), ""),
    "act-3-strangers-who-remember": (pair(**ACT_3), MEMORY),
    "act-3-three-who-remember": (three(FRIENDS, **ACT_3), MEMORY),
    "act-4-strangers": (pair(**ACT_4), ""),
    "act-4-friends": (pair(FRIENDS, **ACT_4), ""),
    "act-4-friends-with-a-story": (pair(FRIENDS, prompt="act-4"), ""),
    "act-4-three": (three(FRIENDS, **ACT_4), ""),
    "act-4-at-once": (three(order="simultaneous", turn_cap=9, **ACT_4), ""),
    "act-4-strangers-who-remember": (pair(**ACT_4), MEMORY),
    "act-4-three-who-remember": (three(FRIENDS, **ACT_4), MEMORY),
    "act-5-strangers": (pair(**ACT_5), ""),
    "act-5-friends": (pair(FRIENDS, **ACT_5), ""),
    "act-5-friends-with-a-story": (pair(FRIENDS, prompt="act-5"), ""),
    "act-5-three": (three(FRIENDS, **ACT_5), ""),
    "act-5-at-once": (three(order="simultaneous", turn_cap=9, **ACT_5), ""),
    "act-5-strangers-who-remember": (pair(**ACT_5), MEMORY),
    "act-5-three-who-remember": (three(FRIENDS, **ACT_5), MEMORY),
    "act-paper-3-strangers": (pair(**PAPER_3), ""),
    "act-paper-3-three": (three(FRIENDS, **PAPER_3), ""),
    "act-paper-3-at-once": (three(order="simultaneous", turn_cap=9, **PAPER_3), ""),
    "act-paper-3-friends-who-remember": (pair(FRIENDS, **PAPER_3), MEMORY),
    "act-paper-3-strangers-who-remember": (pair(**PAPER_3), MEMORY),
    "act-paper-3-friends-with-a-story": (pair(FRIENDS, prompt="act-paper-3"), ""),
    "act-paper-2-strangers": (pair(**PAPER_2), ""),
    "act-paper-2-three": (three(FRIENDS, **PAPER_2), ""),
    "act-paper-2-friends-who-remember": (pair(FRIENDS, **PAPER_2), MEMORY),
    "act-paper-1-strangers": (pair(**PAPER), ""),
    "act-paper-1-three": (three(FRIENDS, **PAPER), ""),
    "act-paper-1-friends-who-remember": (pair(FRIENDS, **PAPER), MEMORY),
}


def prompts_of(first: EpisodeStarted, history: Sequence[Event], memory: str) -> dict[str, str]:
    """The prompt of the first turn and, as far as it differs, that of a later one."""
    known = sight.background("e1", first, 0, memory)
    early = prompt_writer.act_prompt(known, (), 1)
    late = prompt_writer.act_prompt(known, sight.view(history, 0).lines, 7)
    assert early.system == late.system
    return {"system": early.system, "user, in the first turn": early.user, "user": late.user}


@pytest.mark.parametrize("name", SCENES)
def test_an_agent_is_asked_to_act_in_these_words(name: str):
    first, memory = SCENES[name]
    known = sight.background("e1", first, 0, memory)
    version = prompt_writer.act_prompt(known, (), 1).version
    golden.check(f"agents/{name}", version, prompts_of(first, haggled(first)[:-1], memory))


OMNISCIENT = {"mode": "omniscient", "prompt": "omniscient-1", "stories": False}
BY_TURNS = {"mode": "script-turn", "prompt": "script-turn-1"}
AT_ONCE = {"mode": "script", "prompt": "script-1"}
SCENES_OF_MODES = {
    "omniscient-1-strangers": (pair(**OMNISCIENT), MEMORY),
    "omniscient-1-three": (three(FRIENDS, **OMNISCIENT), ""),
    "script-turn-1-strangers": (pair(**BY_TURNS), ""),
    "script-turn-1-three": (three(FRIENDS, **BY_TURNS), ""),
    "script-1-strangers": (pair(**AT_ONCE), ""),
    "script-1-three": (three(FRIENDS, turn_cap=9, **AT_ONCE), ""),
}


@pytest.mark.parametrize("name", SCENES_OF_MODES)
def test_in_other_modes_they_are_asked_in_these_words(name: str):
    first, memory = SCENES_OF_MODES[name]
    scripted = first.setup.rules.mode in SCRIPTED
    question = {"script-turn": WRITE_TURN, "script": WRITE_SCRIPT}.get(first.setup.rules.mode, ACT)
    writer = prompt_writer.PROMPTS.writer(sight.background("e1", first, 0, memory))
    early = writer.prompt(question, (), 1)
    words = {"system": early.system, "user, in the first turn": early.user}
    if question is not WRITE_SCRIPT:
        seen = sight.view(haggled(first)[:-1], 0).lines
        late = writer.prompt(question, [one for one in seen if not (scripted and one.to)], 7)
        assert late.system == early.system
        words["user"] = late.user
    golden.check(f"agents/{name}", early.version, words)


@pytest.mark.parametrize("prompt", NEWEST.values())
def test_an_agent_is_told_texts_of_several_lines_in_these_words(prompt: str):
    first, *history = SEVERAL_LINES
    assert isinstance(first, EpisodeStarted)
    rules = replace(first.setup.rules, prompt=prompt)
    first = with_setup(first, rules=rules)
    known = sight.background("e1", first, 0, MEMORY)
    version = prompt_writer.act_prompt(known, (), 1).version
    words = prompts_of(first, [first, *history[:-1]], MEMORY)
    golden.check(f"agents/{prompt}-several-lines", version, words)


def test_every_template_of_agents_has_a_golden_prompt():
    asked = golden.templates_of("agents")
    # A part is in the golden prompts, and in the fingerprints, of what includes it.
    parts = {part for template in asked for part in prompt_writer.parts(template)}
    assert set(prompt_writer.templates()) == parts


def test_what_a_plan_asks_for_is_the_newest_template_of_that_name():
    for name, template in NEWEST.items():
        assert template == newest(name, prompt_writer.templates())
    assert set(NEWEST.values()) <= set(get_args(PromptName))


def newest(name: str, templates: Sequence[str]) -> str:
    numbers = (one.rpartition("-") for one in templates)
    return max(((int(number), f"{stem}-{number}") for stem, _, number in numbers if stem == name))[
        1
    ]


def test_an_agent_is_asked_again_in_these_words():
    # Of every environment, and of no template: a version would be in what is asked.
    schema = {"properties": {"kind": {"enum": ["speak", "leave"]}, "text": {}}}
    said = correction(["it was empty", "it was late"], schema=schema)
    more = correction(["it was empty"], again=2)
    golden.check("minds/again-2", "again-2", {"user": said, "user, once more": more})
    said = correction(["回答是空的", "没有选出选项"], language="zh", schema=schema)
    more = correction(["回答是空的"], again=2, language="zh")
    golden.check("minds/again-2-zh", "again-2", {"user": said, "user, once more": more})
