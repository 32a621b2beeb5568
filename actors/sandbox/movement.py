"""Who is where at which step, and who is in whose view, for all of a town at once."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final, Protocol

from actors.same import Same
from actors.sandbox.grid import Grid, grid_of
from actors.sandbox.movement_of_few import MovementOfFew
from actors.sandbox.walking import Entered
from actors.sandbox.world import Walk, World

FEW: Final = 64
"""Up to so many people are looked at one by one."""


class Movement(Protocol):
    """The walks of all of a town. They hold from when the last of them was begun: who had arrived
    by then goes nowhere. Who perceives whom is found whatever they do, asleep or not."""

    def next_arrival(self, step: int) -> int | None:
        """The first step after one at which somebody arrives; None: there is none."""
        ...

    def arriving(self, step: int) -> Sequence[int]:
        """Who arrives at a step."""
        ...

    def changes(self, begin: int, end: int) -> Iterable[int]:
        """The steps from ``begin`` + 1 to ``end`` at which somebody may begin to be perceived; that
        there is none such among the rest is certain. None arrives before ``end``."""
        ...

    def entering(self, step: int) -> dict[int, Entered]:
        """Who begins to be perceived at a step, by the seat that perceives them."""
        ...

    def perceived(self, step: int, viewers: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Whom each of some seats perceives at a step, the nearest first."""
        ...

    def viewers(self, step: int, seats: Collection[int]) -> Iterable[int]:
        """Who has one of some seats in view at a step."""
        ...

    def perceived_of(
        self, step: int, viewers: Sequence[int], seats: Collection[int]
    ) -> dict[int, tuple[int, ...]]:
        """Whom of some seats each viewer perceives at a step, the nearest first."""
        ...


@lru_cache(maxsize=16)
def _movement(same: Same[tuple[Walk, ...]], grid: Grid, radius: int, attention: int) -> Movement:
    if len(same.value) <= FEW:
        return MovementOfFew(same.value, grid, radius, attention)
    from actors.sandbox.movement_of_many import MovementOfMany

    return MovementOfMany(same.value, grid, radius, attention)


def movement_of(world: World) -> Movement:
    """Kept for the walks seen last."""
    settings = world.town.settings
    grid = grid_of(world.town.map)
    return _movement(Same(world.walks), grid, settings.radius, settings.attention)
