"""``town.toml``: a town's map as drawings, who lives there, and tasks, in one file."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from actors import toml_text
from actors.episodes.catalogs.draft import Located
from actors.sandbox.catalog.check import check
from actors.sandbox.catalog_items import Catalog, Inhabitant, Task
from actors.sandbox.map.drawn_layers import DrawingFault, read_drawing
from actors.sandbox.map.faults import map_faults
from actors.sandbox.map.grid import with_digest
from actors.sandbox.map.layers import layer_of, tiles_of
from actors.sandbox.map.town_map import Layer, TownMap
from actors.toml_lines import Place, line_of, lines_of
from actors.toml_text import NotToml
from actors.typed_values import faults
from events.base import Value
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

FILE: Final = "town.toml"
LAYERS: Final = ("solid", "sectors", "arenas", "objects", "spawns")
MOST_BYTES: Final = 16 * 2**20


class Drawings(Value, frozen=True, kw_only=True):
    """A town's layers, a sign a tile, row by row from the top."""

    solid: str
    """What nobody can stand on."""
    sectors: str = ""
    """Only what is no arena; an arena's sector is part of its name."""
    arenas: str
    objects: str = ""
    spawns: str = ""
    """Where those begin who live there."""


class TownFile(Value, frozen=True, kw_only=True):
    """What ``town.toml`` holds."""

    id: str
    """What tasks and plans call the map."""
    world: str
    """The world's name, with which every address begins."""
    cell: Annotated[int, Meta(ge=1, le=4)] = 1
    """Characters a tile."""
    layers: Drawings
    legend: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """By layer what each sign means: a name, ``sector:arena`` for arenas, ``sector:arena:mark``
    for spawns. Solid tiles are ``#`` where nothing is said."""
    codes: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    """By layer the numbers that names have in the files of others."""
    inhabitant: tuple[Inhabitant, ...] = ()
    task: tuple[Task, ...] = ()


class BadTown(ValueError):
    """A file that is no town: all that is wrong with it."""

    def __init__(self, file: str, rows: Sequence[Located]) -> None:
        more = f"; and {len(rows) - 1:,} more" if len(rows) > 1 else ""
        super().__init__(f"{rows[0]}{more}")
        self.file, self.rows = file, tuple(rows)


class TownRead(NamedTuple):
    town: TownMap
    inhabitants: tuple[Inhabitant, ...]
    tasks: tuple[Task, ...]
    odd: tuple[Located, ...] = ()
    """What is probably not meant."""

    def catalog(self, name: str) -> Catalog:
        return Catalog(
            name=name, towns=(self.town,), inhabitants=self.inhabitants, tasks=self.tasks
        )


def read_town(path: Path) -> TownRead:
    """The town in a file. Raises ``BadTown``."""
    try:
        text = toml_text.decoded(toml_text.read_bytes(path, MOST_BYTES))
    except NotToml as error:
        raise BadTown(path.name, [Located("error", path.name, 0, "", "", error.why)]) from None
    return town_of(text, path.name)


def town_of(text: str, file: str = FILE) -> TownRead:
    """The town in a text; ``file`` names it in errors. Raises ``BadTown``."""
    try:
        data = toml_text.parsed(text)
        toml_text.check_values(text, data)
    except NotToml as error:
        raise BadTown(file, [Located("error", file, error.line, "", "", error.why)]) from None
    reader = _Reader(file, text, data)
    found = reader.town()
    if found is None or reader.errors:
        raise BadTown(file, reader.errors)
    return found


