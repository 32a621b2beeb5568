"""Runs whose model misbehaves: 429, 500, time-outs, answers cut off, wrong names, nothing."""

import functools
from collections import Counter
from pathlib import Path

import pytest
from markupsafe import escape

import gateway.process.worker_node
from actors.models.caller import Backoff, ModelCaller
from actors.runtime.embedded_nats.server import EmbeddedNats
from evaluators.report import write_report
from events.episode import ActionTaken
from gateway.services.runs.run_details import run_details
from store.open_store import open_store
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.faults.process import Troupe
from tests.faults.questions import hash_of
from tests.support.runs import answers, carry_out_here, model_minds, plan, record, settings_of
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store

RATES = dict.fromkeys(
    ("rate_limited", "server_error", "hang", "truncated", "wrong_name", "empty"), 0.1
)
RULES = "turn_cap = 6"


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between retries of calls that are short enough for a test."""
    quick = functools.partial(ModelCaller, backoff=Backoff(first_s=0.01, longest_s=0.05))
    monkeypatch.setattr(
        gateway.process.worker_node, "ModelCaller", lambda models, **_: quick(models)
    )


def judge_file(folder: Path, base_url: str, adapter: str) -> str:
    """A judge that asks the same server."""
    (folder / "judge.toml").write_text(
        f'name = "stub judge"\nkind = "model"\nmodel = "openai/stub"\nadapter = "{adapter}"\n'
        f'base_url = "{base_url}"\ntimeout_s = 1.0\nretries = 1\n'
    )
    return '["judge.toml"]'


@pytest.mark.long
@pytest.mark.parametrize("adapter", ["direct", "litellm"])
@pytest.mark.usefixtures("quick_retries")
async def test_what_passes_is_tried_again_and_what_cannot_be_read_is_counted_and_shown(
    tmp_path: Path,
    nats_server: EmbeddedNats,
    space: str,
    adapter: str,
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    rates = RATES | dict.fromkeys(("truncated", "wrong_name", "empty"), 0.15) | {"hang": 0.03}
    async with StubServer(StubSettings(seed=4, hang_s=2.0, **rates)) as stub:
        minds = model_minds(stub.url, adapter, timeout_s=1.0, retries=9)
        judges = judge_file(tmp_path, stub.url, adapter)
        text = plan(minds, tasks=20, judges=judges, rules=RULES, concurrency=20)
        run = record(store, tmp_path, text)
        progress = await carry_out_here(
            settings_of(tmp_path, store, nats_server, space), store, run
        )
        assert progress.done
        met = set(stub.stats.faults)
    assert met == set(rates), "the server did all that it can do wrong"
    check_store(store, run)

    rows = queries.episodes(store, run=run)
    taken = {row.id: [n.event for n in read_history(store, row.id)] for row in rows}
    failures = {
        id_: [e.failure for e in events if isinstance(e, ActionTaken) and e.failure]
        for id_, events in taken.items()
    }
    marked = {row.id: row.failed_actions for row in rows}
    assert marked == {id_: len(f) for id_, f in failures.items()}
    reasons = {failure.reason for some in failures.values() for failure in some}
    assert reasons, "some answers could not be read"
    assert not reasons & {"timeout", "model_error"}, "what passes is no action"
    assert all(
        event.action.kind == "none"
        for events in taken.values()
        for event in events
        if isinstance(event, ActionTaken) and event.failure
    )
    shown = {row.id: row.failed_actions for row in run_details(store, run).episodes}
    assert shown == marked
    page = write_report(store, run, tmp_path / "report.html").read_text()
    detail = next(failure.detail for some in failures.values() for failure in some)
    assert str(escape(detail)) in page
    store.close()


@pytest.mark.long
async def test_answers_are_paid_once_though_the_worker_is_killed_again_and_again(tmp_path: Path):
    tasks, kills = 20, (30, 60, 90)  # so many answers before each kill
    troupe = Troupe(tmp_path)
    store = troupe.open()
    rates = RATES | {"hang": 0.02}  # retries wait in earnest here
    killed: list[tuple[int, set[str]]] = []
    settings = StubSettings(seed=5, hang_s=2.0, latency_s=0.1, retry_after="0", **rates)
    async with StubServer(settings) as stub:
        minds = model_minds(stub.url, timeout_s=5.0, retries=2)
        run = record(store, tmp_path, plan(minds, tasks=tasks, rules=RULES, concurrency=tasks))
        spec = queries.plan(store, run).plan.minds[0].model
        assert spec is not None
        for count in kills:
            process = await troupe.start("resume", run)
            await process.kill_when(lambda count=count: stub.stats.answers >= count)
            await until(lambda: stub.stats.inflight == 0)
            paid = {answer.request_hash for _, answer in answers(store)}
            assert paid, "it was killed in the middle"
            killed.append((len(stub.bodies), paid))
        process = await troupe.start("resume", run)
        assert await process.ended() == 0, process.said()
        for before, paid in killed:
            asked = {hash_of(body, spec) for body in stub.bodies[before:]}
            assert asked, "there was something left to ask"
            assert not asked & paid, "what was stored is not asked for again"
    check_store(store, run)
    questions = Counter(answer.request_hash for _, answer in answers(store))
    assert max(questions.values()) == 1, "each question of this run is asked by one seat only"
    assert sum(questions.values()) > 5 * tasks
    store.close()
