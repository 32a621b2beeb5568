"""The map of a town in Chromium: any moment of its days, who is chosen, talks, what scores rest on,
the same as a table; and what somebody sees of it who lives there."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from store.read_model import queries
from tests.browser.playing import NARROW, Playing, needs_chromium

pytestmark = [needs_chromium, pytest.mark.browser, pytest.mark.long]

PLAN = """
name = "a town"
environment = "sandbox"
catalog = "ternby"
seed = 7
[tasks]
ids = ["boat_sounds"]
[minds.ga]
kind = "rehearsal"
temper = "ga"
[minds."ga+tdp"]
kind = "rehearsal"
temper = "ga+tdp"
[seats]
pairings = "first"
first = ["ga+tdp"]
others = "ga"
[judges]
use = ["stss-paper"]
"""


async def town(play: Playing, folder: Path) -> str:
    """A town that has lived its two days."""
    (folder / "town.toml").write_text(PLAN)
    await play.troupe("run", str(folder / "town.toml"))
    (row,) = queries.episodes(play.store)
    return row.id


async def opened(page: Page, path: str) -> None:
    """Open a stage, and wait until its map is drawn."""
    await page.goto(path)
    await page.wait_for_selector("#stage[data-ready]")
    await page.wait_for_function("performance.getEntriesByName('town-drawn').length > 0")


async def find_somebody(page: Page) -> None:
    """Move about on the map until the pointer is over somebody."""
    box = await page.locator(".town-canvas").bounding_box()
    assert box is not None
    for y in range(10, int(box["height"]), 12):
        for x in range(10, int(box["width"]), 12):
            await page.mouse.move(box["x"] + x, box["y"] + y)
            if await page.locator(".town-canvas.town-over").count():
                return
    raise AssertionError("nobody is on the map")


MOVED = """(slider) => {
  const drawn = () => performance.getEntriesByName('town-drawn').length;
  const before = drawn();
  slider.value = '600';
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  slider.dispatchEvent(new Event('change', { bubbles: true }));
  return drawn() - before;
}"""
"""How often the map is drawn for one move of the slider."""


async def test_a_town_is_looked_at_at_any_moment(play: Playing, tmp_path: Path) -> None:
    episode = await town(play, tmp_path)
    page = await play.page("researcher")
    await opened(page, f"/episodes/{episode}")
    clock, slider = page.locator(".town-clock"), page.get_by_label("Time in the town")

    # Any moment, and the transcript with it.
    await slider.fill("0")
    await expect(clock).to_contain_text("00:00")
    await slider.fill("1980")
    await expect(clock).to_contain_text("09:00")
    await expect(clock).to_contain_text("Tue 14 Feb")
    await expect(page.locator(".scrubber .where")).to_have_text(re.compile(r"turn \d{3}"))
    doing = await page.locator(".town-roster .muted").all_inner_texts()
    await slider.fill("120")
    await expect(page.locator(".town-roster .muted").first).to_have_text("sleeping")
    assert doing != await page.locator(".town-roster .muted").all_inner_texts()

    # A slider that is let go is drawn once, and what is hidden is not made.
    assert await slider.evaluate(MOVED) == 1
    await expect(page.locator(".town-table caption")).to_be_empty()

    # Who is clicked on says what they do, plan, and remember.
    await slider.fill("1980")
    await find_somebody(page)
    await page.mouse.down()
    await page.mouse.up()
    await expect(page.locator(".town-name")).to_be_visible()
    await expect(page.locator(".town-does")).not_to_be_empty()
    await expect(page.locator(".town-day [aria-current]")).to_have_count(1)
    await page.locator(".town-person summary", has_text="Memory").click()
    await expect(page.locator(".town-memory").first).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator(".town-roster")).to_be_visible()

    # From talk to talk, with its words.
    await page.get_by_role("button", name="Talks", exact=True).click()
    before = await clock.inner_text()
    await page.keyboard.press("t")
    await expect(clock).not_to_have_text(before)
    await expect(page.locator(".town-list [aria-current] .town-lines li").first).to_be_visible()

    # What the score rests on leads to who did it, when.
    await page.get_by_role("button", name="Scores", exact=True).click()
    proof = page.locator(".town-proof").last
    said = await proof.inner_text()
    await proof.click()
    await expect(clock).to_have_text(clock_in(said))

    # It plays.
    await page.get_by_label("Speed").select_option("3600")
    await page.get_by_label("Play (space)").click()
    await expect(clock).not_to_have_text(clock_in(said))
    await page.get_by_label("Stop playing (space)").click()
    assert await play.violations(page) == []


def clock_in(said: str) -> re.Pattern[str]:
    """What the clock shows at a time that is told with a day."""
    found = re.search(r"(\w{3} \d+ \w{3}), (\d\d:\d\d)", said)
    assert found, said
    return re.compile(rf"{found[2]}\s*{found[1]}")


async def test_it_is_a_table_too_and_fits_a_phone_in_the_dark(
    play: Playing, tmp_path: Path
) -> None:
    episode = await town(play, tmp_path)
    page = await play.page("researcher", width=NARROW, dark=True)
    await opened(page, f"/episodes/{episode}")
    assert not await play.overflows(page)
    await page.get_by_role("button", name="Table", exact=True).click()
    rows = page.locator(".town-table tbody tr")
    await expect(rows).to_have_count(12)
    await page.get_by_label("Time in the town").fill("150")
    await expect(rows.first).to_contain_text("sleeping")
    await expect(page.locator(".town-table caption")).to_have_text("Mon 13 Feb, 02:30")
    assert not await play.overflows(page)
    assert await play.violations(page) == []

    # Who lives there sees themselves, and of the others those whom they have seen of late.
    await opened(page, f"/episodes/{episode}?as=1")
    told = await page.evaluate(
        f"fetch('/episodes/{episode}/told?as=1').then((answer) => answer.json())"
    )
    opening = told["scene"]["opening"]
    assert opening["tiles"][0] is not None
    assert opening["tiles"][1:] == [None] * 11
    known = {":".join(one.split(":")[1:3]) for one in opening["known"] if one.count(":") > 1}
    assert set(opening["map"]["arenas"]["names"]) == known
    await expect(page.locator(".town-name")).to_be_visible()
    assert await play.violations(page) == []
