"""What the tables are made of."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from actors.episodes.catalogs.scenario_lists import ScenarioList
from evaluators.scores.scales import Scale, scale_of
from evaluators.scores.score_columns import Mask, ScoreColumns
from evaluators.scores.seat_scores import Judged
from evaluators.social.tables.seat_table import HUMAN, SeatTable, seat_table
from events.minds import MindSpec

PERSON: Final = "person"


class NothingToShow(LookupError):
    """A table that cannot be made of these scores; the reason is a clause without a full stop."""


Words = Mapping[tuple[str, int], tuple[int, int]]
"""By episode and seat: words said, and turns in which something was said."""
WordReader = Callable[[Collection[str]], Words]
"""Reads them of some episodes (ids)."""


@dataclass(frozen=True, kw_only=True)
class TableInput:
    """The scores of some runs, and how they are to be shown."""

    columns: ScoreColumns
    """The scores of all judges, those of people who annotated among them."""
    judge: Judged
    """Whose scores the tables show."""
    people: Collection[str] = ()
    """Names of minds that are people."""
    hard: ScenarioList | None = None
    """SOTOPIA-hard; None: nobody named a list."""
    no_self: bool = False
    """Leave out what a model scored with itself as partner."""
    unclean: bool = False
    """With episodes in which an action failed."""
    words: WordReader = field(default=lambda _: {})
    """Reads how much was said."""

    @cached_property
    def everything(self) -> SeatTable:
        """What the judge said of all seats."""
        return seat_table(self.columns, [self.judge.hash], self.people)

    @cached_property
    def seats(self) -> SeatTable:
        """Of them those in episodes of two that count (``unclean``)."""
        return self.counting(self.everything)

    @cached_property
    def models(self) -> SeatTable:
        """Of them those in which no person sat, in either seat."""
        seats = self.seats
        return seats.where(~(seats.mind.among(HUMAN) | seats.partner.among(HUMAN) | seats.shared))

    @cached_property
    def scales(self) -> list[Scale]:
        """Of each dimension of ``seats``, at whose ends intervals are cut."""
        mine = self.columns.of(self.judge.hash)
        return [scale_of(mine, name) for name in self.seats.dimensions]

    def counting(self, seats: SeatTable) -> SeatTable:
        """The seats in episodes of two in which no action failed, or in any with ``unclean``."""
        return seats.where(seats.pair & (seats.clean | self.unclean))

    def listed(self, seats: SeatTable) -> SeatTable:
        """The seats on the list of hard scenarios. Raises ``NothingToShow`` where there is none."""
        if self.hard is None:
            raise NothingToShow("no list of hard scenarios was given")
        found = seats.where(on_list(self.hard, seats))
        if not len(found):
            raise NothingToShow(f"no score is of a seat on the list {self.hard.name}")
        return found

    @cached_property
    def annotators(self) -> Sequence[Judged]:
        """People whose scores are there, each a judge."""
        return [judge for judge in self.columns.judges if self.columns.kinds[judge.hash] == PERSON]


def on_list(chosen: ScenarioList, seats: SeatTable) -> Mask:
    """Whether each seat is on a list of scenarios."""
    found = np.zeros(len(seats), dtype=np.bool_)
    whole = {one.scenario for one in chosen.entries if one.seat is None}
    found |= seats.scenario.among(*whole)
    for one in chosen.entries:
        if one.seat is not None:
            found |= seats.scenario.among(one.scenario) & (seats.seat == one.seat - 1)
    return found


def people_of(minds: Collection[MindSpec]) -> frozenset[str]:
    """Names of minds that are people, and what people are called where none was planned."""
    return frozenset({HUMAN, PERSON, *(one.name for one in minds if one.kind == PERSON)})
