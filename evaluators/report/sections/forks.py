"""Forks beside the episodes they were taken from: where they part, and what came of it."""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from actors.episodes.views.differences import Differences, differences
from evaluators.report.data import downloads
from evaluators.report.data.run_data import RunData, account_of
from evaluators.scores.dimensions import in_order, label
from evaluators.scores.seat_scores import seat_scores
from evaluators.tables.plain_tables import PlainColumn, PlainTable
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.projections import tables
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow

MOST_FORKS = 12
"""Shown; of more the page would be nothing else."""


def forks(store: EventStore, gathered: RunData) -> dict[str, object]:
    """What ``forks.html.j2`` needs: each fork of the run's episodes, and of those forks, beside the
    episode that it was taken from."""
    pairs = _pairs(store, gathered)
    begun = [(parent, fork) for parent, fork in pairs if fork.started_at is not None]
    return {
        "forks": list(_shown(store, gathered, begun[:MOST_FORKS])),
        "forks_left": max(0, len(begun) - MOST_FORKS),
    }


def _pairs(store: EventStore, gathered: RunData) -> list[tuple[EpisodeRow, EpisodeRow]]:
    """Parents with their forks, the parents first."""
    table = tables.episodes
    known = {row.id: row for row in gathered.episodes}
    of_run = sa.select(table.c.id).where(table.c.run.in_(gathered.run.id.split()))
    found = [row for row in gathered.episodes if row.parent is not None]
    new = queries.episodes_where(store, table.c.parent.in_(of_run))
    while new := [row for row in new if row.id not in known]:
        found += new
        known |= {row.id: row for row in new}
        parents = [row.id for row in new]
        new = queries.episodes_where(store, table.c.parent.in_(parents))
    pairs = []
    for fork in found:
        parent = known.get(fork.parent or "")
        if parent is None:
            try:
                parent = queries.episode(store, fork.parent or "")
            except UnknownId:
                continue  # It is in another store.
        pairs.append((parent, fork))
    return pairs


def _shown(
    store: EventStore, gathered: RunData, pairs: Sequence[tuple[EpisodeRow, EpisodeRow]]
) -> Iterator[dict[str, object]]:
    for rows in pairs:
        histories = tuple(read_history(store, row.id) for row in rows)
        one, other = (account_of([numbered.event for numbered in history]) for history in histories)
        if one is None or other is None:
            continue
        found = differences((histories[0], histories[1]), (one, other))
        yield {
            "parent": rows[0],
            "fork": rows[1],
            "found": found,
            "names": [portrait.name for portrait in other.portraits],
            **_scores(store, gathered, rows, found),
        }


def _scores(
    store: EventStore, gathered: RunData, rows: tuple[EpisodeRow, EpisodeRow], found: Differences
) -> dict[str, object]:
    """By judge and dimension what each seat got in both."""
    labels = {judge.judged.hash: judge.judged.label for judge in gathered.judges}
    values: dict[tuple[str, str], dict[tuple[int, int], float]] = {}
    for side, row in enumerate(rows):
        for one in seat_scores(queries.scores_of(store, [row.id])):
            for dimension, value in one.values.items():
                judge = labels.get(one.judge, one.judge)
                values.setdefault((judge, dimension), {})[one.seat, side] = value
    seats = range(max(len(row.minds) for row in rows))
    # A judge that scored one of the two compares nothing, unless there is no other.
    sides = {(judge, side) for (judge, _), of in values.items() for _, side in of}
    both = {judge for judge, _ in sides if {(judge, 0), (judge, 1)} <= sides}
    values = {key: of for key, of in values.items() if not both or key[0] in both}
    order = in_order({dimension for _, dimension in values})
    lines: list[dict[str, Any]] = [
        {
            "judge": judge,
            "dimension": label(dimension),
            "values": [(of.get((seat, 0)), of.get((seat, 1))) for seat in seats],
        }
        for (judge, dimension), of in sorted(
            values.items(), key=lambda item: (item[0][0], order.index(item[0][1]))
        )
    ]
    plain = PlainTable(
        name=downloads.file_name("fork", rows[1].id),
        title=f"Fork {rows[1].id} beside {rows[0].id}",
        columns=(
            PlainColumn("Judge"),
            PlainColumn("Dimension"),
            *(
                PlainColumn(f"Seat {seat + 1} in {row.id}", "number")
                for seat in seats
                for row in rows
            ),
        ),
        rows=tuple(
            (line["judge"], line["dimension"], *(v for pair in line["values"] for v in pair))
            for line in lines
        ),
        note=f"The past is shared up to event {found.shared}",
    )
    return {
        "seats": list(seats),
        "scores": lines,
        "both_scored": bool(both),
        "taken": downloads.taken(plain) if lines else None,
    }
