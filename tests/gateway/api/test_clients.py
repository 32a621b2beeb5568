"""The clients, in Python and in JavaScript, against a gateway."""

import asyncio
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import run as run_process

import httpx
import pytest
import uvicorn

from gateway.client.api_request import ApiProblem
from gateway.client.http import AsyncClient, Client
from gateway.http.app import make_app
from gateway.servers.server import listen
from tests.gateway.api.conftest import JUDGES, World
from tests.gateway.served import signed_in
from tests.support.runs import plan

PLAN = plan(tasks=1, judges=JUDGES)
API_JS = Path(__file__).parents[3] / "gateway" / "static" / "client" / "api.js"
NODE = shutil.which("node")


@contextmanager
def listening(world: World) -> Iterator[str]:
    """The gateway on a port of its own; its address."""
    with listen("127.0.0.1", 0) as socket:
        config = uvicorn.Config(make_app(world.gateway), log_level="warning", lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([socket])))
        thread.start()
        try:
            yield f"http://127.0.0.1:{socket.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def token_of(world: World) -> str:
    _, headers = signed_in(world.gateway, "researcher")
    return headers["authorization"].removeprefix("Bearer ")


def test_python_reads_pages_starts_a_run_and_is_told_why_not(world: World, tmp_path: Path) -> None:
    with listening(world) as url, Client(url, token_of(world)) as troupe:
        ids = [row["id"] for row in troupe.pages("/episodes", {"run": world.run, "limit": 1})]
        assert len(ids) == len(set(ids)) == 4
        run = troupe.start_run(PLAN, key="mine")
        assert troupe.start_run(PLAN, key="mine") == run
        file = troupe.download(f"/exports/{world.run}", tmp_path / "run.jsonl")
        assert troupe.upload("/imports", file)["stored"] == 0
        with pytest.raises(ApiProblem, match="no episode") as caught:
            troupe.get("/episodes/enothere")
    assert (caught.value.status, caught.value.code) == (404, "unknown_id")


async def test_python_does_the_same_without_waiting(world: World) -> None:
    with listening(world) as url:
        async with AsyncClient(url, token_of(world)) as troupe:
            query = {"run": world.run, "limit": 2, "status": ["ended"]}
            ids = [row["id"] async for row in troupe.pages("/episodes", query)]
            assert len(ids) == 4
            run = await troupe.start_run(PLAN)
            assert (await troupe.get(f"/runs/{run}/plan"))["plan"]["name"] == "test"
            with pytest.raises(ApiProblem):
                await troupe.post(f"/runs/{run}/resume", {"budget_usd": -1})


def test_what_may_pass_is_asked_again_under_the_same_key() -> None:
    seen = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["idempotency-key"])
        if len(seen) == 1:
            raise httpx.ConnectError("nobody there")
        if len(seen) == 2:
            problem = {"code": "unavailable", "detail": "the database is away"}
            return httpx.Response(503, json=problem)
        return httpx.Response(201, json={"run": "r1"})

    with Client("http://test", transport=httpx.MockTransport(answer)) as troupe:
        assert troupe.start_run("plan") == "r1"
    assert len(seen) == 3
    assert len(set(seen)) == 1


def test_what_will_not_pass_is_not_asked_again() -> None:
    seen = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(409, json={"code": "not_possible", "detail": "it is over"})

    with (
        Client("http://test", transport=httpx.MockTransport(answer)) as troupe,
        pytest.raises(ApiProblem),
    ):
        troupe.post("/runs/r1/resume", {})
    assert len(seen) == 1


SCRIPT = """
import { Troupe, ApiProblem } from "%(module)s";
import { readFileSync } from "node:fs";
const { url, token, run, plan } = JSON.parse(readFileSync(0, "utf8"));
const troupe = new Troupe(url, token);
const ids = [];
for await (const episode of troupe.pages("/episodes", { run, limit: 1 })) ids.push(episode.id);
const started = await troupe.startRun(plan, {}, { key: "mine" });
const again = await troupe.startRun(plan, {}, { key: "mine" });
const file = await troupe.download(`/exports/${run}`);
const brought = await troupe.upload("/imports", file);
let code = "";
try { await troupe.get("/episodes/enothere"); } catch (error) {
  code = error instanceof ApiProblem ? error.code : String(error);
}
let tries = 0;
const flaky = new Troupe("http://test", "", { waitMs: 1, fetch: async () => {
  tries += 1;
  if (tries < 3) throw new TypeError("fetch failed");
  return new Response(JSON.stringify({ run: "r1" }), { status: 201 });
} });
const flown = await flaky.startRun("plan");
console.log(JSON.stringify({ ids, started, again, stored: brought.stored, code, tries, flown }));
"""


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_node_does_the_same(world: World, tmp_path: Path) -> None:
    script = tmp_path / "script.mjs"
    script.write_text(SCRIPT % {"module": API_JS.as_uri()})
    with listening(world) as url:
        asked = {"url": url, "token": token_of(world), "run": world.run, "plan": PLAN}
        done = run_process(
            [str(NODE), str(script)],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(set(found["ids"])) == 4
    assert found["started"] == found["again"]
    assert (found["stored"], found["code"]) == (0, "unknown_id")
    assert (found["tries"], found["flown"]) == (3, "r1")
