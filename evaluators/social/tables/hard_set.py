"""SOTOPIA-hard: the scenarios and seats in which a target model may fall behind the others most
(SOTOPIA, section 7).

With the mean m and the sample deviation s of a model's scores for a scenario and seat, the
difficulty for a target is max over models of min(m + 3s, high) - max(m_target - 3 s_target, low).
The target is one of the models. The paper does not say which score it takes; here it is the overall
score or the goal.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from actors.episodes.catalogs.scenario_lists import ListedScenario, ScenarioList
from actors.text.amounts import many
from evaluators.scores.scales import Scale
from evaluators.social.tables.seat_table import SeatTable
from evaluators.tables.plain_tables import DisplayValue, PlainColumn, PlainTable, table_of
from events.base import Value

SIZE: Final = 20
"""Entries of the published list."""
LEAST: Final = 2
"""Fewer scores have no deviation."""


class Candidate(Value, frozen=True, kw_only=True):
    """A scenario and a seat in it."""

    scenario: str
    seat: int
    """From 0."""
    difficulty: float
    target_mean: float
    ahead: str
    """The model whose upper end is the highest."""
    episodes: int
    """Of the target."""


class TooFewScores(Value, frozen=True, kw_only=True):
    """A scenario and a seat that is no candidate: the target has too few scores."""

    scenario: str
    seat: int
    """From 0."""
    episodes: int


class HardSet(Value, frozen=True, kw_only=True):
    """The hardest candidates, the hardest first."""

    target: str
    reward: str
    """The dimension."""
    chosen: tuple[Candidate, ...]
    candidates: int
    left_out: tuple[TooFewScores, ...] = ()

    @property
    def scenario_list(self) -> ScenarioList:
        """As it is written down."""
        return ScenarioList(
            name=f"hard for {self.target}",
            entries=tuple(
                ListedScenario(scenario=one.scenario, seat=one.seat + 1) for one in self.chosen
            ),
        )

    def overlap(self, other: "HardSet") -> int:
        """How many scenarios and seats both have."""
        return len(
            {(one.scenario, one.seat) for one in self.chosen}
            & {(one.scenario, one.seat) for one in other.chosen}
        )


def upper_end(scores: ArrayLike, scale: Scale) -> float:
    """min(m + 3s, high) of two scores or more."""
    given = np.asarray(scores, dtype=float)
    return min(float(given.mean() + 3 * given.std(ddof=1)), scale.high)


def lower_end(scores: ArrayLike, scale: Scale) -> float:
    """max(m - 3s, low) of two scores or more."""
    given = np.asarray(scores, dtype=float)
    return max(float(given.mean() - 3 * given.std(ddof=1)), scale.low)


def hard_set(seats: SeatTable, scale: Scale, target: str, reward: str, size: int = SIZE) -> HardSet:
    """The hardest scenarios and seats for a target among the models of some seats. Ties go by the
    target's lower mean, then by id. Models with fewer than two scores of a candidate do not count
    there."""
    values = seats.of(reward)
    scores: dict[tuple[str, int], dict[str, list[float]]] = {}
    rows = zip(seats.scenario.words(), seats.seat.tolist(), seats.mind.words(), strict=True)
    for (scenario, seat, mind), value in zip(rows, values.tolist(), strict=True):
        of = scores.setdefault((scenario, seat), {}).setdefault(mind, [])
        if not np.isnan(value):
            of.append(value)
    found: list[Candidate] = []
    left_out: list[TooFewScores] = []
    for (scenario, seat), by_mind in sorted(scores.items()):
        mine = by_mind.get(target, [])
        if len(mine) < LEAST:
            left_out.append(TooFewScores(scenario=scenario, seat=seat, episodes=len(mine)))
            continue
        ends = {
            mind: upper_end(given, scale)
            for mind, given in sorted(by_mind.items())
            if len(given) >= LEAST
        }
        ahead = max(ends, key=lambda mind: ends[mind])
        found.append(
            Candidate(
                scenario=scenario,
                seat=seat,
                difficulty=ends[ahead] - lower_end(mine, scale),
                target_mean=float(np.mean(mine)),
                ahead=ahead,
                episodes=len(mine),
            )
        )
    found.sort(key=_place)
    return HardSet(
        target=target,
        reward=reward,
        chosen=tuple(found[:size]),
        candidates=len(found),
        left_out=tuple(left_out),
    )


def _place(one: Candidate) -> tuple[float, float, str, int]:
    # Rounded: sums of the same scores in another order differ in the last digit, and are a tie.
    return -round(one.difficulty, 9), round(one.target_mean, 9), one.scenario, one.seat


def hard_table(
    found: HardSet, judge: str, titles: Mapping[str, str], others: Sequence[HardSet] = ()
) -> PlainTable:
    """The chosen ones. ``titles``: what scenarios are called, by id; ``others``: by another reward,
    whose overlap the note says."""
    notes = [f"{len(found.chosen)} of {found.candidates} candidates, by {found.reward}."]
    notes.append(
        "Difficulty: mean and three deviations of the model that is ahead, less mean minus three "
        f"of {found.target}, each within the scale. Mean: {found.target}'s."
    )
    if found.left_out:
        count = many(len(found.left_out), "pair")
        notes.append(
            f"{count} of scenario and seat left out: fewer than two scores of {found.target}."
        )
    notes += [
        f"By {other.reward} {found.overlap(other)} of {len(other.chosen)} are the same."
        for other in others
    ]
    return table_of(
        "hard",
        f"Hard for {found.target}, judged by {judge}",
        found.chosen,
        (PlainColumn("scenario", "id"), lambda one: one.scenario),
        (PlainColumn("title"), lambda one: titles.get(one.scenario, "")),
        (PlainColumn("seat", "number"), lambda one: one.seat + 1),
        (PlainColumn("difficulty", "figure"), lambda one: _figure(one.difficulty)),
        (
            PlainColumn("target_mean", "figure", heading="mean"),
            lambda one: _figure(one.target_mean),
        ),
        (PlainColumn("ahead"), lambda one: one.ahead),
        (PlainColumn("episodes", "number"), lambda one: one.episodes),
        note="\n".join(notes),
    )


def _figure(value: float) -> DisplayValue:
    return DisplayValue(value, f"{value:.2f}")