class _Reader:
    """Reads one file, and says of everything where it stands."""

    def __init__(self, file: str, text: str, data: dict[str, Any]) -> None:
        self.file, self.data = file, data
        self.lines = lines_of(text)
        self.remarks: list[Located] = []

    @property
    def errors(self) -> list[Located]:
        return [one for one in self.remarks if one.grade == "error"]

    def town(self) -> TownRead | None:
        """The town; None where it is none."""
        for task in self._tables("task"):
            task.setdefault("town", self.data.get("id", ""))
        for place, why in faults(self.data, TownFile):
            self._at("error", place, why)
        if self.remarks:
            return None
        file = msgspec.convert(self.data, decodable(TownFile))
        self.layers = file.layers
        town = self._map(file)
        if town is None:
            return None
        self._faults(town)
        found = TownRead(town, file.inhabitant, file.task)
        for remark in check(found.catalog(town.id)):
            if remark.place[:1] != ("town",):
                self._at(remark.grade, remark.place, remark.why)
        return found._replace(odd=tuple(self.remarks))

    def _tables(self, key: str) -> Iterator[dict[str, Any]]:
        given = self.data.get(key)
        yield from (
            (one for one in given if isinstance(one, dict)) if isinstance(given, list) else ()
        )

    def _map(self, file: TownFile) -> TownMap | None:
        for table in ("legend", "codes"):
            for name in getattr(file, table):
                if name not in LAYERS:
                    why = f"there is no layer {name!r}, but {', '.join(LAYERS)}"
                    self._at("error", (table, name), why)
        layers = {name: self._layer(file, name) for name in LAYERS}
        if codes := file.codes.get("sectors"):
            for name in dict.fromkeys(one.partition(":")[0] for one in layers["arenas"].names):
                if name not in codes:
                    why = f"{shortened(name)!r} has no code; give one to all sectors, or to none"
                    self._at("error", ("codes", "sectors"), why)
        if self.errors:
            return None
        rows = _rows(file.layers.solid)
        width, height = len(rows[0]) // file.cell, len(rows)
        sectors = _with_sectors(layers["sectors"], layers["arenas"], width, height, codes or {})
        town = TownMap(
            id=file.id,
            world=file.world,
            width=width,
            height=height,
            solid=layers["solid"],
            sectors=sectors,
            arenas=layers["arenas"],
            objects=layers["objects"],
            spawns=layers["spawns"],
        )
        return with_digest(town)

    def _layer(self, file: TownFile, name: str) -> Layer:
        rows, solid = _rows(getattr(file.layers, name)), _rows(file.layers.solid)
        plain = {"#" * file.cell: "solid"} if name == "solid" and "#" in file.layers.solid else {}
        legend = file.legend.get(name, plain)
        codes = file.codes.get(name, {})
        wrong: list[DrawingFault] = []
        layer = read_drawing(rows, legend, file.cell, codes, wrong)
        for fault in wrong:
            self._drawing(name, fault)
        if name == "solid" and not rows:
            self._at("error", ("layers", name), "holds no tiles")
        elif rows and not wrong and (len(rows), len(rows[0])) != (len(solid), len(solid[0])):
            size, other = (f"{len(one[0]) // file.cell} x {len(one)}" for one in (rows, solid))
            why = f"is {size} tiles, but the layer solid {other}"
            self._at("error", ("layers", name), why)
        return layer

    def _drawing(self, layer: str, fault: DrawingFault) -> None:
        if fault.row < 0:
            self._at("error", ("legend", layer), fault.why)
        else:
            self._cell(layer, fault.row, fault.column, fault.why)

    def _cell(self, layer: str, row: int, column: int, why: str) -> None:
        """Something wrong with a row of a drawing, or with one of its tiles (``column`` from 0)."""
        of = f", column {column + 1}" if column >= 0 else ""
        # The sector of an arena is drawn where the arena is.
        drawn = next((name for name in (layer, "arenas") if getattr(self.layers, name)), layer)
        line = line_of(self.lines, ("layers", drawn)) + 1 + row
        self.remarks.append(
            Located("error", self.file, line, f"layer {layer}", f"row {row + 1}{of}", why)
        )

    def _faults(self, town: TownMap) -> None:
        for fault in map_faults(town):
            if fault.tile is None:
                self._at("error", ("layers", fault.layer) if fault.layer else (), fault.why)
            else:
                self._cell(fault.layer, fault.tile[1], fault.tile[0], fault.why)

    def _at(self, grade: Any, place: Place, why: str) -> None:
        entry, inside = "", place
        match place:
            case ("inhabitant" | "task" as kind, int(number), *rest):
                given = self.data[kind][number]
                id_ = given.get("id") if isinstance(given, dict) else None
                entry = f"{kind} {shortened(str(id_))!r}" if id_ else f"{kind}, no. {number + 1}"
                inside = tuple(rest)
        field = ", ".join(f"no. {p + 1}" if isinstance(p, int) else p for p in inside)
        line = line_of(self.lines, place)
        self.remarks.append(Located(grade, self.file, line, entry, field, why))


def _rows(drawing: str) -> list[str]:
    """Its rows; the last line's end is no row."""
    rows = drawing.split("\n")
    return rows if rows[-1] else rows[:-1]


def _with_sectors(
    sectors: Layer, arenas: Layer, width: int, height: int, codes: Mapping[str, int]
) -> Layer:
    """A layer of sectors that holds those of the arenas, too."""
    own = tiles_of(sectors, width, height).tolist()
    inside = tiles_of(arenas, width, height).tolist()
    names = ["", *sectors.names]
    of_arena = ["", *(name.partition(":")[0] for name in arenas.names)]
    rows = [
        [of_arena[arena] or names[sector] for sector, arena in zip(*row, strict=True)]
        for row in zip(own, inside, strict=True)
    ]
    return layer_of(rows, codes)
