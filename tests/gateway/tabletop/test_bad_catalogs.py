"""Sheets and lists that cannot be used: a sentence each, and the store unchanged."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

POINT = '{text = "It is blue.", terms = ["blue"]}'


def sheet(*points: str, kind: str = "place") -> str:
    return (
        f'[[sheet]]\nid = "s1"\nkind = "{kind}"\ntitle = "the Blue Door"\n'
        f"points = [{', '.join(points)}]\n"
    )


def other(number: int) -> str:
    return f'{{text = "It has {number} locks.", terms = ["{number}"]}}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (sheet(POINT, other(2)), "3"),
        (sheet(*map(other, range(11))), "10"),
        (sheet(POINT, POINT, other(2)), "two key points of the sheet 'the Blue Door' are equal"),
        (sheet(POINT, other(2), '{text = "", terms = []}'), "text"),
        (sheet(POINT, other(2), other(3), kind="song"), "kind"),
    ],
)
def test_a_bad_sheet_is_refused_with_the_file_and_what_would_be_right(
    desk: Desk, text: str, why: str
) -> None:
    folder = desk.folder / "own"
    desk.does("catalog", "export", "tavern", "-o", str(folder))
    catalog = folder / "catalog.toml"
    catalog.write_text(catalog.read_text().replace("tavern", "own"))
    (folder / "sheets.toml").write_text(text)
    desk.does("catalog", "list")
    said = refused(desk, "catalog", "import", str(folder))
    assert why in said
    assert "sheet" in said


NAMED = [{"index": "common", "name": "Common"}]
ARCANA = {"item": {"index": "skill-arcana", "name": "Skill: Arcana"}}
FILES: dict[str, object] = {
    "Ability-Scores": [{"index": "dex", "full_name": "Dexterity"}],
    "Alignments": [{"index": "good", "name": "Good"}],
    "Classes": [
        {
            "name": "Bard",
            "proficiency_choices": [{"choose": 1, "from": {"options": [ARCANA]}}],
        }
    ],
    "Languages": NAMED,
    "Races": [
        {
            "index": "elf",
            "name": "Elf",
            "ability_bonuses": [
                {"ability_score": {"index": "dex", "name": "DEX"}, "bonus": 2}
            ],
            "languages": NAMED,
        }
    ],
    "Subraces": [
        {"name": "High Elf", "race": {"index": "elf", "name": "Elf"}, "ability_bonuses": []}
    ],
}  # fmt: skip


def lists(folder: Path) -> Path:
    folder.mkdir()
    for name, data in FILES.items():
        (folder / f"5e-SRD-{name}.json").write_text(json.dumps(data))
    return folder


def test_lists_made_by_hand_become_characters(desk: Desk) -> None:
    folder = lists(desk.folder / "lists")
    said = desk.does("import", "srd", str(folder), "--name", "mine")
    assert "1 races, 1 subraces, 1 classes, 12 backgrounds, 1 alignments, 1 languages" in re.sub(
        r"\s+", " ", said.err
    )


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("Races", [], "5e-SRD-Races.json: the list is empty"),
        ("Races", {"name": "Elf"}, "5e-SRD-Races.json: it is not a list"),
        ("Classes", [{"name": "Bard", "proficiency_choices": []}], "'Bard' chooses among no"),
        ("Ability-Scores", [{"index": "str", "full_name": "Strength"}], "'dex' is named and"),
        ("Subraces", [{"name": "X", "race": {"index": "orc", "name": "Orc"},
                       "ability_bonuses": []}], "'orc' is named and listed nowhere"),
        ("Languages", None, "5e-SRD-Languages.json: No such file"),
    ],
)  # fmt: skip
def test_bad_lists_are_refused_by_their_file(desk: Desk, name: str, data: object, why: str) -> None:
    folder = lists(desk.folder / "lists")
    path = folder / f"5e-SRD-{name}.json"
    if data is None:
        path.unlink()
    else:
        path.write_text(json.dumps(data))
    desk.does("catalog", "list")
    assert why in refused(desk, "import", "srd", str(folder), "--name", "mine")
    shutil.rmtree(folder)
    assert "is no folder" in refused(desk, "import", "srd", str(folder), "--name", "mine")
