"""The starter catalog: what it holds, and what its loader refuses."""

import itertools
from collections import Counter

import pytest

from actors.episodes.catalogs.review import review
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog.kinship import kinship_fault
from actors.social.catalog.needed_facts import first_key, says
from actors.social.catalog.starter import FILES, HERE, read_catalog, starter_catalog
from actors.social.catalog_items import InteractionKind, RelationshipKind
from actors.social.environment import SOCIAL
from actors.social.language.utterances import leaks
from actors.social.markup import render
from actors.toml_file import BadFile

CATALOG = starter_catalog()
MORAL = {"care", "fairness", "loyalty", "authority", "purity"}
SCHWARTZ = {"self-direction", "stimulation", "hedonism", "achievement", "power", "security",
            "conformity", "tradition", "benevolence", "universalism"}  # fmt: skip
STYLES = ("directive", "analytical", "conceptual", "behavioral")
TEXTS = {name: (HERE / name).read_text(encoding="utf-8") for name in FILES}


def test_it_is_read_once_and_nothing_about_it_is_odd():
    assert starter_catalog() is starter_catalog()
    assert read_catalog(TEXTS) == CATALOG
    found = review(SOCIAL, CATALOG)
    assert found.remarks == ()
    assert len(found.castings) == len(CATALOG.tasks)


def test_its_people_differ_in_age_gender_job_and_outlook():
    people = CATALOG.characters
    assert len(people) == 40
    ages = sorted(p.age for p in people)
    assert ages[0] < 20
    assert ages[-1] > 80
    assert all(later - earlier <= 5 for earlier, later in itertools.pairwise(ages))
    genders = Counter(p.gender for p in people)
    assert all(genders[gender] >= 16 for gender in ("woman", "man"))
    assert genders["nonbinary"] >= 3
    assert len({p.occupation for p in people}) == len(people)
    assert len({p.decision_style.partition(":")[0] for p in people}) == len(STYLES)


@pytest.mark.parametrize("person", CATALOG.characters, ids=lambda c: c.id)
def test_a_character_is_described_in_full(person):
    assert person.name in f"{person.first_name} {person.last_name}"
    assert person.pronouns
    assert len(person.public_info) > 80
    assert len(person.personality) > 80
    assert len(person.secret) > 80
    assert person.secret not in person.public_info + person.personality
    assert set(person.moral_values) <= MORAL
    assert set(person.schwartz_values) <= SCHWARTZ
    assert person.decision_style.startswith(STYLES)
    for trait in person.big_five.__struct_fields__:
        assert getattr(person.big_five, trait) in ("low", "medium", "high")


def test_relationships_are_of_every_kind_and_tell_a_story():
    kinds = Counter(tie.kind for tie in CATALOG.relationships)
    assert kinds.total() - kinds[RelationshipKind.STRANGER] >= 90
    assert all(kinds[kind] >= 9 for kind in RelationshipKind)
    assert all(len(tie.story) > 60 for tie in CATALOG.relationships)
    pairs = Counter(frozenset(tie.characters) for tie in CATALOG.relationships)
    assert set(pairs.values()) == {1}


@pytest.mark.parametrize("tie", CATALOG.relationships, ids=lambda tie: tie.id)
def test_family_say_what_they_are_to_each_other_and_their_ages_fit(tie):
    index = CatalogIndex(CATALOG)
    two = [index.characters[id_] for id_ in tie.characters]
    assert (tie.kin is not None) == (tie.kind is RelationshipKind.FAMILY)
    assert kinship_fault(tie, two) == ""


@pytest.mark.parametrize("tie", CATALOG.relationships, ids=lambda tie: tie.id)
def test_a_story_tells_nobody_s_secret(tie):
    index = CatalogIndex(CATALOG)
    for id_ in tie.characters:
        who = index.characters[id_]
        assert not leaks(render(tie.story, "everything"), who.secret, public=who.public_info)


def test_nobody_is_without_somebody_to_talk_to():
    known = {id_ for tie in CATALOG.relationships for id_ in tie.characters}
    assert known == {person.id for person in CATALOG.characters}


