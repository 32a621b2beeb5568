"""What needs somebody who plays: forks, scores, pausing, seats; over a real NATS server."""

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from httpx import ASGITransport, AsyncClient

from actors.runtime.embedded_nats.server import EmbeddedNats
from gateway.api.operations import OPERATIONS, PREFIX
from gateway.http.app import make_app
from gateway.live.live_episodes import LiveEpisodes
from gateway.process.worker_node import WorkerNode
from store.read_model import queries
from tests.gateway.api.conftest import World
from tests.gateway.api.schemas import PROBLEM, complaints
from tests.gateway.api.test_operations import held
from tests.gateway.served import signed_in
from tests.support.runs import settings_of
from tests.support.servers.nats_server import until


@pytest_asyncio.fixture
async def playing(
    world: World, nats_server: EmbeddedNats, space: str
) -> AsyncIterator[AsyncClient]:
    """A researcher's client of a gateway in whose process episodes are played."""
    gateway = world.gateway
    folder = gateway.settings.data_dir
    gateway.settings = settings_of(folder, gateway.store, nats_server, space)
    async with WorkerNode(gateway.settings, gateway.store) as node:
        await node.work(4)
        gateway.node, gateway.bus = node, node.bus
        async with LiveEpisodes(gateway.settings, gateway.store, node.bus) as live:
            gateway.live = live
            _, headers = signed_in(gateway, "operator", name="rae")
            transport = ASGITransport(make_app(gateway))  # type: ignore[arg-type]
            async with AsyncClient(
                transport=transport, base_url="http://test", headers=headers
            ) as client:
                yield client


def refused(response: Any, status: int, code: str) -> None:
    assert (response.status_code, response.json()["code"]) == (status, code), response.text
    assert complaints(PROBLEM, response.json()) == []


async def test_a_fork_is_played_and_scored(world: World, playing: AsyncClient) -> None:
    path = f"{PREFIX}/episodes/{world.episode}/fork"
    body = {"at": 2, "repeats": 2, "seats": ["1=rehearsal:stubborn"]}
    headers = {"idempotency-key": "f"}
    forked = held(await playing.post(path, json=body, headers=headers), OPERATIONS["fork"])
    again = await playing.post(path, json=body, headers=headers)
    assert again.json() == forked
    store = world.gateway.store
    rows = [lambda id_=id_: queries.episode(store, id_) for id_ in forked["forks"]]
    await until(lambda: all(row().status == "ended" for row in rows))

    fork = forked["forks"][0]
    over = await playing.post(f"{PREFIX}/episodes/{fork}/resume")
    refused(over, 409, "not_possible")
    scores = f"{PREFIX}/episodes/{fork}/scores"
    asked = await playing.post(scores, json={"judge": "rehearsal-lenient"})
    assert held(asked, OPERATIONS["score_episode"])["queued"] == 1
    await until(lambda: len(queries.scores(store, episode=fork)) > 0)
    await until(lambda: queries.evaluations(store, episode=fork)[0].status == "ended")
    asked = await playing.post(scores, json={"judge": "rehearsal-lenient"})
    assert held(asked, OPERATIONS["score_episode"])["queued"] == 0
    of_run = await playing.post(
        f"{PREFIX}/runs/{world.run}/scores", json={"judge": "rehearsal-strict"}
    )
    assert held(of_run, OPERATIONS["score_run"])["queued"] == 0


async def test_an_episode_is_paused_edited_stepped_and_stopped(
    world: World, playing: AsyncClient
) -> None:
    path = f"{PREFIX}/episodes/{world.episode}/fork"
    body = {"at": 0, "seats": ["1=remote", "2=remote"]}
    (fork,) = held(await playing.post(path, json=body), OPERATIONS["fork"])["forks"]
    episode = f"{PREFIX}/episodes/{fork}"
    held(await playing.post(f"{episode}/pause"), OPERATIONS["pause_episode"])
    held(await playing.post(f"{episode}/pause"), OPERATIONS["pause_episode"])
    told = await playing.post(f"{episode}/narrate", json={"text": "It begins to rain."})
    held(told, OPERATIONS["narrate"])
    edit = {"seat": 1, "turn": 1, "text": "Good morning."}
    edited = await playing.post(f"{episode}/edit", json=edit)
    held(edited, OPERATIONS["edit_action"])
    refused(await playing.post(f"{episode}/edit", json={**edit, "turn": 99}), 409, "not_asked")
    refused(await playing.post(f"{episode}/edit", json={**edit, "seat": 9}), 422, "no_such_seat")
    held(await playing.post(f"{episode}/step"), OPERATIONS["step_episode"])
    held(await playing.post(f"{episode}/go-on"), OPERATIONS["go_on_episode"])
    sitting = {"participant": "p-abcdefgh"}
    seat = f"{episode}/seats/2"
    held(await playing.post(f"{seat}/take", json=sitting), OPERATIONS["take_seat"])
    other = await playing.post(f"{seat}/take", json={"participant": "p-hgfedcba"})
    refused(other, 409, "seat_taken")
    held(await playing.post(f"{seat}/release", json=sitting), OPERATIONS["release_seat"])
    refused(await playing.post(f"{episode}/seats/9/take", json={}), 422, "no_such_seat")
    stopped = await playing.post(f"{episode}/stop")
    assert held(stopped, OPERATIONS["stop_episode"])["outcome"] == "stopped"
    refused(await playing.post(f"{episode}/step"), 409, "episode_over")


async def test_who_takes_jobs_is_listed(playing: AsyncClient) -> None:
    held(await playing.get(f"{PREFIX}/workers"), OPERATIONS["list_workers"])
    held(await playing.get(f"{PREFIX}/jobs"), OPERATIONS["get_jobs"])
    retried = await playing.post(f"{PREFIX}/jobs/dead/retry")
    assert held(retried, OPERATIONS["retry_all_jobs"]) == []
    refused(await playing.post(f"{PREFIX}/jobs/dead/enothere/retry"), 422, "bad_argument")
