"""Runs of chains from the command line and in a server."""

import tomllib
from pathlib import Path

import msgspec
import pytest

from actors.episodes.chain_support import ChainSection
from actors.social.catalog.starter import starter_catalog
from actors.social.chains.meetings import meetings
from events.chain import ChainAdvanced
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.process import Troupe
from tests.gateway.command import Desk
from tests.support.runs import chain_plan, plan, state_of
from tests.support.store_checks import check_store

ROOT = Path(__file__).parents[2]
LIFELONG = ROOT / "plans" / "lifelong.toml"
PAPER = ROOT / "examples" / "lifelong-paper.toml"


def test_the_plan_of_the_paper_is_sound_and_says_what_it_means(desk: Desk) -> None:
    forecast = desk.does("run", str(LIFELONG), "--dry-run", "--json").json
    assert (forecast["chains"], forecast["chain_length"], forecast["chain_hard"]) == (4, 45, 5)
    assert forecast["episodes"] == 180
    assert forecast["evaluations"] == 3 * 180
    assert forecast["chain_scenarios"] == [40, 40]
    assert forecast["play_calls"] == forecast["note_calls"] == forecast["judge_calls"] == 0
    said = desk.does("run", str(LIFELONG), "--dry-run").out
    assert "4 of 45 episodes" in said
    assert "model calls to remember" in said


@pytest.mark.parametrize("path", [LIFELONG, PAPER], ids=lambda path: path.name)
def test_a_pair_of_the_paper_s_plans_plays_forty_scenarios_and_then_five_hard_ones(
    path: Path,
) -> None:
    catalog = starter_catalog()
    needing = {scenario.id for scenario in catalog.scenarios if scenario.needs}
    section = msgspec.convert(tomllib.loads(path.read_text())["chains"], ChainSection)
    found = meetings(section, catalog, path.name)
    assert len(found) == 4
    for meeting in found:
        row = meeting.scenarios
        assert len(row) == len(set(row)) == 45
        assert not needing & set(row[:40])
        assert set(row[40:]) <= needing


@pytest.mark.parametrize(
    ("change", "where", "why"),
    [
        (('memory = ["summary"]', 'memory = ["sumary"]'), "chains.memory", "'summary'"),
        (("length = 40", "lenght = 40"), "chains", "did you mean 'length'"),
        (("scenarios = []", 'scenarios = ["two_kyes"]'), "chains.scenarios", "'two_keys'"),
        (("pairs = 4", "pairs = 900"), "chains.pairs", "900 casts"),
    ],
)
def test_what_is_wrong_with_a_plan_of_chains_is_said_in_a_sentence(
    desk: Desk, change: tuple[str, str], where: str, why: str
) -> None:
    text = LIFELONG.read_text()
    assert change[0] in text
    said = desk.says("run", desk.file("plan.toml", text.replace(*change)), "--dry-run")
    assert said.code == 1
    assert f"plan.toml, {where}: " in said.err
    assert why in said.err
    assert "Traceback" not in said.err
    assert desk.head() == 0 or not desk.does("runs", "--json").json


def test_a_run_of_chains_shows_how_far_they_are_and_how_to_see_their_curves(desk: Desk) -> None:
    said = desk.does("run", desk.file("plan.toml", chain_plan(length=3)))
    assert "chains played" in said.err
    assert "troupe curves r" in said.out
    chain = desk.does("runs", "--json").json[0]["id"]
    store = desk.open()
    try:
        (first, _) = state_of(store, chain).chains
    finally:
        store.close()
    said = desk.says("resume", first.id)
    assert said.code == 1
    assert f"`troupe resume {chain}` goes on with it" in said.err


def begun_once(store: EventStore) -> None:
    """Every episode began once, and every chain is over."""
    begun = [envelope.stream for envelope in store.read_all(tags=["EpisodeStarted"])]
    assert len(set(begun)) == len(begun)
    assert {row.status for row in queries.chains(store)} == {"ended"}


@pytest.mark.long
async def test_a_killed_run_goes_on_in_the_middle_of_its_chains(tmp_path: Path) -> None:
    machine = Troupe(tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text(chain_plan(length=9, pairs=3, judges='["rehearsal-strict"]'))
    store = machine.open()

    def advanced() -> int:
        return len(store.read_all(tags=[ChainAdvanced.__name__]))

    try:
        process = await machine.start("run", str(path))
        await process.kill_when(lambda: advanced() > 5)
        assert advanced() < 27, "it was killed in the middle"
        (row,) = queries.runs(store)
        assert row.status == "running"
        playing = [e for e in queries.episodes(store) if e.status == "playing"]
        for episode in playing[:1]:
            alone = await machine.start("resume", episode.id)
            assert await alone.ended() == 1
            assert f"`troupe resume {row.id}` plays it" in alone.said()
        resumed = await machine.start("resume", row.id)
        assert await resumed.ended() == 0, resumed.said()
        (row,) = queries.runs(store)
        assert (row.status, row.episodes_ended) == ("ended", 27)
        begun_once(store)
        check_store(store, row.id)
    finally:
        store.close()
    assert machine.servers() == []


@pytest.mark.long
async def test_a_server_carries_out_several_runs_and_those_that_come_later(tmp_path: Path) -> None:
    machine = Troupe(tmp_path)
    chains, tasks = tmp_path / "chains.toml", tmp_path / "tasks.toml"
    chains.write_text(chain_plan(length=5, judges='["rehearsal-strict"]'))
    tasks.write_text(plan(tasks=3, judges='["rehearsal-strict"]'))
    for path in (chains, tasks):
        queued = await machine.start("run", str(path), "--detach")
        assert await queued.ended() == 0, queued.said()
    store = machine.open()
    try:
        server = await machine.start("serve", "--port", "0")
        await server.while_running(lambda: statuses(store) == ["ended", "ended"])
        later = await machine.start("run", str(tasks), "--detach")
        assert await later.ended() == 0, later.said()
        await server.while_running(lambda: statuses(store) == ["ended"] * 3)
        assert await server.stop() == 0
        begun_once(store)
        for row in queries.runs(store):
            check_store(store, row.id)
    finally:
        store.close()
    assert machine.servers() == []


def statuses(store: EventStore) -> list[str]:
    """How all runs stand, the oldest first."""
    return [row.status for row in queries.runs(store)]
