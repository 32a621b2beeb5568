"""What is known of a translation before it begins."""

from actors.worldtree.trees.tree import Line
from events.base import Value


class Kept(Value, frozen=True, kw_only=True):
    """A translation of a passage that stands already."""

    scene: int
    """The passage's number (``Render.scene``)."""
    lines: tuple[Line, ...]
    """A text a piece."""


class Refusal(Value, frozen=True, kw_only=True):
    """A translation of a passage that a reader refused."""

    scene: int
    comment: str
    lines: tuple[Line, ...]


class Draft(Value, frozen=True, kw_only=True):
    """A tree of a catalog whose translation is to be gone on with: what stands, and what is wrong
    with the rest. A task of its own."""

    id: str
    tree: str
    """The tree's id."""
    names: tuple[str, ...]
    kept: tuple[Kept, ...] = ()
    refused: tuple[Refusal, ...] = ()
