"""How long pages of large runs take: on the server, and in Chromium.

    python -m tests.benchmarks.bench_pages

The list of 100,000 episodes is measured as a person meets it: a real ``troupe serve``, a real
Chromium, and the time from pressing until the rows that were asked for stand in the document.
Beside it stands the server's processor time for each, which other programs on the machine do not
change, and what the browser needs for an answer with nothing in it. What Chromium may take is
divided by the machine's speed.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from playwright.async_api import CDPSession, Page

from evaluators.scores.episode_means import EpisodeMeans
from gateway.pages.runs.run_pages import RunPages
from gateway.pages.runs.template_values import HELP
from gateway.settings import read_settings
from store.open_store import open_store
from tests.benchmarks.scored_run import JUDGES, MINDS, RUN, write_run
from tests.benchmarks.speed import machine_speed
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
    const shown = performance.getEntriesByName("episodes-shown");
    const none = shown.at(-1)?.detail === 0;
    if (shown.length > before && (none || row())) done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""

_EMPTY = """async () => {
  const began = performance.now();
  await (await fetch("/healthz")).arrayBuffer();
  await new Promise((drawn) => requestAnimationFrame(drawn));
  return performance.now() - began;
}"""


def rows() -> Iterator[Row]:
    """The table."""
    yield from _of_the_server()
    if BINARY is None:
        yield Row("100,000 episodes in the browser", "not measured", "there is no Chromium")
        return
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name, asyncio.Runner() as runner:
        found = _in_a_browser(Path(name))
        try:
            while (row := runner.run(_next(found))) is not None:
                yield row
        finally:
            runner.run(found.aclose())


async def _next(found: AsyncGenerator[Row, None]) -> Row | None:
    return await anext(found, None)


def _of_the_server() -> Iterator[Row]:
    """The page of a run, with nothing kept from before."""
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        settings = read_settings({"TROUPE_DATA_DIR": name})
        with closing(open_store(settings.database_url, durable=False)) as store:
            write_run(store, EPISODES, casts=1)
            first, later, spent = [], [], []
            size = 0
            for _ in range(ROUNDS + 1):
                desk = RunPages(settings, store)
                began, before = time.perf_counter(), time.process_time()
                size = len(_rendered(desk))
                first.append(1000 * (time.perf_counter() - began))
                spent.append(1000 * (time.process_time() - before))
                began = time.perf_counter()
                _rendered(desk)
                later.append(1000 * (time.perf_counter() - began))
            # The first of a process also loads what it needs.
            took = statistics.median(first[1:])
            yield Row(
                f"page of a run: {EPISODES} episodes, 7 dimensions, 2 judges",
                f"{took:.0f} ms, {size / 1e3:,.0f} kB",
                f"CPU: {statistics.median(spent[1:]):.0f} ms; "
                f"again: {statistics.median(later):.0f} ms; in a new process: {first[0]:.0f} ms",
                f"≤ {GOAL_MS} ms on the server, cached after",
                took <= GOAL_MS and statistics.median(later) < took / 2,
            )


def _rendered(desk: RunPages) -> str:
    """The page, as its handler makes it."""
    from gateway.http.templates import templates
    from gateway.pages.runs.one_run import context_of

    context = context_of(desk, RUN, "")
    template = templates().get_template("runs/run.html")
    bare: dict[str, Any] = {"principal": None, "here": f"/runs/{RUN}", "navigation": []}
    return template.render(**bare, **HELP, **context)


async def _in_a_browser(folder: Path) -> AsyncGenerator[Row, None]:
    data = folder / "data"
    data.mkdir()
    settings = read_settings({"TROUPE_DATA_DIR": str(data)})
    with closing(open_store(settings.database_url, durable=False)) as store:
        # What is not in the list is left short: most of the time goes into writing.
        await asyncio.to_thread(write_run, store, MANY, turns=2, judges=JUDGES[:1])
        began = time.process_time()
        await asyncio.to_thread(EpisodeMeans(store).keep_up)
        took = 1e6 * (time.process_time() - began) / MANY
    yield Row(
        f"{MANY:,} episodes: order by a judge's scores, kept",
        f"{took:.0f} µs of CPU an episode",
        "paid by the gateway as scores come",
    )
    async with playing(folder) as play, _list(play) as page:
        async for row in _times(page, psutil.Process(play.pid)):
            yield row
        yield await _memory(page)


@asynccontextmanager
async def _list(play: Playing) -> AsyncIterator[Page]:
    page = await play.page("researcher")
    # The server has worked nothing out before, but runs: its first answer is not a page's.
    await page.goto("/runs")
    yield page
    await page.close()


async def _times(page: Page, server: psutil.Process) -> AsyncIterator[Row]:
    path = f"/runs/{RUN}/episodes"

    async def opened() -> float:
        await page.goto(path)
        await page.wait_for_selector("#rows.on li a[href]")
        shown = "performance.getEntriesByName('episodes-first')[0].startTime"
        return float(await page.evaluate(shown))

    async def measured(
        what: str, presses: Sequence[Callable[[], Awaitable[object]]], beside: str = ""
    ) -> Row:
        spent = _spent(server)
        times = await _each(page, presses)
        spent = (_spent(server) - spent) / len(times)
        return _row(what, times, f"CPU of the server: {spent:.0f} ms{beside}")

    spent = _spent(server)
    first = await opened()
    yield _row(
        "the very first rows", [first], f"CPU of the server: {_spent(server) - spent:.0f} ms"
    )
    spent = _spent(server)
    again = [await opened() for _ in range(ROUNDS)]
    spent = (_spent(server) - spent) / ROUNDS
    yield _row("first rows", again, f"CPU of the server: {spent:.0f} ms")
    empty = [float(await page.evaluate(_EMPTY)) for _ in range(ROUNDS)]
    yield Row("an answer with nothing in it", f"{statistics.median(empty):.0f} ms")
    order = page.locator("#finder [name=sort]")
    yield await measured("the first order by score", [partial(order.select_option, "score")])
    by = ("plan", "score", "plan", "score", "plan")
    yield await measured("order by score", [partial(order.select_option, one) for one in by])
    some = ("turns", "title", "lasted", "plan")
    yield await measured("sort", [partial(order.select_option, one) for one in some])
    find = page.locator("#finder [name=q]")
    words = ("amber s12", "blanket", "e0999", "s07", "")
    yield await measured("search", [partial(find.fill, word) for word in words])
    await page.locator("#finder details summary").click()
    mind = page.locator("#finder [name=mind]")
    names = (*(one.name for one in MINDS), "")
    yield await measured("filter", [partial(mind.select_option, name) for name in names])


def _spent(server: psutil.Process) -> float:
    """Processor time, in milliseconds."""
    times = server.cpu_times()
    return float(1000 * (times.user + times.system))


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
    worst, most = max(times), GOAL_MS / machine_speed()
    return Row(
        f"{MANY:,} episodes in Chromium: {what}",
        f"{statistics.median(times):.0f} ms, at most {worst:.0f}",
        beside,
        f"≤ {most:.0f} ms ({GOAL_MS} ms at speed 1.0)",
        worst <= most,
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
