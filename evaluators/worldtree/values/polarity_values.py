"""The polarity of behaviour, people's and models' (SocialEval, section 4.2)."""

import msgspec

from actors.worldtree.trees.tree import Language
from evaluators.worldtree.values.results import Who


class Polarities(msgspec.Struct, frozen=True, kw_only=True):
    """How often choices were of a polarity."""

    positive: int = 0
    neutral: int = 0
    negative: int = 0
    unknown: int = 0
    """The tree has no sound triple there; in no denominator."""

    @property
    def known(self) -> int:
        """The denominator of shares."""
        return self.positive + self.neutral + self.negative


class PolarityRow(msgspec.Struct, frozen=True, kw_only=True):
    """Whose choices."""

    who: Who
    """``people`` or a mind."""
    language: Language
    choices: Polarities
    rehearsal: bool = False


class Combination(msgspec.Struct, frozen=True, kw_only=True):
    """What people chose, and what the model did instead, at the same node."""

    who: Who
    """The model."""
    language: Language
    people: int
    """The polarity of people's choice: 1, 0 or -1."""
    model: int
    count: int


class Differing(msgspec.Struct, frozen=True, kw_only=True):
    """People and one model at the nodes where choice and polarity differ: Figure 3."""

    who: Who
    """The model."""
    language: Language
    trees: int
    """Trees that fit: one success, a participant got there, the model missed it in a walk (it
    partly achieved its goal, or not)."""
    walks: int
    """The model's walks of them that missed it."""
    people: Polarities
    model: Polarities
    """As many as people's: the same nodes."""
    alike: int = 0
    """Nodes besides where another line was chosen, of the same polarity."""
    unknown: int = 0
    """Nodes besides where another line was chosen, and the polarity of one is not known."""
    rehearsal: bool = False


class PolarityFindings(msgspec.Struct, frozen=True, kw_only=True):
    """Figures 3, 4, 7 and 8.

    The first three are over trees with exactly one ending that achieves the goal, which a
    participant reached and the model missed (in the walk that is compared); of these the nodes that
    both visited and where both choice and polarity differ. A model's walk is compared with each
    different successful path of participants in that tree.
    """

    all_trees: tuple[PolarityRow, ...]
    """Figure 8: all choices of all walks."""
    differing: tuple[Differing, ...] = ()
    """Figure 3."""
    combinations: tuple[Combination, ...] = ()
    """Figures 4 (zh) and 7 (en): three by three for each model, those of the diagonal 0 by
    definition."""
    missing: str = ""
    """Why there is nothing to compare, as a sentence: nobody's walks were given, or none fits."""
