"""The stage of an episode of 2,000 events, in Chromium.

    python -m tests.benchmarks.bench_stage

What is transferred is counted by the browser, styles and modules among it, with an empty cache. It
is interactive once the module has all that was told and listens. Tasks are those that the browser's
``PerformanceObserver`` calls long, 50 ms and more, while the slider is dragged there and back and
jumped about with; what a step costs the page's thread is measured beside them, for a busy machine
makes any task long.
"""

import asyncio
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page

from events.base import Event
from events.minds import MindSpec
from gateway.process.logs import set_up_logs
from store.log.event_store import NEW
from tests.benchmarks.table import Row
from tests.browser.chromium import BINARY
from tests.browser.playing import Playing, playing
from tests.support.builders import episode, started

EVENTS = 2_000
WORDS = 28
"""In what is said at a time: as much as language models say in SOTOPIA's episodes."""
TRANSFERRED_KIB, INTERACTIVE_MS, LONG_MS = 150, 1_000, 50
LOADS = 3
"""The median of so many loads counts."""
DOCS = Path(__file__).parents[2] / "docs"

SCRUB = """async () => {
  const slider = document.querySelector('.rail-box input');
  const most = Number(slider.max);
  const long = [];
  new PerformanceObserver((list) => long.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: 'longtask' });
  const frame = () => new Promise(requestAnimationFrame);
  const places = [];
  for (let at = most; at > 1; at -= 9) places.push(at);
  for (let at = 1; at < most; at += 9) places.push(at);
  for (let at = 0; at < 60; at += 1) places.push(1 + ((at * 7919) % most));
  for (const at of places) {
    slider.value = String(at);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await frame();
    await frame();
  }
  await new Promise((done) => setTimeout(done, 300));
  return { steps: places.length, long };
}"""


def long_episode() -> Sequence[Event]:
    """An episode of as many events, in which nothing is said twice."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*/*.md")))
    words = re.findall(r"[a-z]{2,}", text)
    chance = random.Random(5)
    model = MindSpec(name="a model", kind="remote")
    first = started(minds=(model, model))
    moves = [
        (turn % 2, " ".join(chance.choices(words, k=WORDS)).capitalize() + ".")
        for turn in range((EVENTS - 2) // 2)
    ]
    return episode(first, moves, end="turn_cap")


async def measured(folder: Path) -> dict[str, Any]:
    """Every figure."""
    async with playing(folder) as play:
        play.store.append("episode-elong", NEW, long_episode())
        loads = [await _load(play) for _ in range(LOADS)]
        loads.sort(key=lambda load: load["interactive"])
        page = await play.page("researcher")
        session = await page.context.new_cdp_session(page)
        # What the main thread computed, whatever else the machine has to do.
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        await _open(page)
        loaded = await _computed_ms(session)
        scrubbed = await page.evaluate(SCRUB)
        step = (await _computed_ms(session) - loaded) / scrubbed["steps"]
        return {**loads[LOADS // 2], **scrubbed, "load_ms": loaded, "step_ms": step}


async def _computed_ms(session: CDPSession) -> float:
    found = await session.send("Performance.getMetrics")
    (seconds,) = (one["value"] for one in found["metrics"] if one["name"] == "TaskDuration")
    return float(1_000 * seconds)


async def _load(play: Playing) -> dict[str, Any]:
    page = await play.page("researcher")
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    await _open(page)
    script = "performance.getEntriesByName('stage-ready')[0].startTime"
    interactive = await page.evaluate(script)
    await page.wait_for_load_state("networkidle")
    await page.context.close()
    return {"interactive": interactive, "kib": sum(sizes) / 1024, "requests": len(sizes)}


async def _open(page: Page) -> None:
    await page.goto("/episodes/elong")
    await page.wait_for_selector("#stage[data-ready]")


def rows() -> Iterator[Row]:
    """The table."""
    what = f"stage of {EVENTS:,} events"
    if BINARY is None:
        yield Row(what, "there is no Chromium")
        return
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        found = asyncio.run(measured(Path(name)))
    long = found["long"]
    yield Row(
        f"{what}: transferred",
        f"{found['kib']:.0f} KiB",
        f"{found['requests']} requests",
        f"≤ {TRANSFERRED_KIB} KiB",
        found["kib"] <= TRANSFERRED_KIB,
    )
    yield Row(
        f"{what}: interactive after",
        f"{found['interactive']:.0f} ms",
        f"{found['load_ms']:.0f} ms of its processor time",
        f"≤ {INTERACTIVE_MS:,} ms",
        found["interactive"] <= INTERACTIVE_MS,
    )
    yield Row(
        f"{what}: tasks over {LONG_MS} ms while scrubbing",
        f"{len(long)}" + (f", the longest {max(long):.0f} ms" if long else ""),
        f"{found['steps']} steps, {found['step_ms']:.0f} ms of processor each",
        "none",
        not long,
    )


def main() -> None:
    """Print the table."""
    set_up_logs("warning")
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
