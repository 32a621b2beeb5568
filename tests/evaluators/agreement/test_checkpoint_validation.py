"""Table 1 of LIFELONG-SOTOPIA, worked out by hand; and the sheets its labels come from."""

import csv
from itertools import pairwise
from pathlib import Path

import pytest

from evaluators.agreement.checkpoint_validation import validated
from evaluators.label_sheet import (
    COLUMNS,
    BadSheet,
    Sample,
    Split,
    draw,
    read_labels,
    write_sheet,
)

# What the judge said and what people said: 3 passed to both, 1 to the judge alone, 4 failed to
# both, 2 to the judge alone.
TEN = [(True, True)] * 3 + [(True, False)] + [(False, False)] * 4 + [(False, True)] * 2


def only(rows):
    (row,) = rows
    return row


def test_counts_and_figures_are_those_worked_out_by_hand() -> None:
    row = only(validated({"no_idling": TEN}))
    assert (row.true_positives, row.false_positives) == (3, 1)
    assert (row.true_negatives, row.false_negatives) == (4, 2)
    assert row.precision == 3 / 4
    assert row.recall == 3 / 5
    assert row.f1 == pytest.approx(2 / 3)
    # Both agree on 7 of 10; by chance they would on 0.4 × 0.5 + 0.6 × 0.5 = 0.5.
    assert row.kappa.value == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    assert row.kappa.low is not None


def test_where_a_failure_is_the_positive_the_counts_change_places_and_kappa_does_not() -> None:
    row = only(validated({"no_idling": TEN}, "failed"))
    assert (row.true_positives, row.false_positives) == (4, 2)
    assert (row.true_negatives, row.false_negatives) == (3, 1)
    assert (row.precision, row.recall) == (4 / 6, 4 / 5)
    assert row.f1 == pytest.approx(8 / 11)
    assert row.kappa == only(validated({"no_idling": TEN})).kappa


def test_what_the_judge_did_not_decide_is_missing_and_counts_as_nothing() -> None:
    row = only(validated({"no_idling": [*TEN, (None, True), (None, False)]}))
    assert (row.labelled, row.missing) == (12, 2)
    assert row.recall == 3 / 5


def test_what_cannot_be_worked_out_is_missing_with_the_reason() -> None:
    nobody = only(validated({"no_idling": [(False, False)] * 6}))
    assert (nobody.precision, nobody.recall, nobody.f1) == (None, None, None)
    assert nobody.kappa.why
    wrong = only(validated({"no_idling": [(True, False)] * 3 + [(False, True)] * 3}))
    assert (wrong.precision, wrong.recall, wrong.f1) == (0, 0, None)
    assert wrong.kappa.value == -1


def test_checkpoints_come_in_the_order_of_tables() -> None:
    rows = validated({"responds": TEN, "no_repetition": TEN, "a_new_one": TEN})
    assert [row.checkpoint for row in rows] == ["no_repetition", "responds", "a_new_one"]


# ---------------------------------------------------------------- sheets


def seats(passed: int, failed: int) -> Split:
    every = [(f"e{n}", n % 2) for n in range(passed + failed)]
    return Split(every[:passed], every[passed:])


def test_so_many_of_each_are_drawn_as_are_wanted_or_all_there_are() -> None:
    samples, drawn = draw({"responds": seats(80, 20)}, passed=50, failed=50)
    assert drawn == [("responds", 50, 20)]
    assert len(set(samples)) == 70


def test_the_same_seed_draws_the_same_and_another_draws_others() -> None:
    found = seats(80, 80)
    first = draw({"responds": found}, passed=20, failed=20)
    turned = Split(found.passed[::-1], found.failed[::-1])
    assert draw({"responds": turned}, passed=20, failed=20) == first
    assert draw({"responds": found}, passed=20, failed=20, seed=1) != first


def test_the_order_of_a_sheet_does_not_tell_who_passed_and_keeps_episodes_together() -> None:
    found = seats(50, 50)
    all_passed = Split([*found.passed, *found.failed], [])
    samples, _ = draw({"responds": found, "no_idling": all_passed}, passed=50, failed=50)
    order = [s[:2] in found.passed for s in samples if s.checkpoint == "responds"]
    changes = sum(a != b for a, b in pairwise(order))
    assert changes > 20
    episodes = [sample.episode for sample in samples]
    assert len(episodes) == 100 + 50
    runs = sum(a != b for a, b in pairwise(episodes)) + 1
    assert runs == len(set(episodes))


def written(path: Path, *labels: str) -> Path:
    samples = [Sample(f"e{n}", 0, "responds") for n in range(len(labels))]
    write_sheet(
        path,
        samples,
        characters={(s.episode, 0): "Ada, the baker" for s in samples},
        questions={"responds": "Does it answer?"},
        transcripts={s.episode: f"labels-episodes/{s.episode}.txt" for s in samples},
    )
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, label in zip(rows, labels, strict=True):
        row["label"] = label
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_sheet_that_was_filled_in_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path / "labels.csv", "1", "0", "", " Passed ", "FAILED")
    assert read_labels(path) == {
        Sample("e0", 0, "responds"): True,
        Sample("e1", 0, "responds"): False,
        Sample("e3", 0, "responds"): True,
        Sample("e4", 0, "responds"): False,
    }


def test_a_sheet_does_not_say_what_the_judge_said(tmp_path: Path) -> None:
    text = written(tmp_path / "labels.csv", "").read_text(encoding="utf-8-sig")
    assert text.splitlines()[1] == 'e0,1,"Ada, the baker",responds,Does it answer?,' + (
        "labels-episodes/e0.txt,,,"
    )


HEAD = "episode,seat,checkpoint,label\n"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "the columns checkpoint, episode, label, seat"),
        ("episode,seat,label\n", 1, "the columns checkpoint"),
        (HEAD + "e1,1,responds,maybe\n", 2, "1 (passed) or 0 (failed), not 'maybe'"),
        (HEAD + "e1,1,responds,1\ne1,1,responds,0\n", 3, "a label already"),
        (HEAD + "e1,0,responds,1\n", 2, "a number from 1 on, not '0'"),
        (HEAD + "e1,one,responds,1\n", 2, "a number from 1 on, not 'one'"),
        (HEAD + ",1,responds,1\n", 2, "its episode and its checkpoint"),
        (HEAD + "e1,1,responds,\n", 1, "no row has a label yet"),
        (HEAD + "e1\n" + "e1,1,,1\n", 3, "its episode and its checkpoint"),
    ],
)
def test_a_wrong_sheet_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSheet) as refused:
        read_labels(path)
    assert refused.value.line == line
    assert why in str(refused.value)
