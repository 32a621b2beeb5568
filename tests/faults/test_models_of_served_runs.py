"""A server whose runs lose their model: paused, seen in lists, gone on with when resumed."""

from pathlib import Path

import pytest

from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import model_minds, plan
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(0, id="from the start", marks=pytest.mark.long),
        pytest.param(12, id="in the middle"),
    ],
)
@pytest.mark.long
async def test_a_served_run_without_its_model_is_paused_and_goes_on_when_resumed(
    tmp_path: Path, after: int
):
    machine = Troupe(tmp_path)
    path = tmp_path / "plan.toml"
    async with StubServer(StubSettings(status=401, status_from=after)) as stub:
        text = plan(model_minds(stub.url), tasks=4, rules="turn_cap = 6")
        path.write_text(text)
        queued = await machine.start("run", str(path), "--detach")
        assert await queued.ended() == 0, queued.said()
        store = machine.open()
        server = await machine.start("serve", "--port", "0")
        await server.while_running(lambda: queries.runs(store)[0].status == "paused")
        (row,) = queries.runs(store)
        assert row.pause_reason == "model"
        assert "does not take the key" in row.pause_detail
        assert row.episodes_ended < 4
        stub.settings = StubSettings()
        resumed = await machine.start("resume", row.id, "--detach")
        assert await resumed.ended() == 0, resumed.said()
        await server.while_running(lambda: queries.runs(store)[0].status == "ended")
        assert await server.stop() == 0
    assert queries.run(store, row.id).episodes_marked == 0
    check_store(store, row.id)
    store.close()


@pytest.mark.long
async def test_a_served_run_that_does_not_fit_into_its_model_is_paused_before_the_first_call(
    tmp_path: Path,
):
    machine = Troupe(tmp_path)
    path = tmp_path / "plan.toml"
    listed = {"data": [{"id": "stub", "max_model_len": 300}]}
    async with StubServer(StubSettings(models=listed)) as stub:
        path.write_text(plan(model_minds(stub.url), tasks=1))
        queued = await machine.start("run", str(path), "--detach")
        assert await queued.ended() == 0, queued.said()
        store = machine.open()
        server = await machine.start("serve", "--port", "0")
        await server.while_running(lambda: queries.runs(store)[0].status == "paused")
        (row,) = queries.runs(store)
        assert row.pause_reason == "model"
        assert "takes 300 of both: lower max_tokens" in row.pause_detail
        assert await server.stop() == 0
    assert len(stub.bodies) == 1, "the probe alone"
    store.close()
