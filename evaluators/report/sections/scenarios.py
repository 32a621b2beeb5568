"""Scenario by mind: where each did well, and the way to its transcripts."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from evaluators.report.data import downloads
from evaluators.report.data.headlines import Headline
from evaluators.report.data.run_data import RunData
from evaluators.report.formats import shade
from evaluators.scores.dimensions import label
from evaluators.scores.score_columns import ScoreColumns
from evaluators.statistics.summary import labelled
from evaluators.tables.plain_tables import PlainColumn, PlainTable

Place = tuple[str, str, str]
"""A scenario's id, a mind and its memory."""


def scenarios(
    gathered: RunData, shown: Sequence[Headline], here: Collection[str]
) -> list[dict[str, object]]:
    """A table for each judge, of its headline. ``here``: the episodes whose transcripts the page
    holds, to which cells lead. None where each scenario was played by nobody else."""
    memories = {chain.id: chain.memory for chain in gathered.chains}
    leads: dict[Place, list[str]] = defaultdict(list)
    for row in gathered.episodes:
        if row.id in here:
            for mind in dict.fromkeys(row.minds):
                at = (row.scenario_id or row.scenario or row.id, mind)
                leads[*at, memories.get(row.chain, "")].append(row.id)
    found = []
    for headline in shown:
        rows = gathered.columns.of(headline.judge.judged.hash, headline.dimension)
        table = _table(headline, rows.where(rows.clean), gathered.scenario_titles, leads)
        if table is not None:
            found.append(table)
    return found


def _table(
    headline: Headline, rows: ScoreColumns, titles: dict[str, str], leads: dict[Place, list[str]]
) -> dict[str, object] | None:
    ids = rows.scenario.there()
    if len(ids) < 2 or len(ids) == rows.episode.different:
        return None
    means = _means(rows)
    columns = sorted({(mind, memory) for _, mind, memory in means})
    values = [value for value, _, _ in means.values() if value is not None]
    ends = min(values, default=0.0), max(values, default=0.0)
    lines: list[dict[str, Any]] = []
    for id_ in sorted(ids, key=lambda one: (titles.get(one, one), one)):
        cells = []
        for mind, memory in columns:
            value, scored, asked = means.get((id_, mind, memory), (None, 0, 0))
            episodes = leads.get((id_, mind, memory), [])
            cells.append(
                {
                    "value": value,
                    "scored": scored,
                    "asked": asked,
                    "shade": shade(value, *ends),
                    "to": episodes[0] if episodes else "",
                    "count": len(episodes),
                    "mind": mind,
                    "memory": memory,
                }
            )
        lines.append({"id": id_, "title": titles.get(id_, id_), "cells": cells})
    heads = [labelled(mind, memory) for mind, memory in columns]
    judge = headline.judge.judged.label
    name = label(headline.dimension)
    plain = PlainTable(
        name=downloads.file_name("scenarios", headline.dimension, judge),
        title=f"{name} by scenario and mind, judged by {judge}",
        columns=(
            PlainColumn("Scenario", "id"),
            PlainColumn("Title"),
            *(PlainColumn(head, "number") for head in heads),
        ),
        rows=tuple(
            (line["id"], line["title"], *(cell["value"] for cell in line["cells"]))
            for line in lines
        ),
        note="Means over seats, of episodes in which no action failed",
    )
    return {
        "headline": headline,
        "columns": columns,
        "heads": heads,
        "rows": lines,
        "linked": any(cell["to"] for line in lines for cell in line["cells"]),
        "taken": downloads.taken(plain),
    }


def _means(rows: ScoreColumns) -> dict[Place, tuple[float | None, int, int]]:
    """Of each place the mean, how many scores it is over, and of how many asked for."""
    minds, memories = len(rows.mind.names), len(rows.memory.names)
    group = rows.scenario.codes.astype(np.int64) * minds + rows.mind.codes
    different, of = np.unique(group * memories + rows.memory.codes, return_inverse=True)
    asked = np.bincount(of, minlength=len(different))
    scored = np.bincount(of[rows.scored], minlength=len(different))
    sums = np.bincount(of[rows.scored], rows.value[rows.scored], minlength=len(different))
    found: dict[Place, tuple[float | None, int, int]] = {}
    for place, number in enumerate(different.tolist()):
        rest, memory = divmod(number, memories)
        scenario, mind = divmod(rest, minds)
        where = (rows.scenario.names[scenario], rows.mind.names[mind], rows.memory.names[memory])
        count = int(scored[place])
        mean = float(sums[place] / count) if count else None
        found[where] = (mean, count, int(asked[place]))
    return found
