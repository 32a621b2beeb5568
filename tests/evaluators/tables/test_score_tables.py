"""A table of scores: what people read in its cells, and what is below them."""

from evaluators.scores.score_columns import columns_of
from evaluators.scores.seat_scores import Judged
from evaluators.statistics import summary
from evaluators.tables.plain_tables import as_csv, cell_text, for_people
from evaluators.tables.score_tables import scores_table
from tests.evaluators.test_score_columns import score
from tests.support.record_rows import episode_row

JUDGE = Judged(name="strict", hash="hash-strict", label="strict")


def table(*values: float | None, dimension: str = "secret", unclean: int = 0):
    rows = [
        score(dimension, value, episode=f"e{n}", evaluation=f"v{n}")
        for n, value in enumerate(values)
    ]
    episodes = [
        episode_row(f"e{n}", failed_actions=int(n < unclean), scenario_id=f"s{n}")
        for n in range(len(values))
    ]
    columns = columns_of(rows, episodes)
    minds = summary.by_mind(columns, JUDGE.hash, [dimension])
    return scores_table(JUDGE, [dimension], minds, "scenarios")


def cells(found) -> list[list[str]]:
    shown = for_people(found)
    return [
        [cell_text(cell).replace("\u00a0", "") for cell in row]
        for row in (*shown.rows, *shown.foot)
    ]


def test_a_whole_interval_is_half_of_its_width_and_a_cut_one_its_ends() -> None:
    assert cells(table(-5, -5.5, -4.5))[0] == ["Secret", "-5.00 ±1.24"]
    cut = table(-9, 0, -9)
    assert cells(cut)[0] == ["Secret", "-6.00 [-10.00, 0.00]"]
    assert "[low, high] where the scale ends it" in cut.note


def test_under_three_clusters_there_is_a_mean_and_their_number() -> None:
    found = table(-10, 0)
    assert cells(found)[:2] == [["Secret", "-5.00"], ["scenarios", "2"]]
    assert "there is none under three scenarios" in found.note


def test_what_is_missing_and_what_actions_failed_in_is_told() -> None:
    rows = cells(table(-4, -6, None, unclean=1))
    assert rows[0] == ["Secret", "-6.00 (-5.00)"]
    assert rows[2:] == [["seats", "2 (3)"], ["missing scores", "1/2 (1/3)"]]


def test_csv_has_the_counts_in_columns() -> None:
    head, row = as_csv([table(-4, -6, None, unclean=1)]).splitlines()
    told = dict(zip(head.split(","), row.split(","), strict=True))
    assert told["mean"] == "-6.0"
    assert told["mean_low"] == ""
    assert (told["mean_n"], told["scored"], told["asked"], told["failed"]) == ("1", "1", "2", "1")
    assert (told["mean_over_all"], told["asked_over_all"]) == ("-5.0", "3")
