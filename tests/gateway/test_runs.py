"""Playing, scoring, comparing, reporting and exporting from the command line."""

import signal
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from gateway.services.runs.run_details import run_details
from store.read_model import queries
from tests.faults.hostile import HostileServer
from tests.faults.process import Troupe
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.runs import model_minds, plan
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.undrawn_charts import undrawn

__all__ = ["undrawn"]


def test_a_dry_run_says_what_a_plan_means_and_stores_nothing(desk: Desk) -> None:
    desk.does("catalog", "list")
    path = desk.file("plan.toml", plan(model_minds("http://127.0.0.1:1/v1"), tasks=3))
    before = desk.head()
    said = desk.does("run", path, "--dry-run", "--no-probe")
    assert "episodes              3 of 3 tasks" in said.out
    assert "at most 60" in said.out
    counts = desk.does("run", path, "--dry-run", "--no-probe", "--json").json
    assert counts["play_calls"] == 60
    (mind,) = counts["estimates"]
    assert (mind["kind"], mind["name"], mind["calls"]) == ("mind", "stub", {"low": 30, "high": 240})
    assert "stub plays" in said.out
    assert "not known: a price is missing" in said.out
    assert desk.head() == before


def test_the_first_plan_with_a_model_needs_one_key_and_has_a_forecast_in_money(
    desk: Desk,
) -> None:
    path = Path(__file__).parents[2] / "examples" / "model.toml"
    told = desk.does("run", str(path), "--dry-run", "--no-probe", "--json").json
    assert {(one["kind"], one["model"].partition("/")[0]) for one in told["estimates"]} == {
        ("mind", "openai"),
        ("judge", "openai"),
    }
    assert all(0 < one["usd"][0] < one["usd"][1] for one in told["estimates"])
    assert 0 < told["usd"][0] < told["usd"][1] < 2.0, "less than its budget"


@pytest.mark.parametrize("name", ["first", "sotopia", "model", "sotopia-paper", "lifelong-paper"])
def test_the_examples_are_sound_plans(desk: Desk, name: str) -> None:
    if name.startswith("sotopia"):
        desk.does("catalog", "sample", "starter", "--name", "sotopia")
    path = Path(__file__).parents[2] / "examples" / f"{name}.toml"
    forecast = desk.does("run", str(path), "--dry-run", "--no-probe", "--json").json
    assert forecast["episodes"] > 0
    judges = 3 if name == "lifelong-paper" else 1
    assert forecast["evaluations"] == judges * forecast["episodes"]
    offline = name in ("first", "sotopia")
    assert bool(forecast["play_calls"]) == (not offline)
    assert bool(forecast.get("estimates")) == (not offline)


def test_a_dry_run_says_where_the_budget_is_too_small_and_fits_the_terminal(desk: Desk) -> None:
    prices = {"input_usd_per_million": 1e4, "output_usd_per_million": 1e4}
    minds = model_minds("http://127.0.0.1:1/v1", **prices)
    path = desk.file("plan.toml", plan(minds, tasks=3, budget="usd = 1.0"))
    said = desk.does("run", path, "--dry-run", "--no-probe")
    assert "The budget of 1.00 USD is below the least that is expected" in said.out
    expected = desk.does("run", path, "--dry-run", "--no-probe", "--json").json
    low, high = expected["usd"]
    assert said.out.count(f"{low:,.0f}–{high:,.0f}") == 2, "in the table whole, and in all"
    assert max(map(len, said.out.splitlines())) <= 80


def test_a_run_ends_with_its_tables_what_went_wrong_and_what_to_type_next(desk: Desk) -> None:
    said = desk.does("run", desk.file("plan.toml", plan(judges='["rehearsal-strict"]')))
    assert "Scores by rehearsal-strict" in said.out
    assert "episodes failed      0 of 8" in said.out
    assert "actions failed       0 in" in said.out
    assert "turns, each of one question or more" in " ".join(said.out.split())
    assert "evaluations missing  0 of 8" in said.out
    assert "scores failed        0 of" in said.out
    assert "they are not findings" in " ".join(said.out.split())
    assert "troupe report r" in said.out
    assert "episodes played" in said.err, "progress is on standard error"
    assert "episodes played" not in said.out


