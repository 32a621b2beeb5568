"""Where everybody stood, as addresses."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.movement.trajectory import Trajectory
from actors.sandbox.setup import Tile

AddressOf = Callable[[Tile], str]
"""The most exact address of a tile."""


@dataclass(frozen=True, slots=True)
class Locations:
    """The address of each person's tile, step by step."""

    addresses: tuple[str, ...]
    codes: NDArray[np.intp]
    """``[people, steps]``: places in ``addresses``."""

    def runs(
        self, seat: int, start: int, end: int, key: Callable[[str], str]
    ) -> Iterator[tuple[int, int, str]]:
        """Stretches of consecutive steps at addresses with the same key, where it is not empty:
        the first step, the one behind the last, and the first address."""
        if start >= end:
            return
        codes = self.codes[seat, start:end]
        cuts = np.flatnonzero(np.diff(codes)) + 1
        last: tuple[int, int, str, str] | None = None
        for begin, stop in zip((0, *cuts.tolist()), (*cuts.tolist(), end - start), strict=True):
            address = self.addresses[codes[begin]]
            kind = key(address)
            if last is not None and last[3] == kind:
                last = (last[0], start + stop, last[2], kind)
                continue
            if last is not None and last[3]:
                yield last[:3]
            last = (start + begin, start + stop, address, kind)
        if last is not None and last[3]:
            yield last[:3]


def standing(trajectory: Trajectory, address_of: AddressOf) -> Locations:
    """Each tile's address is asked for once."""
    tiles = trajectory.tiles.astype(np.int64)
    distinct, codes = np.unique((tiles[..., 0] << 32) | tiles[..., 1], return_inverse=True)
    addresses = tuple(address_of((one >> 32, one & 0xFFFFFFFF)) for one in distinct.tolist())
    return Locations(addresses, codes.reshape(tiles.shape[:2]).T)


def arena_of(address: str) -> str:
    """``world:sector:arena`` of an address; empty: it is in none."""
    parts = address.split(":")
    return ":".join(parts[:3]) if len(parts) > 2 else ""
