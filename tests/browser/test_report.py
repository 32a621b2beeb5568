"""The report in a real browser."""

import asyncio
import re
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio

from evaluators.report import page as report
from store.open_store import open_store
from tests.browser.chromium import BINARY, Page, chromium
from tests.evaluators.synthetic import RUN, fill

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="Chromium is not installed (make chromium)"),
]
EPISODES = 9


@pytest.fixture(scope="module")
def folded_and_unfolded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The report as a short run has it, and as a long one has it."""
    folder = tmp_path_factory.mktemp("report")
    store = open_store(f"sqlite:///{folder}/store.db", durable=False)
    fill(store, episodes=EPISODES)
    written = {"unfolded": report.write_report(store, RUN, folder / "unfolded.html")}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(report, "UNFOLDED_UP_TO", 0)
        written["folded"] = report.write_report(store, RUN, folder / "folded.html")
    store.close()
    return written


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Page]:
    async with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture(params=["unfolded", "folded"])
def url(request: pytest.FixtureRequest, folded_and_unfolded: dict[str, Path]) -> str:
    return folded_and_unfolded[request.param].as_uri()


OPEN_ALL = """new Promise(done => {
    for (const row of document.querySelectorAll("details")) row.open = true;
    setTimeout(() => done(document.querySelectorAll(".lines li").length), 300);
})"""
CHIPS = """[...document.querySelectorAll('.episode')].map(row =>
    [...row.querySelectorAll('.chip.score')]
        .map(chip => Number(chip.lastChild.textContent.replace('\u2212', '-'))))"""
SHOWN = "[...document.querySelectorAll('.episode')].filter(row => !row.hidden).length"


async def test_it_asks_for_nothing_and_complains_of_nothing(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    assert await browser.run(OPEN_ALL) > EPISODES
    assert browser.requests == [url]
    assert browser.complaints == []


async def test_words_that_look_like_markup_do_nothing(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    await browser.run(OPEN_ALL)
    assert await browser.run("document.title") == "kitchen tables · Troupe run report"
    assert await browser.run("document.images.length") == 0


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1280])
async def test_no_width_makes_the_page_scroll_sideways(
    browser: Page, url: str, width: int, dark: bool
) -> None:
    await browser.look(width, dark=dark)
    await browser.open(url)
    await browser.run(OPEN_ALL)
    assert await browser.run("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("dark", [False, True])
async def test_text_stands_out_from_its_ground(browser: Page, url: str, dark: bool) -> None:
    await browser.look(1280, dark=dark)
    await browser.open(url)
    await browser.run(OPEN_ALL)
    for selector in (
        "p.note",
        ".private.secret b",
        ".banner",
        ".lines .name",
        ".chip",
        "td .ci",
        ".seat",
        ".take > summary",
        ".heat td .ci",
        ".heat td a",
    ):
        ratio = await browser.run(CONTRAST % selector)
        assert ratio >= 4.5, f"{selector}: {ratio:.2f} to 1"


async def test_the_list_can_be_searched_filtered_and_sorted(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    assert await browser.run(SHOWN) == EPISODES
    await browser.run("document.getElementById('find').focus()")
    await browser.type("look at this: <script>")
    await until(browser, f"{SHOWN} === 1")
    assert "1 of 9 episodes" in await browser.run("document.getElementById('found').textContent")
    await browser.run(CHOOSE % ("find", "", "input"))
    await until(browser, f"{SHOWN} === {EPISODES}")
    await browser.run(CHOOSE % ("by-what", "failed", "change"))
    assert await browser.run(SHOWN) == 1
    await browser.run(CHOOSE % ("by-what", "", "change"))
    await browser.run(CHOOSE % ("order", "high", "change"))
    figures = [sum(seats) / len(seats) for seats in await browser.run(CHIPS) if seats]
    assert falling(figures)
    assert (await browser.run(CHIPS))[-1] == [], "an episode without a score comes last"


async def test_another_judge_can_be_chosen_from_the_keyboard(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    await browser.run(CHOOSE % ("order", "low", "change"))
    named = "document.getElementById('scored-by').textContent"
    before, of_first = await browser.run(named), await browser.run(CHIPS)
    await browser.run("document.getElementById('judge').focus()")
    await browser.press("ArrowDown")
    await until(browser, f"{named} !== {before!r}")
    assert "rehearsal-lenient" in await browser.run(named)
    of_second = await browser.run(CHIPS)
    assert of_second != of_first
    figures = [sum(seats) / len(seats) for seats in of_second if seats]
    assert falling(figures[::-1])


async def test_a_part_in_which_the_chosen_judge_has_nothing_shows_the_others(
    browser: Page, url: str
) -> None:
    await browser.look(1280)
    await browser.open(url)
    parts = "[...document.querySelectorAll('#paired ~ .of-judge')]"
    first, second, third = await browser.run(f"{parts}.slice(0, 3).map(part => part.dataset.judge)")
    shown = f"{parts}.filter(part => !part.hidden).map(part => part.dataset.judge)"
    assert set(await browser.run(shown)) == {first}
    await browser.run(f"{parts}[1].remove()")
    await browser.run(CHOOSE % ("judge", second, "change"))
    now = await browser.run(shown)
    assert (now[:2], set(now[2:])) == ([first, third], {second})


async def test_a_transcript_opens_from_the_keyboard(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    await browser.run("document.getElementById('order').focus()")
    await browser.press("Tab")
    assert await browser.run("document.activeElement.tagName") == "SUMMARY"
    await browser.press("Enter")
    await until(browser, "document.querySelector('.episode[open] .lines li') !== null")


async def test_a_link_to_a_line_opens_its_episode(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    episode = await browser.run("document.querySelectorAll('.episode')[2].id")
    await browser.run(f"location.hash = '{episode}-2'")
    await until(browser, f"document.getElementById('{episode}-2')?.closest('details').open")


async def test_the_mark_of_an_outlier_opens_its_transcript(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    mark = "document.querySelector('.of-judge:not([hidden]) svg a.to')"
    episode = (await browser.run(f"{mark}.getAttribute('href')"))[1:].removesuffix("-top")
    assert "Its transcript" in await browser.run(f"{mark}.getAttribute('aria-label')")
    await browser.run(f"{mark}.focus()")
    await browser.press("Enter")
    opened = f"document.getElementById('{episode}')"
    await until(browser, f"{opened}.open && {opened}.querySelector('.lines li') !== null")


async def test_a_cell_of_the_scenarios_leaves_only_its_transcripts(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    cell = "document.querySelector('.of-judge:not([hidden]) td a[data-scenario]')"
    wanted = await browser.run(f"({{...{cell}.dataset, title: {cell}.title}})")
    await browser.run(f"{cell}.click()")
    rows = await browser.run(
        "[...document.querySelectorAll('.episode')].filter(row => !row.hidden)"
        ".map(row => ({...row.dataset}))"
    )
    assert wanted["title"].startswith(f"{len(rows)} transcript")
    assert {row["scenario"] for row in rows} == {wanted["scenario"]}
    assert all(wanted["mind"] in row["minds"].split("\n") for row in rows)


async def test_a_table_can_be_saved_from_the_keyboard(browser: Page, url: str) -> None:
    await browser.look(360)
    await browser.open(url)
    take = "document.querySelector('details.take')"
    await browser.run(f"{take}.querySelector('summary').focus()")
    await browser.press("Enter")
    await until(browser, f"{take}.querySelectorAll('button').length === 4")
    words = await browser.run(f"[...{take}.querySelectorAll('button')].map(b => b.textContent)")
    assert words[0] == "Copy CSV"
    assert words[1].endswith(".csv")
    await browser.run(f"{take}.querySelectorAll('button')[1].click()")
    await asyncio.sleep(0)
    assert browser.complaints == []


async def test_a_short_run_can_be_read_without_scripts(
    browser: Page, folded_and_unfolded: dict[str, Path]
) -> None:
    await browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        await browser.open(folded_and_unfolded["unfolded"].as_uri())
    finally:
        await browser.send("Emulation.setScriptExecutionDisabled", value=False)
    html = folded_and_unfolded["unfolded"].read_text(encoding="utf-8")
    document = await browser.send("DOM.getDocument", depth=0)
    lines = await browser.send(
        "DOM.querySelectorAll", nodeId=document["root"]["nodeId"], selector=".lines li"
    )
    assert len(lines["nodeIds"]) == len(re.findall(r'<li id="e', html)) > EPISODES


def falling(figures: list[float]) -> bool:
    """Whether none is above the one before it, as far as rounded figures tell."""
    return all(after <= before + 0.01 for before, after in pairwise(figures))


async def until(browser: Page, condition: str) -> None:
    """Wait for the page; the test's own time-out ends a wait in vain."""
    while not await browser.run(condition):
        await asyncio.sleep(0.02)


CHOOSE = """(() => {
    const field = document.getElementById("%s");
    field.value = "%s";
    field.dispatchEvent(new Event("%s"));
})()"""
CONTRAST = """(() => {
    // WCAG 2.2, definition of contrast ratio; grounds that let others through are laid over them.
    const parse = (text) => {
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const light = (rgb) => rgb.slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const worst = [...document.querySelectorAll("%s")].slice(0, 40).map(node => {
        const layers = [];
        for (let n = node; n; n = n.parentElement) {
            layers.push(parse(getComputedStyle(n).backgroundColor));
        }
        let ground = [255, 255, 255];
        for (const [r, g, b, a] of layers.reverse()) {
            ground = [r, g, b].map((v, i) => v * a + ground[i] * (1 - a));
        }
        const [one, two] = [light(parse(getComputedStyle(node).color)), light(ground)];
        return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    });
    return Math.min(...worst);
})()"""
