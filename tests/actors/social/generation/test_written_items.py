"""Characters, relationships and scenarios: what is drawn, and what answers must be like."""

from collections import Counter
from itertools import combinations

import pytest

from actors.social.catalog.kinship import kinship_fault
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Character, Relationship, RelationshipKind
from actors.social.generation.attributes import NobodyLeft, attribute_lists, draw_attributes
from actors.social.generation.characters import PublicAnswer, with_texts
from actors.social.generation.relationships import MEANINGS, drawn_kin, drawn_pairs, usable_story
from actors.social.generation.vignette_scenarios import (
    VignetteAnswer,
    examples_in,
    scenario_of,
)
from actors.social.generation.written_items import shared_run
from events.base import replace

LISTS = attribute_lists()
SECRET = "In March Hana sold the choir's second piano and paid her own rent with it."
HANA = Character(
    id="c1", first_name="Hana", last_name="Obi", age=40, occupation="baker", secret=SECRET
)
IVO = Character(id="c2", first_name="Ivo", last_name="Tamm", age=19, occupation="roofer")
EXAMPLE = examples_in(starter_catalog().scenarios)[0]
ANSWER = VignetteAnswer(
    codename="The hedge",
    context="Two neighbours stand on either side of a hedge that has grown over both paths.",
    goals=(
        "You want the hedge gone by Sunday. <extra_info>Your buyers come on Monday.</extra_info>",
        "You want the hedge to stay as it is.",
    ),
    relationships=(RelationshipKind.ACQUAINTANCE, RelationshipKind.ACQUAINTANCE),
    ages=((18, 80), (30, 80)),
    occupations=("", "Gardener "),
)


def test_lists_have_enough_of_everything_for_eighty_characters() -> None:
    assert len(LISTS.first_names) == len(LISTS.women) + len(LISTS.men) + len(LISTS.nonbinary) >= 80
    for listed in (LISTS.last_names, LISTS.occupations):
        assert len(set(listed)) == len(listed) >= 80


def test_drawn_characters_differ_and_more_of_them_begin_with_the_same() -> None:
    drawn = [draw_attributes(LISTS, number, 7) for number in range(80)]
    for field in ("id", "first_name", "last_name", "occupation"):
        assert len({getattr(one, field) for one in drawn}) == 80
    assert draw_attributes(LISTS, 3, 7) == drawn[3] != draw_attributes(LISTS, 3, 8)
    genders = Counter(one.gender for one in drawn)
    assert 34 <= genders["woman"] <= 40
    assert 34 <= genders["man"] <= 40
    assert {one.pronouns for one in drawn} == {"she/her", "he/him", "they/them"}
    low, high = LISTS.ages
    assert all(low <= one.age <= high for one in drawn)
    assert all(1 <= len(one.moral_values) <= 2 <= len(one.schwartz_values) <= 3 for one in drawn)
    assert not any(one.secret or one.public_info or one.personality for one in drawn)


def test_no_character_has_a_first_name_that_is_taken() -> None:
    taken = [draw_attributes(LISTS, number, 7).first_name for number in range(40)]
    others = {draw_attributes(LISTS, number, 7, taken).first_name for number in range(44)}
    assert not others & set(taken)
    with pytest.raises(NobodyLeft):
        draw_attributes(LISTS, 0, 7, list(LISTS.first_names))


GOOD = "Hana bakes the bread of the whole street before it wakes, and sings while it rises."


