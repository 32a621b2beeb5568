"""``troupe.sotopia`` and exports: what the commands do, from Python."""

import inspect
import json
import threading
from pathlib import Path
from typing import Any

import pytest

import troupe
from tests.gateway.command import Desk
from tests.gateway.social.conftest import asked, asked_data, asked_run
from tests.gateway.social.test_generate import Willing, model

__all__ = ["asked", "asked_data", "asked_run", "model"]

PLAN: dict[str, Any] = {
    "minds": {"wily": "rehearsal:wily", "candid": "rehearsal:candid"},
    "tasks": {"limit": 2},
    "judges": {"use": ["rehearsal-strict"]},
}


@pytest.fixture
def run(data: Path) -> troupe.Run:
    return troupe.run(PLAN, where=data, progress=False)


def test_the_papers_tables_are_rows_and_frames(desk: Desk, run: troupe.Run) -> None:
    shown, *_ = troupe.sotopia.tables(run, table="2")
    assert shown.title.startswith("Table 2")
    (entry,) = desk.does("sotopia", "tables", run.id, "--table", "2", "--json").json["entries"]
    rows = shown.rows()
    assert len(rows) == len(entry["tables"][0]["rows"]) > 0
    assert shown.to_pandas().columns.tolist() == list(rows[0])
    assert shown.to_arrow().num_rows == len(rows)
    assert "wily" in shown._repr_html_()
    assert "no language model" in shown.note
    assert [one.splitlines()[0] for one in (shown.to_csv(),)] == [",".join(rows[0])]
    everything = troupe.sotopia.tables([run], judge="rehearsal-strict")
    assert {"Table 2", "Figure 3"} <= {one.title.partition(":")[0] for one in everything}
    (name,) = [one.name for one in troupe.sotopia.tables(run.id, figure="3", where=run.store)]
    drawn = troupe.sotopia.figures(run, figure="3")
    assert list(drawn) == [name]
    assert drawn[name].svg.startswith("<svg")
    assert drawn[name]._repr_html_() != drawn[name]._repr_html_(), "ids do not meet in a page"


def test_what_the_command_refuses_is_an_error_with_its_sentence(
    desk: Desk, run: troupe.Run
) -> None:
    for call, command in (
        (lambda: troupe.sotopia.tables(run, table="9"), ("tables", run.id, "--table", "9")),
        (lambda: troupe.sotopia.tables(run, table="3"), ("tables", run.id, "--table", "3")),
    ):
        with pytest.raises(troupe.Error) as met:
            call()
        assert desk.says("sotopia", *command).err == f"troupe: {met.value}\n"
    with pytest.raises(TypeError, match=r"troupe\.sotopia\.tables: .*'tabel'"):
        troupe.sotopia.tables(run, tabel="2")
    with pytest.raises(troupe.Error, match="kind 'stories': must be one of characters"):
        troupe.sotopia.generate("stories", 1, where=run.store)


def test_an_environments_functions_are_found_and_described() -> None:
    assert "sotopia" in dir(troupe)
    assert repr(troupe.sotopia) == "troupe.sotopia: tables, figures, generate, forecast"
    signature = inspect.signature(troupe.sotopia.tables)
    assert list(signature.parameters)[::7] == ["runs", "where"]
    with pytest.raises(AttributeError, match="no attribute 'sotopias'"):
        troupe.sotopias  # noqa: B018
    with pytest.raises(AttributeError, match=r"troupe\.sotopia has no 'table'"):
        troupe.sotopia.table  # noqa: B018


def test_runs_are_exported_as_the_command_does(asked: Desk, asked_run: str, tmp_path: Path) -> None:
    run = troupe.open_store(asked.data_dir).run(asked_run)
    scenario = run.store.episodes(run=run.id).rows()[0]["scenario_id"]
    (tmp_path / "hard.jsonl").write_text(json.dumps({"scenario": scenario}))
    filters = {"goal": 0, "judge": "rehearsal-strict"}
    done = run.export("sft", tmp_path / "a.jsonl", filters=filters, exclude=tmp_path / "hard.jsonl")
    out = tmp_path / "b.jsonl"
    options = ("--filter", "goal=0", "--exclude", str(tmp_path / "hard.jsonl"), "--out", str(out))
    asked.does("export", run.id, "--format", "sft", *options)
    assert (tmp_path / "a.jsonl").read_text() == out.read_text()
    assert done.count == len(out.read_text().splitlines()) > 0
    assert [Path(one).name for one in done.paths] == ["a.jsonl", "a.card.json"]
    two = [run, run.episodes[0]]
    both = run.store.export(two, "rewards", tmp_path / "c.jsonl", filters=filters)
    assert both.count > 0
    for wrong, why in (
        ({"top": 0}, "top: must be a whole number at least 1"),
        ({"cloning": {"expert": None}}, "filters 'cloning.expert': no filter is a NoneType"),
        (tmp_path / "none.toml", "none.toml"),
    ):
        with pytest.raises(troupe.Error, match=why):
            run.export("sft", tmp_path / "d.jsonl", filters=wrong)
    assert not (tmp_path / "d.jsonl").exists()


def test_items_are_generated_by_a_model_and_wait_for_review(
    desk: Desk, data: Path, model: Willing
) -> None:
    writer = troupe.Model("test/writer", temperature=0.3)
    told: list[tuple[int, int, object]] = []

    def tell(done: int, of: int) -> None:
        told.append((done, of, threading.current_thread()))

    planned = troupe.sotopia.forecast("characters", 2, model="test/writer", where=data)
    assert (planned.items, planned.known, planned.model) == (2, 0, "test/writer")
    assert not model.asked
    made = troupe.sotopia.generate(
        "characters", 2, model=writer, probe=False, where=data, progress=tell
    )
    assert (made.generated, made.known, made.waiting) == (2, 0, 2)
    assert {request.temperature for request in model.asked} == {0.3}
    assert told[-1] == (2, 2, threading.current_thread())
    again = troupe.sotopia.generate("characters", 2, model=writer, probe=False, where=data)
    assert (again.generated, again.known) == (0, 2)
    listed = desk.does("sotopia", "review", "generated", "--list", "--json").json
    assert [one["state"] for one in listed] == ["waiting", "waiting"]
