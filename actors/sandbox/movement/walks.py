"""Those of a town who are on their way."""

from actors.sandbox.map.geometry import tiles_along
from actors.sandbox.world import WalkUnderWay

Entered = tuple[tuple[int, bool], ...]
"""Who is perceived anew, the nearest first: the seat, and whether they have just come into view."""


class Walking:
    """The walks of all of a town. They hold from when the last of them was begun: who had arrived
    by then goes nowhere."""

    def __init__(self, walks: tuple[WalkUnderWay, ...]) -> None:
        since = max([walk.left for walk in walks])
        self._walkers = [
            (seat, walk.left, walk.arrives, tiles_along(walk.tile, walk.way))
            for seat, walk in enumerate(walks)
            if walk.arrives > since
        ]

    def next_arrival(self, step: int) -> int | None:
        return min([one[2] for one in self._walkers if one[2] > step], default=None)

    def arriving(self, step: int) -> list[int]:
        return [one[0] for one in self._walkers if one[2] == step]