def test_a_run_as_json_is_json_and_nothing_else(desk: Desk) -> None:
    said = desk.does("run", desk.file("plan.toml", plan(tasks=1)), "--json")
    assert said.json["run"]["status"] == "ended"
    assert said.json["counts"]["episodes_ended"] == len(said.json["episodes"])
    assert said.err == ""


def test_tables_speak_of_the_population_that_is_asked_for(played: Desk, run: str) -> None:
    said = played.does("show", run, "--population", "episodes").out
    assert "only scores of one episode count as related" in " ".join(said.split())
    shown = played.does("show", run, "--json").json
    assert {table.get("population", "scenarios") for table in shown["tables"]} == {"scenarios"}
    episode = shown["episodes"][0]["id"]
    assert "is of the tables of a run" in refused(
        played, "show", episode, "--population", "episodes"
    )


def test_a_run_that_has_ended_has_nothing_left_to_resume(played: Desk, run: str) -> None:
    before = played.head()
    said = played.does("resume", run)
    assert "nothing is left to do" in said.err
    assert played.head() == before


def test_a_detached_run_waits_for_a_server(desk: Desk) -> None:
    path = desk.file("plan.toml", plan())
    run = desk.does("run", path, "--detach", "--json").json["run"]
    assert "`troupe serve`" in desk.does("run", path, "--detach").out
    shown = desk.does("show", run, "--json").json
    assert {row["status"] for row in shown["episodes"]} == {"planned"}
    assert "0 of 8; 8 not done yet" in desk.does("show", run).out


def test_a_judge_that_failed_is_missing_with_its_denominator(desk: Desk) -> None:
    with HostileServer(StubSettings(empty=1.0)) as server:
        judge = f'kind = "model"\nmodel = "m"\nadapter = "direct"\nbase_url = "{server.url}"\n'
        desk.file("mute.toml", judge)
        path = desk.file("plan.toml", plan(tasks=1, pairings='"same"', judges='["mute.toml"]'))
        said = desk.says("run", path)
    assert (said.code, "Every score is missing" in said.err) == (4, True)
    counts = desk.does("show", desk.does("runs", "--json").json[0]["id"], "--json").json["counts"]
    asked = counts["scores_asked"]
    assert asked > 0
    assert counts["scores_failed"] == asked
    assert f"scores failed        {asked} of {asked}" in said.out
    assert "declined" not in said.out


def test_scores_that_were_declined_are_nothing_that_went_wrong(desk: Desk) -> None:
    said = desk.does("run", desk.file("plan.toml", plan(judges='["belext-rule"]'))).out
    counts = desk.does("show", desk.does("runs", "--json").json[0]["id"], "--json").json["counts"]
    declined, asked = counts["scores_abstained"], counts["scores_asked"]
    assert declined > 0
    assert f"scores failed        0 of {asked}" in said
    assert f"{declined} of {asked} scores were declined" in said


def test_scoring_again_adds_a_judge_and_repeating_it_adds_nothing(played: Desk, run: str) -> None:
    mine = played.file(
        "mine.toml", 'name = "mine"\nkind = "rehearsal"\ntemper = "strict"\nseed = 9'
    )
    said = played.does("score", run, "--judge", mine)
    assert "Scores by mine" in said.out
    assert f"troupe compare {run} mine rehearsal-" in said.out
    before = played.head()
    again = played.does("score", run, "--judge", mine, "--json")
    assert {row["judge"] for row in again.json} == {"mine"}
    assert played.head() == before


def test_a_judge_that_scored_nothing_is_compared_with_nobody_and_told_how_to_score(
    played: Desk, run: str
) -> None:
    with HostileServer(StubSettings(status=401)) as server:
        model = (
            f'kind = "model"\nmodel = "openai/stub"\nadapter = "direct"\nbase_url = "{server.url}"'
        )
        judge = played.file("late.toml", model)
        said = played.says("score", run, "--judge", judge, "--no-probe")
    assert (said.code, "does not take the key" in " ".join(said.err.split())) == (3, True)
    assert "troupe compare" not in said.out + said.err

    told = refused(played, "compare", run, "rehearsal-strict", "late")
    assert "judge 'late': has scored nothing here" in told
    assert f"`troupe score {run} --judge JUDGE.toml` has a judge score it" in told
    told = refused(played, "compare", run, "belext-rule", "rehearsal-strict")
    assert f"`troupe score {run} --judge belext-rule`" in told


