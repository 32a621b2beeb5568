"""What a plan says of social episodes, and what becomes of it in what is recorded."""

import msgspec
import pytest

from actors.social.plan_section import PLANS, Section
from actors.social.setup import EpisodeRules
from actors.social.setup_faults import setup_fault
from events.base import replace
from tests.support.builders import started


def test_a_plan_tells_no_stories_and_asks_by_the_newest_prompt_unless_it_says_so():
    assert PLANS.settings(Section(), 5) == EpisodeRules(seed=5, stories=False, prompt="act-5")
    asked = Section(stories=True, prompt="act-paper")
    assert PLANS.settings(asked, 5) == EpisodeRules(seed=5, stories=True, prompt="act-paper-3")


def test_what_was_recorded_before_there_was_a_choice_had_stories_and_the_first_prompt():
    old = msgspec.convert({"type": "social.Rules", "turn_cap": 9}, EpisodeRules)
    assert (old.stories, old.prompt) == (True, "act-1")


@pytest.mark.parametrize("prompt", ["act-2", "", "judge-v1"])
def test_an_episode_cannot_begin_with_a_prompt_that_nobody_has(prompt: str):
    setup = replace(started().setup, rules=EpisodeRules(prompt=prompt))
    assert "there is no prompt" in (setup_fault(setup, 2) or "")