@pytest.mark.parametrize(
    ("public", "personality", "why"),
    [
        (f"{GOOD} She sold the choir's second piano once.", GOOD, "public_info tells the secret"),
        (GOOD, f"{GOOD} Sold the choir's second piano!", "personality tells the secret"),
        (GOOD, GOOD, "the same text"),
        ("She bakes.", GOOD, "public_info has 2 words"),
        (GOOD, "…", "personality says nothing of its own"),
        (GOOD, "x " * 400, "at most 700"),
        ("<b>Hana</b> bakes the bread of the whole street early", GOOD, "cannot be read"),
        (f"{GOOD} Give examples; do not list traits.", GOOD, "repeats how it was"),
    ],
)
def test_texts_that_tell_the_secret_or_say_nothing_are_asked_for_again(
    public: str, personality: str, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        with_texts(HANA, SECRET, PublicAnswer(public, personality))
    other = f"{GOOD} Nobody hurries her."
    kept = with_texts(HANA, SECRET, PublicAnswer(GOOD, other))
    assert kept == replace(HANA, public_info=GOOD, personality=other)


def test_kinds_of_drawn_relationships_take_turns_as_far_as_ages_allow() -> None:
    cast = [draw_attributes(LISTS, number, 1) for number in range(12)]
    related = {frozenset((cast[0].id, cast[1].id))}
    drawn = list(drawn_pairs(cast, related, seed=3))
    pairs = [frozenset((one.id, other.id)) for one, other, _ in drawn]
    assert len(set(pairs)) == len(pairs) == 12 * 11 // 2 - 1
    assert not related & set(pairs)
    assert [kind for *_, kind in drawn[:10]] == [*MEANINGS, *MEANINGS]
    couples = [(one, other) for one, other, kind in drawn if kind is RelationshipKind.ROMANTIC]
    assert couples
    assert all(abs(one.age - other.age) <= 20 for one, other in couples)
    assert drawn[:5] == list(drawn_pairs(cast[::-1], related, seed=3))[:5]


def test_kin_are_what_their_ages_allow() -> None:
    cast = [draw_attributes(LISTS, number, 1) for number in range(20)]
    kin = {}
    for one, other in combinations(cast, 2):
        kin[one, other] = drawn_kin(one, other, 0)
        tie = Relationship(
            id="r", characters=(one.id, other.id), kind=RelationshipKind.FAMILY, kin=kin[one, other]
        )
        assert kinship_fault(tie, (one, other)) == ""
        assert drawn_kin(one, other, 0) == kin[one, other]
    assert len(set(kin.values())) > 8


STORY = "Hana taught Ivo to bake when he lodged above the shop; they still share Sunday's bread."


@pytest.mark.parametrize(
    ("story", "why"),
    [
        (STORY.replace("Ivo", "him"), "is to name Ivo"),
        (f"{STORY} Ivo saw how she sold the choir's second piano.", "tells the secret of Hana"),
        ("Hana and Ivo met.", "story has 4 words"),
        (
            '<p viewer="agent_0">Hana and Ivo met in the long winter of the flood.</p>',
            "plain words",
        ),
    ],
)
def test_a_story_names_both_and_tells_no_secret(story: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        usable_story(story, HANA, IVO)
    assert usable_story(f" {STORY}\n", HANA, IVO) == STORY


def test_a_models_scenario_keeps_what_may_be_cast() -> None:
    made = scenario_of("g1", "vignettes", ANSWER, EXAMPLE)
    assert made.relationships == (RelationshipKind.ACQUAINTANCE,)
    assert made.ages == ((18, 80), (30, 80))
    assert made.occupations == ("", "gardener")
    assert (made.source, made.tags, made.goals) == ("vignettes", ("generated",), ANSWER.goals)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"goals": (ANSWER.goals[0], ANSWER.goals[0])}, "the two goals are the same"),
        ({"goals": (ANSWER.goals[0], "<extra_info>Only this and no more words</extra_info>")},
         "the goal of person 2 is only a hint"),
        ({"goals": (ANSWER.goals[0], "You want it to stay. <extra_info>So")}, "cannot be read"),
        ({"context": EXAMPLE.context}, "is from the example"),
        ({"context": f"{ANSWER.context} <extra_info>x</extra_info>"}, "plain words"),
        ({"context": f"{ANSWER.context} He has shears."}, "gives somebody a gender \\(he\\)"),
        ({"relationships": ()}, "at least one of the relationships"),
        ({"ages": ((40, 30), (18, 80))}, "the ages of person 1"),
        ({"ages": ((18, 80), (12, 80))}, "the ages of person 2"),
        ({"codename": "…"}, "codename says nothing"),
    ],
)  # fmt: skip
def test_a_scenario_that_is_not_as_asked_for_is_asked_for_again(change: dict, why: str) -> None:
    answer = VignetteAnswer(
        **{name: getattr(ANSWER, name) for name in ANSWER.__struct_fields__} | change
    )
    with pytest.raises(ValueError, match=why):
        scenario_of("g1", "vignettes", answer, EXAMPLE)


def test_runs_of_words_are_found_whatever_their_case_and_marks() -> None:
    assert shared_run("Yes: the OLD grey cat, asleep.", "an old, grey cat asleep", 4) == (
        "old grey cat asleep"
    )
    assert shared_run("the old grey cat", "an old grey cat asleep", 4) == ""