def test_scenarios_cover_what_people_do_with_each_other():
    tags = Counter(tag for scenario in CATALOG.scenarios for tag in scenario.tags)
    assert len(CATALOG.scenarios) == 90
    for tag in (*InteractionKind, "numeric", "secret"):
        assert tags[tag] >= 10, tag
    assert all(scenario.kind for scenario in CATALOG.scenarios)
    assert sum(len(scenario.goals) == 3 for scenario in CATALOG.scenarios) >= 2


@pytest.mark.parametrize("scenario", CATALOG.scenarios, ids=lambda s: s.id)
def test_goals_differ_and_their_hints_are_for_their_owner(scenario):
    assert len(set(scenario.goals)) == len(scenario.goals)
    for seat, goal in enumerate(scenario.goals):
        assert "<extra_info>" in goal
        assert len(render(goal, seat, owner=seat)) > len(render(goal, seat + 1, owner=seat)) > 20
    open_to_all = render(scenario.context, "public")
    assert all(render(scenario.context, seat) == open_to_all for seat in range(2))
    if '<p viewer="environment">' not in scenario.context:
        assert open_to_all == scenario.context


def test_every_scenario_is_cast_and_every_character_has_a_part():
    assert len(CATALOG.tasks) >= 20
    assert {task.scenario for task in CATALOG.tasks} == {s.id for s in CATALOG.scenarios}
    assert {id_ for task in CATALOG.tasks for id_ in task.characters} == {
        person.id for person in CATALOG.characters
    }
    assert sum("hard" in task.tags for task in CATALOG.tasks) >= 6
    assert sum(len(task.characters) == 3 for task in CATALOG.tasks) >= 2


def test_the_hard_set_needs_facts_of_every_kind_that_other_scenarios_teach():
    hard = [scenario for scenario in CATALOG.scenarios if "memory-hard" in scenario.tags]
    assert len(hard) >= 6
    assert hard == [scenario for scenario in CATALOG.scenarios if scenario.needs]
    facts = [fact for scenario in hard for fact in scenario.needs]
    assert {fact.kind for fact in facts} == {"offer", "promise", "preference", "secret", "other"}
    assert any(len({fact.taught_by for fact in scenario.needs}) > 1 for scenario in hard)
    stages = {scenario.id: scenario for scenario in CATALOG.scenarios}
    for fact in facts:
        assert fact.seats
        assert says(fact.text, fact.keys), fact.text
        assert not stages[fact.taught_by].needs


@pytest.mark.parametrize(
    "scenario", [s for s in CATALOG.scenarios if s.needs], ids=lambda scenario: scenario.id
)
def test_a_hard_scenario_s_own_words_have_no_key_and_its_teacher_s_have_all(scenario):
    stages = {scenario.id: scenario for scenario in CATALOG.scenarios}
    for fact in scenario.needs:
        words = "\n".join((scenario.codename, scenario.context, *scenario.goals))
        assert first_key(words, fact.keys) is None
        taught = stages[fact.taught_by]
        assert says("\n".join((taught.context, *taught.goals)), fact.keys)


def test_who_is_cast_in_a_hard_scenario_is_cast_in_those_that_teach_it():
    casts = {}
    for task in CATALOG.tasks:
        casts.setdefault(task.scenario, set()).add(task.characters)
    stages = {scenario.id: scenario for scenario in CATALOG.scenarios if scenario.needs}
    for id_, scenario in stages.items():
        teachers = [casts[fact.taught_by] for fact in scenario.needs]
        assert set.intersection(casts[id_], *teachers), id_


def test_a_task_s_relationships_follow_from_its_cast():
    tasks = {task.id: task for task in CATALOG.tasks}
    assert tasks["last_ferry-june-leila"].relationships == ("june-leila",)
    assert tasks["hive_price-walt-ravi"].relationships == ()


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("characters", 'id = "ines_carvalho"', 'id = "june_halloran"', "'june_halloran'.*twice"),
        ("tasks", "task = [", "task = [[", "not valid TOML"),
    ],
)
def test_a_data_file_that_is_wrong_is_refused_with_its_place(file, old, new, says):
    text = TEXTS[f"{file}.toml"]
    assert old in text
    with pytest.raises(BadFile, match=rf"^{file}\.toml.*{says}"):
        read_catalog(TEXTS | {f"{file}.toml": text.replace(old, new, 1)})
