import pytest

from actors.social.catalog.misfits import misfits
from actors.social.catalog.sampling import sample_tasks
from actors.social.catalog_items import (
    Catalog,
    NeededFact,
    Relationship,
    RelationshipKind,
    Scenario,
)
from actors.social.formats.catalog_reader import read_published
from events.base import replace
from tests.properties.published import SOTOPIA, needs_sotopia
from tests.support.builders import character

PEOPLE = tuple(
    character(name, age=20 + 10 * place, occupation="actor" if place % 2 else "cook")
    for place, name in enumerate(("Ada", "Ben", "Cyd", "Dov"))
)


def scenario(id_: str = "s1", **constraints) -> Scenario:
    return Scenario(id=id_, context="A room.", goals=("a", "b"), **constraints)


def related(one: str, other: str, kind: RelationshipKind) -> Relationship:
    return Relationship(id=f"{one}-{other}-{kind}", characters=(one, other), kind=kind)


FRIEND, FAMILY, STRANGER = (
    RelationshipKind.FRIEND,
    RelationshipKind.FAMILY,
    RelationshipKind.STRANGER,
)


def catalog(*scenarios: Scenario) -> Catalog:
    relationships = (
        related("ada", "ben", FRIEND),
        related("ada", "cyd", FRIEND),
        related("ben", "cyd", FAMILY),
        related("ada", "ben", FAMILY),
    )
    return Catalog(name="c", characters=PEOPLE, relationships=relationships, scenarios=scenarios)


def casts(sample) -> set[tuple[str, ...]]:
    return {task.characters for task in sample.tasks}


def test_the_same_seed_draws_the_same_and_another_seed_another():
    drawn = {seed: sample_tasks(catalog(scenario()), seed=seed, pairs=2) for seed in range(6)}
    assert sample_tasks(catalog(scenario()), seed=3, pairs=2) == drawn[3]
    assert len({sample.tasks for sample in drawn.values()}) > 1


def test_only_pairs_of_an_allowed_kind_are_drawn_and_a_shortfall_says_why():
    sample = sample_tasks(catalog(scenario(relationships=(FRIEND,))), seed=1, pairs=5)
    assert {frozenset(cast) for cast in casts(sample)} == {
        frozenset({"ada", "ben"}),
        frozenset({"ada", "cyd"}),
    }
    assert [str(short) for short in sample.shortfalls] == [
        "scenario 's1' was cast 2 times instead of 5: 2 pairs are friend"
    ]


def test_what_needs_earlier_episodes_is_not_drawn():
    needed = NeededFact(id="f", text="Ben sold a lamp.", keys=(("lamp",),))
    sample = sample_tasks(catalog(scenario(), scenario("s2", needs=(needed,))), seed=1, pairs=2)
    assert {task.scenario for task in sample.tasks} == {"s1"}
    assert [str(short) for short in sample.shortfalls] == [
        "scenario 's2' was cast 0 times instead of 2: it needs facts of earlier episodes, "
        "which only a chain has"
    ]


def test_a_pair_with_two_relationships_plays_the_one_allowed():
    sample = sample_tasks(catalog(scenario(relationships=(FAMILY,))), seed=1)
    drawn = {frozenset(task.characters): task.relationships for task in sample.tasks}
    assert drawn[frozenset({"ada", "ben"})] == ("ada-ben-family",)


def test_two_without_a_relationship_are_strangers():
    sample = sample_tasks(catalog(scenario(relationships=(STRANGER,))), seed=1, pairs=3)
    assert {frozenset(cast) for cast in casts(sample)} == {
        frozenset({"dov", other}) for other in ("ada", "ben", "cyd")
    }
    assert sample.shortfalls == ()
    assert all(task.relationships == () for task in sample.tasks)


def test_seats_are_ordered_so_that_ages_and_occupations_fit():
    asked = scenario(ages=((18, 25), (0, 150)), occupations=("cook", "actor"))
    sample = sample_tasks(catalog(asked), seed=1)
    assert casts(sample) == {("ada", "ben"), ("ada", "dov")}
    assert sample.shortfalls[0].found == 2


def test_another_scenario_changes_nothing_for_the_first():
    alone = sample_tasks(catalog(scenario()), seed=1, pairs=2)
    both = sample_tasks(catalog(scenario("s0"), scenario()), seed=1, pairs=2)
    assert both.tasks[2:] == alone.tasks


def test_a_scenario_for_three_is_not_cast_with_pairs():
    three = replace(scenario(), goals=("a", "b", "c"))
    sample = sample_tasks(catalog(three), seed=1)
    assert sample.tasks == ()
    assert "3 seats" in sample.shortfalls[0].reason


@pytest.mark.parametrize("seed", [0, 1])
class TestPublishedCatalog:
    pytestmark = needs_sotopia

    def test_five_pairs_are_found_for_every_scenario_but_the_actors(self, seed: int):
        published = read_published(SOTOPIA)
        sample = sample_tasks(published, seed=seed)
        assert len(sample.tasks) == 445
        assert [short.found for short in sample.shortfalls] == [0]
        people = {who.id: who for who in published.characters}
        stages = {stage.id: stage for stage in published.scenarios}
        kinds = {bond.id: bond.kind for bond in published.relationships}
        for task in sample.tasks:
            cast = [people[id_] for id_ in task.characters]
            found = [kinds[id_] for id_ in task.relationships] or [STRANGER]
            assert misfits(stages[task.scenario], cast, found) == ()
        pairs = {(task.scenario, frozenset(task.characters)) for task in sample.tasks}
        assert len(pairs) == len(sample.tasks)
