"""Each task that was played, with both scorers' scores."""

from evaluators.sandbox.results import KINDS, Figure, PlayedTask, Scorer, TaskResults
from evaluators.tables.plain_tables import Cell, DisplayValue, PlainColumn, PlainTable

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
    return PlainTable(
        name="tasks",
        title="Tasks, scored by rule",
        columns=(
            PlainColumn("kind", only_csv=True),
            PlainColumn("task", "id"),
            PlainColumn("mind"),
            PlainColumn("episode", "id"),
            *(PlainColumn(name, "number") for _, _, name in _FIGURES),
            *(PlainColumn(f"why_{scorer}", only_csv=True) for scorer in ("paper", "published")),
        ),
        rows=tuple(
            (
                one.kind,
                one.task,
                one.who,
                one.episode,
                *(_cell(one, scorer, figure) for scorer, figure, _ in _FIGURES),
                *(_why(one, "paper"), _why(one, "published")),
            )
            for one in played
        ),
    )


def _cell(played: PlayedTask, scorer: Scorer, figure: Figure) -> Cell:
    found = played.value(scorer, figure)
    if found is None:
        ended = "not scored" if played.status == "ended" else played.status
        return DisplayValue(None, ended) if figure == "score" else None
    return (
        DisplayValue(None, "failed")
        if found.value is None
        else DisplayValue(found.value, f"{found.value:.3f}")
    )


def _why(played: PlayedTask, scorer: Scorer) -> str:
    found = played.value(scorer)
    return found.why if found is not None else ""
