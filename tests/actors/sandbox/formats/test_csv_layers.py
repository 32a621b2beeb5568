"""CSV layers of a map: out and in; what is wrong with them is said, with file and cell."""

import json
from pathlib import Path

import pytest

from actors.sandbox.catalog.town_file import town_of
from actors.sandbox.catalog.town_writer import town_text
from actors.sandbox.formats.csv_layers import BadLayers, layer_files, read_layers
from actors.sandbox.map.grid import with_digest
from events.base import replace
from tests.actors.sandbox.small_town import small_town


def written(folder: Path) -> Path:
    for name, text in layer_files(small_town()).items():
        (folder / name).write_text(text)
    return folder


def refused(folder: Path) -> str:
    with pytest.raises(BadLayers) as error:
        read_layers(folder, "small")
    return "\n".join(error.value.rows)


def edit(folder: Path, file: str, number: int, cell: str) -> None:
    """One code of a maze, from 0, or one line of a list."""
    path = folder / file
    parts = path.read_text().split(", " if "maze" in file else "\n")
    parts[number] = cell
    path.write_text((", " if "maze" in file else "\n").join(parts))


def test_a_map_comes_back_with_the_codes_that_it_got(tmp_path: Path) -> None:
    read = read_layers(written(tmp_path), "small")
    assert read.notes == ()
    plain = small_town()
    for layer in ("solid", "sectors", "arenas", "objects", "spawns"):
        back, was = getattr(read.town, layer), getattr(plain, layer)
        assert (back.names, back.runs) == (was.names, was.runs)
        assert len(set(back.codes)) == len(was.names)
    again = layer_files(read.town)
    assert all(
        again[file] == (tmp_path / file).read_text() for file in again if "world" not in file
    )


def test_a_row_may_be_a_line(tmp_path: Path) -> None:
    folder = written(tmp_path)
    town = read_layers(folder, "small").town
    path = folder / "arena_maze.csv"
    codes = path.read_text().split(", ")
    path.write_text("\n".join(",".join(codes[at : at + 20]) for at in range(0, 200, 20)) + "\n")
    assert read_layers(folder, "small").town == town


def test_the_codes_go_along_into_one_file(tmp_path: Path) -> None:
    town = read_layers(written(tmp_path), "small").town
    assert town_of(town_text(town)).town == town


def test_any_code_of_the_collision_maze_is_solid(tmp_path: Path) -> None:
    folder = written(tmp_path)
    edit(folder, "collision_maze.csv", 9, "7")
    town = read_layers(folder, "small").town
    assert len(town.solid.names) == 2
    assert with_digest(replace(town, digest="")).digest == town.digest


def test_blanks_are_trimmed_and_codes_may_share_a_name(tmp_path: Path) -> None:
    folder = written(tmp_path)
    town = read_layers(folder, "small").town
    kitchen = next(
        line
        for line in (folder / "arena_blocks.csv").read_text().splitlines()
        if line.endswith("kitchen")
    )
    with (folder / "arena_blocks.csv").open("a") as file:
        file.write(f"9, {kitchen.split(', ', 1)[1]}   \n")
    edit(folder, "arena_maze.csv", 7 * 20 + 12, "9")
    read = read_layers(folder, "small")
    assert read.town.arenas.names == town.arenas.names
    assert read.town.arenas.runs == town.arenas.runs
    assert "all mean 'inn:kitchen'" in read.notes[0]


@pytest.mark.parametrize(
    ("file", "number", "cell", "said"),
    [
        ("arena_maze.csv", 45, "77", "arena_maze.csv, row 3, column 6: the code 77 is not in"),
        ("arena_maze.csv", 45, "x", "arena_maze.csv, row 3, column 6: 'x' is no code"),
        ("arena_maze.csv", 45, "-1", "arena_maze.csv, row 3, column 6: '-1' is no code"),
        ("arena_maze.csv", 45, "9" * 30, "arena_maze.csv, row 3, column 6: '9999"),
        ("arena_maze.csv", 45, "1, 1", "arena_maze.csv: has 201 codes; 20 x 10 tiles are 200"),
        ("sector_blocks.csv", 0, "5, Small", "sector_blocks.csv, line 1: has 2 columns instead"),
        ("sector_blocks.csv", 0, "x, Small, a", "sector_blocks.csv, line 1: 'x' is no code"),
        ("sector_blocks.csv", 0, "5, Big, a", "sector_blocks.csv, line 1: is of the world 'Big'"),
        ("collision_maze.csv", 82, "5", "sector_maze.csv, row 2, column 2: nobody can get to"),
        ("spawning_location_maze.csv", 45, "32113", "spawning_location_maze.csv, row 3, column 6"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_cell(
    tmp_path: Path, file: str, number: int, cell: str, said: str
) -> None:
    folder = written(tmp_path)
    edit(folder, file, number, cell)
    assert said in refused(folder)


def test_a_ragged_layer_is_said_with_its_row(tmp_path: Path) -> None:
    folder = written(tmp_path)
    rows = [", ".join(["0"] * (19 if row == 3 else 20)) for row in range(10)]
    (folder / "game_object_maze.csv").write_text("\n".join(rows))
    assert "game_object_maze.csv, row 4: has 19 codes instead of 20" in refused(folder)


def test_what_is_missing_or_no_text_is_said(tmp_path: Path) -> None:
    folder = written(tmp_path)
    (folder / "arena_maze.csv").unlink()
    (folder / "sector_maze.csv").write_bytes(b"\xff\xfe\x00")
    assert "arena_maze.csv: there is no such file" in refused(folder)
    assert "sector_maze.csv: is not UTF-8 text" in refused(folder)


@pytest.mark.parametrize(
    "meta", ["", "[]", "{}", '{"maze_width": -1}', '{"maze_width": 1e9, "maze_height": 2}']
)
def test_a_size_that_is_none_is_refused(tmp_path: Path, meta: str) -> None:
    folder = written(tmp_path)
    (folder / "maze_meta_info.json").write_text(meta)
    assert "maze_meta_info.json" in refused(folder)


def test_a_map_that_is_too_large_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path)
    meta = json.dumps({"maze_width": 10**5, "maze_height": 10**5})
    (folder / "maze_meta_info.json").write_text(meta)
    assert "at most 1,000,000 are read" in refused(folder)