def test_a_judge_of_the_plan_does_not_score_a_second_time(played: Desk, run: str) -> None:
    before = played.head()
    said = " ".join(played.does("score", run, "-j", "rehearsal-strict").out.split())
    assert "Nothing to do: rehearsal-strict had scored all 8 episodes" in said
    assert "Episodes scored" not in said
    assert played.head() == before


def test_one_episode_can_be_scored(played: Desk, episode: str) -> None:
    mine = played.file(
        "mine.toml", 'name = "mine"\nkind = "rehearsal"\ntemper = "lenient"\nseed = 9'
    )
    rows = played.does("score", episode, "-j", mine, "--json").json
    assert {row["episode"] for row in rows} == {episode}
    assert len(rows) == 2 * 7


def test_judges_are_compared_over_several_runs_and_rehearsals_are_named(
    played: Desk, run: str
) -> None:
    judges = ("rehearsal-strict", "rehearsal-lenient")
    once = played.does("compare", run, *judges, "--json").json
    assert played.does("compare", run, run[:8], *judges, "--json").json == once
    assert sorted(once["rehearsal"]) == sorted(judges)
    assert "they are not findings" in played.does("compare", run, *judges).out
    assert "there is no run" in played.says("compare", *judges).err


def test_two_judges_are_compared_dimension_by_dimension(played: Desk, run: str) -> None:
    said = played.does("compare", run, "rehearsal-strict", "rehearsal-lenient")
    for name in ("GOAL", "BEL", "KNO", "SEC", "REL", "SOC", "FIN", "ALL"):
        assert f"\n {name} " in said.out
    assert "no score is missing" in said.out
    told = played.does("compare", run, "rehearsal-strict", "rehearsal-lenient", "--json").json
    assert {row["dimension"] for row in told["dimensions"]} >= {"goal", "overall"}


@pytest.mark.usefixtures("undrawn")
def test_a_report_is_written_where_it_is_wanted(played: Desk, run: str) -> None:
    path = played.folder / "page.html"
    said = played.does("report", run, "--out", str(path), "--json")
    assert said.json == {"run": run, "runs": [run], "path": str(path)}
    assert run in path.read_text()


def test_an_export_is_imported_without_loss_and_only_once(played: Desk, run: str) -> None:
    whole = str(played.folder / "whole.jsonl")
    written = played.does("export", run, "--out", whole, "--json").json
    shown = played.does("show", run, "--json").json
    played.move(played.folder / "elsewhere")
    brought = played.does("import", "episodes", whole, "--json").json
    assert (brought["kind"], brought["ids"]) == ("run", [run])
    assert brought["events"] == brought["stored"] == written["count"]
    assert played.does("show", run, "--json").json == shown
    before = played.head()
    assert "no change" in played.does("import", "episodes", whole).out
    assert played.head() == before


def test_episode_logs_go_out_and_come_in_and_can_be_judged_again(played: Desk, run: str) -> None:
    logs = str(played.folder / "logs.jsonl")
    written = played.does("export", run, "--format", "sotopia", "--out", logs, "--json").json
    assert written["count"] == 16, "eight episodes, two judges"
    played.move(played.folder / "elsewhere")
    brought = played.does("import", "episodes", logs, "-c", "starter", "--json").json
    assert len(brought["ids"]) == 8
    before = played.head()
    assert played.does("import", "episodes", logs, "-c", "starter", "--json").json["stored"] == 0
    assert played.head() == before
    first = brought["ids"][0]
    rows = played.does("score", first, "-j", "rehearsal-strict", "--json").json
    assert {row["status"] for row in rows} == {"scored"}


