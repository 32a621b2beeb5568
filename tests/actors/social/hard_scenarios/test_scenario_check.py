"""A scenario is refused that gives a fact away, or asks for one its seat cannot know."""

import pytest

from actors.social.catalog_items import NeededFact, Scenario
from actors.social.hard_scenarios.scenario_check import UnusableScenario, came_up, check
from events.base import replace
from tests.actors.social.hard_scenarios.chains import past_of
from tests.support.builders import scenario

PAST = past_of(
    [(0, "The bag is in the organ loft."), (1, "I see.")], [(1, "My aunt is called Ottoline.")]
)
FACT = NeededFact(id="loft", text="In the loft.", keys=(("organ",), ("loft",)), seats=(1,))


def hard(fact: NeededFact = FACT, **fields: object) -> Scenario:
    given = {"id": "hard", "codename": "", "context": "A yard.", "goals": ("Ask.", "Say it.")}
    return scenario(**given | {"needs": (fact,)} | fields)


def test_a_scenario_whose_facts_came_up_and_stand_nowhere_in_it_is_sound():
    check(hard(), PAST)
    check(hard(replace(FACT, taught_by="s0")), PAST)
    check(hard(replace(FACT, taught_by="e0")), PAST)
    check(hard(replace(FACT, seats=())), PAST)


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        (hard(context="A yard with an organ."), "given away: 'organ'"),
        (hard(goals=("Ask. <extra_info>It is in the loft.</extra_info>", "Say it.")), "'loft'"),
        (hard(replace(FACT, keys=(("harp",),))), "'loft' never came up in what seat 2 saw"),
        (hard(replace(FACT, taught_by="s1")), "never came up"),
        (hard(replace(FACT, keys=(("organ",), ("ottoline",)))), "never came up"),
        (hard(replace(FACT, keys=(("talk",),))), "never came up in what seat 2"),
        (hard(replace(FACT, keys=(("ben",),))), "seat 2 knows fact 'loft' anyway"),
        (hard(goals=("Ask.",)), "1 goals for 2 seats"),
        (hard(goals=("Ask.", " ")), "one of its goals is empty"),
        (hard(goals=("Ask.", "Say <b>it</b>.")), "cannot be read, line 1"),
    ],
)
def test_a_scenario_that_cannot_be_used_is_refused_with_a_sentence(refused, why):
    with pytest.raises(UnusableScenario, match=rf"^scenario 'hard' cannot be used: .*{why}"):
        check(refused, PAST)


def test_a_fact_came_up_only_before_the_episode_that_needs_it():
    assert came_up(FACT, 1, PAST)
    assert came_up(FACT, 1, PAST, before=1)
    assert not came_up(FACT, 1, PAST, before=0)
