"""The layers of a map as drawings: a sign a tile, and a legend of what each sign means."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from string import ascii_letters, digits
from typing import Final, NamedTuple

from actors.sandbox.map.layers import layer_of, tiles_of
from actors.sandbox.map.town_map import Layer
from events.untrusted.safe_text import shortened

NOTHING: Final = "."
"""The sign of a tile that belongs to nothing in a layer; as often as a cell has characters."""
_SIGNS: Final = ascii_letters + digits + "#%&*+=?!$@<>/|~:;,_^-()[]{}"
_MOST_CELL: Final = 4
_MOST_FAULTS: Final = 20
"""Of one drawing that are told."""


class DrawingFault(NamedTuple):
    """What is wrong with a drawing, and where."""

    row: int
    """From 0; -1: the whole drawing."""
    column: int
    """In tiles, from 0; -1: the whole row."""
    why: str


class Drawing(NamedTuple):
    """A layer as it is drawn."""

    rows: tuple[str, ...]
    legend: dict[str, str]
    """What each sign means."""


def drawn(layers: Mapping[str, Layer], width: int, height: int) -> tuple[int, dict[str, Drawing]]:
    """How many characters a tile takes, and each layer's drawing: as few as all layers need.

    Raises ``ValueError`` where a layer has more names than can be drawn.
    """
    most = max((len(layer.names) for layer in layers.values()), default=0)
    cell = next((n for n in range(1, _MOST_CELL + 1) if len(_SIGNS) ** n >= most), 0)
    if not cell:
        raise ValueError(f"a layer with {most:,} names cannot be drawn")
    return cell, {
        name: _drawing(layer, width, height, cell, solid=name == "solid")
        for name, layer in layers.items()
    }


def read_drawing(
    rows: Sequence[str],
    legend: Mapping[str, str],
    cell: int,
    codes: Mapping[str, int],
    faults: list[DrawingFault],
) -> Layer:
    """The layer that is drawn; what is wrong with it is put to the faults, and the layer is none
    then."""
    before = len(faults)
    faults += _odd_signs(legend, cell)
    width = len(rows[0]) if rows else 0
    meant = {NOTHING * cell: "", **legend}
    named: list[list[str]] = []
    for y, row in enumerate(rows):
        if len(faults) - before >= _MOST_FAULTS:
            break
        if len(row) != width or len(row) % cell:
            faults.append(DrawingFault(y, -1, _ragged(row, width, cell)))
            continue
        signs = [row[x : x + cell] for x in range(0, width, cell)]
        for x, sign in enumerate(signs):
            if sign not in meant:
                faults.append(DrawingFault(y, x, _unknown(sign, cell)))
                break
        named.append([meant.get(sign, "") for sign in signs])
    if len(faults) > before:
        return Layer()
    used = {name for row in named for name in row}
    for sign, name in legend.items():
        if name not in used:
            why = f"the legend's {shortened(sign)!r} ({shortened(name)}) is drawn nowhere"
            faults.append(DrawingFault(-1, -1, why))
        elif codes and name not in codes:
            why = f"{shortened(name)!r} has no code; give one to all names of the layer, or to none"
            faults.append(DrawingFault(-1, -1, why))
    return layer_of(named, codes) if len(faults) == before else Layer()


def _ragged(row: str, width: int, cell: int) -> str:
    if width % cell:
        return f"has {width:,} characters, but a tile takes {cell}"
    tiles = f"{len(row) / cell:,.10g} tiles"
    return f"has {tiles}, but the first row has {width // cell:,}; all rows must be as long"


def _unknown(sign: str, cell: int) -> str:
    blank = " (a blank)" if sign.isspace() else ""
    return (
        f"{sign!r}{blank} is not in the layer's legend; what is nothing is written "
        f"{NOTHING * cell!r}"
    )


def _odd_signs(legend: Mapping[str, str], cell: int) -> Iterator[DrawingFault]:
    for sign, name in legend.items():
        if len(sign) != cell or sign == NOTHING * cell:
            size = "one character" if cell == 1 else f"{cell} characters"
            why = f"the legend's {shortened(sign)!r} is no sign: it must be {size}, and not "
            yield DrawingFault(-1, -1, f"{why}{NOTHING * cell!r}, which is nothing")
        elif not name.strip():
            yield DrawingFault(-1, -1, f"the legend's {sign!r} has no name")


def _drawing(layer: Layer, width: int, height: int, cell: int, *, solid: bool) -> Drawing:
    signs = _signs(layer.names, cell, solid=solid)
    tiles = tiles_of(layer, width, height)
    by_place = [NOTHING * cell, *signs]
    rows = tuple("".join(by_place[place] for place in row) for row in tiles.tolist())
    return Drawing(rows, dict(zip(signs, layer.names, strict=True)))


def _signs(names: Sequence[str], cell: int, *, solid: bool) -> list[str]:
    """A sign for each name: where one character is enough, one that reminds of it."""
    if cell > 1:
        many = (s for s in map("".join, product(_SIGNS, repeat=cell)) if s != "#" * cell)
        return [*(["#" * cell] if solid else []), *islice(many, len(names))][: len(names)]
    signs: list[str] = []
    for name in names:
        last = name.rpartition(":")[2].lower()
        likely = ("#" if solid else "") + last[:1] + last[:1].upper() + last
        signs.append(next(s for s in likely + _SIGNS if s in _SIGNS and s not in signs))
    return signs
