"""Writes a town as ``town.toml``, such that ``town_file`` reads back the same town."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from actors.sandbox.catalog.town_file import LAYERS
from actors.sandbox.catalog_items import Inhabitant, Task
from actors.sandbox.map.drawn_layers import Drawing, drawn
from actors.sandbox.map.layers import layer_of, tiles_of
from actors.sandbox.map.town_map import Layer, TownMap
from actors.toml_values import key_text, value_text

_HEAD: Final = (
    "# A town. What can be written here, and what it means: docs/reference/town-files.md.\n"
)


def town_text(town: TownMap, people: Sequence[Inhabitant] = (), tasks: Sequence[Task] = ()) -> str:
    """The text of the file. Raises ``ValueError`` where a layer has more names than can be
    drawn."""
    layers = {name: getattr(town, name) for name in LAYERS}
    layers["sectors"] = _outside(town)
    cell, drawings = drawn(layers, town.width, town.height)
    parts = [
        _HEAD,
        f"id = {value_text(town.id)}\nworld = {value_text(town.world)}\n",
        f"cell = {cell}\n" if cell > 1 else "",
        "\n[layers]\n",
        *(_drawing(name, drawings[name]) for name in LAYERS),
        *(_table("legend", name, drawings[name].legend) for name in LAYERS),
        *(_table("codes", name, _codes(getattr(town, name))) for name in LAYERS),
        *(_entry("inhabitant", one) for one in people),
        *(_entry("task", one) for one in tasks),
    ]
    return "".join(parts)


def _outside(town: TownMap) -> Layer:
    """The sectors of tiles that are in no arena; others say theirs by their arena."""
    size = (town.width, town.height)
    sectors, arenas = tiles_of(town.sectors, *size), tiles_of(town.arenas, *size)
    names = ["", *town.sectors.names]
    return layer_of([[names[place] for place in row] for row in (sectors * (arenas == 0)).tolist()])


def _drawing(name: str, drawing: Drawing) -> str:
    if not drawing.legend and name not in ("solid", "arenas"):
        return ""
    return "\n".join((f"{name} = '''", *drawing.rows, "'''\n"))


def _table(kind: str, layer: str, given: dict[str, str] | dict[str, int]) -> str:
    if not given:
        return ""
    lines = (f"{key_text(key)} = {value_text(value)}\n" for key, value in given.items())
    return f"\n[{kind}.{layer}]\n" + "".join(lines)


def _codes(layer: Layer) -> dict[str, int]:
    return dict(zip(layer.names, layer.codes, strict=True)) if layer.codes else {}


def _entry(kind: str, item: Inhabitant | Task) -> str:
    return "".join((f"\n[[{kind}]]\n", *_lines(item)))


def _lines(item: Inhabitant | Task) -> Iterator[str]:
    for key, value in msgspec.to_builtins(item).items():
        if key == "goals":
            continue
        if key != "town":
            yield f"{key} = {value_text(value)}\n"
    for goal in item.goals if isinstance(item, Task) else ():
        yield "[[task.goals]]\n"
        yield from (
            f"{key} = {value_text(value)}\n" for key, value in msgspec.to_builtins(goal).items()
        )
