"""Comparing benchmarks of two versions: what is read from rows, the arithmetic, the pairing."""

import math
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.benchmarks import bench_live
from tests.benchmarks.compare import NotMeasured, alternate, measure, missing
from tests.benchmarks.figures import Figure, figures_of
from tests.benchmarks.ratios import compare
from tests.benchmarks.speed import relative
from tests.benchmarks.table import Row
from tests.benchmarks.worktrees import NoWorktree, commit_of, environment, worktree

REPORT = """
import json, sys
assert sys.argv[1] == "turns" and sys.argv[2] == "--json"
rows = [{{"what": "a turn", "figure": "{rate}/s, {cpu} µs CPU"}}]
json.dump({{"parts": [{{"name": "turns", "rows": rows}}]}}, open(sys.argv[3], "w"))
print("a table that nobody reads")
"""


def fake_checkout(folder: Path, rate: str, cpu: int) -> Path:
    """A checkout whose benchmarks print the same figures each time."""
    package = folder / "tests" / "benchmarks"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text(REPORT.format(rate=rate, cpu=cpu))
    (package / "bench_turns.py").touch()
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nexec python3 "$@"\n')
    python.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("figure", "goal", "expected"),
    [
        ("4,812/s, 208 µs CPU", "≥ 4,000/s", [(4812, True), (208, False)]),
        ("20.8 s", "≤ 22 s", [(20.8, False)]),
        ("47 KiB", "", [(47, False)]),
        ("23,600 simulated s/s", "", [(23600, True)]),
        ("52,000", "≥ 20 × (21.0, 22.0, 20.1)", [(52000, True)]),
        ("1.13 ×", "≤ 1.1 ×", [(1.13, False)]),
        (
            "3.1 episodes/s, 6.63 ms CPU",
            "3.20 × (≥ 10 ×)",
            [(3.1, True), (6.63, False), (3.2, True)],
        ),
        ("p95 2.04 s", "", [(2.04, False)]),
        ("0 MiB", "", []),
        ("31.0%", "", []),
        ("(profiled)", "", []),
    ],
)
def test_numbers_and_their_direction_are_read_from_a_row(
    figure: str, goal: str, expected: list[tuple[float, bool]]
) -> None:
    found = figures_of([Row("what", figure, goal=goal)]).values()
    assert [(one.value, one.more_is_better) for one in found] == expected


def test_an_indented_row_belongs_to_the_row_above_and_equal_names_are_counted() -> None:
    rows = [
        Row("social", "10 s"),
        Row("  memory of each", "36 KiB"),
        Row("model", "54 s"),
        Row("  memory of each", "47 KiB"),
        Row("model", "55 s"),
    ]
    assert {name: one.value for name, one in figures_of(rows).items()} == {
        "social": 10,
        "social: memory of each": 36,
        "model": 54,
        "model: memory of each": 47,
        "model (2)": 55,
    }


def test_a_ratio_is_the_geometric_mean_with_the_t_interval_of_logarithms() -> None:
    def side(rate: float, more: bool = True) -> Mapping[str, Figure]:
        return {"rate": Figure("rate", rate, more)}

    pairs = [(side(100), side(200)), (side(100), side(400)), (side(50), side(400))]
    (ratio,) = compare("turns", pairs).ratios
    assert ratio.ratio == pytest.approx(4)
    assert (ratio.there, ratio.here, ratio.pairs) == (100, 400, 3)
    # The logarithms are ln 2, ln 4, ln 8: their standard deviation is ln 2; t(0.975, 2) = 4.302653.
    reach = 4.302653 * math.log(2) / math.sqrt(3)
    assert ratio.low == pytest.approx(4 * math.exp(-reach), rel=1e-5)
    assert ratio.high == pytest.approx(4 * math.exp(reach), rel=1e-5)
    assert ratio.verdict == "no difference shown"

    steady = [(side(100), side(200)), (side(100), side(201)), (side(100), side(199))]
    assert compare("turns", steady).ratios[0].verdict == "better"
    for old, new in steady:
        assert old["rate"].value < new["rate"].value
    longer = [(side(100, False), side(after, False)) for after in (200, 201, 199)]
    assert compare("turns", longer).ratios[0].verdict == "WORSE"


