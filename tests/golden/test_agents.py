"""What a language model in a seat of a social episode is shown, and how it is asked again."""

from collections.abc import Sequence

import pytest

from actors.social import prompt_writer, sight
from events.base import Event
from events.episode import EpisodeStarted
from tests import golden
from tests.golden.scenes import FRIENDS, MEMORY, haggled, pair, three

SCENES = {
    "act-1-strangers": (pair(), ""),
    "act-1-friends": (pair(FRIENDS), ""),
    "act-1-three": (three(FRIENDS), ""),
    "act-1-at-once": (three(order="simultaneous", turn_cap=9), ""),
    "act-2-strangers": (pair(), MEMORY),
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


def test_every_template_of_agents_has_a_golden_prompt():
    assert set(prompt_writer.templates()) == golden.templates_of("agents")
