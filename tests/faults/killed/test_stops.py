"""Ctrl-C, SIGTERM and a spent budget: the run pauses, and goes on with what is not done only."""

import signal
from pathlib import Path

import pytest

from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import answers, model_minds, plan, record
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store, whole_log

RULES = "turn_cap = 6"


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)]
)
async def test_a_stopped_run_keeps_every_answer_and_is_resumed(
    tmp_path: Path, number: signal.Signals
):
    troupe = Troupe(tmp_path)
    store = troupe.open()
    async with StubServer(StubSettings(latency_s=0.2)) as stub:
        text = plan(model_minds(stub.url), tasks=20, rules=RULES, judges='["rehearsal-strict"]')
        run = record(store, tmp_path, text)
        process = await troupe.start("resume", run, "--no-probe")
        code = await process.tell_when(number, lambda: stub.stats.answers >= 30)
        assert code == 130, process.said()
        row = queries.run(store, run)
        assert (row.status, row.pause_reason) == ("paused", "stopped")
        assert not troupe.servers()
        assert len(answers(store)) == stub.stats.answers, "what was asked was waited for"
        done = len(whole_log(store))

        process = await troupe.start("resume", run, "--no-probe")
        assert await process.ended() == 0, process.said()
        assert len(whole_log(store)) > done
        assert set(stub.stats.answers_by_body.values()) == {1}
    check_store(store, run)
    store.close()


@pytest.mark.long
async def test_a_spent_budget_pauses_the_run_and_a_larger_one_ends_it(tmp_path: Path):
    troupe = Troupe(tmp_path)
    store = troupe.open()
    async with StubServer(StubSettings(latency_s=0.05)) as stub:
        text = plan(model_minds(stub.url), tasks=12, rules=RULES, budget="tokens = 20_000")
        run = record(store, tmp_path, text)
        process = await troupe.start("resume", run, "--no-probe")
        assert await process.ended() == 3, process.said()
        assert "Paused: " in process.said()
        row = queries.run(store, run)
        assert (row.status, row.pause_reason) == ("paused", "budget")
        spent = queries.spent(store, run)
        assert f"run {run} has spent" in row.pause_detail
        assert "20,000 tokens" in row.pause_detail
        assert spent.tokens >= 20_000
        assert len(answers(store)) == stub.stats.answers, "what was asked was waited for"

        process = await troupe.start("resume", run, "--budget-tokens", "0", "--no-probe")
        assert await process.ended() == 0, process.said()
        assert queries.spent(store, run).tokens > spent.tokens
        assert set(stub.stats.answers_by_body.values()) == {1}
    check_store(store, run)
    store.close()
