"""The map of a town of 25 that has lived two days, in Chromium.

    python -m tests.benchmarks.bench_town_page

What is transferred is counted by the browser, styles and modules among it, with an empty cache. A
seek is a jump of the slider to any minute, until the map, what stands beside it and the transcript
are drawn as they were then: the frame that shows it has been painted.
"""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.async_api import CDPSession, Page

from actors.sandbox.catalog.generator import generated
from actors.sandbox.setup import Settings, Town
from events.base import Event
from events.episode import EpisodeStarted
from events.ids import EPISODE, new_id
from events.minds import MindSpec
from events.serialization.codec import event_of
from events.wire.subjects import agent_stream
from gateway.process.logs import set_up_logs
from gateway.process.worker_node import WorkerNode
from store.log.event_store import NEW
from tests.benchmarks.episodes import on_worker_node
from tests.benchmarks.table import Row
from tests.browser.chromium import BINARY
from tests.browser.playing import Playing, playing

PEOPLE, STEPS = 25, 2_880
MOST_KIB, MOST_MS, MOST_LATE_MS = 400, 50, 80
SEEKS = 100
EPISODE_ID = "etown"
MIND = MindSpec(name="ga", kind="rehearsal", temper="ga")

SEEK = """async (seeks) => {
  const slider = document.querySelector('.town-rail input');
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const found = [];
  for (let at = 0; at < seeks; at += 1) {
    await painted();
    const began = performance.now();
    slider.value = String((at * 7919) % Number(slider.max));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    await painted();
    found.push(performance.now() - began);
  }
  return found;
}"""


async def lived(bench: WorkerNode) -> dict[str, Sequence[Event]]:
    """What there is of a town after two days, by stream."""
    map_, inhabitants = generated(1, PEOPLE)
    setup = Town(
        map=map_, inhabitants=inhabitants, settings=Settings(steps=STEPS, step_s=60, seed=1)
    )
    started = EpisodeStarted(
        run="",
        task="bench",
        catalog="bench",
        environment="sandbox",
        setup=setup,
        characters=tuple(one.id for one in inhabitants),
        minds=(MIND,) * PEOPLE,
    )
    episode = new_id(EPISODE)
    await bench.episodes.play(episode, "", started)
    streams = {f"episode-{EPISODE_ID}": f"episode-{episode}"}
    for seat in range(PEOPLE):
        streams[agent_stream(EPISODE_ID, seat)] = agent_stream(episode, seat)
    return {
        name: tuple(event_of(envelope) for envelope in bench.store.read(stream))
        for name, stream in streams.items()
    }


async def measured(folder: Path, town: dict[str, Sequence[Event]]) -> dict[str, Any]:
    """Every figure."""
    async with playing(folder) as play:
        for stream, events in town.items():
            if events:
                play.store.append(stream, NEW, events)
        page = await play.page("researcher")
        session = await page.context.new_cdp_session(page)
        await session.send("Network.enable")
        sizes: list[float] = []
        session.on("Network.loadingFinished", lambda one: sizes.append(one["encodedDataLength"]))
        await _open(page, play)
        await page.wait_for_load_state("networkidle")
        await page.locator(".town-roster button").first.click()
        await page.wait_for_selector(".town-day, .town-person .muted")
        # What the main thread computed, whatever else the machine has to do.
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = await _computed_ms(session)
        seeks = await page.evaluate(SEEK, SEEKS)
        computed = (await _computed_ms(session) - before) / SEEKS
        kib = sum(sizes) / 1024
        return {"kib": kib, "seeks": seeks, "computed": computed, "requests": len(sizes)}


async def _computed_ms(session: CDPSession) -> float:
    found = await session.send("Performance.getMetrics")
    (seconds,) = (one["value"] for one in found["metrics"] if one["name"] == "TaskDuration")
    return float(1_000 * seconds)


async def _open(page: Page, play: Playing) -> None:
    await page.goto(f"{play.url}/episodes/{EPISODE_ID}")
    await page.wait_for_selector("#stage[data-ready]")
    await page.wait_for_function("performance.getEntriesByName('town-drawn').length > 0")


def rows() -> Iterator[Row]:
    """The table."""
    what = f"map of a town of {PEOPLE}, 2 days"
    if BINARY is None:
        yield Row(what, "there is no Chromium")
        return
    town = on_worker_node(lived)
    count = len(town[f"episode-{EPISODE_ID}"])
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        found = asyncio.run(measured(Path(name), town))
    late = quantiles(found["seeks"], n=20)[-1]
    yield Row(
        f"{what}: transferred",
        f"{found['kib']:.0f} KiB",
        f"{count:,} events, {found['requests']} requests",
        f"≤ {MOST_KIB} KiB",
        found["kib"] <= MOST_KIB,
    )
    yield Row(
        f"{what}: seek",
        f"{median(found['seeks']):.0f} ms, 19 of 20 within {late:.0f}",
        f"{found['computed']:.0f} ms of processor each",
        f"≤ {MOST_MS} ms, 19 of 20 within {MOST_LATE_MS}",
        median(found["seeks"]) <= MOST_MS and late <= MOST_LATE_MS,
    )


def main() -> None:
    """Print the table."""
    set_up_logs("warning")
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
