"""An environment in a package of its own does all that ours do, and nothing else knows of it."""

import json
from pathlib import Path

import pytest
from rock_paper_scissors.environment import winners

from actors.runtime.embedded_nats.server import EmbeddedNats
from events.ids import new_id
from events.wire.subjects import seat_news
from tests.faults.plain_client import Player, decode
from tests.faults.process import Troupe
from tests.gateway.command import Desk
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store

PLAN = """
environment = "rock_paper_scissors"
catalog = "playground"
seed = 7
[rock_paper_scissors]
best_of = {best_of}
[tasks]
ids = ["{task}"]
{minds}
[seats]
pairings = {pairings}
repeats = {repeats}
[judges]
use = ["referee"]
"""
REHEARSAL = """
[minds.mixed]
kind = "rehearsal"
temper = "mixed"
[minds.rocky]
kind = "rehearsal"
temper = "rock"
"""

MODEL = """
[minds.model]
kind = "model"
model = "openai/stub"
adapter = "direct"
base_url = "{url}"
structured_output = true
"""


def plan(
    minds: str = REHEARSAL,
    pairings: str = '[["mixed", "rocky"]]',
    *,
    task: str = "duel",
    best_of: int = 3,
    repeats: int = 1,
) -> str:
    return PLAN.format(minds=minds, pairings=pairings, task=task, best_of=best_of, repeats=repeats)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def ran(desk: Desk, text: str) -> tuple[str, list[dict]]:
    """Play a plan; the run and its episodes."""
    desk.does("run", desk.file("plan.toml", text))
    run = desk.does("runs", "--json").json[0]["id"]
    return run, desk.does("show", run, "--json").json["episodes"]


@pytest.mark.parametrize(
    ("hands", "won"),
    [
        (("rock", "scissors"), (0,)),
        (("rock", "rock"), ()),
        (("rock", "paper", "scissors"), ()),
        (("paper", "paper", "rock"), (0, 1)),
        (("none", "rock"), (1,)),
        (("none", "none"), ()),
    ],
)
def test_who_beats_somebody_and_is_beaten_by_nobody_wins(hands, won):
    assert winners(hands) == won


def test_a_plan_is_played_shown_replayed_at_every_event_and_watched(desk: Desk):
    _, (episode,) = ran(desk, plan())
    assert (episode["environment"], episode["status"]) == ("rock_paper_scissors", "ended")
    assert episode["summary"]["rounds"] == episode["turns"]
    id_ = episode["id"]
    shown = desk.does("show", id_, "--json").json
    assert len(shown["view"]["noticed"]) == episode["turns"]
    last = desk.does("replay", id_, "--json").json["last"]
    for at in range(last + 1):
        replayed = desk.does("replay", id_, "--at", str(at), "--as", "1", "--json").json
        seen = [round_ for round_ in shown["view"]["noticed"] if round_["number"] <= at]
        assert replayed["view"].get("noticed", []) == seen, "a hand is hidden until all have thrown"
    *rounds, end = map(json.loads, desk.does("watch", id_, "--json").out.splitlines())
    assert rounds == shown["view"]["noticed"]
    assert end["ended"] == episode["end_reason"]


def test_three_play_and_a_hand_that_no_mind_gave_beats_nothing(desk: Desk):
    minds = REHEARSAL + '[minds.gone]\nkind = "recorded"\nepisode = "nowhere"\n'
    said = desk.says("run", desk.file("plan.toml", plan(minds, '[["gone", "rocky"]]')))
    assert said.code != 0
    _, (episode,) = ran(desk, plan(pairings='[["rocky", "mixed", "mixed"]]', task="trio"))
    assert len(episode["characters"]) == 3
    assert episode["status"] == "ended"


def test_a_fork_goes_on_with_another_mind_and_a_record_repeats_what_was_done(desk: Desk):
    _, (episode,) = ran(desk, plan(pairings='[["rocky", "rocky"]]'))
    assert episode["end_reason"] == "exhausted"
    fork = desk.does(
        "fork", episode["id"], "--at", "5", "--seat", "2=rehearsal:paper", "--json"
    ).json
    assert fork["episode"]["summary"]["winner"] == "Bo"
    recorded = f'[minds.again]\nkind = "recorded"\nepisode = "{fork["episode"]["id"]}"\n'
    _, (again,) = ran(desk, plan(recorded, '[["again", "again"]]'))
    hands = [
        [round_["hands"] for round_ in desk.does("show", id_, "--json").json["view"]["noticed"]]
        for id_ in (fork["episode"]["id"], again["id"])
    ]
    assert hands[0] == hands[1]


def test_scores_are_compared_reported_exported_and_imported(desk: Desk, tmp_path: Path):
    run, episodes = ran(desk, plan(pairings='"all"', repeats=2))
    scores = desk.does("show", episodes[0]["id"], "--json").json["scores"]
    assert {score["dimension"] for score in scores} == {"rounds_won"}
    refused = desk.says("score", run, "--judge", "rehearsal-strict")
    assert refused.code != 0
    assert "environment" in refused.err
    desk.does("report", run, "--out", str(tmp_path / "run.html"))
    page = (tmp_path / "run.html").read_text()
    assert "Matches" in page
    assert "won by" in page
    desk.does("export", run, "--out", str(tmp_path / "run.jsonl"))
    desk.does("export", run, "--format", "parquet", "--out", str(tmp_path / "tables"))
    before = {row["id"]: desk.does("show", row["id"], "--json").json for row in episodes}
    desk.move(tmp_path / "elsewhere")
    desk.does("import", "episodes", str(tmp_path / "run.jsonl"))
    for id_, shown in before.items():
        assert desk.does("show", id_, "--json").json["view"] == shown["view"]


