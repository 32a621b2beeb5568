"""A run is carried out by one process at a time, whoever asks for it, and each request is sent
once; whoever comes next takes over when the first is gone."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.process.run_leases import RENEWALS
from gateway.services.runs.plan_run import prepare, record_run
from store.leases import MICRO, Lease, leases
from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import answers, model_minds, plan, record
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store

RULES = "turn_cap = 6"
REFUSED = 1
TASKS = 8
WAIT_S = 4.0


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """Settings of a database."""
    if request.param == "sqlite":
        yield {}
    else:
        yield {"TROUPE_DATABASE_URL": request.getfixturevalue("postgres_url")}


def text(url: str) -> str:
    return plan(model_minds(url), tasks=TASKS, rules=RULES)


def silent(lease: Lease) -> bool:
    """Whether who comes now waits for its holder, and does not leave the run to it."""
    return lease.now - lease.renewed_at >= 2 * WAIT_S / RENEWALS * MICRO


def judge(name: str, stub: StubServer, folder: Path) -> str:
    """A judge file."""
    file = folder / f"{name}.toml"
    model = f'model = "openai/stub"\nadapter = "direct"\nbase_url = "{stub.url}"\n'
    file.write_text(f'name = "{name}"\nkind = "model"\n{model}')
    return str(file)


async def test_of_two_that_resume_a_run_at_once_one_carries_it_out(
    tmp_path: Path, database: dict[str, str]
):
    troupe = Troupe(tmp_path, **database)
    # On PostgreSQL another machine: a data folder of its own.
    elsewhere = Troupe(tmp_path / "elsewhere", **database) if database else troupe
    store = troupe.open()
    async with StubServer(StubSettings(latency_s=5)) as stub:
        run = record(store, tmp_path, text(stub.url))
        both = [await one.start("resume", run, "--no-probe") for one in (troupe, elsewhere)]
        await until(lambda: leases(store))
        begun = store.version(f"run-{run}")
        left = await troupe.start("resume", run, "--detach")
        assert await left.ended() == REFUSED, "a server would wait for it"
        stub.settings = StubSettings(latency_s=0.2)  # slow until here, so that the run is under way
        codes = [await one.ended() for one in both]
        assert store.version(f"run-{run}") == begun + 1, "only its end was stored"
        assert set(stub.stats.by_body.values()) == {1}, stub.stats.by_body
    assert sorted(codes) == [0, REFUSED], [one.said() for one in both]
    refused = both[codes.index(REFUSED)].said()
    holder = both[codes.index(0)].process.pid
    assert f"run {run} is carried out by `troupe resume` (pid {holder} on " in refused
    assert " since " in refused
    check_store(store, run)
    assert leases(store) == []
    store.close()


async def test_who_resumes_after_a_kill_goes_on_at_once(tmp_path: Path, database: dict[str, str]):
    troupe = Troupe(tmp_path, TROUPE_ACK_WAIT_S="3600", **database)
    store = troupe.open()
    async with StubServer(StubSettings(latency_s=0.1)) as stub:
        run = record(store, tmp_path, text(stub.url))
        first = await troupe.start("resume", run, "--no-probe")
        await first.kill_when(lambda: stub.stats.answers >= 5)
        assert [one.pid for one in leases(store)] == [first.process.pid]
        second = await troupe.start("resume", run, "--no-probe")
        assert await second.ended() == 0, second.said()
    check_store(store, run)
    store.close()


async def test_who_stalls_elsewhere_loses_the_run_and_asks_nothing_more(
    tmp_path: Path, postgres_url: str
):
    wait = {"TROUPE_DATABASE_URL": postgres_url, "TROUPE_ACK_WAIT_S": f"{WAIT_S:g}"}
    troupe, elsewhere = Troupe(tmp_path, **wait), Troupe(tmp_path / "elsewhere", **wait)
    store = troupe.open()
    async with StubServer(StubSettings(latency_s=0.2)) as stub:
        run = record(store, tmp_path, text(stub.url))
        first = await elsewhere.start("resume", run, "--no-probe")
        await first.while_running(lambda: stub.stats.answers >= 5)
        # Each of its episodes waits for an answer: no request of it is still on its way.
        stub.answering.clear()
        await first.while_running(lambda: stub.stats.inflight == TASKS)
        first.process.send_signal(signal.SIGSTOP)
        # What was on its way is lost on the one that stands still, and asked again.
        before = dict(stub.stats.by_body)
        stub.answering.set()
        await until(lambda: all(map(silent, leases(store))))
        second = await troupe.start("resume", run, "--no-probe")
        await second.while_running(lambda: len(stub.stats.by_body) > len(before) + 5)
        (held,) = leases(store)
        assert held.pid == second.process.pid
        first.process.send_signal(signal.SIGCONT)
        assert await first.ended() == REFUSED, first.said()
        assert await second.ended() == 0, second.said()
        assert f"(pid {second.process.pid} on " in first.said()
        once = {body: count for body, count in stub.stats.by_body.items() if body not in before}
        assert set(once.values()) == {1}
    check_store(store, run)
    assert queries.run(store, run).status == "ended"
    store.close()


async def test_of_two_that_score_a_run_at_once_one_asks_the_judge(tmp_path: Path):
    troupe = Troupe(tmp_path)
    store = troupe.open()
    run = record(store, tmp_path, plan(tasks=8, rules=RULES))
    played = await troupe.start("resume", run)
    assert await played.ended() == 0, played.said()
    async with StubServer(StubSettings(latency_s=0.2)) as stub:
        score = ("score", run, "--no-probe", "--judge")
        alone = await troupe.start(*score, judge("a", stub, tmp_path))
        await alone.ended()
        asked = dict(stub.stats.by_body)
        both = [await troupe.start(*score, judge("b", stub, tmp_path)) for _ in range(2)]
        codes = [await one.ended() for one in both]
        assert stub.stats.by_body == {body: 2 * count for body, count in asked.items()}
    assert codes.count(REFUSED) == 1, [one.said() for one in both]
    refused = both[codes.index(REFUSED)].said()
    assert f"run {run} is scored with this judge by `troupe score` (pid " in refused
    store.close()


async def test_a_server_leaves_a_run_to_who_has_it_and_takes_it_up_later(
    tmp_path: Path, postgres_url: str
):
    wait = {"TROUPE_DATABASE_URL": postgres_url, "TROUPE_ACK_WAIT_S": f"{WAIT_S:g}"}
    troupe, elsewhere = Troupe(tmp_path, **wait), Troupe(tmp_path / "elsewhere", **wait)
    store = troupe.open()
    async with StubServer(StubSettings(latency_s=0.1)) as stub:
        path = tmp_path / "plan.toml"
        path.write_text(text(stub.url))
        run = record_run(store, prepare(store, path), detached=True)
        servers = [
            await one.start("serve", "--port", "0", "--no-probe") for one in (troupe, elsewhere)
        ]
        pids = {one.process.pid: one for one in servers}
        await until(lambda: stub.stats.answers >= 10)
        (held,) = [one for one in leases(store) if one.name == run]
        await pids.pop(held.pid).kill_when(lambda: True)
        (left,) = pids
        await until(lambda: [one.pid for one in leases(store) if one.name == run] == [left])
        await until(lambda: queries.run(store, run).status == "ended")
        assert await pids[left].stop() == 0
        # What was on its way when the first was killed was asked twice, and nothing else.
        twice = [count for count in stub.stats.answers_by_body.values() if count > 1]
        assert len(answers(store)) == len(stub.stats.answers_by_body)
        assert len(twice) <= 60
    check_store(store, run)
    store.close()
