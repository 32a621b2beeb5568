"""A real server: sockets of other sites, revoked tokens, proxies, and logs without secrets."""

import asyncio
import re
import secrets
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from websockets import ConnectionClosed, InvalidStatus
from websockets.asyncio.client import ClientConnection, connect

from gateway.http.authentication import Access
from gateway.services.access.token_repository import Tokens, new_principal
from gateway.services.viewers.frames import Hello
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.process import Troupe

pytestmark = [pytest.mark.long]

PLAN = """
[tasks]
limit = 1
[minds.a]
kind = "rehearsal"
temper = "generous"
"""


class Served(NamedTuple):
    """A server on whose store an episode was played."""

    url: str
    store: EventStore
    access: Access
    episode: str
    log: Path


@asynccontextmanager
async def served(folder: Path, **environment: str) -> AsyncIterator[Served]:
    machine = Troupe(folder, TROUPE_LOG="debug", **environment)
    plan = folder / "plan.toml"
    plan.write_text(PLAN)
    played = await machine.start("run", str(plan))
    assert await played.ended() == 0, played.said()
    log = folder / "serve.log"
    with log.open("wb") as said:
        process = await machine.begin("serve", "--port", "0", stdout=PIPE, stderr=said)
    store = machine.open()
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", (await process.stdout.readline()).decode())
        assert found, log.read_text()
        access = Access(read_settings(machine.environment), store, machine.environment)
        yield Served(found[0], store, access, queries.episodes(store)[0].id, log)
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 60.0) == 0
    finally:
        store.close()
        if process.returncode is None:
            process.kill()


def hello(token: str, episode: str) -> str:
    return msgspec.json.encode(Hello(token=token, episode=episode)).decode()


async def closing(socket: ClientConnection) -> int:
    """The code that the other side closes a socket with."""
    async with asyncio.timeout(60):
        with suppress(ConnectionClosed):
            while True:
                await socket.recv()
    assert socket.close_code is not None
    return socket.close_code


async def test_sockets_are_opened_by_our_pages_alone_and_closed_when_revoked(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, TROUPE_ORIGINS="https://friend.example") as at:
        ws = at.url.replace("http://", "ws://") + "/ws"
        for origin in ("https://evil.example", "null", at.url.replace("http:", "https:")):
            with pytest.raises(InvalidStatus, match="403"):
                async with connect(ws, open_timeout=60, additional_headers={"Origin": origin}):
                    pass
        principal = new_principal("researcher")
        token = at.access.token_for(principal)
        for origin in (at.url, "https://friend.example", None):
            headers = {} if origin is None else {"Origin": origin}
            async with connect(ws, open_timeout=60, additional_headers=headers) as socket:
                await socket.send(hello(token, at.episode))
                assert msgspec.json.decode(await socket.recv())["type"] == "Welcome"
        async with connect(ws, open_timeout=60) as socket:
            await socket.send(hello(token, at.episode))
            Tokens(at.store).revoke(principal.token)
            assert await closing(socket) == 4001
        async with httpx.AsyncClient(base_url=at.url, timeout=60) as program:
            headers = {"authorization": f"Bearer {token}"}
            async with asyncio.timeout(60):
                while (await program.get("/api/v1/runs", headers=headers)).status_code != 401:
                    await asyncio.sleep(0.1)


async def test_no_secret_is_logged(tmp_path: Path) -> None:
    secret = secrets.token_hex(32)
    async with served(tmp_path, TROUPE_SECRET=secret) as at:
        principal = new_principal("operator")
        token, link = at.access.token_for(principal), at.access.link(principal)
        kept: list[str] = []
        async with httpx.AsyncClient(base_url=at.url, timeout=60) as browser:
            entered = await browser.post("/enter", data={"token": urlsplit(link).fragment})
            assert entered.status_code == 303
            kept = list(browser.cookies.values())
            for headers in (
                {"authorization": f"Bearer {token}"},
                {"authorization": "Bearer x.y.z"},
            ):
                await browser.get(f"/nothing?token={token}", headers=headers)
                await browser.get("/api/v1/runs", headers=headers)
            await browser.post("/enter", data={"token": token[:-1]})
        async with connect(at.url.replace("http://", "ws://") + "/ws", open_timeout=60) as socket:
            await socket.send(hello(token[:-1], at.episode))
            assert await closing(socket) == 4001
    logged = at.log.read_text()
    assert '"listening"' in logged, "the log is there"
    signatures = [text.rpartition(".")[2] for text in (token, link)]
    assert len(kept) == 2
    for text in (secret, *signatures, *kept):
        assert text[:-1] not in logged


async def test_behind_tls_of_a_proxy_cookies_are_for_tls_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as at:
        token = urlsplit(at.access.link(new_principal("operator"))).fragment
        proxied = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7", "host": "lab"}

        async def enter(headers: dict[str, str]) -> Any:
            async with httpx.AsyncClient(base_url=at.url, timeout=60) as browser:
                return await browser.post("/enter", data={"token": token}, headers=headers)

        assert (await enter({**proxied, "origin": "http://lab"})).status_code == 403
        entered = await enter({**proxied, "origin": "https://lab"})
        cookies = entered.headers.get_list("set-cookie")
        assert all(cookie.startswith("__Host-") and "Secure" in cookie for cookie in cookies)
        async with httpx.AsyncClient(base_url=at.url, timeout=60) as program:
            assert (await program.get("/metrics")).status_code == 200, "from this machine"
            assert (await program.get("/metrics", headers=proxied)).status_code == 401
            assert (await program.get("/metrics", headers={"host": "evil"})).status_code == 401