def test_what_is_wrong_in_its_section_is_named(desk: Desk):
    said = desk.says("run", desk.file("plan.toml", plan(best_of=100)))
    assert said.code != 0
    assert "rock_paper_scissors.best_of" in said.err
    said = desk.says(
        "run", desk.file("plan.toml", plan().replace('temper = "rock"', 'temper = "wily"'))
    )
    assert said.code != 0
    assert "wily" in said.err


def test_players_of_ones_own_are_written_checked_taken_in_and_played(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(desk.folder)
    desk.does("catalog", "new", "club", "--environment", "rock_paper_scissors")
    tasks = desk.folder / "club" / "tasks.toml"
    assert "#   players  a list of texts, needed." in tasks.read_text()
    tasks.write_text('[[task]]\nid = "final"\nplayers = ["Dee", "Eli"]\n')
    checked = desk.does("catalog", "check", "club", "--json").json
    assert checked["tasks"] == [{"task": "final", "title": "final", "characters": ["Dee", "Eli"]}]
    tasks.write_text(tasks.read_text().replace('"Dee", ', ""))
    said = desk.says("catalog", "check", "club")
    assert said.code == 1
    assert "tasks.toml, line 1, task 'final': two or three play, not 1" in said.out
    tasks.write_text(tasks.read_text().replace("players", "player"))
    assert "did you mean 'players'?" in desk.says("catalog", "import", "club").err
    tasks.write_text('[[task]]\nid = "final"\nplayers = ["Dee", "Eli"]\n')
    desk.does("catalog", "import", "club")
    desk.does("run", "club-plan.toml")
    run = desk.does("runs", "--json").json[0]["id"]
    played = desk.does("show", run, "--json").json["episodes"]
    assert {tuple(one["characters"]) for one in played} == {("Dee", "Eli")}


def test_what_nobody_knows_before_is_not_estimated(desk: Desk):
    path = desk.file("plan.toml", plan(MODEL.format(url="http://127.0.0.1:1/v1"), '"same"'))
    assert "as many as it takes" in desk.does("run", path, "--dry-run", "--no-probe").out
    counts = desk.does("run", path, "--dry-run", "--no-probe", "--json").json
    assert {"estimates", "usd"}.isdisjoint(counts)


@pytest.mark.long
async def test_a_model_is_asked_with_a_schema_and_its_hand_is_played(tmp_path: Path):
    async with StubServer(StubSettings()) as stub:
        model = MODEL.format(url=stub.url)
        (tmp_path / "plan.toml").write_text(plan(model + REHEARSAL, '[["model", "rocky"]]'))
        troupe = Troupe(tmp_path)
        path = str(tmp_path / "plan.toml")
        process = await troupe.start("run", path, "--no-probe", "--json")
        assert await process.ended() == 0, process.said()
    assert stub.bodies
    assert all("response_format" in body for body in stub.bodies)
    assert '"actions_failed":0' in process.said().replace(" ", "")


@pytest.mark.long
async def test_a_run_that_is_killed_goes_on_as_if_nothing_had_been(tmp_path: Path):
    troupe = Troupe(tmp_path)
    text = plan(pairings='"all"', repeats=6, best_of=99)
    (tmp_path / "plan.toml").write_text(text)
    store = troupe.open()
    process = await troupe.start("run", str(tmp_path / "plan.toml"))
    await process.kill_when(lambda: store.head() > 400)
    (run,) = {e.stream for e in store.read_all(0, tags=["RunPlanned"])}
    process = await troupe.start("resume", run.removeprefix("run-"))
    assert await process.ended() == 0, process.said()
    check_store(store, run.removeprefix("run-"))
    store.close()


async def test_a_remote_seat_is_asked_and_hears_what_it_notices(
    tmp_path: Path, nats_server: EmbeddedNats
):
    space = new_id("t")
    troupe = Troupe(
        tmp_path,
        TROUPE_NATS_URL=nats_server.url,
        TROUPE_NATS_TOKEN=nats_server.token,
        TROUPE_SPACE=space,
    )
    (tmp_path / "plan.toml").write_text(
        plan('[minds.far]\nkind = "remote"\n' + REHEARSAL, '[["far", "rocky"]]')
    )
    store = troupe.open()
    process = await troupe.start("run", str(tmp_path / "plan.toml"))
    await process.while_running(lambda: store.read_all(0, tags=["TurnOpened"]))
    (opened, *_) = store.read_all(0, tags=["TurnOpened"])
    episode = opened.stream.removeprefix("episode-")
    player = await Player.join(nats_server.url, nats_server.token, space, episode, 0)
    news = await player.client.subscribe(seat_news(space, episode, 0))
    await player.look()
    turn = 0
    while (seen := await player.asked(turn))["type"] == "Observation":
        turn = seen["turn"]
        assert seen["questions"][0]["question"]["round"] == turn
        reply = await player.act(turn, "", {"action": {"hand": "paper"}})
        assert reply["type"] == "Accepted"
    assert seen["reason"] == "won"
    told = decode((await news.next_msg(timeout=60)).data)
    assert told["news"][-1]["hands"] == ["paper", "rock"]
    await player.leave()
    assert await process.ended() == 0, process.said()
    store.close()
