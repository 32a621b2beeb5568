"""Whatever was found in a chain: no scenario tells the seat that needs a fact what it is."""

import asyncio
import re

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from actors.social.catalog.needed_facts import first_key, own_text, says
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Scenario
from actors.social.hard_scenarios.chain_history import ChainPast
from actors.social.hard_scenarios.found_facts import FoundFact, FoundFacts, deduplicated
from actors.social.hard_scenarios.generator import Generated, generate
from actors.social.hard_scenarios.rule_writer import RuleWriter, scenes_file
from actors.social.hard_scenarios.scenario_check import (
    UnusableScenario,
    check,
    known_to,
    with_scenario,
)
from actors.social.hard_scenarios.scenario_writer import scenario_of
from tests.actors.social.hard_scenarios.chains import past_of

OWN_WORDS = sorted(
    {
        word
        for text in (
            *(scene.context for scene in scenes_file().scene),
            *scenes_file().goals.begin,
            *scenes_file().goals.watch,
            *scenes_file().goals.remember.values(),
        )
        for word in re.findall(r"[a-z]{3,}", text)
    }
)
"""Of the templates: as keys these stand in what is written, wherever it is set."""
words = st.one_of(
    st.sampled_from(["otter", "quince", "ledger", "350", "1,350", "Aurel", "hatch", "hatches"]),
    st.sampled_from(OWN_WORDS),
    st.sampled_from(["Ada", "Ben", "cook", "two", "You", "a"]),
)
kinds = st.sampled_from(["offer", "promise", "preference", "secret", "other"])


@st.composite
def found(draw: st.DrawFn) -> tuple[ChainPast, FoundFacts]:
    """A chain in which some sentences were said, and facts that hold some of their words."""
    sentences = draw(st.lists(st.lists(words, min_size=4, max_size=8), min_size=3, max_size=7))
    lines = [(draw(st.integers(0, 1)), " ".join(sentence) + ".") for sentence in sentences]
    half = len(lines) // 2
    past = past_of(lines[:half], lines[half:])
    facts = []
    for episode in past.episodes:
        for line in episode.said:
            said = line.text.rstrip(".").split()
            keys = draw(st.lists(st.sampled_from(said), min_size=1, max_size=2, unique=True))
            facts.append(
                FoundFact(
                    kind=draw(kinds),
                    seat=line.seat,
                    index=episode.index,
                    episode=episode.id,
                    scenario=episode.scenario,
                    number=line.number,
                    quote=line.text,
                    text=line.text,
                    keys=tuple((key.casefold(),) for key in keys),
                )
            )
    return past, FoundFacts(facts=deduplicated(facts))


class Found:
    """A finder that has found already."""

    def __init__(self, findings: FoundFacts) -> None:
        self.findings = findings

    async def find(self, past: ChainPast) -> FoundFacts:
        return self.findings


def made_of(past: ChainPast, findings: FoundFacts, facts: int, scenarios: int) -> Generated:
    """What is made of the findings by rule."""
    return asyncio.run(
        generate(
            past,
            starter_catalog(),
            Found(findings),
            RuleWriter(),
            facts=facts,
            scenarios=scenarios,
        )
    )


def assert_kept_back(scenario: Scenario, past: ChainPast) -> None:
    started = with_scenario(past.latest, scenario)
    for fact in scenario.needs:
        (seat,) = fact.seats
        assert first_key(own_text(scenario), fact.keys) is None
        assert not says(known_to(seat, started), fact.keys)
        assert any(says(episode.seen_by(seat), fact.keys) for episode in past.episodes)


@settings(deadline=None)
@given(found(), st.integers(1, 3), st.integers(1, 5))
def test_a_scenario_written_by_rule_never_tells_a_fact_to_the_seat_that_needs_it(
    given_, facts, scenarios
):
    past, findings = given_
    made = made_of(past, findings, facts, scenarios)
    told = {fact.id: fact for fact in findings.facts}
    for scenario in made.scenarios:
        assert len(scenario.needs) == facts
        assert_kept_back(scenario, past)
        assert all(told[fact.id].seat not in fact.seats for fact in scenario.needs)
    assert made.scenarios or made.refused


@pytest.mark.parametrize("what", ["scenarios", "refused"])
def test_of_some_of_these_chains_scenarios_are_made_and_of_some_they_are_not(what):
    quick = settings(phases=[Phase.generate], max_examples=200)
    find(found(), lambda given_: bool(getattr(made_of(*given_, 2, 2), what)), settings=quick)


@settings(deadline=None)
@given(found(), st.lists(words, max_size=6), st.lists(words, min_size=1, max_size=6), st.booleans())
def test_whatever_is_written_is_refused_where_it_tells_a_fact(given_, context, goal, first):
    past, findings = given_
    for fact in findings.facts:
        seat = 1 - fact.seat
        goals = [" ".join(goal), "Listen."] if first else ["Listen.", " ".join(goal)]
        scenario = scenario_of(
            past, seat, [fact], codename="", context=" ".join(["A", *context]), goals=goals
        )
        try:
            check(scenario, past)
        except UnusableScenario:
            continue
        assert_kept_back(scenario, past)
