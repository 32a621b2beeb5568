"""The seats that a trainer learns from, and how many each filter left out."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from statistics import fmean
from typing import NamedTuple

from evaluators.social.training_files.filters import PARTNER_LEAST, Filters
from events.base import Value
from events.untrusted.safe_text import shortened


class SeatRecord(NamedTuple):
    """One seat of an episode that has ended, with its scores by one judge."""

    episode: str
    scenario: str
    """The scenario's id."""
    seat: int
    """From 0."""
    mind: str
    """Names who sat there: the mind's name, or several where the seat changed hands."""
    goal: float | None
    """None: no judge gave one, or it failed."""
    overall: float | None
    """The same of the overall score."""
    partners: tuple[float | None, ...]
    """The goal scores of the other seats."""


class FilterStep(Value, frozen=True, kw_only=True):
    filter: str
    left_out: int
    """Seats."""
    left: int
    """Seats."""


class Selection(NamedTuple):
    """Seats that are taken, and why others are not."""

    seats: Sequence[SeatRecord]
    """In the order in which they were given."""
    steps: Sequence[FilterStep]


class UnknownMind(LookupError):
    """A filter names somebody who is not in what is exported."""

    def __init__(self, kind: str, name: str, what: str, minds: Iterable[str]) -> None:
        known = shortened(", ".join(sorted(set(minds)))) or "none"
        super().__init__(f"{kind} {shortened(name)!r} {what}: {known}")
        self.name = name


def expert_means(seats: Iterable[SeatRecord], expert: str) -> dict[str, float]:
    """The expert's mean goal score by scenario."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in seats:
        if one.mind == expert and one.goal is not None:
            found[one.scenario].append(one.goal)
    return {scenario: fmean(values) for scenario, values in found.items()}


def bounds(enough: float, expert: float) -> tuple[float, float]:
    """What a seat's own goal score and its partner's are to be more than: c and e of SOTOPIA-π,
    min(c, e) and min(c, max(6, e))."""
    return min(enough, expert), min(enough, max(PARTNER_LEAST, expert))


def clones(seat: SeatRecord, enough: float, means: Mapping[str, float]) -> bool:
    """Whether a seat did better than the expert does, and its partners well enough."""
    if seat.scenario not in means or seat.goal is None:
        return False
    own, partner = bounds(enough, means[seat.scenario])
    return seat.goal > own and all(one is not None and one > partner for one in seat.partners)


def select(seats: Sequence[SeatRecord], filters: Filters, export: str, hard: Set[str]) -> Selection:
    """The seats that pass all filters. ``export``: by its name; ``hard``: scenarios that are left
    out, by id. Raises ``UnknownMind``."""
    steps: list[FilterStep] = []
    cloning, least = filters.cloning, filters.least_goal(export)

    def keep(
        name: str, left: Sequence[SeatRecord], passes: Callable[[SeatRecord], bool]
    ) -> Sequence[SeatRecord]:
        return note(name, left, [one for one in left if passes(one)])

    def note(
        name: str, left: Sequence[SeatRecord], kept: Sequence[SeatRecord]
    ) -> Sequence[SeatRecord]:
        steps.append(FilterStep(filter=name, left_out=len(left) - len(kept), left=len(kept)))
        return kept

    left: Sequence[SeatRecord] = seats
    left = keep("hard", left, lambda one: one.scenario not in hard)
    if filters.minds:
        there = {one.mind for one in seats}
        if (name := next((one for one in filters.minds if one not in there), None)) is not None:
            raise UnknownMind("minds", name, "has no seat here; those who sit here", there)
        left = keep("minds", left, lambda one: one.mind in filters.minds)
    left = keep("no goal score", left, lambda one: one.goal is not None)
    if least is not None:
        left = keep("goal", left, lambda one: _goal(one) >= least)
    if cloning is not None:
        means = expert_means(seats, cloning.expert)
        if not means:
            scored = (one.mind for one in seats if one.goal is not None)
            why = "has no goal score here; those with one"
            raise UnknownMind("cloning.expert", cloning.expert, why, scored)
        left = keep("cloning", left, lambda one: clones(one, cloning.enough, means))
    if filters.top is not None:
        best = _best(left, filters.top)
        left = note("top", left, [one for one in left if one in best])
    if filters.top_share is not None:
        ranked = sorted(left, key=_by_overall)[: round(filters.top_share * len(left))]
        chosen = set(ranked)
        left = note("top_share", left, [one for one in left if one in chosen])
    if filters.balance:
        evened = _balanced(left)
        left = note("balance", left, [one for one in left if one in evened])
    return Selection(left, steps)


def _goal(seat: SeatRecord) -> float:
    assert seat.goal is not None, "seats without one were left out before"
    return seat.goal


def _overall(seat: SeatRecord) -> float:
    return float("-inf") if seat.overall is None else seat.overall


def _by_goal(seat: SeatRecord) -> tuple[float, float, str, int]:
    return -_goal(seat), -_overall(seat), seat.episode, seat.seat


def _by_overall(seat: SeatRecord) -> tuple[float, float, str, int]:
    return -_overall(seat), -_goal(seat), seat.episode, seat.seat


def _by_place(seats: Iterable[SeatRecord]) -> dict[tuple[str, int], list[SeatRecord]]:
    """By scenario and seat."""
    found: dict[tuple[str, int], list[SeatRecord]] = defaultdict(list)
    for one in seats:
        found[one.scenario, one.seat].append(one)
    return found


def _best(seats: Iterable[SeatRecord], most: int) -> set[SeatRecord]:
    """The best of each seat of a scenario."""
    places = _by_place(seats).values()
    return {one for place in places for one in sorted(place, key=_by_goal)[:most]}


def _balanced(seats: Sequence[SeatRecord]) -> set[SeatRecord]:
    """As many of each seat of a scenario: none where one of the seats that it has got none."""
    count: dict[str, int] = {}
    for one in seats:
        count[one.scenario] = max(count.get(one.scenario, 0), len(one.partners) + 1)
    places = _by_place(seats)
    least = {
        scenario: min(len(places.get((scenario, seat), ())) for seat in range(seats_there))
        for scenario, seats_there in count.items()
    }
    return {
        one
        for (scenario, _), place in places.items()
        for one in sorted(place, key=_by_goal)[: least[scenario]]
    }
