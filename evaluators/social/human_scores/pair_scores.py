"""Finds the seats that both a judge and people scored."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from evaluators.social.human_scores.score_pairs import ScorePairs
from evaluators.social.tables.seat_table import HUMAN, SeatTable, seat_table
from evaluators.social.tables.table_input import NothingToShow, TableInput


def people_seats(given: TableInput) -> SeatTable:
    """The seats that people scored, with their means. Raises ``NothingToShow``."""
    hashes = [one.hash for one in given.annotators]
    seats = given.counting(seat_table(given.columns, hashes, given.people))
    if not len(seats):
        raise NothingToShow("nobody has annotated these episodes (`troupe import annotations`)")
    return seats


def pairs_of(given: TableInput) -> Mapping[str, ScorePairs]:
    """By dimension, the judge's scores beside people's. Raises ``NothingToShow``."""
    people = people_seats(given)
    if given.judge.hash in {one.hash for one in given.annotators}:
        raise NothingToShow("only people scored these episodes; `troupe score` adds a judge")
    judged = given.seats
    _, mine, theirs = np.intersect1d(
        _keys(judged), _keys(people), assume_unique=True, return_indices=True
    )
    found = {}
    for name in people.dimensions:
        if name not in judged.dimensions:
            continue
        low, high = _ends(given, people, name)
        judge, human = judged.of(name)[mine], people.of(name)[theirs]
        pairs = ScorePairs(
            judge=judge,
            human=human,
            low=low[theirs],
            high=high[theirs],
            person=people.mind.among(HUMAN)[theirs],
        )
        found[name] = pairs.where(~(np.isnan(judge) | np.isnan(human)))
    if not any(len(pairs) for pairs in found.values()):
        raise NothingToShow(f"{given.judge.label} and people scored no seat in common")
    return found


def _keys(seats: SeatTable) -> NDArray[np.int64]:
    """A number for each seat; those of tables of the same columns are the same."""
    return (seats.episode.codes.astype(np.int64) << 32) + seats.seat


def _ends(
    given: TableInput, people: SeatTable, dimension: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each seat the least and the greatest value that an annotator gave."""
    columns = given.columns
    by = columns.judge.among(*(one.hash for one in given.annotators))
    rows = columns.where(by & columns.dimension.among(dimension) & columns.scored)
    keys = _keys(people)
    order = np.argsort(keys)
    found = np.minimum(np.searchsorted(keys[order], rows.seats), len(keys) - 1)
    at = order[found]
    known = keys[at] == rows.seats
    low, high = np.full(len(keys), np.inf), np.full(len(keys), -np.inf)
    np.minimum.at(low, at[known], rows.value[known])
    np.maximum.at(high, at[known], rows.value[known])
    return low, high
