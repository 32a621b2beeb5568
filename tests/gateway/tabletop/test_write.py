"""Characters and knowledge that a model writes, played by a script."""

import json
from collections.abc import Sequence

import pytest

from actors.models.registry import Models
from actors.tabletop.catalog.starter import starter_catalog
from actors.tabletop.catalog_items import Catalog
from actors.tabletop.characters import words_of
from gateway.services.catalogs.read_catalog import load
from tests.evaluators.scripted import Scripted
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

WRITE = ("tabletop", "write", "--model", "test/writer", "--no-probe")
SENTENCE = "She has walked the salt road since her brother left and never asked why. "


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch):
    """Has the model say what is given, and gives it back."""

    def say(*answers: object) -> Scripted:
        model = Scripted(
            [json.dumps(one) if isinstance(one, dict) else str(one) for one in answers]
        )
        made = Models({"litellm": lambda _: model})
        monkeypatch.setattr("gateway.tabletop.write_items.models_here", lambda _: made)
        return model

    return say


def character(name: str, sentences: int = 8) -> dict[str, object]:
    return {"name": name, "description": sentences * SENTENCE}


def knowledge(title: str, texts: Sequence[tuple[str, list[str]]]) -> dict[str, object]:
    return {"title": title, "points": [{"text": text, "terms": terms} for text, terms in texts]}


FACTS = [
    ("It was forged by Maudlin Orr.", ["Maudlin Orr"]),
    ("It weighs exactly 31 pounds.", ["31"]),
    ("It rings when a liar holds it.", ["liar", "ring"]),
]


def catalog_of(desk: Desk, name: str) -> Catalog:
    store = desk.open()
    try:
        return load(store, name, Catalog)
    finally:
        store.close()


def test_characters_keep_their_sheets_and_get_a_name_and_a_description(desk: Desk, script) -> None:
    names = ["Ila Marr", "Oto Venn", "Bram Sedge", "Wyn Asher", "Tal Corrow"]
    model = script(
        character(names[0]),
        character(names[0]),  # taken
        character(names[1]),
        character(names[2], sentences=2),  # too short
        character(names[2], sentences=20),  # too long
        character(names[2]),
        *map(character, names[3:]),
    )
    made = desk.does(*WRITE, "--catalog", "mine", "--characters", "5", "--json").json
    assert (made["characters"], made["left_out"]) == (5, [])
    found, drawn = catalog_of(desk, "mine"), starter_catalog()
    assert [one.name for one in found.characters] == names
    for one, before in zip(found.characters, drawn.characters, strict=False):
        assert (one.id, one.scores, one.traits) == (before.id, before.scores, before.traits)
        assert 80 <= words_of(one.description) <= 150
    assert (found.sheets, found.scenes) == (drawn.sheets, drawn.scenes)
    asked = [one.messages[1].content for one in model.asked]
    assert drawn.characters[0].description not in asked[0]
    assert drawn.characters[0].bond in asked[0]
    assert "Ila Marr already" in model.asked[2].messages[-1].content
    assert "has 28 words" in model.asked[4].messages[-1].content
    again = script()
    made = desk.does(*WRITE, "--catalog", "mine", "--characters", "5", "--json").json
    assert (made["outcome"], again.asked) == ("unchanged", [])


def test_knowledge_has_exactly_k_points_that_can_be_told_apart(desk: Desk, script) -> None:
    same = [*FACTS[:2], ("Maudlin Orr forged it in secret.", ["secret"])]
    model = script(
        knowledge("The Bell of Orr", FACTS[:2]),
        knowledge("The Bell of Orr", [*FACTS[:2], ("It is old.", ["ancient"])]),
        knowledge("The Bell of Orr", FACTS),
        knowledge("the bell of orr", FACTS),
        knowledge("The Quiet Axe", same),
        "no idea",
    )
    told = desk.does(*WRITE, "--sheets", "2", "--points", "3", "--json").json
    assert told["sheets"] == 1
    (left,) = told["left_out"]
    assert left.startswith("w2: model 'test/writer' gave no usable answer")
    (sheet,) = catalog_of(desk, "written").sheets
    assert (sheet.title, len(sheet.points)) == ("The Bell of Orr", 3)
    said = [one.messages[-1].content for one in model.asked]
    assert "exactly 3 facts" in said[0]
    for place, why in (
        (1, "it has 2 points; there are to be exactly 3"),
        (2, "not all terms of point 3 (ancient) stand in its sentence"),
        (4, "there is knowledge about the bell of orr already"),
        (5, "the sentence of point 3 has all terms of point 1"),
    ):
        assert why in said[place]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "nothing is to be written"),
        (("--characters", "3"), "seats 5"),
        (("--characters", "301"), "has 300"),
        (("--sheets", "1", "--points", "11"), "3 to 10 key points"),
        (("--sheets", "1", "--catalog", "tavern"), "Troupe's own catalog"),
        (("--sheets", "1", "--from", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_written_is_refused_before_a_model_is_asked(
    desk: Desk, script, options: Sequence[str], why: str
) -> None:
    desk.open().close()
    desk.does("catalog", "list")
    model = script()
    assert why in refused(desk, *WRITE, *options)
    assert model.asked == []


def test_a_catalog_that_no_model_wrote_is_not_replaced(desk: Desk, script) -> None:
    folder = desk.folder / "own"
    desk.does("catalog", "export", "tavern", "-o", str(folder))
    text = (folder / "catalog.toml").read_text()
    (folder / "catalog.toml").write_text(text.replace("tavern", "own"))
    desk.does("catalog", "import", str(folder))
    script()
    assert "no model wrote" in refused(desk, *WRITE, "--sheets", "1", "--catalog", "own")


def test_a_file_says_how_the_model_is_asked(desk: Desk, script) -> None:
    model = script(knowledge("The Bell of Orr", FACTS))
    path = desk.file("writer.toml", 'model = "test/other"\ntemperature = 0.5\n')
    made = desk.does("tabletop", "write", "--model", path, "--no-probe", "--sheets", "1",
                     "--points", "3", "--json").json  # fmt: skip
    assert made["model"] == "test/other"
    assert model.asked[0].temperature == 0.5
    bad = desk.file("bad.toml", "temperature = 0.5\n")
    assert "name the model" in refused(
        desk, "tabletop", "write", "--model", bad, "--sheets", "1", "--no-probe"
    )
