"""Pages as people see them: a real `troupe serve` and Chromium, by Playwright.

::

    @needs_chromium
    async def test_the_list_shows_the_run(play: Playing) -> None:
        await play.troupe("run", plan)
        page = await play.page("researcher")
        await page.goto("/runs")
        await expect(page.get_by_role("heading")).to_have_text("Runs")
        assert await play.violations(page) == []

The fixture ``play`` is in ``tests/browser/conftest.py``. Whatever a page complains of in its
console, and whatever it asks of other hosts, fails the test at its end.
"""

import asyncio
import re
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    async_playwright,
    expect,
)

from gateway.http.authentication import Access
from gateway.services.access.roles import Principal, Role
from gateway.services.access.token_repository import new_principal
from gateway.settings import read_settings
from store.log.event_store import EventStore
from tests.browser.chromium import BINARY
from tests.faults.process import Troupe

needs_chromium = pytest.mark.skipif(BINARY is None, reason="there is no Chromium (make chromium)")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
)
SLOW_MS = 60_000
"""Generous: the machine may be busy with other tests."""
expect.set_options(timeout=SLOW_MS)
NARROW, WIDE = 360, 1280
"""How wide screens are, in pixels."""


class Playing:
    """A server, and browsers that look at it."""

    def __init__(self, machine: Troupe, url: str, pid: int, browser: Browser) -> None:
        self.machine, self.url, self.pid, self.browser = machine, url, pid, browser
        self.complaints: list[str] = []
        """What pages wrote into their consoles as warnings and errors, or threw; and addresses of
        other hosts that they asked for."""
        self.store: EventStore = machine.open()
        """The server's store."""
        settings = read_settings(machine.environment)
        self.access = Access(settings, self.store, machine.environment)

    def token(self, role: Role, **fields: Any) -> str:
        """A session token; ``fields`` as of ``new_principal``."""
        return self.token_of(new_principal(role, **fields))

    def token_of(self, principal: Principal) -> str:
        """A session token for this very principal."""
        return self.access.token_for(principal)

    async def troupe(self, *arguments: str) -> str:
        """Run a command beside the server; what it printed."""
        process = await self.machine.start(*arguments)
        code = await process.ended()
        assert code == 0, process.said()
        return process.said()

    async def context(
        self, role: Role | None = None, *, width: int = WIDE, dark: bool = False, **fields: Any
    ) -> BrowserContext:
        """A browser of its own (no cookie shared), signed in with a role; None: nobody."""
        context = await self.browser.new_context(
            base_url=self.url,
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
            locale="en-GB",
            timezone_id="UTC",
            reduced_motion="reduce",
        )
        context.set_default_timeout(SLOW_MS)
        if role is not None:
            await self.sign_in(context, self.token(role, **fields))
        return context

    async def sign_in(self, context: BrowserContext, token: str) -> None:
        """Give a browser a session."""
        name, value = self.access.cookie(token)
        await context.add_cookies([{"name": name, "value": value, "url": self.url}])

    async def page(self, role: Role | None = None, **options: Any) -> Page:
        """An open page in a browser of its own; options as of ``context``."""
        return await self.page_in(await self.context(role, **options))

    async def page_in(self, context: BrowserContext) -> Page:
        """Another page (tab) of a browser."""
        page = await context.new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)
        return page

    async def violations(self, page: Page) -> list[str]:
        """What axe finds serious about a page."""
        found = await Axe().run(page)
        return [
            f"{one['id']}: {one['help']} ({node['html']})"
            for one in found.response["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]

    async def overflows(self, page: Page) -> bool:
        """Whether the page as a whole scrolls sideways."""
        await page.wait_for_load_state()
        script = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        return bool(await page.evaluate(script))

    def _said(self, message: ConsoleMessage) -> None:
        # That a request was refused or cut off, pages are made for.
        if message.type in ("warning", "error") and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    def _asked(self, request: Request) -> None:
        parts, ours = urlsplit(request.url), urlsplit(self.url).netloc
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != ours:
            self.complaints.append(f"asked for {request.url}")

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()


@asynccontextmanager
async def playing(folder: Path, **environment: str) -> AsyncIterator[Playing]:
    """A server on a free port with embedded NATS, its data in ``folder``, and a Chromium."""
    machine = Troupe(folder, **environment)
    with (folder / "serve.log").open("wb") as log:
        process = await machine.begin("serve", "--port", "0", stdout=PIPE, stderr=log)
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        found = re.search(r"http://\S+", line)
        assert found, (folder / "serve.log").read_text()
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=BINARY, args=list(ARGUMENTS))
            play = Playing(machine, found[0], process.pid, browser)
            try:
                yield play
            finally:
                play.close()
                await browser.close()
        assert play.complaints == [], play.complaints
    finally:
        if process.returncode is None:
            process.terminate()
            async with asyncio.timeout(60):
                await process.wait()
