"""A model that gives one value wherever it is asked is said to tell nothing apart."""

from dataclasses import replace

from evaluators.agreement.constant_judges import flat_judges
from evaluators.scores.score_columns import ScoreColumns, columns_of
from gateway.services.runs.run_details import judged_tables
from gateway.services.runs.run_tables import judged_table
from tests.evaluators.test_score_columns import score

DIMENSIONS = ("goal", "secret", "relationship", "knowledge", "social_rules", "believability")


def columns(*by_seat: dict[str, float | None], kind: str = "model") -> ScoreColumns:
    """A seat's scores each."""
    rows = [
        score(name, value, episode=f"e{n}", evaluation=f"v{n}")
        for n, scores in enumerate(by_seat)
        for name, value in scores.items()
    ]
    found = columns_of(rows)
    return replace(found, kinds={judge.hash: kind for judge in found.judges})


def flat(*by_seat: dict[str, float | None], kind: str = "model") -> str:
    return "".join(flat_judges(columns(*by_seat, kind=kind)).values())


ZERO: dict[str, float | None] = dict.fromkeys(DIMENSIONS, 0.0)


def test_the_same_value_everywhere_is_told_from_ten_scores_on() -> None:
    assert flat(ZERO, ZERO).startswith("Judge strict gave 0 in all of its 12 scores: ")
    assert flat(dict.fromkeys(DIMENSIONS[:4], 0.0), dict.fromkeys(DIMENSIONS[:5], 0.0)) == ""


def test_one_other_value_tells_something_apart() -> None:
    assert flat(ZERO, ZERO | {"goal": 1.0}) == ""


def test_the_least_of_each_scale_for_every_seat_tells_nothing_apart_either() -> None:
    least: dict[str, float | None] = {"goal": 0.0, "secret": -10.0, "relationship": -5.0}
    said = flat(*[least] * 10)
    assert said.startswith("Judge strict gave every seat the same in each of 3 dimensions, over ")
    assert flat(*[least] * 9) == ""
    assert flat(*[least] * 9, least | {"secret": 0.0}) == ""


def test_a_missing_score_is_no_value_and_fixed_rules_may_always_find_the_same() -> None:
    assert "all of its 11 scores" in flat(ZERO, ZERO | {"goal": None})
    assert flat(ZERO, ZERO, kind="rule") == flat(ZERO, ZERO, kind="rehearsal") == ""
    assert flat() == ""


def test_a_table_of_scores_says_so_in_its_note() -> None:
    (shown,) = judged_tables(columns(ZERO, ZERO))
    assert "gave 0 in all of its 12 scores" in judged_table(shown).note.splitlines()[-1]
    (shown,) = judged_tables(columns(ZERO, ZERO | {"goal": 1.0}))
    assert "gave" not in judged_table(shown).note
