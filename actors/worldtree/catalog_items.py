"""What can be played: trees, and questions that came without one.

Tasks are not written down: they follow from these (``tasks``).
"""

from actors.worldtree.translation.draft import Draft
from actors.worldtree.trees.tree import Beat, Language, Line, Profile, Tree
from events.base import Value
from events.environments import Catalog as AnyCatalog


class Sample(Value, frozen=True, kw_only=True):
    """A question about an ability with all that leads to it: from an edge of a tree, or from a file
    of questions alone."""

    id: str
    language: Language
    orientation: str = ""
    """Empty: it is not known."""
    protagonist: Profile
    cast: tuple[Profile, ...] = ()
    scenario: str = ""
    before: tuple[Beat, ...] = ()
    """All that happened from the root on, the lines that were chosen among it."""
    question: str
    right: Line
    distractors: tuple[Line, ...]
    """Three."""
    abilities: tuple[str, ...]
    """Those of ``abilities.ABILITIES`` that it counts for."""
    tree: str = ""
    """The tree it is from; empty: none."""
    node: int = 0
    """The node at whose end it is asked."""
    edge: int = 0
    """The place of the right line among the node's edges."""


class Catalog(AnyCatalog, frozen=True, kw_only=True, tag="worldtree.Catalog"):
    """Trees, and samples that came without a tree."""

    trees: tuple[Tree, ...] = ()
    samples: tuple[Sample, ...] = ()
    drafts: tuple[Draft, ...] = ()
    """Translations of trees that are to be gone on with."""
