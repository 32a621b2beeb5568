"""Table 4 by hand: means over repeats, tasks and kinds; what is missing counts nowhere."""

from actors.sandbox.catalog_items import TaskKind
from evaluators.sandbox.results import PlayedTask, Scorer, TaskResults, Value
from evaluators.sandbox.table4 import PUBLISHED_AVERAGE, rows_of, table4
from evaluators.tables.plain_tables import as_csv, for_people
from events.minds import MindSpec, ModelSpec, agent_named


def mind(name: str, agent: str) -> MindSpec:
    tdp = agent_named("ga+tdp" if agent == "ga+tdp" else "ga")
    return MindSpec(name=name, kind="generative", model=ModelSpec(name="a/model"), generative=tdp)


def played(
    who: str,
    task: str,
    kind: TaskKind,
    value: float | None,
    scorer: Scorer = "paper",
    usd: float | None = None,
) -> PlayedTask:
    return PlayedTask(
        episode=f"{who}-{task}-{value}",
        task=task,
        kind=kind,
        who=who,
        status="ended",
        values={scorer: {"score": Value(value=value, why="so")}},
        usd=usd,
    )


GIVEN_UP = PlayedTask(episode="x", task="dance", kind="public", who="plans", status="failed")
RESULTS = TaskResults(
    run="r",
    minds=(mind("plain", "ga"), mind("plans", "ga+tdp")),
    tasks=(
        played("plans", "dance", "public", 1.0, usd=0.5),
        played("plans", "dance", "public", 0.5, usd=0.25),
        played("plans", "supper", "public", 0.25),
        played("plans", "meet", "appointment", 1.0),
        played("plans", "trip", "companions", None),
        GIVEN_UP,
        played("plain", "dance", "public", 0.0),
    ),
)


def test_repeats_are_one_task_and_averages_are_over_tasks_and_over_kinds() -> None:
    plain, plans = rows_of(RESULTS, "paper")
    assert plans.kinds["public"].value == (0.75 + 0.25) / 2
    assert plans.kinds["appointment"].value == 1.0
    assert plans.over_tasks.value == (0.75 + 0.25 + 1.0) / 3
    assert plans.over_kinds.value == (0.5 + 1.0) / 2
    assert plain.over_tasks.value == 0.0


def test_what_failed_is_counted_and_is_no_zero() -> None:
    plans = rows_of(RESULTS, "paper")[1]
    assert plans.kinds["companions"].value is None
    assert (plans.over_tasks.scored, plans.over_tasks.asked) == (4, 6)
    assert (plans.runs, plans.failed, plans.usd) == (6, 1, 0.75)
    assert rows_of(RESULTS, "published")[1].unscored == 5


def test_the_table_says_its_denominators_and_ends_with_the_papers_figure() -> None:
    table = table4(RESULTS, "paper")
    people = for_people(table)
    assert [row[:2] for row in people.rows] == [("plain", "GA"), ("plans", "GA+TDP")]
    csv = as_csv([table])
    assert "a/model" in csv
    assert str(PUBLISHED_AVERAGE) not in csv
    shown = ["" if cell is None else getattr(cell, "text", str(cell)) for cell in people.rows[1]]
    assert "0.667 (4/6)" in shown
    assert "0.500 (3/4)" in shown
    assert "– (0/1)" in shown
    assert people.foot[0][0] == "GPT-4, as published"
