"""``troupe.resume``: a run or a fork that was stopped goes on from Python."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import troupe
from tests.faults.hostile import HostileServer
from tests.gateway.command import Desk
from tests.gateway.test_contexts import served
from tests.support.servers.stub_llm import StubServer, StubSettings


def plan(stub: StubServer, max_tokens: int = 400, **more: Any) -> dict[str, Any]:
    model = troupe.Model(
        "stub",
        adapter="direct",
        base_url=stub.url,
        max_tokens=max_tokens,
        input_usd_per_million=1.0,
        output_usd_per_million=1.0,
    )
    return {
        "seed": 5,
        "minds": {"a": model, "b": "rehearsal:wily"},
        "seats": {"pairings": [["a", "b"]]},
        "tasks": {"limit": 2},
        "rules": {"turn_cap": 6},
        **more,
    }


async def test_a_run_whose_budget_was_spent_goes_on_with_another(
    data: Path, nothing_left: None
) -> None:
    async with StubServer(StubSettings()) as stub:
        run = await troupe.aio.run(
            plan(stub, budget={"tokens": 2000}), where=data, progress=False, probe=False
        )
        assert run.status == "paused"
        still = await troupe.aio.resume(run, progress=False, probe=False)
        assert isinstance(still, troupe.Run)
        assert (still.id, still.status) == (run.id, "paused"), "no more was allowed"
        done = await troupe.aio.resume(run.id[:12], tokens=0, where=data, progress=False)
        assert isinstance(done, troupe.Run)
        assert (done.id, done.status) == (run.id, "ended")
        answered = stub.stats.answers_by_body
        assert set(answered.values()) == {1}, "what was paid for was not asked again"
        before = stub.stats.requests
        over = await asyncio.to_thread(troupe.resume, done, progress=False)
        assert (over.status, stub.stats.requests) == ("ended", before)


def test_a_fork_that_waits_goes_on(played: troupe.Episode, nothing_left: None) -> None:
    at = played.turns[1].number
    with HostileServer(StubSettings(status=401)) as server:
        mind = troupe.Model("stub", adapter="direct", base_url=server.url, retries=0)
        with pytest.raises(troupe.Unfinished) as met:
            troupe.fork(played, at=at, minds={1: mind}, progress=False, probe=False)
        server.settings = StubSettings()
        forked = troupe.resume(met.value.id, where=played.store, progress=False)
    assert isinstance(forked, troupe.Episode)
    assert (forked.id, forked.status) == (met.value.id, "ended")


def test_episodes_with_failed_actions_are_played_again(data: Path) -> None:
    with HostileServer(StubSettings(truncated=1.0)) as server:
        run = troupe.run(plan(server), where=data, progress=False, probe=False)
        assert any(turn.failed for episode in run.episodes for turn in episode.turns)
        server.settings = StubSettings()
        again = troupe.resume(run, retry_failed=True, progress=False, probe=False)
    assert isinstance(again, troupe.Run)
    assert not any(turn.failed for episode in again.episodes for turn in episode.turns)
    with pytest.raises(troupe.Error, match="has a failed action"):
        troupe.resume(run, retry_failed=True, progress=False)


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: troupe.resume("r9x"), "r9x"),
        (lambda: troupe.resume("r9x", usd=-1), "usd '-1': must be 0 \\(no limit\\) or more"),
    ],
)
def test_what_cannot_be_resumed_is_said(data: Path, call: Any, why: str) -> None:
    with pytest.raises(troupe.Error, match=why):
        call()


def test_an_episode_has_no_budget(played: troupe.Episode) -> None:
    with pytest.raises(troupe.Error, match="only a run has a budget"):
        troupe.resume(played, usd=3, progress=False)


def test_prompts_that_do_not_fit_are_said_before_a_run_begins(desk: Desk) -> None:
    with HostileServer(served(300)) as server:
        with pytest.raises(troupe.Error, match="takes 300 of both"):
            troupe.run(plan(server), progress=False)
        assert not troupe.open_store(desk.data_dir).runs.rows()
        server.settings = served(4096)
        long = plan(server, max_tokens=3000)
        with pytest.warns(UserWarning, match="takes 4,096 of both"):
            troupe.run(long, progress=False)
