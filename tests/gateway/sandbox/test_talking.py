"""``troupe town freeze``, ``talk`` and ``talks``: from a town to Table 3, offline."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.sandbox.catalog_items import FrozenTask
from evaluators.report.data.run_data import gather
from evaluators.sandbox.language.case_file import written
from evaluators.sandbox.language.extract_cases import Frozen
from evaluators.sandbox.report.section import section
from tests.evaluators.sandbox.language.made_up import case
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

TOWN = """
environment = "sandbox"
[sandbox]
steps = 560
[tasks]
ids = ["lamp_supper", "tern_count"]
[minds.ga]
kind = "rehearsal"
temper = "ga"
"""


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk on which two towns lived to the first morning."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("lived"), patch)
        desk.does("run", desk.file("plan.toml", TOWN))
        yield desk


def cases(desk: Desk, name: str = "cases.jsonl") -> Path:
    frozen = Frozen(
        tasks=(
            FrozenTask(id="public_1", kind="public", towns=1),
            FrozenTask(id="online_1", kind="online", towns=1),
        ),
        cases=(case("public", "one"), case("public", "two")),
    )
    return Path(desk.file(name, written(frozen, "run")))


def test_cases_of_a_run_are_frozen_played_and_shown(lived: Desk, tmp_path: Path) -> None:
    run = lived.does("runs", "--json").json[0]["id"]
    out = tmp_path / "cases.jsonl"
    said = lived.does("town", "freeze", run, "-o", str(out))
    assert "of 2 tasks, from 2 towns" in said.out
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["run"] == run
    found = lines[1:]
    assert found
    assert all(one["at"] < "2023-02-13 09:20:00" for one in found)
    assert all(one["performer"]["schedule"] for one in found)
    first = out.read_bytes()
    frozen = lived.does("town", "freeze", run, "-o", str(out), "--json").json
    assert (frozen["cases"], sum(frozen["kinds"].values())) == (len(found), len(found))
    assert out.read_bytes() == first
    lived.does("town", "talk", str(out), "--mind", "rehearsal")
    played = lived.does("runs", "--json").json[0]["id"]
    table = lived.does("town", "talks", played, "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["agent"] for row in rows] == ["GA", "GA+TDP"]
    assert [row["runs"] for row in rows] == [str(len(found))] * 2
    assert float(rows[1]["conversation_gcsr_micro"]) >= float(rows[0]["conversation_gcsr_micro"])
    assert {row["rehearsal"] for row in rows} == {"yes"}


def test_a_talk_is_a_run_with_a_plan_that_can_be_changed(desk: Desk) -> None:
    plan = desk.folder / "plan.toml"
    said = desk.does(
        *("town", "talk", str(cases(desk)), "--mind", "rehearsal", "--agent", "ga+tdp"),
        *("--judge", "sandbox-talk-published", "--repeats", "2", "--write", str(plan)),
    )
    assert "play the 2 cases" in said.out
    text = plan.read_text(encoding="utf-8")
    assert 'first = ["rehearsal ga+tdp"]' in text
    said = desk.does("run", str(plan))
    assert "sandbox-talk-published" in said.out
    run = desk.does("runs", "--json").json[0]["id"]
    shown = desk.does("town", "talks", run, "--json").json
    assert len(shown["cases"]) == 4
    assert shown["empty"] == ["online_1"]
    told = desk.does("town", "talks", run)
    assert "GPT-4, as" in told.out
    assert "Tasks without a case: online_1." in told.err + told.out
    assert "not findings" in told.out
    store = desk.open()
    in_report = section(gather(store, run), ())
    store.close()
    titles = [one.table.title for one in in_report["tables"]]
    assert titles == ["Table 3: language-level scores, judge sandbox-talk-published"]
    assert in_report["rehearsing"] == ["rehearsal ga+tdp"]
    out = desk.file("out.jsonl", "")
    assert "has no town with a task" in refused(desk, "town", "freeze", run, "-o", out)


def test_a_dry_run_plays_nothing(desk: Desk) -> None:
    said = desk.does("town", "talk", str(cases(desk)), "--mind", "rehearsal", "--dry-run")
    assert "4 of 2 tasks" in " ".join(said.out.split())
    assert desk.does("runs", "--json").json == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--mind", "openai/gpt-4o"), "say which model plays the targets"),
        (("--mind", "rehearsal", "--judge", "stss-paper"), "talks are judged by sandbox-talk"),
        (("--mind", "openai/gpt-4o", "-b", "m", "--base-url", "nowhere"), "base_url"),
        (("--mind", "rehearsal", "--judge", "nobody"), "there is no judge 'nobody'"),
        (("--mind", "rehearsal", "--judge", "no/file.toml"), "there is no judge file"),
    ],
)
def test_what_cannot_be_played_or_judged_is_refused(
    desk: Desk, options: tuple[str, ...], why: str
) -> None:
    assert why in refused(desk, "town", "talk", str(cases(desk)), *options)


def test_a_file_of_cases_with_a_fault_is_refused_with_its_line(desk: Desk) -> None:
    whole = cases(desk).read_text(encoding="utf-8")
    bad = desk.file("bad.jsonl", whole.replace('"public"', '"private"'))
    assert "line 1" in refused(desk, "town", "talk", bad, "--mind", "rehearsal")
    twice = desk.file("twice.jsonl", whole + whole.splitlines()[1])
    assert "line 4" in refused(desk, "town", "talk", twice, "--mind", "rehearsal")
    empty = desk.file("none.jsonl", whole.splitlines()[0])
    assert "has no case" in refused(desk, "town", "talk", empty, "--mind", "rehearsal")
    nowhere = str(Path(empty).parent / "nowhere.jsonl")
    assert "nowhere.jsonl" in refused(desk, "town", "talk", nowhere, "--mind", "rehearsal")
