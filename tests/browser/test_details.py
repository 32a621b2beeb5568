"""Details of the pages of researchers that a first look finds: legible, in words that fit, and open
on what there is to be seen."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from store.read_model import queries
from tests.browser.playing import NARROW, WIDE, Playing, needs_chromium
from tests.support.runs import chain_plan, plan

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(400), needs_chromium]

_CONTRAST = """(person) => {
  const paint = (selector) => getComputedStyle(person.querySelector(selector)).fill;
  const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3)
    .map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const [a, b] = [light(paint(".initials")), light(paint(".body"))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""
"""The contrast of somebody's initials with the disc behind them, as WCAG 2 has it."""
_GAP = """(box) => box.querySelector("button").getBoundingClientRect().top -
    box.querySelector("dl").lastElementChild.getBoundingClientRect().bottom"""
FOCUS_RING = 8
"""Pixels around a button at most."""


async def test_what_a_first_look_at_the_pages_finds(play: Playing, tmp_path: Path) -> None:
    both = '["rehearsal-strict", "rehearsal-lenient"]'
    texts = {
        "two-judges": plan(tasks=3, judges=both),
        "one-judge": plan(tasks=1, judges='["rehearsal-strict"]'),
        "chains": chain_plan(pairs=8, length=1),
    }
    for name, text in texts.items():
        path = tmp_path / f"{name}.toml"
        path.write_text(text)
        await play.troupe("run", str(path))
    run = queries.runs(play.store)[0].id
    left = [row for row in queries.episodes(play.store, run=run) if row.end_reason == "left"]
    for width, dark in ((NARROW, False), (WIDE, True)):
        page = await play.page("operator", width=width, dark=dark)
        await of_lists(play, page, run)
        await page.goto(f"/episodes/{left[0].id}")
        await of_a_stage(page)
        assert not await play.overflows(page)


async def of_lists(play: Playing, page: Page, run: str) -> None:
    """What lists and tables show."""
    await page.goto("/judges")
    await expect(page.locator("select#run")).to_have_value(run)
    await page.goto("/chains")
    table = page.locator(".table-box").first
    assert await table.evaluate("(box) => box.scrollHeight <= box.clientHeight")
    await page.goto("/api/docs")
    await expect(page.locator("pre").first).to_contain_text(f"{play.url}/api/v1/runs")
    await page.goto("/catalogs")
    await expect(page.locator("main")).to_contain_text("1 town, 12 inhabitants")
    words = await page.locator("main").inner_text()
    assert "1 towns" not in words
    assert not any(part.strip().startswith("0 ") for part in words.replace("\n", ",").split(","))


async def of_a_stage(page: Page) -> None:
    """What the stage of an episode shows in which the last to speak has left."""
    gone = page.locator(".person.speaks.gone")
    await gone.wait_for()
    assert await gone.evaluate(_CONTRAST) >= 4.5
    await page.keyboard.press("?")
    keys = page.locator("dialog[open]")
    assert await keys.evaluate(_GAP) > FOCUS_RING
    await page.keyboard.press("Escape")
    await expect(keys).to_have_count(0)
    scene = await page.locator(".situation").inner_text()
    await page.keyboard.press("/")
    await expect(page.locator(".tools input")).to_be_focused()
    await page.keyboard.type(" ".join(scene.split()[:6]))
    await expect(page.locator(".tools .hits")).to_have_text("1 of 1")
    await expect(page.locator("#opening")).to_be_in_viewport()
    await expect(page.locator("#opening")).to_have_class("opening found")
