"""Each task that was played, with both scorers' scores."""

from functools import partial

from evaluators.sandbox.results import (
    KINDS,
    SCORERS,
    Figure,
    PlayedTask,
    Scorer,
    TaskResults,
)
from evaluators.tables.plain_tables import Cell, DisplayValue, PlainColumn, PlainTable, table_of

_FIGURES: tuple[tuple[Scorer, Figure, str], ...] = (
    ("paper", "score", "paper"),
    ("published", "score", "published"),
    ("published", "contacts", "contacts"),
    ("paper", "pooled", "pooled"),
)


def task_table(results: TaskResults) -> PlainTable:
    """A row an episode, by kind and task."""
    places = {kind: place for place, kind in enumerate(KINDS)}
    played = sorted(results.tasks, key=lambda one: places[one.kind])
    return table_of(
        "tasks",
        "Tasks, scored by rule",
        played,
        PlainColumn("kind", only_csv=True),
        PlainColumn("task", "id"),
        (PlainColumn("mind"), lambda one: one.who),
        PlainColumn("episode", "id"),
        *(
            (PlainColumn(name, "number"), partial(_cell, scorer, figure))
            for scorer, figure, name in _FIGURES
        ),
        *(
            (PlainColumn(f"why_{scorer}", only_csv=True), partial(_why, scorer))
            for scorer in SCORERS
        ),
    )


def _cell(scorer: Scorer, figure: Figure, played: PlayedTask) -> Cell:
    found = played.value(scorer, figure)
    if found is None:
        ended = "not scored" if played.status == "ended" else played.status
        return DisplayValue(None, ended) if figure == "score" else None
    return (
        DisplayValue(None, "failed")
        if found.value is None
        else DisplayValue(found.value, f"{found.value:.3f}")
    )


def _why(scorer: Scorer, played: PlayedTask) -> str:
    found = played.value(scorer)
    return found.why if found is not None else ""
