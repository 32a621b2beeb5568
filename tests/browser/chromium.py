"""Chromium without a window, spoken to over its DevTools protocol."""

import asyncio
import base64
import contextlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

_NAMES = ("chromium", "chromium-browser", "google-chrome")
BINARY = next((found for name in _NAMES if (found := shutil.which(name))), None)


class Page:
    """One open page and everything it said or asked for."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._next = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loaded = asyncio.Event()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._reader = asyncio.create_task(self._read())

    async def prepare(self) -> None:
        for domain in ("Page", "Network", "Runtime", "Log"):
            await self.send(f"{domain}.enable")

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        self._next += 1
        answer = asyncio.get_running_loop().create_future()
        self._waiting[self._next] = answer
        await self._socket.send_json({"id": self._next, "method": method, "params": params})
        return await answer

    async def open(self, url: str) -> None:
        """Go there, with nothing remembered of the page before."""
        self._loaded.clear()
        self.requests.clear()
        self.complaints.clear()
        await self.send("Page.navigate", url=url)
        await self._loaded.wait()

    async def look(self, width: int, height: int = 900, *, dark: bool = False) -> None:
        """Be a screen of this size and taste."""
        await self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.send("Emulation.setEmulatedMedia", features=[scheme])

    async def run(self, script: str) -> Any:
        """The value of an expression, promises awaited."""
        answer = await self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    async def type(self, text: str) -> None:
        await self.send("Input.insertText", text=text)

    async def press(self, key: str) -> None:
        codes = {"Tab": 9, "Enter": 13, "ArrowDown": 40}
        typed = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            await self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=codes[key],
                **(typed if kind == "keyDown" else {}),
            )

    async def picture(self, path: Path, *, whole: bool = False) -> None:
        answer = await self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))

    async def _read(self) -> None:
        async for message in self._socket:
            data = message.json()
            if "id" in data:
                waiting = self._waiting.pop(data["id"])
                if "error" in data:
                    waiting.set_exception(AssertionError(str(data["error"])))
                else:
                    waiting.set_result(data["result"])
                continue
            self._note(data["method"], data["params"])

    def _note(self, method: str, params: dict[str, Any]) -> None:
        match method:
            case "Page.loadEventFired":
                self._loaded.set()
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.complaints.append(str(params["args"]))
            case "Log.entryAdded":
                self.complaints.append(params["entry"]["text"])


@contextlib.asynccontextmanager
async def chromium(folder: Path) -> AsyncIterator[Page]:
    """A page in a fresh Chromium whose profile is in ``folder``; ends with the block."""
    assert BINARY is not None
    profile = folder / "profile"
    process = await asyncio.create_subprocess_exec(
        BINARY,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        port = await asyncio.wait_for(_port(profile / "DevToolsActivePort"), 60)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                pages = [page for page in await answer.json() if page["type"] == "page"]
            url = pages[0]["webSocketDebuggerUrl"]
            async with session.ws_connect(url, max_msg_size=0) as socket:
                page = Page(socket)
                await page.prepare()
                yield page
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _port(file: Path) -> int:
    """The port Chromium chose, once it has written it down."""
    while True:
        with contextlib.suppress(FileNotFoundError):
            lines = file.read_text().splitlines()
            if len(lines) >= 2:
                return int(lines[0])
        await asyncio.sleep(0.05)
