"""Which ability a dirty label means, and by which rule."""

import pytest

from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.ability_labels import abilities_of, is_rest, resolve, stray_marker


@pytest.mark.parametrize("ability", ABILITIES)
def test_an_ability_is_itself_in_any_case_and_with_any_signs(ability: str):
    dirty = ability.upper().replace(" ", "\x02-")
    assert resolve(f" {dirty}。\r") == (ability, "letters")


@pytest.mark.parametrize(
    ("label", "second", "ability", "rule"),
    [
        ("Confidence ", "Regulation ", "Confidence Regulation", "joined"),
        ("perspective-", "taking skill", "Perspective-Taking Skill", "joined"),
        ("Confidence ", "#state#(1,1,1)", "Confidence Regulation", "prefix"),
        ("abstract thinking", "", "Abstract Thinking Skill", "prefix"),
        ("optimism", "", "Capacity for Optimism", "prefix"),
        ("time mangement", "", "Time Management", "distance"),
        ("anger regulation", "", "Anger Management", "alias"),
        ("Information Process Skill", "", "Information Processing Skill", "alias"),
        ("Adaptive", "", "Adaptability", "alias"),
        ("capacity for ", "", None, "unresolved"),
        ("skill", "", None, "unresolved"),
        ("time", "", None, "unresolved"),
        ("", "", None, "unresolved"),
        ("宽恕", "", None, "unresolved"),
    ],
)
def test_other_labels_resolve_by_a_rule_or_not_at_all(
    label: str, second: str, ability: str | None, rule: str
):
    assert resolve(label, second) == (ability, rule)


def test_what_resolves_counts_once():
    labels = ("persuasive skill", "Persuasive Skill", "nonsense", "adaptability")
    assert abilities_of(labels) == ("Persuasive Skill", "Adaptability")


def test_the_rest_of_a_label_is_told_from_the_rest_of_a_question():
    assert is_rest("social warmth ")
    assert is_rest("skill")
    assert not is_rest(" cultural backgrounds?")
    assert not is_rest("的文化背景？")
    assert not is_rest("")


def test_markers_belong_at_the_beginning_of_a_piece():
    assert not stray_marker(("#question# How?", " #skill#Adaptability"))
    assert stray_marker(("#question# How?  #skill#Adaptability",))
    assert stray_marker(("#question# How?", "#skillAdaptability"))
