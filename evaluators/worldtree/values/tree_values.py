"""What trees hold: the values of SocialEval's Table 1 and Figure 2."""

import msgspec

from actors.worldtree.trees.tree import Language


class TreeFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A row of Table 1: means over the trees of one language and scope."""

    language: Language
    scope: str
    """One of ``goal_values.SCOPES``."""
    trees: int
    characters: float
    """The protagonist, the cast that is known from the beginning, and who enters later, by name."""
    plot_lines: float
    """Ways from the root to where no line leads on."""
    episodes: float
    """Nodes on a tree's longest plot line, the ending among them. The paper does not say how it
    counts; of what can be counted this comes nearest to its figures."""
    candidates: float
    """Lines to choose from where there is a choice; the mean over a tree's nodes that offer one."""
    successes: float
    """Endings at which the goal is achieved."""
    interactions: float
    """Lines of dialogue, narration among them, in all nodes, and the lines to choose from."""
    samples: int
    """Questions about abilities, of all these trees together."""


class AbilityCount(msgspec.Struct, frozen=True, kw_only=True):
    """A slice of Figure 2."""

    language: Language
    aspect: str
    ability: str
    labels: int
    """Samples that ask about it; a sample counts for each of its abilities."""
