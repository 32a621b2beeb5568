"""A tile town as a value: what stands in a catalog and in an episode's first event.

``grid`` derives from it what rules need, once a map.
"""

from events.base import Value


class Layer(Value, frozen=True, kw_only=True):
    """What each tile belongs to, in one respect."""

    names: tuple[str, ...] = ()
    """What there is, from the outermost on with colons between, without the world: ``Mill Lane
    School:classroom``. Of objects: the object's own name alone."""
    codes: tuple[int, ...] = ()
    """The number of each in the files of others; empty: they get numbers when they are written."""
    runs: tuple[int, ...] = ()
    """Row by row from the top, each row from the left: place in ``names`` from 1 (0: nothing), how
    many tiles, place, how many, …"""


class TownMap(Value, frozen=True, kw_only=True):
    """A world of tiles. An address is ``world:sector:arena:object``; less of it is a larger
    place."""

    id: str
    world: str
    """The world's name, with which every address begins."""
    width: int
    """Tiles."""
    height: int
    """Tiles."""
    solid: Layer
    """Tiles that nobody can stand on: any code."""
    sectors: Layer
    arenas: Layer
    """Named ``sector:arena``."""
    objects: Layer
    """An object is where its tile's sector and arena are."""
    spawns: Layer = Layer()
    """Where those begin who live there, named ``sector:arena:mark``."""
    digest: str = ""
    """The fingerprint of all of the above (``town_digest``)."""
