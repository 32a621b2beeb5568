"""Clients of the REST API (docs/reference/api.md), synchronous and asynchronous.

::

    with Client("http://127.0.0.1:8700", token) as troupe:
        run = troupe.start_run(Path("plan.toml").read_text())
        troupe.wait_for_run(run)
        for episode in troupe.pages("/episodes", {"run": run}):
            print(episode["id"], episode["end_reason"])
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

import httpx
import tenacity

from gateway.client.api_request import TRIES, Query, Wanted, checked, may_pass, wait, wanted

LOCAL: Final = "http://127.0.0.1:8700"
TIMEOUT_S: Final = 60.0
LOOK_S: Final = 1.0
"""How often it is looked whether a run is over, in seconds."""
_OVER: Final = ("ended", "paused")
_STOP: Final = tenacity.stop_after_attempt(TRIES)
_AGAIN: Final = tenacity.retry_if_exception(may_pass)


def _body(plan: str, judges: Mapping[str, str] | None) -> dict[str, object]:
    return {"plan": plan, "judges": dict(judges or {})}


class Client:
    """Asks and waits for the answer. What may pass is tried again; what changes something is done
    once all the same. Raises ``ApiProblem``, ``httpx.TransportError``."""

    def __init__(
        self,
        url: str = LOCAL,
        token: str = "",
        *,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """``token``: of ``troupe token issue``."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(
            base_url=url, headers=headers, timeout=timeout_s, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self.http.close()

    def ask(self, asked: Wanted) -> httpx.Response:
        """The answer to a request, tried again where that may help."""
        again = tenacity.Retrying(stop=_STOP, wait=wait, retry=_AGAIN, reraise=True)
        return again(
            lambda: checked(self.http.request(asked.method, asked.path, **asked.arguments))
        )

    def get(self, path: str, query: Query | None = None) -> Any:
        """What is at a path behind ``/api/v1``."""
        return self.ask(wanted("GET", path, query)).json()

    def post(
        self, path: str, body: object = None, *, query: Query | None = None, key: str = ""
    ) -> Any:
        """Have something done. The same ``key`` again is answered as the first time."""
        return self.ask(wanted("POST", path, query, json=body, key=key)).json()

    def delete(self, path: str, *, key: str = "") -> Any:
        """Have something taken away."""
        return self.ask(wanted("DELETE", path, key=key)).json()

    def pages(self, path: str, query: Query | None = None) -> Iterator[dict[str, Any]]:
        """All rows of a list, page by page."""
        cursor: str | None = ""
        while cursor is not None:
            more = {**(query or {}), **({"cursor": cursor} if cursor else {})}
            page = self.get(path, more)
            yield from page["items"]
            cursor = page["next"]

    def upload(self, path: str, file: Path, query: Query | None = None) -> Any:
        """Send a file."""
        return self.ask(wanted("POST", path, query, content=file.read_bytes())).json()

    def download(self, path: str, file: Path, query: Query | None = None) -> Path:
        """Write what is at a path into a file."""
        file.write_bytes(self.ask(wanted("GET", path, query)).content)
        return file

    def start_run(
        self, plan: str, judges: Mapping[str, str] | None = None, *, key: str = ""
    ) -> str:
        """Have a plan (a plan file's text) carried out by a server; the run's id."""
        return str(self.post("/runs", _body(plan, judges), key=key)["run"])

    def wait_for_run(self, run: str, within_s: float = float("inf")) -> dict[str, Any]:
        """How a run is once it has ended or waits. Raises ``TimeoutError``."""
        end = time.monotonic() + within_s
        while (found := self.get(f"/runs/{run}"))["run"]["status"] not in _OVER:
            if time.monotonic() > end:
                raise TimeoutError(f"run {run} still goes on")
            time.sleep(LOOK_S)
        return dict(found)


class AsyncClient:
    """The same for programs on an asyncio loop."""

    def __init__(
        self,
        url: str = LOCAL,
        token: str = "",
        *,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """``token``: of ``troupe token issue``."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.AsyncClient(
            base_url=url, headers=headers, timeout=timeout_s, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        await self.http.aclose()

    async def ask(self, asked: Wanted) -> httpx.Response:
        """The answer to a request, tried again where that may help."""

        async def once() -> httpx.Response:
            return checked(await self.http.request(asked.method, asked.path, **asked.arguments))

        return await tenacity.AsyncRetrying(stop=_STOP, wait=wait, retry=_AGAIN, reraise=True)(once)

    async def get(self, path: str, query: Query | None = None) -> Any:
        """What is at a path behind ``/api/v1``."""
        return (await self.ask(wanted("GET", path, query))).json()

    async def post(
        self, path: str, body: object = None, *, query: Query | None = None, key: str = ""
    ) -> Any:
        """Have something done. The same ``key`` again is answered as the first time."""
        return (await self.ask(wanted("POST", path, query, json=body, key=key))).json()

    async def delete(self, path: str, *, key: str = "") -> Any:
        """Have something taken away."""
        return (await self.ask(wanted("DELETE", path, key=key))).json()

    async def pages(self, path: str, query: Query | None = None) -> AsyncIterator[dict[str, Any]]:
        """All rows of a list, page by page."""
        cursor: str | None = ""
        while cursor is not None:
            more = {**(query or {}), **({"cursor": cursor} if cursor else {})}
            page = await self.get(path, more)
            for row in page["items"]:
                yield row
            cursor = page["next"]

    async def upload(self, path: str, file: Path, query: Query | None = None) -> Any:
        """Send a file."""
        content = await asyncio.to_thread(file.read_bytes)
        return (await self.ask(wanted("POST", path, query, content=content))).json()

    async def download(self, path: str, file: Path, query: Query | None = None) -> Path:
        """Write what is at a path into a file."""
        content = (await self.ask(wanted("GET", path, query))).content
        await asyncio.to_thread(file.write_bytes, content)
        return file

    async def start_run(
        self, plan: str, judges: Mapping[str, str] | None = None, *, key: str = ""
    ) -> str:
        """Have a plan (a plan file's text) carried out by a server; the run's id."""
        return str((await self.post("/runs", _body(plan, judges), key=key))["run"])

    async def wait_for_run(self, run: str, within_s: float = float("inf")) -> dict[str, Any]:
        """How a run is once it has ended or waits. Raises ``TimeoutError``."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within_s
        while (found := await self.get(f"/runs/{run}"))["run"]["status"] not in _OVER:
            if loop.time() > end:
                raise TimeoutError(f"run {run} still goes on")
            await asyncio.sleep(LOOK_S)
        return dict(found)
