from collections import Counter, defaultdict

import pytest

from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog.misfits import kind_fits, misfits
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


def test_another_pair_changes_the_draw_only_where_it_is_drawn_itself() -> None:
    some = catalog(*(scenario(f"s{n}") for n in range(40)))
    more = replace(some, characters=(*PEOPLE, character("Eve", age=30)))
    changed = 0
    before, after = sample_tasks(some, seed=1, pairs=2), sample_tasks(more, seed=1, pairs=2)
    for one in some.scenarios:
        old, new = ([t for t in found.tasks if t.scenario == one.id] for found in (before, after))
        stayed = [task for task in new if "eve" not in task.characters]
        assert stayed == old[: len(stayed)]
        changed += len(stayed) < len(old)
    assert 0 < changed < 40


def test_every_pair_order_and_relationship_is_drawn_about_as_often() -> None:
    some = catalog(*(scenario(f"s{n}") for n in range(2_000)))
    drawn = Counter(
        (task.characters, task.relationships) for task in sample_tasks(some, seed=3, pairs=1).tasks
    )
    assert len(drawn) == 2 * 7, "six pairs, of which one has two relationships"
    assert all(80 < count < 220 for count in drawn.values()), drawn


def test_a_constraint_that_is_ignored_holds_nobody_back() -> None:
    asked = scenario(relationships=(FRIEND,), ages=((18, 25), (0, 150)), occupations=("cook", "x"))
    assert casts(sample_tasks(catalog(asked), seed=1)) == set()
    ignoring = sample_tasks(catalog(asked), seed=1, ignore=("occupation",))
    assert casts(ignoring) == {("ada", "ben"), ("ada", "cyd")}
    both = sample_tasks(catalog(asked), seed=1, ignore=("occupation", "age"))
    assert {frozenset(cast) for cast in casts(both)} == {
        frozenset({"ada", "ben"}),
        frozenset({"ada", "cyd"}),
    }
    anybody = sample_tasks(catalog(asked), seed=1, ignore=("relationship", "occupation"))
    assert casts(anybody) == {("ada", other) for other in ("ben", "cyd", "dov")}


def test_both_orders_of_a_pair_are_cast_where_both_fit() -> None:
    two = catalog(scenario(), scenario("s2", occupations=("cook", "")))
    once = sample_tasks(two, seed=1, pairs=2)
    twice = sample_tasks(two, seed=1, pairs=2, both_orders=True)
    plain = [task.characters for task in twice.tasks if task.scenario == "s1"]
    assert plain[::2] == [task.characters for task in once.tasks if task.scenario == "s1"]
    assert plain[1::2] == [cast[::-1] for cast in plain[::2]]
    for one, other in zip(twice.tasks[0:4:2], twice.tasks[1:4:2], strict=True):
        assert one.relationships == other.relationships
        assert one.id != other.id
    cooks = [task.characters for task in twice.tasks if task.scenario == "s2"]
    assert all(cast[0] in ("ada", "cyd") for cast in cooks)
    assert len(cooks) == len(set(cooks)) >= 2
    assert twice.shortfalls == once.shortfalls


@needs_sotopia[0]
@needs_sotopia[1]
def test_published_pairs_satisfy_relationship_and_age_and_five_of_them_no_occupation() -> None:
    published = read_published(SOTOPIA)
    index = CatalogIndex(published)
    failing = Counter()
    for task in published.tasks:
        stage = index.scenarios[task.scenario]
        cast = [index.characters[id_] for id_ in task.characters]
        kinds = [index.relationships[id_].kind for id_ in task.relationships] or [STRANGER]
        for fault in {one.constraint for one in misfits(stage, cast, kinds)}:
            failing[stage.codename, fault] += 1
    assert len(published.tasks) == 450
    assert failing == {("movie_scene", "occupation"): 5}
    assert len(sample_tasks(published, seed=0, ignore=("occupation",)).tasks) == 450


@needs_sotopia[0]
@needs_sotopia[1]
def test_two_published_pairs_have_two_relationships_and_a_task_names_its_own() -> None:
    published = read_published(SOTOPIA)
    index = CatalogIndex(published)
    ties = defaultdict(list)
    for tie in published.relationships:
        ties[frozenset(tie.characters)].append(tie)
    several = {pair: found for pair, found in ties.items() if len(found) > 1}
    assert sorted(len(found) for found in several.values()) == [2, 2]
    asking = {kind: scenario(f"for-{kind}", relationships=(kind,)) for kind in RelationshipKind}
    for pair, found in several.items():
        two = tuple(who for who in published.characters if who.id in pair)
        small = Catalog(name="two", characters=two, relationships=tuple(found))
        for tie in found:
            sample = sample_tasks(replace(small, scenarios=(asking[tie.kind],)), seed=1)
            assert [task.relationships for task in sample.tasks] == [(tie.id,)]
    for task in published.tasks:
        pair = frozenset(task.characters)
        if pair in several:
            (named,) = task.relationships
            assert kind_fits(index.scenarios[task.scenario], index.relationships[named].kind)


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
