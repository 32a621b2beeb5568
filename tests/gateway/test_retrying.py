"""What failed can be had again: episodes in which actions failed, and scores."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.models.limits.circuit_breaker import HeldModel
from actors.runs.execution.run_cache import RunCache
from events.run import ModelHeld, ModelReleased
from gateway.models.model_holds import ModelHolds
from store.log.event_store import ANY
from store.open_store import open_store
from store.read_model import queries
from tests.faults.hostile import HostileServer
from tests.gateway.command import Desk
from tests.support.runs import chain_plan, plan, record, state_of
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubSettings

RUBBISH = StubSettings(empty=1.0)
TURNS = "turn_cap = 4"


@pytest.fixture
def server() -> Iterator[HostileServer]:
    """Says nothing, until it is mended."""
    with HostileServer(RUBBISH) as server:
        yield server


def model(server: HostileServer) -> str:
    return (
        'kind = "model"\nmodel = "openai/stub"\nadapter = "direct"\n'
        f'base_url = "{server.url}"\ntimeout_s = 5.0\nretries = 1\n'
    )


def mixed(server: HostileServer) -> str:
    """A model beside a rehearsal: each pairing of the two, so that one episode of four is clean."""
    rehearsal = '[minds.kind]\nkind = "rehearsal"\ntemper = "generous"\n'
    return f"{rehearsal}[minds.stub]\n{model(server)}"


def test_marked_episodes_are_played_again_and_take_the_places_of_the_old(
    desk: Desk, server: HostileServer
):
    text = plan(mixed(server), tasks=1, judges='["rehearsal-strict"]', rules=TURNS)
    first = desk.does("run", desk.file("plan.toml", text), "--json").json
    run = first["run"]["id"]
    counted = first["run"]["episodes_marked"], first["run"]["episodes_failed"]
    assert counted == (2, 1), "the one without any answer was given up"
    old = {row["id"]: row for row in first["episodes"]}

    server.mend()
    again = desk.does("resume", run, "--retry-failed", "--json")
    assert "Episodes to play again, because actions in them failed: 3." in again.err
    new = {row["id"]: row for row in again.json["episodes"]}
    assert (again.json["run"]["status"], again.json["run"]["episodes_marked"]) == ("ended", 0)
    assert again.json["superseded"] == 3
    kept = old.keys() & new.keys()
    assert [old[id_]["failed_actions"] for id_ in kept] == [0]
    ends = {old[id_]["status"] for id_ in old.keys() - kept}
    assert ends == {"ended", "failed"}
    assert sorted(row["minds"] for row in new.values()) == sorted(
        row["minds"] for row in old.values()
    )
    assert [row["minds"] for row in new.values()] == [row["minds"] for row in old.values()]
    assert {row["task"] for row in new.values()} == {row["task"] for row in old.values()}

    store = desk.open()
    scored = {score.episode for score in queries.scores(store, run=run)}
    assert scored == set(new), "tables take the newest"
    plans = {row.id: row for row in queries.episodes(store, run=run, superseded=True)}
    for id_ in old.keys() - new.keys():
        assert plans[id_].superseded_by in new
        assert plans[id_].status == old[id_]["status"], "it stays in the log"
    store.close()
    desk.does("projections", "rebuild")
    store = desk.open()
    rows = {row.id: row for row in queries.episodes(store, run=run, superseded=True)}
    assert rows == plans, "tables say the same when computed anew"
    store.close()
    assert "older episodes were played again" in desk.does("show", run).out
    refused = desk.says("resume", run, "--retry-failed")
    assert (refused.code, "no episode of it" in refused.err) == (1, True)


def test_nothing_is_planned_anew_while_the_model_cannot_be_asked(desk: Desk, server: HostileServer):
    text = plan(mixed(server), tasks=1, judges='["rehearsal-strict"]', rules=TURNS)
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    server.settings = StubSettings(status=401)
    refused = desk.says("resume", run, "--retry-failed")
    assert (refused.code, "does not take the key" in refused.err) == (3, True)
    shown = desk.does("show", run, "--json").json
    assert (shown["run"]["status"], shown["superseded"]) == ("ended", 0)

    server.mend()
    again = desk.does("resume", run, "--retry-failed", "--json").json
    assert (again["run"]["status"], again["superseded"]) == ("ended", 3)


def test_a_run_that_is_not_over_is_not_planned_anew(desk: Desk, server: HostileServer):
    text = plan(mixed(server), tasks=1, rules=TURNS)
    desk.does("run", desk.file("plan.toml", text), "--detach")
    run = desk.does("runs", "--json").json[0]["id"]
    refused = desk.says("resume", run, "--retry-failed", "--detach")
    assert (refused.code, "is not over" in refused.err) == (1, True)


def test_an_episode_with_failed_actions_says_so_and_why(desk: Desk, server: HostileServer):
    text = plan(mixed(server), tasks=1, rules=TURNS, pairings='[["kind", "stub"]]')
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    said = desk.does("show", run)
    assert "a seat gave no answer" in said.out
    row = desk.does("show", run, "--json").json["episodes"][0]
    desk.width(200)
    shown = desk.does("show", row["id"]).out
    assert "gave no answer (" in shown
    assert "did nothing" not in shown
    failures = desk.does("show", row["id"], "--json").json["failures"]
    assert {one["seat"] for one in failures} == {1}
    assert all(one["failure"]["detail"] for one in failures)
    assert "gave no answer (" in desk.does("watch", row["id"]).out
    seen = desk.does("show", row["id"], "--as", "1", "--json").json
    assert "failures" not in seen, "why is for the narrator alone"
    assert "gave no answer" not in desk.does("show", row["id"], "--as", "1").out
    page = desk.folder / "report.html"
    desk.does("report", run, "--out", str(page))
    assert "No answer (" in page.read_text()


def test_marked_episodes_of_chains_stay_as_they_are(desk: Desk, server: HostileServer):
    text = chain_plan(
        length=2,
        pairs=1,
        memory='["none"]',
        minds=mixed(server),
        pairings='[["kind", "stub"]]',
        turn_cap=4,
    )
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    refused = desk.says("resume", run, "--retry-failed")
    assert refused.code == 1
    assert "marked episodes of chains stay as they are" in " ".join(refused.err.split())
    assert "Play the plan again" in refused.err


def test_scores_that_failed_are_asked_for_again_beside_the_old(desk: Desk, server: HostileServer):
    text = plan(tasks=1, rules=TURNS)
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    judge = desk.file("judge.toml", f'name = "stub judge"\n{model(server)}')

    missing = desk.says("score", run, "--judge", judge)
    assert missing.code == 4
    assert "Every score is missing" in missing.err
    assert "asked again" not in missing.err.lower().replace("asks again", "")

    server.mend()
    server.settings = StubSettings()
    whole = desk.does("score", run, "--judge", judge)
    assert "Asked again, because scores failed: 4 of 4." in whole.err
    assert "scores that failed" not in whole.out

    store = desk.open()
    rows = queries.evaluations(store, run=run)
    assert [row.failed for row in rows] == [0] * 4, "tables take those that scored"
    assert all(score.status == "scored" for score in queries.scores(store, run=run))
    episode = rows[0].episode
    every = queries.evaluations_by(store, rows[0].judge_hash, [episode])
    assert [(row.failed > 0, row.superseded_by) for row in every] == [
        (True, every[1].id),
        (False, ""),
    ]
    store.close()
    asked = server.stats.requests
    assert "Asked again" not in desk.does("score", run, "--judge", judge).err
    assert server.stats.requests == asked, "what is whole is not asked for again"


def test_scores_that_fail_again_are_asked_for_a_third_time(desk: Desk, server: HostileServer):
    text = plan(tasks=1, rules=TURNS, pairings='[["generous", "stubborn"]]')
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    judge = desk.file("judge.toml", f'name = "stub judge"\n{model(server)}')
    for _ in range(2):
        assert desk.says("score", run, "--judge", judge).code == 4
    server.mend()
    desk.does("score", run, "--judge", judge)
    store = desk.open()
    (row,) = queries.evaluations(store, run=run)
    assert row.failed == 0
    assert len(queries.evaluations_by(store, row.judge_hash, [row.episode])) == 3
    store.close()


def test_a_judge_whose_model_cannot_be_asked_leaves_nothing_behind(
    desk: Desk, server: HostileServer
):
    server.settings = StubSettings(status=403)
    text = plan(tasks=1, rules=TURNS)
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    judge = desk.file("judge.toml", f'name = "stub judge"\n{model(server)}')
    for options in ([], ["--no-probe"]):
        said = desk.says("score", run, "--judge", judge, *options)
        assert said.code == 3
        assert "may not be used with this key" in said.err
        assert "403" in said.err
    server.mend()
    assert "Asked again" not in desk.does("score", run, "--judge", judge).err


def test_a_fork_a_dry_run_and_the_doctor_ask_models_first(desk: Desk, server: HostileServer):
    server.settings = StubSettings(status=401)
    path = desk.file("plan.toml", plan(mixed(server), tasks=1, rules=TURNS))
    dry = desk.says("run", path, "--dry-run")
    assert (dry.code, "does not take the key" in dry.err) == (0, True)
    assert "Nothing was played or stored" in dry.out
    assert desk.does("run", path, "--dry-run", "--no-probe").err == ""
    sick = desk.says("doctor", path)
    assert (sick.code, "does not take the key" in sick.out) == (1, True)

    server.mend()
    healthy = desk.does("run", path, "--dry-run")
    assert "one tiny request each, outside the budget" in " ".join(healthy.err.split())
    assert desk.does("doctor", path).code == 0
    shown = desk.does("run", path, "--json").json
    episode = next(r["id"] for r in shown["episodes"] if r["minds"] == ["stub", "stub"])

    server.settings = StubSettings(status=401)
    head = desk.head()
    forked = desk.says("fork", episode, "--at", "2")
    assert (forked.code, "does not take the key" in forked.err) == (3, True)
    assert desk.head() == head, "no fork was begun"
    halted = desk.says("fork", episode, "--at", "2", "--no-probe")
    assert (halted.code, "does not take the key" in halted.err) == (3, True)
    store = desk.open()
    (fork,) = queries.episodes(store, parent=episode)
    store.close()
    assert (fork.status, fork.failed_actions) == ("playing", 0)
    server.mend()
    desk.does("resume", fork.id)


def test_a_model_that_is_held_has_a_line_where_its_run_is_shown_until_it_answers(desk: Desk):
    run = desk.does("run", desk.file("plan.toml", plan(tasks=1)), "--detach", "--json").json["run"]
    desk.width(200)
    store = desk.open()
    held = ModelHeld(model="openai/x", worker="w1", detail="status 500", waiting=3)
    store.append(f"run-{run}", ANY, [held], correlation=run)
    assert "openai/x fails (status 500): 3 calls wait until it answers; since 20" in (
        desk.does("show", run).out
    )
    (hold,) = desk.does("show", run, "--json").json["holds"]
    assert hold["held"]["waiting"] == 3
    store.append(f"run-{run}", ANY, [ModelReleased(model="openai/x", worker="w1")], correlation=run)
    store.close()
    assert "openai/x" not in desk.does("show", run).out


async def test_what_a_breaker_holds_is_told_to_runs_that_work_for_it(tmp_path: Path):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    run = record(store, tmp_path, plan(tasks=1))
    caller = Breakers()
    holds = ModelHolds(store, RunCache(store), caller)  # type: ignore[arg-type]
    with holds.working_for(run):
        watching = asyncio.create_task(holds.watch())
        caller.breakers = (HELD,)
        await until(lambda: [hold.held.model for hold in state_of(store, run).holds] == ["m"])
        caller.breakers = ()
        await until(lambda: not state_of(store, run).holds)
    watching.cancel()
    store.close()


class Breakers:
    """What a process's breakers say."""

    breakers: tuple[HeldModel, ...] = ()


HELD = HeldModel(
    model="m", base_url="", since=0.0, reason="server_error", detail="status 500", waiting=2
)


def test_what_could_not_be_read_is_shown_in_its_first_words_and_with_raw_as_a_whole(
    desk: Desk, server: HostileServer
):
    prose = "Adaeze smiles.\x1b[2J " + "She would rather talk about the weather. " * 20
    server.settings = StubSettings(choice={"message": {"content": prose + "The end."}})
    text = plan(mixed(server), tasks=1, rules=TURNS, pairings='[["kind", "stub"]]')
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    episode = desk.does("show", run, "--json").json["episodes"][0]["id"]
    shown = " ".join(desk.does("show", episode).out.split())
    assert "not readable: it wrote prose, not JSON; it said: “Adaeze smiles.␛[2J She" in shown
    assert "The end." not in shown
    assert "\x1b" not in shown
    whole = " ".join(desk.does("show", episode, "--raw").out.split())
    assert whole.count("The end.") == shown.count("it said:") > 0
    assert "\x1b" not in whole
    assert "smiles" not in desk.does("show", episode, "--as", "spectator", "--raw").out
    assert "only episodes" in desk.says("show", run, "--raw").err
