"""Layers of a map: from the runs in which they are stored to a number a tile, and back."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.map.town_map import Layer


def tiles_of(layer: Layer, width: int, height: int) -> NDArray[np.int32]:
    """``[height, width]``: each tile's place in the layer's names from 1, or 0.

    Raises ``ValueError`` where the runs do not make up that many tiles.
    """
    runs = np.asarray(layer.runs, dtype=np.int64)
    if len(runs) % 2:
        raise ValueError("the runs of a layer are pairs, and the last one is half")
    values, counts = runs[::2], runs[1::2]
    if len(runs) == 0:
        return np.zeros((height, width), np.int32)
    if (counts < 1).any() or int(counts.sum()) != width * height:
        raise ValueError(
            f"the runs of a layer hold {int(counts.sum()):,} tiles; "
            f"{width} x {height} are {width * height:,}"
        )
    if (values < 0).any() or (values > max(len(layer.names), 1)).any():
        raise ValueError("a run of a layer names something that the layer does not have")
    return np.repeat(values, counts).reshape(height, width).astype(np.int32)


def runs_of(tiles: NDArray[np.integer]) -> tuple[int, ...]:
    """The runs of a number a tile; none at all where all are 0."""
    flat = np.asarray(tiles).ravel()
    if not flat.any():
        return ()
    starts = np.concatenate(([0], np.flatnonzero(np.diff(flat)) + 1))
    counts = np.diff(np.concatenate((starts, [flat.size])))
    return tuple(np.column_stack((flat[starts], counts)).ravel().tolist())


def layer_of(rows: Sequence[Sequence[str]], codes: Mapping[str, int] | None = None) -> Layer:
    """The layer whose tiles have these names, row by row; an empty name is nothing.

    Names stand in the order in which they are first met. ``codes`` are their numbers in the
    files of others.
    """
    met = dict.fromkeys(("", *chain.from_iterable(rows)))
    names, places = tuple(met)[1:], dict(zip(met, range(len(met)), strict=True))
    tiles = [list(map(places.__getitem__, row)) for row in rows]
    return Layer(
        names=names,
        codes=tuple(codes[name] for name in names) if codes else (),
        runs=runs_of(np.asarray(tiles, np.int32)),
    )
