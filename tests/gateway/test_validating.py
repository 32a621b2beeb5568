"""``troupe validate``: from samples to the table, by the commands a person types."""

import csv
from pathlib import Path

import pytest

from evaluators.agreement.checkpoint_validation import validated
from evaluators.scores.seat_scores import Judged
from gateway.cli.commands.compare.validate_judge import print_validation
from gateway.services.results.validate_judge import Validation
from tests.gateway.command import Desk


def filled(sheet: Path, label: str = "1") -> list[dict[str, str]]:
    """Every row labelled alike; the rows."""
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["label"] = label
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return rows


def seats(desk: Desk) -> int:
    """How many seats there are in all episodes."""
    (run,) = desk.does("runs", "--json").json
    return 2 * len(desk.does("show", run["id"], "--json").json["episodes"])


@pytest.fixture
def sheet(chained: Desk, tmp_path: Path) -> Path:
    return tmp_path / "labels.csv"


def test_samples_are_drawn_with_what_is_to_be_read_and_labels_make_the_table(
    chained: Desk, sheet: Path
) -> None:
    arguments = ("validate-judge", "belext-rehearsal", "--sample", "--out", str(sheet), "--json")
    written = chained.does(*arguments).json
    drawn = {name: passed + failed for name, passed, failed in written["drawn"]}
    assert len(drawn) == 8
    assert set(drawn.values()) == {seats(chained)}
    assert written["samples"] == sum(drawn.values())
    rows = filled(sheet)
    assert len(rows) == written["samples"]
    for row in rows:
        text = (sheet.parent / row["transcript"]).read_text(encoding="utf-8")
        assert text.startswith(f"Episode {row['episode']}, number ")
        assert f": {row['character']}\n" in text
        assert "Private goal: " in text
        for name in text.partition("\n")[0].partition("before it: ")[2].split(", "):
            assert not name or (sheet.parent / "labels-episodes" / name).is_file()
        assert row["question"].startswith("1 (passed) or 0 (failed)? ")
    table = chained.does(
        "validate-judge", "belext-rehearsal", "--labels", str(sheet), "--json"
    ).json
    assert [one["checkpoint"] for one in table["checkpoints"]] == list(drawn)
    for (_, passed, failed), row in zip(written["drawn"], table["checkpoints"], strict=True):
        assert (row["true_positives"], row["false_negatives"]) == (passed, failed)
        assert (row["false_positives"], row["true_negatives"]) == (0, 0)


def test_the_same_labels_validate_another_judge_too(chained: Desk, sheet: Path) -> None:
    chained.does("validate-judge", "belext-rehearsal", "--sample", "--out", str(sheet))
    filled(sheet, "0")
    chained.width(120)
    said = chained.does("validate-judge", "belext-rule", "--labels", str(sheet), "--faults").out
    assert "positive: failed" in said
    all_of_them = seats(chained)
    # What there is no rule for is missing, and no failure.
    assert f"{all_of_them}/{all_of_them}" in said
    assert "not findings" not in said
    said = chained.does("validate-judge", "belext-rehearsal", "--labels", str(sheet)).out
    assert "not findings" in " ".join(said.split())


def test_a_table_with_intervals_fits_the_terminal_and_speaks_of_a_judge_and_people(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    differing = [(number % 2 == 0, number % 3 == 0) for number in range(104)]
    pairs = {"leaves_promptly": differing, "responds": [(True, False)] * 9, "in_character": []}
    judge = Judged(name="belext", hash="b1", label="belext")
    found = Validation(
        judge=judge, kind="model", positive="passed", checkpoints=tuple(validated(pairs))
    )
    print_validation(found)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith(" leaves_promptly ") and "0/104" in line for line in lines)
    assert any(line.strip().startswith("[") for line in lines), "kappa has an interval"
    assert "in_character: 0 pairs; kappa with an interval needs 4" in lines
    assert "responds: the judge gave 1 to all 9" in lines


def test_a_label_of_a_scale_is_refused(chained: Desk, sheet: Path) -> None:
    (run,) = chained.does("runs", "--json").json
    episode = chained.does("show", run["id"], "--json").json["episodes"][0]["id"]
    sheet.write_text(f"episode,seat,checkpoint,label\n{episode},1,believability,1\n")
    said = chained.says("validate-judge", "belext-rehearsal", "--labels", str(sheet))
    assert said.code == 1
    assert "decided no checkpoint believability here" in said.err


def test_fewer_are_drawn_where_fewer_are_wanted(chained: Desk, sheet: Path) -> None:
    arguments = ("--passed", "3", "--failed", "0", "-c", "responds", "--out", str(sheet))
    said = chained.does("validate-judge", "belext-rehearsal", "--sample", *arguments).out
    assert "3 samples" in said
    assert {row["checkpoint"] for row in filled(sheet)} == {"responds"}


def test_a_sheet_that_is_there_is_never_written_over(chained: Desk, sheet: Path) -> None:
    arguments = ("validate-judge", "belext-rehearsal", "--sample", "--out", str(sheet))
    chained.does(*arguments)
    filled(sheet)
    before = sheet.read_text(encoding="utf-8")
    said = chained.says(*arguments)
    assert said.code == 1
    assert "may have been filled in" in said.err
    assert sheet.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("belext-rehearsal",), 2, "either --sample or --labels"),
        (("belext-rehearsal", "--sample", "--labels", "x.csv"), 2, "either --sample or --labels"),
        (("belext-rehersal", "--sample"), 1, "did you mean"),
        (("facts", "--sample"), 1, "decided no checkpoint here"),
        (("belext-rehearsal", "--sample", "-c", "no_stalling"), 1, "no checkpoint no_stalling"),
        (("belext-rehearsal", "--labels", "gone.csv"), 1, "gone.csv: No such file"),
    ],
)
def test_what_cannot_be_validated_is_refused_with_a_sentence(
    chained: Desk, tmp_path: Path, arguments: tuple[str, ...], code: int, why: str
) -> None:
    said = chained.says("validate-judge", *arguments, "--out", str(tmp_path / "sheet.csv"))
    assert said.code == code
    assert why in " ".join(said.err.replace("│", " ").split())
    assert not (tmp_path / "sheet.csv").exists()
