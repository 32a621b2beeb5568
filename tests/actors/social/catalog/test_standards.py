"""What a catalog of a benchmark is held to, and the starter catalog held to it."""

import pytest

from actors.social.catalog.standards import gendered_words, standards
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Catalog, InteractionKind, RelationshipKind, Scenario
from events.base import replace
from tests.support.builders import character

CATALOG = starter_catalog()
NAMES = {
    "kinds of interaction", "pairs for a scenario", "contexts without a gender", "first names",
    "occupations", "distinct-2 of characters", "nearest two characters", "distinct-2 of stories",
    "nearest two stories", "distinct-2 of scenarios", "nearest two scenarios",
}  # fmt: skip


def short(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """What falls short of each standard that is not met."""
    return {one.name: one.short for one in standards(catalog) if not one.met}


def with_scenario(**changes: object) -> Catalog:
    """The starter catalog with something else about its first scenario."""
    first, *rest = CATALOG.scenarios
    return replace(CATALOG, scenarios=(replace(first, **changes), *rest))


def test_the_starter_catalog_meets_all_of_them() -> None:
    found = list(standards(CATALOG))
    assert {one.name for one in found} == NAMES
    assert all(one.met and not one.short for one in found), found


@pytest.mark.parametrize(
    ("context", "words"),
    [
        ("A sister and a brother wait; the hero is theirs.", ()),
        ("She waits for HIM, and she knows it.", ("she", "him")),
        ('Two wait. <p viewer="environment">One of them is a woman.</p>', ("woman",)),
    ],
)
def test_words_that_give_a_gender_are_found(context: str, words: tuple[str, ...]) -> None:
    assert gendered_words(Scenario(id="s", context=context, goals=("a", "b"))) == words
    expected = {"contexts without a gender": (f"hive_price ({', '.join(words)})",)}
    assert short(with_scenario(context=context)) == (expected if words else {})


def test_a_scenario_for_which_there_are_few_pairs_is_named_with_their_number() -> None:
    few = with_scenario(relationships=(RelationshipKind.ROMANTIC,), ages=((70, 90), (18, 90)))
    assert short(few) == {"pairs for a scenario": ("hive_price (0)",)}


def test_a_kind_with_too_few_scenarios_is_named_and_those_without_a_kind_are_counted() -> None:
    silent = tuple(
        replace(one, kind=None) if one.kind is InteractionKind.EXCHANGE else one
        for one in CATALOG.scenarios
    )
    (kinds,) = [one for one in standards(replace(CATALOG, scenarios=silent)) if not one.met]
    assert kinds.short == ("exchange",)
    assert "0 exchange" in kinds.value
    assert "15 do not say" in kinds.value


def test_names_and_jobs_are_there_at_most_twice() -> None:
    people = tuple(
        replace(who, first_name="Ana", occupation=" Cook") for who in CATALOG.characters[:3]
    )
    assert short(replace(CATALOG, characters=people + CATALOG.characters[3:])) == {
        "first names": ("ana (3)",),
        "occupations": ("cook (3)",),
    }


def test_texts_that_are_much_alike_are_named_once_and_their_words_counted() -> None:
    one, other, *rest = CATALOG.characters
    same = replace(
        other, public_info=one.public_info, personality=one.personality, secret=one.secret
    )
    assert short(replace(CATALOG, characters=(one, same, *rest))) == {
        "nearest two characters": (f"{one.id} and {other.id}",)
    }
    alike = [replace(one, id=f"c{n}", first_name=f"N{n}", occupation=f"{n}") for n in range(5)]
    found = short(Catalog(name="c", characters=tuple(alike)))
    assert found["distinct-2 of characters"] == ()


def test_a_catalog_with_nothing_to_measure_is_held_to_nothing() -> None:
    assert list(standards(Catalog(name="empty"))) == []
    lonely = Catalog(name="one", characters=(character("Ada"),))
    assert [one.name for one in standards(lonely)] == ["first names", "occupations"]
