"""How well abilities are told (IAE): the values of SocialEval's Table 3 and of its appendix. All
figures in percent."""

from collections.abc import Mapping
from typing import Final

import msgspec

from actors.worldtree.trees.abilities import ABILITIES, ASPECTS
from actors.worldtree.trees.tree import Language
from evaluators.worldtree.values.goal_values import OVERALL, RowKind
from evaluators.worldtree.values.results import LeftOut, Who

ABILITY_SCOPES: Final[Mapping[str, tuple[str, ...]]] = {
    **{ability: (ability,) for ability in ABILITIES},
    **ASPECTS,
    OVERALL: ABILITIES,
}
"""What a cell is about: an ability, an aspect, or all; with the abilities it pools."""


class AbilityCell(msgspec.Struct, frozen=True, kw_only=True):
    """One row's answers in one language and scope. A sample counts once for each of its abilities,
    so counts of an aspect and of all are counts of labels."""

    language: Language
    scope: str
    """One of ``ABILITY_SCOPES``. No ability has the name of an aspect."""
    right: int = 0
    wrong: int = 0
    undecided: int = 0
    """No answer that could be read, or no majority: it counts as wrong."""
    ratio: float | None = None
    """right / (right + wrong + undecided); of people's average the mean over participants."""
    published: float | None = None
    """right / (right + wrong): the published script drops what it cannot read."""
    script: float | None = None
    """What the published script prints: of an ability as ``published``; of an aspect and of all the
    plain mean over abilities that have one."""

    @property
    def counted(self) -> int:
        """The ratio's denominator."""
        return self.right + self.wrong + self.undecided


class AbilityRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the tables."""

    who: Who
    kind: RowKind
    """There is no ceiling: it is 100."""
    cells: tuple[AbilityCell, ...]
    """By language, then in the order of ``ABILITY_SCOPES``; only where something was answered."""
    rehearsal: bool = False
    participants: int = 0

    def cell(self, language: Language, scope: str) -> AbilityCell | None:
        """One of its cells; None: nothing was answered there."""
        return next((c for c in self.cells if (c.language, c.scope) == (language, scope)), None)


class AbilityTable(msgspec.Struct, frozen=True, kw_only=True):
    """Table 3 and, ability by ability, those of the appendix: people first, then minds, chance."""

    languages: tuple[Language, ...]
    rows: tuple[AbilityRow, ...]
    samples: dict[Language, int] = {}
    """Samples there are: each has one label or more."""
    left_out: LeftOut = LeftOut()
