"""Tables: clean episodes with all beside them, a row for each mind and memory."""

from evaluators.scores.score_columns import ScoreColumns, columns_of
from evaluators.statistics import summary
from tests.evaluators.test_score_columns import score
from tests.support.record_rows import chain_row, episode_row

JUDGE = "hash-strict"


def scored(**values: float | None) -> list:
    """A goal score of the first seat of each episode."""
    return [
        score("goal", value, episode=id_, evaluation=f"v{id_}") for id_, value in values.items()
    ]


def row_of(columns: ScoreColumns) -> summary.MindRow:
    """The only row there is."""
    (row,) = summary.by_mind(columns, JUDGE, ["goal"])
    return row


def test_a_mean_is_over_clean_episodes_and_all_stand_beside_it() -> None:
    episodes = [episode_row("a"), episode_row("b"), episode_row("c", failed_actions=2)]
    cell = row_of(columns_of(scored(a=4, b=6, c=0), episodes)).cells["goal"]
    assert (cell.mean.value, cell.scored, cell.asked, cell.episodes) == (5, 2, 2, 2)
    assert cell.over_all is not None
    assert (cell.over_all.mean.value, cell.over_all.scored) == (10 / 3, 3)


def test_where_no_action_failed_there_is_nothing_beside_a_mean() -> None:
    episodes = [episode_row("a"), episode_row("b")]
    cell = row_of(columns_of(scored(a=4, b=None), episodes)).cells["goal"]
    assert (cell.mean.value, cell.scored, cell.asked, cell.failed) == (4, 1, 2, 1)
    assert cell.over_all is None


def test_a_mind_all_of_whose_episodes_had_failures_has_no_mean_but_that_over_all() -> None:
    episodes = [episode_row("a", failed_actions=1)]
    cell = row_of(columns_of(scored(a=4), episodes)).cells["goal"]
    assert (cell.mean.value, cell.asked) == (None, 0)
    assert cell.over_all is not None
    assert cell.over_all.mean.value == 4


def test_memories_are_not_pooled() -> None:
    episodes = [episode_row("a", chain="c1"), episode_row("b", chain="c2"), episode_row("c")]
    chains = [chain_row("c1", memory="full"), chain_row("c2", memory="summary")]
    rows = summary.by_mind(columns_of(scored(a=4, b=6, c=8), episodes, chains), JUDGE, ["goal"])
    assert [(row.label, row.cells["goal"].mean.value) for row in rows] == [
        ("calm", 8),
        ("calm, full", 4),
        ("calm, summary", 6),
    ]
    pairs = summary.pairs(columns_of(scored(a=4, b=6), episodes, chains), JUDGE, "goal")
    assert [(pair.label, pair.partner) for pair in pairs] == [
        ("calm, full", "calm"),
        ("calm, summary", "calm"),
    ]


def test_a_seat_with_partners_of_several_minds_counts_for_each() -> None:
    episodes = [episode_row("a", minds=("calm", "keen", "dry"), characters=("A", "B", "C"))]
    pairs = summary.pairs(columns_of(scored(a=4), episodes), JUDGE, "goal")
    assert [(pair.mind, pair.partner, pair.cell.scored) for pair in pairs] == [
        ("calm", "dry", 1),
        ("calm", "keen", 1),
    ]


def test_all_values_of_a_dimension_are_its_distribution() -> None:
    columns = columns_of(scored(a=4, b=None, c=6))
    assert sorted(summary.distribution(columns, JUDGE, "goal").tolist()) == [4, 6]


def test_a_seat_that_needed_nothing_is_in_no_denominator() -> None:
    episodes = [episode_row("a"), episode_row("b")]
    scores = [
        score("facts_used", 1.0, episode="a", evaluation="va"),
        score("facts_used", None, episode="b", evaluation="vb", status="abstained"),
        score("goal", None, episode="b", evaluation="vb", status="abstained"),
    ]
    columns = columns_of(scores, episodes)
    (row,) = summary.by_mind(columns, JUDGE, ["facts_used", "goal"])
    facts, goal = row.cells["facts_used"], row.cells["goal"]
    assert (facts.scored, facts.asked, facts.abstained) == (1, 1, 0)
    assert (goal.scored, goal.asked, goal.abstained) == (0, 1, 1)
    assert int(summary.none_needed(columns).sum()) == 1
