"""``troupe contrast``: the tests of a run, in the terminal, as JSON and in its report."""

from pathlib import Path

import pytest

from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused


def test_minds_are_tested_against_each_other_over_scenarios(played: Desk, run: str) -> None:
    told = played.does("contrast", run, "-j", "rehearsal-strict", "--json").json
    (family,) = told["families"]
    assert (family["between"], family["population"]) == ("minds", "scenarios")
    assert {test["dimension"] for test in family["tests"]} == {"goal", "believability", "overall"}
    for test in family["tests"]:
        one = test["contrast"]
        assert {one["a"]["label"], one["b"]["label"]} == {"generous", "stubborn"}
        assert one["a"]["mean"]["sd"] is not None
        assert one.get("p") is None or one["p_holm"] >= one["p"]
    played.width(80)
    said = played.does("contrast", run, "-j", "rehearsal-strict", "-d", "goal").out
    assert "Mind against mind, judged by rehearsal-strict" in said
    assert "Holm" in said
    assert max(map(len, said.splitlines())) <= 80
    assert "Rehearsal minds" in said


def test_chains_of_one_cast_say_that_they_are_too_few_to_test(chained: Desk) -> None:
    (first,) = chained.does("runs", "--json").json
    told = chained.does("contrast", first["id"], "-b", "memories", "-d", "all", "--json").json
    assert {family["population"] for family in told["families"]} == {"chains"}
    for family in told["families"]:
        for test in family["tests"]:
            assert (test["contrast"].get("p"), test["contrast"]["n"]) in ((None, 0), (None, 2))
            assert test["contrast"]["difference"]["why"]
    said = chained.does("contrast", first["id"], "-b", "memories", "-d", "belext").out
    assert "no test of generous: none and summary (belext)" in said


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-b", "mind"), "--between 'mind': is none of minds, memories, parts, slopes; did you"),
        (("-d", "gaol"), "--dimension 'gaol': nothing here was scored in it; did you mean 'goal'"),
        (("--part", "hard"), "has no scores of hard scenarios"),
        (("-j", "rehearsal-strikt"), "did you mean 'rehearsal-strict'"),
    ],
)
def test_what_a_run_does_not_have_is_refused(
    played: Desk, run: str, arguments: tuple[str, ...], told: str
) -> None:
    assert told in refused(played, "contrast", run, *arguments)


def test_the_report_has_the_tests_and_draws_people_beside_the_curves(
    chained: Desk, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    (first,) = chained.does("runs", "--json").json
    rows = "".join(f"{index},believability,{9 - index},p1\n" for index in range(3))
    people = chained.file("people.csv", f"index,dimension,value,participant\n{rows}")
    chained.does("report", first["id"], "-o", str(page), "--people", people)
    html = page.read_text(encoding="utf-8")
    assert "Memory against memory, judged by belext-rehearsal" in html
    assert "</i>people</th>" in html
    assert "people, from 9.00 to 7.00" in html


def test_notes_of_one_length_cannot_be_told_apart_by_it(chained: Desk) -> None:
    (first,) = chained.does("runs", "--json").json
    assert "--by 'length': the memories of run" in refused(
        chained, "curves", first["id"], "--by", "length"
    )