def test_tables_are_written_for_analysis(played: Desk, run: str) -> None:
    folder = played.folder / "tables"
    written = played.does("export", run, "-f", "parquet", "-o", str(folder), "--json").json
    tables = {Path(path).stem: pq.read_table(path) for path in written["paths"]}
    assert tables["episodes"].num_rows == 8
    assert set(tables["scores"]["judge"].to_pylist()) == {"rehearsal-strict", "rehearsal-lenient"}


async def test_ctrl_c_stops_a_run_cleanly_and_resume_goes_on_with_the_rest(tmp_path: Path) -> None:
    machine = Troupe(tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text(plan(tasks=12, judges='["rehearsal-strict"]', concurrency=2))
    store = machine.open()
    try:
        process = await machine.start("run", str(path))
        code = await process.tell_when(signal.SIGINT, lambda: store.head() > 60)
        said = process.said()
        assert code == 130, said
        assert "Stopped by you" in said
        assert "Traceback" not in said
        (row,) = queries.runs(store)
        assert f"troupe resume {row.id}" in said
        assert (row.status, row.pause_reason) == ("paused", "stopped")
        done = {e.id for e in queries.episodes(store) if e.status == "ended"}
        assert len(done) < row.episodes_planned
        counts = run_details(store, row.id).counts
        made = [one for one in queries.evaluations(store, run=row.id) if one.status == "ended"]
        assert counts.evaluations_open == counts.evaluations - len(made), "not done yet"
        assert counts.evaluations_missing == 0, "and so not missing"
        ended_at = {e.id: e.ended_at for e in queries.episodes(store) if e.id in done}

        resumed = await machine.start("resume", row.id)
        assert await resumed.ended() == 0, resumed.said()
        (row,) = queries.runs(store)
        assert (row.status, row.episodes_ended) == ("ended", row.episodes_planned)
        after = {e.id: e.ended_at for e in queries.episodes(store)}
        assert after.items() >= ended_at.items(), "what was done was not done again"
    finally:
        store.close()
    assert machine.servers() == []


@pytest.mark.long
async def test_a_played_episode_can_be_watched_from_another_process(tmp_path: Path) -> None:
    machine = Troupe(tmp_path)
    path = tmp_path / "plan.toml"
    async with StubServer() as stub:
        path.write_text(plan(model_minds(stub.url), tasks=1, rules="turn_cap = 6"))
        planned = await machine.start("run", str(path), "--detach")
        assert await planned.ended() == 0
        store = machine.open()
        try:
            (row,) = queries.episodes(store)
            watching = await machine.start("watch", row.id, "--json")
            playing = await machine.start("resume", row.run)
            assert await playing.ended() == 0, playing.said()
            await until(lambda: queries.episode(store, row.id).status == "ended")
            assert await watching.ended() == 0, watching.said()
        finally:
            store.close()
    lines = [line for line in watching.said().splitlines() if line.startswith("{")]
    assert len(lines) == 6 + 1, "each action once, then the ending"
    assert '"ended":"turn_cap"' in lines[-1]


@pytest.mark.long
async def test_scoring_with_a_spent_budget_pauses_and_a_larger_budget_lets_it_go_on(
    tmp_path: Path,
) -> None:
    machine = Troupe(tmp_path)
    path = tmp_path / "plan.toml"
    async with StubServer() as stub:
        # One answer spends it all, and one is all that the episode needs.
        budget = "tokens = 10"
        path.write_text(plan(model_minds(stub.url), tasks=1, rules="turn_cap = 1", budget=budget))
        (tmp_path / "judge.toml").write_text(
            f'kind = "model"\nmodel = "openai/stub"\nadapter = "direct"\nbase_url = "{stub.url}"\n'
        )
        played = await machine.start("run", str(path))
        assert await played.ended() == 0, played.said()
        score = ("score", "r", "--judge", str(tmp_path / "judge.toml"))
        paused = await machine.start(*score)
        assert await paused.ended() == 3, paused.said()
        assert "--budget-usd USD" in paused.said()
        more = await machine.start("resume", "r", "--budget-tokens", "0")
        assert await more.ended() == 0, more.said()
        scored = await machine.start(*score)
        assert await scored.ended() == 0, scored.said()
        assert "Episodes scored: 1;" in scored.said()
