"""Scenarios made by rule: what they need, what they keep back, and that they can be played."""

import pytest

from actors.social.catalog.needed_facts import first_key, own_text, says
from actors.social.catalog.starter import starter_catalog
from actors.social.hard_scenarios.found_facts import FoundFacts
from actors.social.hard_scenarios.generator import catalog_of, generate
from actors.social.hard_scenarios.rule_finder import RuleFinder
from actors.social.hard_scenarios.rule_writer import RuleWriter, scenes_file
from actors.social.hard_scenarios.scenario_check import check
from actors.social.language.utterances import sentences
from actors.social.setup import EpisodeRules
from events.minds import MindSpec
from tests.actors.social.hard_scenarios.chains import past_of, rehearsed
from tests.actors.social.meetings import CAST, TEACHING, TIE, accounts, meetings
from tests.actors.social.stage import play
from tests.support.social_episodes import cast_episode

PLAYED = (
    *TEACHING, "hive_price", "one_van", "the_envelope", "last_ferry", "night_accordion", "quiz_ham",
    "corner_stall", "dry_fortnight", "the_eulogy", "the_good_car", "box_room",
)  # fmt: skip


@pytest.fixture(scope="module")
def past():
    return rehearsed(PLAYED)


async def made(past, facts: int = 2, scenarios: int = 4):
    return await generate(
        past, starter_catalog(), RuleFinder(), RuleWriter(), facts=facts, scenarios=scenarios
    )


@pytest.mark.parametrize("facts", [1, 2, 3])
async def test_each_scenario_needs_so_many_facts_that_others_told_its_seat(past, facts):
    found = await made(past, facts)
    assert len(found.scenarios) == 4
    by_id = {fact.id: fact for fact in found.found}
    for number, scenario in enumerate(found.scenarios):
        check(scenario, past)
        assert len(scenario.needs) == facts
        for fact in scenario.needs:
            assert fact.seats == (number % 2,)
            assert by_id[fact.id].seat != number % 2
            assert first_key(own_text(scenario), fact.keys) is None
            teacher = next(one for one in past.episodes if one.scenario == fact.taught_by)
            assert says(teacher.seen_by(number % 2), fact.keys)


async def test_the_same_past_makes_the_same_scenarios_and_uses_each_fact_before_one_twice(past):
    found = await made(past)
    assert found == await made(past)
    assert len({scenario.id for scenario in found.scenarios}) == len(found.scenarios)
    for seat in (0, 1):
        own = [f.id for s in found.scenarios for f in s.needs if f.seats == (seat,)]
        assert len(own) == len(set(own)) or len(own) > len(
            [fact for fact in found.found if fact.seat != seat]
        )


async def test_goals_begin_their_questions_so_that_rehearsal_minds_remember(past):
    found = await made(past)
    catalog = catalog_of("again", starter_catalog(), [found])
    lived = meetings(PLAYED, ("candid", "generous"))
    memories = [accounts(lived, seat) for seat in range(2)]
    minds = tuple(MindSpec(name=f"m{seat}", kind="rehearsal") for seat in range(2))
    used = asked = 0
    for scenario, task in zip(found.scenarios, found.tasks, strict=True):
        first = cast_episode(catalog, task, minds, EpisodeRules(seed=3))
        seat = scenario.needs[0].seats[0]
        with_memory = play(first, ("candid", "generous"), memories).said(seat)
        without = play(first, ("candid", "generous")).said(seat)
        for fact in scenario.needs:
            asked += 1
            used += any(says(text, fact.keys) for text in with_memory)
            assert not any(says(text, fact.keys) for text in without)
    assert used > 0.7 * asked


async def test_the_catalog_has_all_of_the_source_and_casts_the_chain_s_own_people(past):
    found = await made(past)
    source = starter_catalog()
    catalog = catalog_of("hard", source, [found])
    assert catalog.name == "hard"
    assert catalog.characters == source.characters
    assert catalog.scenarios == (*source.scenarios, *found.scenarios)
    assert catalog.tasks == (*source.tasks, *found.tasks)
    for task in found.tasks:
        assert task.characters == CAST
        assert task.relationships == (TIE,)
        assert "memory-hard" in task.tags
    assert catalog_of("hard", catalog, [found]) == catalog


@pytest.mark.parametrize(("facts", "scenarios"), [(1, 1), (2, 2), (3, 5)])
async def test_it_is_told_what_became_of_everything_that_was_said(past, facts, scenarios):
    found = await made(past, facts, scenarios)
    funnel = found.funnel
    assert funnel.looked_at == sum(
        len(sentences(line.text)) for episode in past.episodes for line in episode.said
    )
    assert funnel.found == len(found.found)
    assert funnel.looked_at == funnel.found + sum(lost.count for lost in funnel.passed_over)
    assert (funnel.asked, funnel.made) == (scenarios, len(found.scenarios))
    for seat in funnel.seats:
        assert seat.told == sum(fact.seat != seat.seat for fact in found.found)
        assert seat.told == seat.shown_anyway + seat.never_came_up + seat.used + seat.left
        asked = {f.id for s in found.scenarios for f in s.needs if f.seats == (seat.seat,)}
        assert seat.used == len(asked)
    if funnel.most:
        enough = await made(past, facts, funnel.most)
        needed = [fact.id for scenario in enough.scenarios for fact in scenario.needs]
        assert len(needed) == len(set(needed)) == facts * funnel.most


async def test_what_cannot_be_made_is_told_and_the_rest_is_made():
    past = past_of([(0, "I can't stand coriander in a lentil soup."), (1, "I see.")])
    found = await made(past, facts=1, scenarios=2)
    assert [scenario.needs[0].seats for scenario in found.scenarios] == [(1,)]
    (why,) = found.refused
    assert why.startswith("seat 1 of chain 'hpast' can be asked for 0 facts that others told")
    assert "not for 1" in why
    none = await made(past, facts=2, scenarios=2)
    assert none.scenarios == ()
    assert len(none.refused) == 2


async def test_a_fact_that_a_seat_is_shown_anyway_is_not_asked_for():
    past = past_of([(0, "I'll lend you the keys of the cook in Leiden.")])

    class Finder:
        async def find(self, past):
            (fact,) = (await RuleFinder().find(past)).facts
            from events.base import replace

            return FoundFacts(facts=(replace(fact, keys=(("cook",),)),))

    found = await generate(past, starter_catalog(), Finder(), RuleWriter(), facts=1, scenarios=2)
    assert found.scenarios == ()


def test_the_templates_say_nothing_twice_and_have_only_known_blanks():
    scenes, goals = scenes_file().scene, scenes_file().goals
    assert len(scenes) >= 5
    assert len({scene.context for scene in scenes}) == len(scenes)
    assert set(goals.remember) == {"offer", "promise", "preference", "secret", "other"}
    for line in goals.remember.values():
        filled = line.format(other="the other", quote="x")
        assert filled.startswith("Remember ")
        assert not set("{}") & set(filled)
