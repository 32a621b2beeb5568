"""Who is where at which step, and who is in whose view, for all of a town at once."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Protocol

from actors.sandbox.map.grid import grid_of
from actors.sandbox.movement.few_seats import MovementOfFew
from actors.sandbox.movement.many_seats import MovementOfMany
from actors.sandbox.movement.walks import Entered
from actors.sandbox.setup import Town
from actors.sandbox.world import WalkUnderWay, World
from events.serialization.identity_key import cached_by_identity

FEW: Final = 64
"""Up to so many people are looked at one by one."""


class Movement(Protocol):
    """The walks of all of a town. They hold from when the last of them was begun: who had arrived
    by then goes nowhere. Who perceives whom is found whatever they do, asleep or not."""

    def after(self, walks: tuple[WalkUnderWay, ...]) -> "Movement":
        """That of other walks of the same people."""
        ...

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


class _Kept:
    """The movement of a town's walks as they were asked for last."""

    __slots__ = ("movement", "town", "walks")

    def __init__(self, town: Town) -> None:
        self.town = town
        self.walks: tuple[WalkUnderWay, ...] | None = None
        self.movement: Movement | None = None

    def of(self, walks: tuple[WalkUnderWay, ...]) -> Movement:
        """That of some walks, most of which are as they were."""
        before = self.movement
        movement = _movement(walks, self.town) if before is None else before.after(walks)
        self.walks, self.movement = walks, movement
        return movement


@cached_by_identity(maxsize=16)
def _kept(town: Town) -> _Kept:
    return _Kept(town)


def _movement(walks: tuple[WalkUnderWay, ...], town: Town) -> Movement:
    grid, settings = grid_of(town.map), town.settings
    if len(walks) <= FEW:
        return MovementOfFew(walks, grid, settings.radius, settings.attention)

    return MovementOfMany(walks, grid, settings.radius, settings.attention)


_latest: Final[list[_Kept]] = []
"""That of the town asked for last, if any."""


def movement_of(world: World) -> Movement:
    """That of the town's walks. An instant asks for it many times."""
    town = world.town
    if not _latest or _latest[0].town is not town:
        _latest[:] = [_kept(town)]
    latest = _latest[0]
    if latest.walks is world.walks and latest.movement is not None:
        return latest.movement
    return latest.of(world.walks)
