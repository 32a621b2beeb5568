"""Files of world trees at the command line: taken in, checked, written out."""

import json
from pathlib import Path

import pytest

from actors.worldtree.formats.files import read_path
from tests.actors.worldtree.plain import ending, node, option, tree
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused


@pytest.fixture
def folder(desk: Desk) -> Path:
    """A tree in both languages, one with defects, and one that is none."""
    path = desk.folder / "trees"
    path.mkdir()
    (path / "ferry-en.json").write_text(json.dumps(tree()))
    (path / "ferry-zh.json").write_text(json.dumps(tree()))
    poor = tree(node(0, option(1, "A.", "fencing"), option(2, "B.")), ending(1, 1), ending(2, 0))
    (path / "poor-en.json").write_text(json.dumps(poor))
    (path / "bad-en.json").write_text('{"predefined_profiles": [')
    return path


def test_trees_come_in_and_what_is_left_out_is_named(desk: Desk, folder: Path) -> None:
    said = desk.does("import", "worldtrees", str(folder), "--name", "ferries")
    assert "4 files, 3 trees (1 zh, 2 en), 1 pair of translations, 1 refused" in said.out
    assert "9 lines can be asked about" in said.out
    assert "left out: bad-en.json: is no JSON" in said.err
    for words in ("no ability", "no ending with success can be reached", "not JSON"):
        assert words in said.out
    assert max(map(len, said.out.partition("Next")[0].splitlines())) <= 80
    again = desk.does("import", "worldtrees", str(folder), "--name", "ferries", "--json").json
    assert (again["catalog"]["outcome"], again["catalog"]["counts"]["trees"]) == ("unchanged", 3)
    assert (again["refused"], again["pairs"], again["questions"]) == (["bad-en.json"], 1, 9)
    assert again["defects"] == {"fatal": 1, "tree": 1, "question": 1, "small": 1}


def test_where_nothing_can_be_read_nothing_is_kept(desk: Desk, folder: Path) -> None:
    desk.does("catalog", "list")
    before = desk.head()
    assert "bad-en.json: is no JSON" in refused(
        desk, "import", "worldtrees", str(folder / "bad-en.json")
    )
    assert "there is no such file" in refused(desk, "import", "worldtrees", str(folder / "gone"))
    # A folder of a catalog comes in whole or not at all.
    assert "bad-en.json" in refused(desk, "catalog", "import", str(folder), "-c", "ferries")
    assert desk.head() == before


def test_a_catalog_goes_out_and_comes_in_again_as_it_was(desk: Desk, folder: Path) -> None:
    (folder / "bad-en.json").unlink()
    (folder / "._ferry-en.json").write_bytes(b"\0\5\x16\7")  # file managers leave such
    checked = desk.does("catalog", "check", str(folder)).out
    assert "no errors" in checked
    assert "no task" not in checked
    desk.does("catalog", "import", str(folder), "-c", "ferries")
    out = desk.folder / "out"
    written = desk.does(
        *("catalog", "export", "ferries", "--format", "socialeval", "--to", str(out), "--json")
    ).json
    assert [Path(path).name for path in written["paths"]] == [
        "ferry-en.json",
        "ferry-zh.json",
        "poor-en.json",
    ]
    assert read_path(out).trees == read_path(folder).trees
    (out / "old-en.json").write_text("{}")
    export = ("catalog", "export", "ferries", "--format", "socialeval", "--to", str(out))
    assert "holds old-en.json already" in refused(desk, *export)
    (out / "old-en.json").unlink()
    desk.does(*export)
    again = desk.does("catalog", "import", str(out), "-c", "ferries", "--json").json
    assert again["outcome"] == "unchanged"


def test_check_names_defects_and_what_gives_answers_away(desk: Desk, folder: Path) -> None:
    good = str(folder / "ferry-en.json")
    said = desk.does("worldtree", "check", good, "--strict").out
    for words in ("No defect", "4 can be asked, of 4", "50.0 %", "success is possible in 1 of 1"):
        assert words in said
    assert max(map(len, said.splitlines())) <= 80
    poor = str(folder / "poor-en.json")
    assert desk.does("worldtree", "check", poor).code == 0
    assert desk.says("worldtree", "check", poor, "--strict").code == 1
    found = desk.says("worldtree", "check", str(folder), "--json")
    assert found.code == 1
    assert found.json["counts"]["not_json"] == 1
    assert {one["grade"] for one in found.json["defects"]} == {"fatal", "tree", "question", "small"}
    place = next(one for one in found.json["defects"] if one["kind"] == "no_ability")
    assert (place["file"], place["node"], place["field"]) == (
        "poor-en.json",
        0,
        "interactive_plot[0].choices[0].skill",
    )
    assert found.json["balance"]["questions"] == 9
