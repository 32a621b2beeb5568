"""What programs read: each figure stands under its own heading."""

from typing import Any

from actors.worldtree.setup import Outcome
from evaluators.tables.plain_tables import PlainTable, as_csv
from evaluators.worldtree.statistics.ability_scores import ability_table
from evaluators.worldtree.statistics.goal_scores import goal_table
from evaluators.worldtree.tables.ability_tables import ability_tables
from evaluators.worldtree.tables.finding_tables import polarity_tables
from evaluators.worldtree.tables.goal_tables import goal_tables
from evaluators.worldtree.values.polarity_values import Polarities, PolarityFindings, PolarityRow
from evaluators.worldtree.values.results import Answered, Results
from tests.evaluators.worldtree.made_up import by_id, sample, tree, walks

OUTCOMES: dict[Outcome, int] = {"achieved": 1, "partly": 2, "not": 3, "undecided": 4, "unscored": 5}


def first_row(table: PlainTable, **wanted: str) -> dict[str, Any]:
    """The first row with these cells, as CSV has it."""
    heads, *rows = (line.split(",") for line in as_csv([table]).splitlines())
    found = (dict(zip(heads, row, strict=True)) for row in rows)
    return next(row for row in found if wanted.items() <= row.items())


def test_goals() -> None:
    played = [one for end, times in OUTCOMES.items() for one in walks("m", "a", [end] * times)]
    results = Results(trees=by_id(tree("a")), samples={}, walks=tuple(played), minds=("m",))
    (table,) = goal_tables(goal_table(results))
    row = first_row(table, who="m", scope="Cooperation")
    names = ("achieved", "partly", "not_achieved", "undecided", "unscored", "trees")
    assert [row[name] for name in names] == ["1", "2", "3", "4", "5", "1"]
    assert [round(float(row[name]), 2) for name in ("goal_ratio", "published")] == [10, 16.67]


def test_abilities() -> None:
    verdicts = ("right", "wrong", "wrong", "undecided", "undecided", "undecided")
    answers = tuple(Answered(who="m", sample="s", verdict=one) for one in verdicts)
    samples = {"s": sample("s", "Time Management")}
    results = Results(trees={}, samples=samples, answers=answers, minds=("m",))
    (table,) = ability_tables(ability_table(results))
    row = first_row(table, who="m", scope="Time Management")
    assert [row[name] for name in ("right", "wrong", "undecided", "labels")] == ["1", "2", "3", "6"]


def test_polarity() -> None:
    choices = Polarities(positive=1, neutral=2, negative=3, unknown=4)
    rows = (PolarityRow(who="m", language="zh", choices=choices),)
    (table,) = polarity_tables(PolarityFindings(all_trees=rows))
    row = first_row(table, who="m")
    names = ("positive", "neutral", "negative", "known", "unknown")
    assert [row[name] for name in names] == ["1", "2", "3", "6", "4"]
