"""Two judges compared, and the tables of one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.agreement import judge_agreement
from evaluators.agreement.judge_agreement import Agreement, Comparison
from evaluators.scores.dimensions import in_order, known
from evaluators.scores.score_columns import ScoreColumns, columns_of
from evaluators.scores.seat_scores import UnknownJudgeOfRun, seat_scores
from evaluators.social import sotopia_eval
from evaluators.social.believability import rubric, rule_rubric
from evaluators.statistics import summary
from store.read_model.records import ScoreRow, ScoreStatus
from tests.support.record_rows import episode_row

SEVEN = tuple(sotopia_eval.BY_NAME)


def score(
    judge: str,
    episode: str,
    seat: int,
    value: float | None,
    *,
    dimension: str = "goal",
    status: ScoreStatus | None = None,
    mind: str = "",
    hash_: str = "",
) -> ScoreRow:
    return ScoreRow(
        evaluation=f"v{hash_ or judge}{episode}",
        episode=episode,
        run="r1",
        judge=judge,
        judge_kind="model",
        judge_hash=hash_ or f"hash-{judge}",
        seat=seat,
        mind=mind or f"mind{seat}",
        character="Ada",
        dimension=dimension,
        status=status or ("failed" if value is None else "scored"),
        value=value,
        reason="",
        evidence=(),
    )


def compare(rows: list[ScoreRow], judge_a: str, judge_b: str) -> Comparison:
    return judge_agreement.compare(columns_of(rows), judge_a, judge_b)


def all_seven(judge: str, episode: str, seat: int, value: float, **more: str) -> list[ScoreRow]:
    return [score(judge, episode, seat, value, dimension=name, **more) for name in SEVEN]


def only(found: tuple[Agreement, ...], name: str) -> Agreement:
    return next(row for row in found if row.dimension == name)


def test_judges_are_compared_over_the_seats_that_both_scored() -> None:
    a = [score("a", f"e{n}", 0, value) for n, value in enumerate([1, 2, 3, 4, None])]
    b = [score("b", f"e{n}", 0, value) for n, value in enumerate([2, 2, 4, 8, 9])]
    goal = only(compare([*a, *b], "a", "b").dimensions, "goal")
    assert (goal.asked, goal.pairs, goal.missing_a, goal.missing_b) == (5, 4, 1, 0)
    assert (goal.mean_a, goal.mean_b) == (2.5, 4.0)
    assert goal.mean_absolute_difference == pytest.approx((1 + 0 + 1 + 4) / 4)
    assert goal.pearson.value == pytest.approx(0.9128709)


def test_judges_are_compared_over_clean_episodes_with_all_beside() -> None:
    values = {"a": [1, 2, 3, 4, 9], "b": [2, 2, 4, 8, 0]}
    rows = [score(j, f"e{n}", 0, v) for j, vs in values.items() for n, v in enumerate(vs)]
    episodes = [episode_row(f"e{n}", failed_actions=int(n == 4)) for n in range(5)]
    found = judge_agreement.compare(columns_of(rows, episodes), "a", "b")
    goal = only(found.dimensions, "goal")
    assert (found.episodes, found.clean) == (5, 4)
    assert (goal.asked, goal.mean_a, goal.mean_b) == (4, 2.5, 4.0)
    assert goal.over_all is not None
    assert (goal.over_all.asked, goal.over_all.mean_a, goal.over_all.mean_b) == (5, 3.8, 3.2)
    clean = compare([row for row in rows if row.episode != "e4"], "a", "b")
    assert only(clean.dimensions, "goal").over_all is None


def test_a_seat_that_one_judge_was_never_asked_about_is_missing_for_it() -> None:
    rows = [score("a", "e1", 0, 1), score("a", "e2", 0, 2), score("b", "e1", 0, 3)]
    goal = only(compare(rows, "a", "b").dimensions, "goal")
    assert (goal.asked, goal.missing_a, goal.missing_b, goal.pairs) == (2, 0, 1, 1)
    assert goal.pearson.value is None


def test_a_comparison_without_any_pair_makes_nothing_up() -> None:
    goal = only(
        compare([score("a", "e1", 0, 1), score("b", "e2", 0, 3)], "a", "b").dimensions, "goal"
    )
    assert goal.pairs == 0
    assert (goal.mean_a, goal.mean_b, goal.mean_absolute_difference) == (None, None, None)


def test_judges_are_found_by_name_hash_or_its_beginning() -> None:
    rows = [score("a", "e1", 0, 1), score("b", "e1", 0, 3)]
    found = compare(rows, "hash-a", "hash-b")
    assert (found.judge_a.name, found.judge_b.name) == ("a", "b")


def test_an_unknown_judge_is_refused_with_the_nearest() -> None:
    rows = [score("rehearsal-strict", "e1", 0, 1)]
    with pytest.raises(UnknownJudgeOfRun, match="did you mean 'rehearsal-strict'"):
        compare(rows, "rehersal-strict", "rehearsal-strict")


def test_two_judges_of_one_name_have_to_be_told_apart() -> None:
    rows = [score("a", "e1", 0, 1, hash_="aaaa11"), score("a", "e1", 0, 2, hash_="bbbb22")]
    with pytest.raises(UnknownJudgeOfRun, match="several judges"):
        compare(rows, "a", "aaaa11")
    assert compare(rows, "aaaa", "bbbb").judge_b.label == "a (bbbb22)"


def values(columns: ScoreColumns, dimension: str = "overall") -> list[float]:
    """The values there are in one dimension."""
    mine = columns.where(columns.dimension.among(dimension))
    return mine.value[mine.scored].tolist()


def test_overall_is_the_mean_of_the_seven() -> None:
    rows = [score("a", "e1", 0, n, dimension=name) for n, name in enumerate(SEVEN)]
    assert values(columns_of(rows)) == [pytest.approx(3.0)]


def test_one_missing_dimension_leaves_overall_missing_and_never_zero() -> None:
    rows = all_seven("a", "e1", 0, 5)
    rows[2] = score("a", "e1", 0, None, dimension=SEVEN[2])
    found = columns_of(rows)
    assert values(found) == []
    cell = summary.cell(found, "overall")
    assert (cell.scored, cell.asked, cell.failed, cell.mean.value) == (0, 1, 1, None)


def test_a_dimension_of_the_judges_own_does_not_count_towards_overall() -> None:
    found = columns_of([*all_seven("a", "e1", 0, 5), score("a", "e1", 0, 100, dimension="empathy")])
    assert values(found) == [pytest.approx(5)]
    assert found.dimensions() == [*SEVEN, "empathy", "overall"]


def test_a_judge_that_scores_fewer_than_seven_has_no_overall_at_all() -> None:
    assert columns_of([score("a", "e1", 0, 5)]).dimensions() == ["goal"]


def test_believability_extended_stays_out_of_sotopias_overall() -> None:
    rows = [score("b", "e1", 0, 1.0, dimension=d.name) for d in rubric.PAPER.dimensions]
    shown = [d.name for d in rubric.PAPER.dimensions if d.name != rubric.EXTENDED_RAW]
    assert columns_of(rows).dimensions() == shown
    both = columns_of([*rows, *all_seven("a", "e1", 0, 5)])
    assert values(both.of("hash-b")) == []
    assert values(both.of("hash-a")) == [5]
    assert both.dimensions() == [*SEVEN, *shown[1:], "overall"]


@given(st.permutations([*known(), "empathy", "a_first", "overall"]))
def test_the_order_of_dimensions_does_not_depend_on_the_order_of_scores(names: list[str]) -> None:
    assert in_order(names) == [*known(), "a_first", "empathy", "overall"]


def test_a_checkpoints_mean_is_the_share_that_passed_it() -> None:
    values = (1, 1, 0, None)
    rows = [score("a", f"e{n}", 0, v, dimension="no_stalling") for n, v in enumerate(values)]
    cell = summary.cell(columns_of(rows), "no_stalling")
    assert cell.share
    assert cell.mean.value == pytest.approx(2 / 3)
    assert (cell.scored, cell.asked) == (3, 4)


def test_a_scale_of_a_judges_own_under_a_checkpoints_name_is_no_share() -> None:
    rows = [score("a", f"e{n}", 0, v, dimension="in_character") for n, v in enumerate((0, 4))]
    assert not summary.cell(columns_of(rows), "in_character").share
    assert not summary.cell(columns_of(all_seven("a", "e1", 0, 1)), "goal").share


def test_judges_agree_on_a_checkpoint_beyond_chance_by_kappa() -> None:
    a = (1, 1, 0, 0, 1, 0, None)
    b = (1, 1, 0, 1, 1, 0, 1)
    rows = [score("a", f"e{n}", 0, v, dimension="no_stalling") for n, v in enumerate(a)]
    rows += [score("b", f"e{n}", 0, v, dimension="no_stalling") for n, v in enumerate(b)]
    row = only(compare(rows, "a", "b").dimensions, "no_stalling")
    assert (row.asked, row.pairs, row.missing_a, row.missing_b) == (7, 6, 1, 0)
    assert (row.mean_a, row.mean_b) == (0.5, pytest.approx(4 / 6))
    assert row.agreed == pytest.approx(5 / 6)
    assert row.kappa is not None
    assert row.kappa.value == pytest.approx(2 / 3)


def test_a_scale_has_no_kappa() -> None:
    rows = [score(judge, f"e{n}", 0, n % 2) for judge in ("a", "b") for n in range(4)]
    goal = only(compare(rows, "a", "b").dimensions, "goal")
    assert (goal.agreed, goal.kappa) == (None, None)


def test_only_dimensions_that_both_judges_were_asked_for_are_compared() -> None:
    rows = [score("model", "e1", 0, 1, dimension=d.name) for d in rubric.PAPER.asked]
    rows += [score("rule", "e1", 0, 1, dimension=d.name) for d in rule_rubric.DIMENSIONS]
    rows += [score("rule", "e1", 0, 3, dimension="empathy")]
    found = compare(rows, "model", "rule")
    shared = [d.name for d in rule_rubric.DIMENSIONS]
    assert [row.dimension for row in found.dimensions] == shared
    assert found.only_a == tuple(d.name for d in rubric.PAPER.asked if d.name not in shared)
    assert found.only_b == ("empathy",)


def test_means_count_failed_and_declined_scores_apart_with_their_denominator() -> None:
    rows = [
        score("a", "e1", 0, 4, mind="m"),
        score("a", "e2", 0, None, mind="m"),
        score("a", "e3", 0, None, mind="m", status="abstained"),
        score("a", "e4", 0, 8, mind="m"),
    ]
    [row] = summary.by_mind(columns_of(rows), "hash-a", ["goal"])
    cell = row.cells["goal"]
    assert cell.mean.value == 6
    assert (cell.scored, cell.failed, cell.abstained, cell.asked) == (2, 1, 1, 4)


def test_the_pair_table_tells_who_got_what_with_whom() -> None:
    rows = [
        *all_seven("a", "e1", 0, 1, mind="x"),
        *all_seven("a", "e1", 1, 2, mind="y"),
        *all_seven("a", "e2", 0, 5, mind="x"),
        *all_seven("a", "e2", 1, 4, mind="x"),
    ]
    found = {(p.mind, p.partner): p.cell for p in summary.pairs(columns_of(rows), "hash-a")}
    assert found["x", "y"].mean.value == pytest.approx(1)
    assert found["y", "x"].mean.value == pytest.approx(2)
    assert found["x", "x"].mean.value == pytest.approx(4.5)
    assert ("y", "y") not in found


def test_scoring_a_seat_again_replaces_what_the_same_judge_said_before() -> None:
    found = seat_scores([score("a", "e1", 0, None), score("a", "e1", 0, 7)])
    assert (found[0].values, found[0].failed) == ({"goal": 7}, {})


def over_scenarios(chains: bool) -> Comparison:
    """Two judges over 6 scenarios of 4 episodes each."""
    rows, episodes = [], []
    for n in range(24):
        # What a scenario gives is shared by its episodes.
        value = 3 + n // 4 % 3 + (n * 7 % 5) / 4
        rows += [score("a", f"e{n}", 0, value), score("b", f"e{n}", 0, value + n % 2)]
        chain = f"h{n % 6}" if chains else ""
        episodes.append(episode_row(f"e{n}", scenario_id=f"s{n // 4}", chain=chain))
    return judge_agreement.compare(columns_of(rows, episodes), "a", "b")


def test_correlations_are_of_scenarios_like_these_and_of_chains_where_there_are_chains() -> None:
    found = over_scenarios(chains=False)
    assert (found.population, over_scenarios(chains=True).population) == ("scenarios", "chains")
    goal = only(found.dimensions, "goal")
    assert goal.pearson.clusters == 6
    assert goal.pearson.few
    assert goal.pearson.p is not None
    assert goal.pearson.low is not None


def test_two_judges_of_a_run_can_be_asked_about_these_very_scenarios() -> None:
    rows = [score(j, f"e{n}", 0, n % 5 + (j == "b") * (n % 3)) for n in range(12) for j in "ab"]
    found = judge_agreement.compare(columns_of(rows), "a", "b", "episodes")
    assert found.population == "episodes"
    assert only(found.dimensions, "goal").spearman.clusters == 12
