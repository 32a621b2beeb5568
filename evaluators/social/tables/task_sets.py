"""The sets of tasks that the benchmark is played on, by their scenarios."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import numpy as np

from actors.episodes.catalogs.scenario_lists import ScenarioList
from actors.social.catalog_items import Scenario
from evaluators.scores.score_columns import Mask
from evaluators.social.tables.seat_table import SeatTable

TaskSet = Literal["all", "hard", "cooperative", "competitive"]

SOURCES: Final[dict[TaskSet, str]] = {
    "cooperative": "mutual_friends",
    "competitive": "craigslist_bargains",
}
"""Where the scenarios of a set are from: the source, or a tag, of each; or the name of the set is
a tag."""

Seats = tuple[int, ...]
"""In which a model is benchmarked, from 0."""
BOTH: Final[Seats] = (0, 1)
SEATS: Final = len(BOTH)
"""Of a scenario of the tables."""


def seats_by_scenario(
    scenarios: Iterable[Scenario], chosen: TaskSet, hard: ScenarioList | None = None
) -> dict[str, Seats]:
    """The scenarios of a set, by id, and in which seats a model plays each."""
    if chosen == "hard":
        return _listed(scenarios, hard) if hard is not None else {}
    wanted = {chosen, SOURCES.get(chosen, chosen)}
    return {
        one.id: BOTH
        for one in scenarios
        if len(one.goals) == len(BOTH)
        and (chosen == "all" or not wanted.isdisjoint((one.source, *one.tags)))
    }


def on_seats(chosen: Mapping[str, Seats], seats: SeatTable) -> Mask:
    """The rows of seats that are among some."""
    codes = [name in chosen for name in seats.scenario.names] or [False]
    found = np.array(codes, dtype=np.bool_)[seats.scenario.codes]
    for place in BOTH:
        names = [scenario for scenario, those in chosen.items() if place not in those]
        found &= ~(seats.scenario.among(*names) & (seats.seat == place))
    return found


def _listed(scenarios: Iterable[Scenario], hard: ScenarioList) -> dict[str, Seats]:
    there = {one.id for one in scenarios}
    found: dict[str, set[int]] = {}
    for entry in hard.entries:
        if entry.scenario in there:
            seats = BOTH if entry.seat is None else (entry.seat - 1,)
            found.setdefault(entry.scenario, set()).update(seats)
    return {scenario: tuple(sorted(seats)) for scenario, seats in found.items()}
