"""Towns on the command line: imported, drawn, checked, converted; what is bad leaves no trace."""

import json
import shutil
from pathlib import Path

import pytest

from actors.sandbox.catalog.starter import FILE
from tests.gateway.command import Desk
from tests.properties.published import STSS, needs_stss


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """The published files, to be broken."""
    folder = tmp_path / "stss"
    folder.mkdir()
    for path in STSS.iterdir():
        if not path.name.startswith("golden"):
            (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A folder with Ternby's file, to be broken."""
    folder = tmp_path / "town"
    folder.mkdir()
    shutil.copy(FILE, folder / "town.toml")
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


class TestImport:
    pytestmark = needs_stss

    def test_tasks_are_made_of_templates_by_seed_and_taken_in(
        self, desk: Desk, published: Path, tmp_path: Path
    ) -> None:
        (task,) = json.loads((published / "tasks_dlc.json").read_text())[:1]
        for name in ("all_chars", "n_characters", "env_name"):
            del task[name]
        task["task"]["goal"][0]["start_time"] = "#TBD"
        meta = tmp_path / "meta_task.json"
        meta.write_text(json.dumps([task, task]))
        made = published / "tasks_dlc.json"
        command = ("town", "tasks", str(meta), "--people", str(published), "--to", str(made))
        assert "is there already; name a new file" in " ".join(desk.says(*command).err.split())
        made.unlink()
        assert "2 tasks" in desk.does(*command, "--seed", "5").out
        first = made.read_text()
        made.unlink()
        desk.does(*command, "--seed", "5")
        assert made.read_text() == first
        desk.does("import", "stss", str(published))
        listed = desk.does("catalog", "show", "tasks", "-c", "stss", "--json").out
        assert "dlc_public_activity_0" in listed
        assert "dlc_public_activity_1" in listed

    def test_templates_that_cannot_be_used_are_refused_in_a_sentence(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        meta, new = tmp_path / "meta.json", tmp_path / "tasks.json"
        command = ("town", "tasks", str(meta), "--people", str(STSS), "--to", str(new))
        for text, why in (("[1", "is no JSON"), ("{}", "must be a list"), ("[{}]", "no. 1")):
            meta.write_text(text)
            assert why in " ".join(desk.says(*command).err.split())
        assert "must be 1 to --most" in " ".join(desk.says(*command, "--least", "0").err.split())
        assert not new.exists()

    def test_it_counts_lists_what_is_odd_and_is_the_same_twice(self, desk: Desk) -> None:
        said = desk.does("import", "stss", str(STSS))
        words = " ".join(said.out.split())
        assert "19 sectors, 63 arenas, 222 objects" in words
        assert "11,936 tiles are free, in 17 parts; people live in the one of 4,158" in words
        assert "1 town, 25 inhabitants, 30 tasks" in words
        for odd in (
            "shared: is no character",
            "find_partner_11: 'Hobbs Coffee' is part of no address",
            "ask_for_others_18: 'Hobbs coffee' is part of no address",
            "personal_appointment_10: is 5",
            "public_activity_7: the description says 8, but 7",
            "online_meeting_16: none of its texts",
            "find_partner_13: speaks of 'shop'",
        ):
            assert odd in words
        before = desk.head()
        again = desk.does("import", "stss", str(STSS), "--json").json
        assert again["catalog"]["outcome"] == "unchanged"
        assert desk.head() == before

    @pytest.mark.parametrize(
        ("file", "old", "new", "said"),
        [
            ("sector_maze.csv", "0, 0", "0, 99", "sector_maze.csv, row 1, column 2: the code 99"),
            ("tasks.json", '"Find partner"', '"Find partners"', "did you mean 'Find partner'?"),
            *(
                pytest.param(*one, marks=pytest.mark.long)
                for one in (
                    ("collision_maze.csv", "0, ", "", "collision_maze.csv: has 13,999 codes"),
                    ("tasks.json", '"target_num": 7', '"target_num": "7"', "task.target_num: must"),
                    ("tasks.json", "[", "", "tasks.json: is no JSON"),
                    ("characteristics.json", '"innate"', '"inate"', "field 'innate' is missing"),
                )
            ),
        ],
    )
    def test_bad_files_are_refused_and_nothing_is_kept(
        self, desk: Desk, published: Path, file: str, old: str, new: str, said: str
    ) -> None:
        desk.does("catalog", "list")
        before = desk.head()
        edit(published / file, old, new)
        refused = desk.says("import", "stss", str(published))
        assert refused.code == 1
        assert said in " ".join(refused.err.split())
        assert desk.head() == before

    def test_what_is_missing_is_said(self, desk: Desk, published: Path) -> None:
        (published / "tasks.json").unlink()
        assert "holds no tasks.json" in desk.says("import", "stss", str(published)).err


def test_a_bad_town_is_refused_with_its_cell_and_nothing_is_kept(desk: Desk, town: Path) -> None:
    desk.does("catalog", "list")
    before = desk.head()
    edit(town / "town.toml", "\n#......#..#...#", "\n#......#..#..#")
    for command in (("town", "map", "check"), ("catalog", "import"), ("catalog", "check")):
        said = desk.says(*command, str(town))
        assert said.code == 1
        assert "layer solid, row 2: has 38 tiles" in " ".join((said.out + said.err).split())
    assert desk.head() == before


def test_a_town_is_a_catalog_in_one_file(desk: Desk, town: Path) -> None:
    edit(town / "town.toml", 'id = "ternby"', 'id = "other"')
    assert "Catalog other: 1 town, 12 inhabitants, 10 tasks" in " ".join(
        desk.does("catalog", "import", str(town)).out.split()
    )
    out = desk.folder / "out"
    desk.does("catalog", "export", "other", "--format", "town", "--to", str(out))
    again = desk.does("catalog", "import", str(out), "--json").json
    assert again["outcome"] == "unchanged"


def test_a_map_goes_to_csv_and_back(desk: Desk, town: Path) -> None:
    csv, back = desk.folder / "csv", desk.folder / "back.toml"
    said = desk.does("town", "map", "to-csv", str(town), "--to", str(csv))
    assert "12 inhabitants and 10 tasks have no room" in said.err
    desk.does("town", "map", "from-csv", str(csv), "--to", str(back), "--id", "ternby")
    sizes = "14 sectors, 34 arenas, 114 objects"
    for path in (town, csv, back):
        assert sizes in " ".join(desk.does("town", "map", "check", str(path)).out.split())
    refused = desk.says("town", "map", "from-csv", str(csv), "--to", str(back))
    assert "is there already" in refused.err


def test_a_made_town_can_be_taken_in(desk: Desk) -> None:
    target = desk.folder / "made" / "town.toml"
    desk.does("town", "map", "make", "--people", "6", "--seed", "1", "--to", str(target))
    checked = json.loads(desk.does("town", "map", "check", str(target), "--json").out)
    assert checked["errors"] == checked["warnings"] == []
    brought = desk.does("catalog", "import", str(target.parent), "--json").json
    assert (brought["inhabitants"], brought["tasks"]) == (6, 5)


def test_what_is_no_town_is_refused(desk: Desk) -> None:
    assert "holds no maze_meta_info.json" in desk.says("town", "map", "check", ".").err
    assert "there is no such file" in desk.says("town", "map", "check", "none.toml").out
    assert "2 to 5,000" in desk.says("town", "map", "make", "--people", "1").err