def test_one_pair_has_a_ratio_and_no_interval() -> None:
    pair = ({"a": Figure("a", 2, True)}, {"a": Figure("a", 3, True)})
    (ratio,) = compare("turns", [pair]).ratios
    assert (ratio.ratio, ratio.low, ratio.verdict) == (pytest.approx(1.5), None, "")


def test_figures_of_one_side_are_named_and_not_compared() -> None:
    def figure(name: str) -> Figure:
        return Figure(name, 1, True)

    compared = compare(
        "turns", [({"a": figure("a"), "old": figure("old")}, {"a": figure("a")})] * 2
    )
    assert [ratio.name for ratio in compared.ratios] == ["a"]
    assert (compared.only_there, compared.only_here) == (["old"], [])


def test_parts_run_by_turns_in_two_checkouts_of_their_own(tmp_path: Path) -> None:
    there = fake_checkout(tmp_path / "there", "1,000", 500)
    here = fake_checkout(tmp_path / "here", "1,500", 250)
    order: list[Path] = []

    def measured(place: Path, part: str) -> Mapping[str, Figure]:
        order.append(place)
        return measure(place, part)

    said: list[str] = []
    pairs = alternate("turns", there, here, 2, measured, said.append)
    assert order == [there, here, there, here]
    assert [line.rpartition(",")[0] for line in said] == [
        "turns, pair 1 of 2: there",
        "turns, pair 1 of 2: here",
        "turns, pair 2 of 2: there",
        "turns, pair 2 of 2: here",
    ]
    ratios = {ratio.name: ratio for ratio in compare("turns", pairs).ratios}
    assert ratios["a turn"].ratio == pytest.approx(1.5)
    assert ratios["a turn [µs CPU]"].ratio == pytest.approx(0.5)
    assert [ratio.verdict for ratio in ratios.values()] == ["better", "better"]


def test_a_part_that_fails_is_named_with_its_side(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    there = fake_checkout(tmp_path / "there", "1,000", 500)
    (there / "tests" / "benchmarks" / "__main__.py").write_text("raise SystemExit('no port')")
    with pytest.raises(NotMeasured, match="turns could not be measured there: it exited with 1"):
        alternate("turns", there, there, 1, say=lambda _: None)
    assert "no port" in capfd.readouterr().err


def test_a_part_that_a_checkout_lacks_is_named_with_those_there_are(tmp_path: Path) -> None:
    there = fake_checkout(tmp_path, "1", 1)
    assert missing(["turns"], there, "at v1") == ""
    assert missing(["turns", "town"], there, "at v1") == (
        "there is no part 'town' at v1; there are turns"
    )


def test_a_worktree_is_made_once_and_an_unknown_commit_named(tmp_path: Path) -> None:
    root, folder = tmp_path / "root", tmp_path / "root" / ".bench"

    def git(*arguments: str) -> None:
        person = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(
            ["git", *person, *arguments],
            cwd=root,
            check=True,
            env=environment(),
            capture_output=True,
        )

    root.mkdir()
    git("init", "-q")
    (root / "file").write_text("old")
    git("add", "file")
    git("commit", "-qm", "one")
    git("tag", "old")
    (root / "file").write_text("new")
    place = worktree("old", root, folder)
    assert (place / "file").read_text() == "old"
    (place / "kept").touch()
    assert worktree("old", root, folder) == place
    assert (place / "kept").exists()
    with pytest.raises(NoWorktree, match="has no commit 'newer': name a commit, a branch or a tag"):
        commit_of("newer", root)


def test_what_make_was_told_here_does_not_reach_the_other_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("MAKEFLAGS", "REF", "ARGS", "VIRTUAL_ENV", "PYTHONPATH"):
        monkeypatch.setenv(name, "of here")
    assert "of here" not in environment().values()


def test_a_slow_machine_has_a_low_speed_and_more_time() -> None:
    assert relative(seconds=2.0, reference=1.0) == 0.5
    assert bench_live.most_seconds(14.0, speed=0.5) == 28.0
