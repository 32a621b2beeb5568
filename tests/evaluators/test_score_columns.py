"""Scores as columns: each once, the overall score among them, with what is known of its seat."""

from collections.abc import Iterable

import numpy as np
import pytest

from evaluators.scores.score_columns import ScoreColumns, columns_of
from evaluators.social.sotopia_eval import DIMENSIONS
from store.read_model.records import ScoreRow
from store.read_model.score_arrays import ABSTAINED, FAILED, SCORED
from tests.support.record_rows import chain_row, episode_row

SEVEN = [dimension.name for dimension in DIMENSIONS]


def score(dimension: str, value: float | None, **fields: object) -> ScoreRow:
    """What a judge said; ``fields`` are others than those of a plain one."""
    plain = {
        "evaluation": "v1",
        "episode": "e1",
        "run": "r1",
        "judge": "strict",
        "judge_kind": "model",
        "judge_hash": "hash-strict",
        "seat": 0,
        "mind": "calm",
        "character": "Ada",
        "status": "failed" if value is None else "scored",
        "reason": "",
        "evidence": (),
    }
    return ScoreRow(dimension=dimension, value=value, **plain | fields)  # type: ignore[arg-type]


def found(columns: ScoreColumns) -> list[tuple[str, int, str, float | None]]:
    """Episode, seat, dimension and value of each row."""
    return [
        (episode, int(seat), dimension, None if np.isnan(value) else float(value))
        for episode, seat, dimension, value in zip(
            columns.episode.words(),
            columns.seat,
            columns.dimension.words(),
            columns.value,
            strict=True,
        )
    ]


def all_seven(value: float, **fields: object) -> Iterable[ScoreRow]:
    """The same in every dimension that the overall score needs."""
    return [score(name, value, **fields) for name in SEVEN]


def test_nothing_scored_is_columns_without_rows() -> None:
    assert len(columns_of([])) == 0


def test_a_row_is_a_seat_in_a_dimension() -> None:
    rows = [score("goal", 7), score("secret", None), score("goal", 3, seat=1, mind="keen")]
    columns = columns_of(rows)
    assert found(columns) == [
        ("e1", 0, "goal", 7),
        ("e1", 0, "secret", None),
        ("e1", 1, "goal", 3),
    ]
    assert columns.mind.words() == ["calm", "calm", "keen"]
    assert columns.partner.words() == ["keen", "keen", "calm"]
    assert columns.kinds == {"hash-strict": "model"}


def test_the_overall_score_stands_among_the_dimensions_where_all_it_needs_are_scored() -> None:
    columns = columns_of([*all_seven(3), *all_seven(5, seat=1)])
    overall = columns.where(columns.dimension.among("overall"))
    assert found(overall) == [("e1", 0, "overall", 3), ("e1", 1, "overall", 5)]


@pytest.mark.parametrize(("status", "expected"), [("failed", FAILED), ("abstained", ABSTAINED)])
def test_the_overall_score_is_missing_as_what_it_needs_is(status: str, expected: int) -> None:
    rows = [*all_seven(3)[1:], score(SEVEN[0], None, status=status)]  # type: ignore[index]
    overall = columns_of(rows).of("hash-strict", "overall")
    assert overall.status.tolist() == [expected]
    assert np.isnan(overall.value).all()


def test_the_newest_evaluation_that_gave_a_value_counts() -> None:
    scored, failed = score("goal", 7), score("goal", None, evaluation="v2")
    newer = score("goal", 2, evaluation="v3")
    assert found(columns_of([scored, failed])) == [("e1", 0, "goal", 7)]
    assert found(columns_of([scored, newer])) == [("e1", 0, "goal", 2)]
    assert columns_of([failed, failed]).status.tolist() == [FAILED]


def test_judges_of_one_name_are_told_apart() -> None:
    columns = columns_of([score("goal", 7), score("goal", 3, judge_hash="other", evaluation="v2")])
    assert [judge.label for judge in columns.judges] == ["strict (hash-s)", "strict (other)"]
    assert columns.of("other").value.tolist() == [3]


def test_episodes_say_scenario_memory_place_and_whether_an_action_failed() -> None:
    episodes = [
        episode_row(
            "e1", scenario_id="s1", chain="c1", index=4, failed_actions=1, minds=("calm", "keen")
        )
    ]
    columns = columns_of([score("goal", 7)], episodes, [chain_row("c1", memory="summary")])
    assert columns.scenario.words() == ["s1"]
    assert columns.memory.words() == ["summary"]
    assert columns.index.tolist() == [4]
    assert columns.clean.tolist() == [False]
    assert columns.scored.tolist() == [True]
    assert columns.status.tolist() == [SCORED]


def test_an_episode_without_a_scenario_is_a_scenario_of_its_own() -> None:
    rows = [score("goal", 7), score("goal", 7, episode="e2", evaluation="v2")]
    assert columns_of(rows).scenario.words() == ["e1", "e2"]


def test_a_score_of_a_seat_that_there_is_not_has_no_mind() -> None:
    episodes = [episode_row("e1", minds=("calm", "keen"))]
    columns = columns_of([score("goal", 7, seat=9), score("goal", 6, seat=-1)], episodes)
    assert [row[1] for row in found(columns)] == [-1, 9]
    assert columns.mind.words() == ["", ""]


def test_where_keeps_all_columns_together() -> None:
    columns = columns_of([score("goal", 7), score("goal", 3, seat=1, mind="keen")])
    half = columns.where(columns.mind.among("keen"))
    assert found(half) == [("e1", 1, "goal", 3)]
    assert half.dimensions() == ["goal"]
    assert half.mind.there() == ("keen",)
