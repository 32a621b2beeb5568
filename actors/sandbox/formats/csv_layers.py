"""A town's map as the CSV files of Generative Agents and STSS, in and out.

A maze file has a code for every tile, row by row, in one line or a line a row; 0 is nothing. A
blocks file says what each code means. Any code of the collision maze is solid.
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.map.faults import MOST_TILES, map_faults
from actors.sandbox.map.grid import with_digest
from actors.sandbox.map.layers import runs_of, tiles_of
from actors.sandbox.map.town_map import Layer, TownMap
from events.untrusted.json_values import NotJson, value_of
from events.untrusted.safe_text import shortened
from store.files.regular_files import FileTooLarge, NotRegular, read_regular

META: Final = "maze_meta_info.json"
WORLD: Final = "world_blocks.csv"
FILES: Final = {
    "solid": "collision",
    "sectors": "sector",
    "arenas": "arena",
    "objects": "game_object",
    "spawns": "spawning_location",
}
"""By layer, how the names of its files begin."""

ANYWHERE: Final = "<all>"
"""What stands for the sector of an object that is the same wherever it stands."""
_COLUMNS: Final = {"sectors": 3, "arenas": 4, "objects": 4, "spawns": 5}
_MOST_TOLD: Final = 20
_MOST_BYTES: Final = 16 * 2**20
_FIRST_CODE: Final = 32_101


class CsvFault(NamedTuple):
    """What is wrong with a file."""

    file: str
    where: str
    """``row 3, column 7`` of a maze, from 1; ``line 4`` of a list; empty: the whole file."""
    why: str

    def __str__(self) -> str:
        """In a sentence."""
        where = ", ".join(filter(None, (shortened(self.file), shortened(self.where))))
        return f"{where}: {shortened(self.why, 1_000)}"


class BadLayers(ValueError):
    """Files that are no map: all that is wrong with them."""

    def __init__(self, faults: Sequence[CsvFault]) -> None:
        self.rows = tuple(map(str, faults))
        more = f"; and {len(faults) - 1:,} more" if len(faults) > 1 else ""
        super().__init__(f"{self.rows[0]}{more}")
        self.faults = tuple(faults)


class LayersRead(NamedTuple):
    """A map that was read, and what is odd about its files."""

    town: TownMap
    notes: tuple[str, ...]


class _Size(NamedTuple):
    width: int
    height: int


def read_layers(folder: Path, id_: str) -> LayersRead:
    """The map in a folder of CSV files, under an id. Raises ``BadLayers``."""
    reader = _Reader(folder)
    layers = reader.layers()
    if layers is None or reader.faults:
        raise BadLayers(reader.faults)
    town = with_digest(
        TownMap(
            id=id_,
            world=reader.world,
            width=reader.size.width,
            height=reader.size.height,
            solid=layers["solid"],
            sectors=layers["sectors"],
            arenas=layers["arenas"],
            objects=layers["objects"],
            spawns=layers["spawns"],
        )
    )
    for fault in map_faults(town):
        file = f"{FILES[fault.layer]}_maze.csv" if fault.layer else ""
        where = f"row {fault.tile[1] + 1}, column {fault.tile[0] + 1}" if fault.tile else ""
        reader.faults.append(CsvFault(file or "the map", where, fault.why))
    if reader.faults:
        raise BadLayers(reader.faults)
    return LayersRead(town, tuple(reader.notes))


def text_of(path: Path) -> tuple[str | None, str]:
    """The text of a published file; where it cannot be read, None, and why."""
    try:
        return read_regular(path, _MOST_BYTES).decode("utf-8-sig"), ""
    except FileNotFoundError:
        why = "there is no such file"
    except UnicodeDecodeError:
        why = "is not UTF-8 text"
    except (FileTooLarge, NotRegular) as error:
        why = error.why
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
    return None, why


def layer_files(town: TownMap) -> dict[str, str]:
    """The text of each file by its name. Names without a code get one that nothing else has."""
    taken = {code for layer in FILES for code in getattr(town, layer).codes}
    free = (code for code in range(_FIRST_CODE, 2**31) if code not in taken)
    meta = {
        "world_name": town.world,
        "maze_width": town.width,
        "maze_height": town.height,
        "sq_tile_size": 32,
        "special_constraint": "",
    }
    files = {
        META: json.dumps(meta, ensure_ascii=False, indent=1) + "\n",
        WORLD: f"{next(free)}, {_cell(town.world)}\n",
    }
    for name, file in FILES.items():
        layer: Layer = getattr(town, name)
        codes = layer.codes or tuple(next(free) for _ in layer.names)
        tiles = np.array([0, *codes])[tiles_of(layer, town.width, town.height)]
        files[f"{file}_maze.csv"] = ", ".join(map(str, tiles.ravel().tolist()))
        if name != "solid":
            lines = (
                ", ".join((str(code), *map(_cell, _fields(name, town.world, full))))
                for code, full in sorted(zip(codes, layer.names, strict=True))
            )
            files[f"{file}_blocks.csv"] = "".join(f"{line}\n" for line in lines)
    return files


def _fields(layer: str, world: str, full: str) -> tuple[str, ...]:
    return (world, ANYWHERE, full) if layer == "objects" else (world, *full.split(":"))


def _cell(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if set(text) & set('",') else text


class _Reader:
    """Reads the files of one map, and keeps what is wrong with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: list[CsvFault] = []
        self.notes: list[str] = []
        self.size = _Size(0, 0)
        self.world = ""

    def layers(self) -> dict[str, Layer] | None:
        """The layers by their names; None where the size or the world is not known."""
        self._meta()
        worlds = self._lines(WORLD, 2)
        if not self.faults and not worlds:
            self.faults.append(CsvFault(WORLD, "", "names no world"))
        if self.faults:
            return None
        self.world = worlds[0][1][1]
        return {layer: self._layer(layer) for layer in FILES}

    def _text(self, file: str) -> str | None:
        text, why = text_of(self.folder / file)
        if text is None:
            self.faults.append(CsvFault(file, "", why))
        return text

    def _meta(self) -> None:
        text = self._text(META)
        if text is None:
            return
        try:
            given = value_of(text)
        except NotJson as error:
            self.faults.append(CsvFault(META, "", error.why))
            return
        sides = []
        for key in ("maze_width", "maze_height"):
            side = given.get(key) if isinstance(given, dict) else None
            if type(side) is not int or not 1 <= side <= MOST_TILES:
                why = f"the field {key!r} must be a number of tiles from 1 to {MOST_TILES:,}"
                self.faults.append(CsvFault(META, "", why))
                return
            sides.append(side)
        self.size = _Size(*sides)
        if self.size.width * self.size.height > MOST_TILES:
            why = f"is {sides[0]:,} x {sides[1]:,} tiles; at most {MOST_TILES:,} are read"
            self.faults.append(CsvFault(META, "", why))

    def _lines(self, file: str, columns: int) -> list[tuple[str, list[str]]]:
        """The lines of a list of codes, each with where it stands; blanks around are trimmed."""
        text = self._text(file)
        found = []
        try:
            rows = csv.reader((text or "").splitlines(), strict=True, skipinitialspace=True)
            for row in rows:
                cells, where = [cell.strip() for cell in row], f"line {rows.line_num}"
                if not any(cells):
                    continue
                if len(cells) != columns:
                    why = f"has {len(cells)} columns instead of {columns}"
                    self.faults.append(CsvFault(file, where, why))
                else:
                    found.append((where, cells))
        except csv.Error as error:
            self.faults.append(CsvFault(file, "", f"cannot be read as CSV ({error})"))
        return found

    def _layer(self, layer: str) -> Layer:
        file = f"{FILES[layer]}_maze.csv"
        codes = self._codes(file)
        names = self._names(layer) if layer != "solid" else None
        if codes is None:
            return Layer()
        used = [code for code in dict.fromkeys(codes.ravel().tolist()) if code]
        if names is None:
            names = {code: "solid" if len(used) == 1 else f"solid {code}" for code in used}
        unknown = [code for code in used if code not in names]
        for code in unknown[:_MOST_TOLD]:
            y, x = np.argwhere(codes == code)[0].tolist()
            why = f"the code {code} is not in {FILES[layer]}_blocks.csv"
            self.faults.append(CsvFault(file, f"row {y + 1}, column {x + 1}", why))
        if unknown:
            return Layer()
        places: dict[str, int] = {}
        first: list[int] = []
        for code in used:
            if names[code] not in places:
                places[names[code]] = len(places) + 1
                first.append(code)
        return Layer(
            names=tuple(places), codes=tuple(first), runs=runs_of(_placed(codes, names, places))
        )

    def _names(self, layer: str) -> dict[int, str]:
        """What the codes of a layer mean."""
        file, found = f"{FILES[layer]}_blocks.csv", dict[int, str]()
        for where, cells in self._lines(file, _COLUMNS[layer]):
            code = _number(cells[0])
            if code is None or code == 0:
                why = f"{shortened(cells[0])!r} is no code, which is a whole number other than 0"
                self.faults.append(CsvFault(file, where, why))
                continue
            name = cells[-1] if layer == "objects" else ":".join(cells[2:])
            if found.get(code, name) != name:
                why = f"the code {code} means {shortened(found[code])!r} already"
                self.faults.append(CsvFault(file, where, why))
            elif cells[1] != self.world:
                why = f"is of the world {shortened(cells[1])!r}, not {shortened(self.world)!r}"
                self.faults.append(CsvFault(file, where, why))
            elif any(":" in cell or not cell for cell in cells[2:]):
                self.faults.append(CsvFault(file, where, "a name is empty or holds a colon"))
            found[code] = name
        for name, numbers in _shared(found).items():
            self.notes.append(f"{file}: the codes {numbers} all mean {shortened(name)!r}")
        return found

    def _codes(self, file: str) -> NDArray[np.int64] | None:
        """``[height, width]``: the codes of a maze."""
        text = self._text(file)
        if text is None:
            return None
        width, height = self.size
        lines = [line.rstrip(" \t,").split(",") for line in text.splitlines() if line.strip()]
        if len(lines) == 1 and height > 1:
            [cells] = lines
            if len(cells) != width * height:
                why = (
                    f"has {len(cells):,} codes; {width} x {height} tiles are {width * height:,}"
                    + (
                        f", so row {len(cells) // width + 1} is cut off"
                        * (len(cells) < width * height)
                    )
                )
                self.faults.append(CsvFault(file, "", why))
                return None
            lines = [cells[start : start + width] for start in range(0, len(cells), width)]
        ragged = list(_ragged(lines, self.size))
        self.faults += [CsvFault(file, where, why) for where, why in ragged[:_MOST_TOLD]]
        if ragged:
            return None
        return self._numbers(file, lines)

    def _numbers(self, file: str, lines: Sequence[Sequence[str]]) -> NDArray[np.int64] | None:
        try:
            found = np.array([list(map(int, line)) for line in lines], np.int64)
            if (found >= 0).all():
                return found
        except (ValueError, OverflowError):
            pass
        cells = ((y, x, cell) for y, line in enumerate(lines, 1) for x, cell in enumerate(line, 1))
        odd = ((y, x, cell.strip()) for y, x, cell in cells if _number(cell) is None)
        for y, x, cell in islice(odd, _MOST_TOLD):
            why = f"{shortened(cell)!r} is no code, which is a whole number"
            self.faults.append(CsvFault(file, f"row {y}, column {x}", why))
        return None


def _placed(
    codes: NDArray[np.int64], names: Mapping[int, str], places: Mapping[str, int]
) -> NDArray[np.int64]:
    """Each tile's place in a layer's names."""
    used, at = np.unique(codes, return_inverse=True)
    by_code = [places[names[code]] if code else 0 for code in used.tolist()]
    return np.array(by_code, np.int64)[at].reshape(codes.shape)


def _ragged(lines: Sequence[Sequence[str]], size: _Size) -> Iterator[tuple[str, str]]:
    if len(lines) != size.height:
        yield "", f"has {len(lines):,} rows instead of {size.height:,}"
    for number, line in enumerate(lines, 1):
        if len(line) != size.width:
            yield f"row {number}", f"has {len(line):,} codes instead of {size.width:,}"


def _number(text: str) -> int | None:
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 10 else None


def _shared(names: Mapping[int, str]) -> dict[str, str]:
    """Names that several codes have, with those codes."""
    by_name: dict[str, list[str]] = {}
    for code, name in names.items():
        by_name.setdefault(name, []).append(str(code))
    return {name: ", ".join(codes) for name, codes in by_name.items() if len(codes) > 1}
