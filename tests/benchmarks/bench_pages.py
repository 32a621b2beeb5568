"""How long pages of large runs take: on the server, and in Chromium.

    python -m tests.benchmarks.bench_pages

The list of 100,000 episodes is measured as a person meets it: a real ``troupe serve``, a real
Chromium, and the time from pressing until the rows that were asked for stand in the document. The
order by score is measured once it was worked out, which begins when somebody opens the list; how
long that takes stands beside it.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page

from gateway.pages.runs.desk import Desk
from gateway.pages.runs.showing import HELP
from gateway.settings import read_settings
from store.opening import open_store
from tests.benchmarks.scored_run import MINDS, RUN, write_run
from tests.benchmarks.table import Row
from tests.browser.chromium import BINARY
from tests.browser.playing import Playing, playing

EPISODES, MANY = 450, 100_000
GOAL_MS = 300
ROUNDS = 5
STEADY = 1.15
"""Times the memory of the first scroll that the last may take."""
_SHOWN = """(before) => new Promise((done) => {
  const row = () => document.querySelector("#rows li:not([hidden]) a[href]");
  const look = () => {
    const shown = performance.getEntriesByName("episodes-shown").length;
    if (shown > before && row()) done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""


def rows() -> Iterator[Row]:
    """The table."""
    yield from _of_the_server()
    if BINARY is None:
        yield Row("100,000 episodes in the browser", "not measured", "there is no Chromium")
        return
    found: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        asyncio.run(_in_a_browser(Path(name), found.append))
    yield from found


def _of_the_server() -> Iterator[Row]:
    """The page of a run, with nothing kept from before."""
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        settings = read_settings({"TROUPE_DATA_DIR": name})
        with closing(open_store(settings.database_url, durable=False)) as store:
            write_run(store, EPISODES, casts=1)
            first, later = [], []
            size = 0
            for _ in range(ROUNDS + 1):
                desk = Desk(settings, store)
                began = time.perf_counter()
                size = len(_rendered(desk))
                first.append(1000 * (time.perf_counter() - began))
                began = time.perf_counter()
                _rendered(desk)
                later.append(1000 * (time.perf_counter() - began))
            # The first of a process also loads what it needs.
            took = statistics.median(first[1:])
            yield Row(
                f"page of a run: {EPISODES} episodes, 7 dimensions, 2 judges",
                f"{took:.0f} ms, {size / 1e3:,.0f} kB",
                f"again: {statistics.median(later):.0f} ms; in a new process: {first[0]:.0f} ms",
                f"≤ {GOAL_MS} ms on the server, cached after",
                took <= GOAL_MS and statistics.median(later) < took / 2,
            )


def _rendered(desk: Desk) -> str:
    """The page, as its handler makes it."""
    from gateway.http.pages import templates
    from gateway.pages.runs.one_run import context_of

    context = context_of(desk, RUN, "")
    template = templates().get_template("runs/run.html")
    bare: dict[str, Any] = {"principal": None, "here": f"/runs/{RUN}", "navigation": []}
    return template.render(**bare, **HELP, **context)


async def _in_a_browser(folder: Path, say: Callable[[Row], None]) -> None:
    data = folder / "data"
    data.mkdir()
    settings = read_settings({"TROUPE_DATA_DIR": str(data)})
    with closing(open_store(settings.database_url, durable=False)) as store:
        await asyncio.to_thread(write_run, store, MANY)
    async with playing(folder) as play, _list(play) as page:
        for row in [row async for row in _times(page)]:
            say(row)
        say(await _memory(page))


@asynccontextmanager
async def _list(play: Playing) -> AsyncIterator[Page]:
    page = await play.page("researcher")
    # The server has worked nothing out before, but runs: its first answer is not a page's.
    await page.goto("/runs")
    yield page
    await page.close()


async def _times(page: Page) -> AsyncIterator[Row]:
    path = f"/runs/{RUN}/episodes"

    async def opened() -> float:
        await page.goto(path)
        await page.wait_for_selector("#rows.on li a[href]")
        shown = "performance.getEntriesByName('episodes-first')[0].startTime"
        return float(await page.evaluate(shown))

    first = [await opened()]
    began = time.perf_counter()
    asked = "async (path) => (await fetch(`${path}.json?sort=score`)).ok"
    async with asyncio.timeout(180):
        await page.evaluate(asked, path)
    waited = time.perf_counter() - began
    # What was begun for the order by score is done by then.
    first += [await opened() for _ in range(ROUNDS)]
    yield _row("first rows", first[1:], f"the very first: {first[0]:.0f} ms")
    find = page.locator("#finder [name=q]")
    words = ("amber s12", "blanket", "e0999", "s07", "")
    yield _row("search", await _each(page, [partial(find.fill, word) for word in words]))
    await page.locator("#finder details summary").click()
    mind = page.locator("#finder [name=mind]")
    names = (*(one.name for one in MINDS), "")
    yield _row("filter", await _each(page, [partial(mind.select_option, name) for name in names]))
    order = page.locator("#finder [name=sort]")
    some = ("turns", "title", "lasted", "plan")
    yield _row("sort", await _each(page, [partial(order.select_option, one) for one in some]))
    by = ("score", "plan", "score", "plan")
    times = await _each(page, [partial(order.select_option, one) for one in by])
    yield _row("sort by score", times, f"worked out first: {waited:.1f} s")


async def _each(page: Page, presses: Sequence[Callable[[], Awaitable[object]]]) -> list[float]:
    """Milliseconds from each input until its rows are there, what is waited while typing
    included."""
    found = []
    for press in presses:
        before = await page.evaluate("performance.getEntriesByName('episodes-shown').length")
        await page.evaluate(
            "document.addEventListener('input', () => { window.pressed = performance.now() }, "
            "{ once: true, capture: true })"
        )
        await press()
        shown = await page.evaluate(_SHOWN, before)
        found.append(float(shown) - float(await page.evaluate("window.pressed")))
    return found


def _row(what: str, times: list[float], beside: str = "") -> Row:
    worst = max(times)
    return Row(
        f"{MANY:,} episodes in Chromium: {what}",
        f"{statistics.median(times):.0f} ms, at most {worst:.0f}",
        beside,
        f"≤ {GOAL_MS} ms",
        worst <= GOAL_MS,
    )


async def _memory(page: Page) -> Row:
    """Elements and bytes after a look at a twentieth of the list, and after all of it."""
    session = await page.context.new_cdp_session(page)
    early = await _scrolled(page, session, 0.0, 0.05)
    late = await _scrolled(page, session, 0.05, 1.0)
    return Row(
        f"{MANY:,} episodes in Chromium: scrolled to the end",
        f"{late[0]:,} elements, {late[1] / 2**20:.1f} MiB",
        f"after a twentieth: {early[0]:,}, {early[1] / 2**20:.1f} MiB",
        f"constant (≤ {STEADY:g} times)",
        late[0] <= STEADY * early[0] and late[1] <= STEADY * early[1] + 2**20,
    )


async def _scrolled(page: Page, session: CDPSession, start: float, stop: float) -> tuple[int, int]:
    """Elements in the document, and bytes of its heap after a collection."""
    for step in range(101):
        share = start + (stop - start) * step / 100
        await page.evaluate(
            "(share) => { const box = document.getElementById('rows'); "
            "box.scrollTop = share * (box.scrollHeight - box.clientHeight) }",
            share,
        )
        await page.wait_for_timeout(30)
    for _ in range(100):
        if not await page.locator("#rows .waiting").count():
            break
        await page.wait_for_timeout(100)
    await session.send("HeapProfiler.collectGarbage")
    used = await session.send("Runtime.getHeapUsage")
    count = await page.evaluate("document.querySelectorAll('*').length")
    return int(count), int(used["usedSize"])


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
