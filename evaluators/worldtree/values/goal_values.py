"""How far goals were achieved (GAE): the values of SocialEval's Table 2. All figures in percent."""

from typing import Final, Literal

import msgspec

from actors.worldtree.trees.orientations import GROUPS, ORIENTATIONS
from actors.worldtree.trees.tree import Language
from evaluators.statistics.estimates import Estimate
from evaluators.worldtree.values.results import LeftOut, Who

RowKind = Literal["average", "best", "person", "mind", "chance", "ceiling"]
"""``average``: the mean over participants; ``best``: of the best participant in each cell, pooled
upward, so that nobody need have got it; ``person``: the one participant who is best over all;
``mind``; ``chance``: who chooses an option at random, exactly; ``ceiling``: who never misses a
success that can be reached."""
OVERALL: Final = "overall"
SCOPES: Final = (*(one.name for one in ORIENTATIONS), *GROUPS, OVERALL)
"""What a cell is about: an orientation, a group of them, or all."""


class Outcomes(msgspec.Struct, frozen=True, kw_only=True):
    """How often walks came out so."""

    achieved: int = 0
    partly: int = 0
    not_achieved: int = 0
    unscored: int = 0
    """The tree does not say; in no denominator."""
    undecided: int = 0
    """The mind gave no answer that could be read, or no majority."""

    @property
    def decided(self) -> int:
        """Walks whose ending says what came of the goal: the published ratio's denominator."""
        return self.achieved + self.partly + self.not_achieved

    @property
    def counted(self) -> int:
        """The goal ratio's denominator."""
        return self.decided + self.undecided

    @property
    def walks(self) -> int:
        """All."""
        return self.counted + self.unscored

    def __add__(self, other: "Outcomes") -> "Outcomes":
        return Outcomes(
            achieved=self.achieved + other.achieved,
            partly=self.partly + other.partly,
            not_achieved=self.not_achieved + other.not_achieved,
            unscored=self.unscored + other.unscored,
            undecided=self.undecided + other.undecided,
        )


class GoalCell(msgspec.Struct, frozen=True, kw_only=True):
    """One row's goals in one language and scope."""

    language: Language
    scope: str
    """One of ``SCOPES``."""
    ratio: Estimate
    """The goal ratio: within each tree achieved / (achieved + partly + not + undecided) over its
    walks, then the mean over trees, each of which weighs the same however often it was walked. Its
    interval draws trees; ``clusters``: trees that have a ratio."""
    published: float | None = None
    """The published ratio: the same without ``undecided`` in the denominator."""
    script: float | None = None
    """What the published script prints: of an orientation achieved / decided over all walks; of a
    group and overall the plain mean over orientations that have one."""
    outcomes: Outcomes = Outcomes()
    """Of all walks in it; of people's average all participants' together."""
    trees: int = 0
    """Trees that were walked."""


class GoalRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table."""

    who: Who
    kind: RowKind
    cells: tuple[GoalCell, ...]
    """By language, then in the order of ``SCOPES``; only where there is something to tell."""
    rehearsal: bool = False
    participants: int = 0
    """Whom a row of people is made of."""

    def cell(self, language: Language, scope: str) -> GoalCell | None:
        """One of its cells; None: nothing was walked there."""
        return next((c for c in self.cells if (c.language, c.scope) == (language, scope)), None)


class GoalTable(msgspec.Struct, frozen=True, kw_only=True):
    """Table 2: people first, then minds, chance and ceiling."""

    languages: tuple[Language, ...]
    rows: tuple[GoalRow, ...]
    left_out: LeftOut = LeftOut()
