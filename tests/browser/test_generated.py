"""Generated items, reviewed in a browser."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from store.read_model.catalogs import load_catalog
from tests.actors.social.sources.test_sources import BARGAIN, FRIENDS, lines
from tests.browser.playing import NARROW, WIDE, Playing, needs_chromium

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(400), needs_chromium]


async def check(play: Playing, page: Page) -> None:
    assert not await play.overflows(page)
    assert await play.violations(page) == []


async def test_items_are_accepted_edited_and_saved(play: Playing, tmp_path: Path) -> None:
    for name, row in (("goods", BARGAIN), ("friends", FRIENDS)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(lines(row))
        await play.troupe(
            "sotopia", "generate", "scenarios", "--n", "1", "--source", str(path), "--catalog", "m"
        )
    page = await play.page("researcher", name="rosa", width=NARROW)
    await page.goto("/catalogs")
    await page.get_by_role("link", name="Generated items").click()
    await check(play, page)
    await page.get_by_role("link", name="m", exact=True).click()
    await check(play, page)
    await page.get_by_role("link", name="Waiting").click()
    await page.locator(".cards a").first.click()
    await expect(page.locator("h1")).to_have_text("Road bike")
    await check(play, page)
    await page.get_by_text("Edit", exact=True).click()
    text = page.get_by_label("The item as TOML")
    good = await text.input_value()
    await text.fill(good.replace("[[scenario]]", "[[scenaria]]"))
    await page.get_by_role("button", name="Accept as edited").click()
    await expect(page.get_by_role("alert")).to_contain_text("Nothing was stored. Line 1")
    await check(play, page)
    await text.fill(good.replace("Road bike", "Racing bike"))
    await page.get_by_role("button", name="Accept as edited").click()
    await expect(page.locator("h1")).to_have_text("A friend in common")
    await page.get_by_label("Why").fill("easy")
    await page.get_by_role("button", name="Accept", exact=True).press("Enter")
    await expect(page.locator("h1")).to_have_text("m")
    await expect(page.locator("main")).to_contain_text("easy")
    await page.get_by_role("button", name="Save the catalog").click()
    await expect(page.get_by_role("status").first).to_contain_text("2 accepted items and 10 tasks")
    await check(play, page)
    wide = await play.page("researcher", name="rosa", width=WIDE, dark=True)
    for here in ("/generated", "/generated/m?only=edited"):
        await wide.goto(here)
        await check(play, wide)
    found = load_catalog(play.store, "m")
    assert any(one.codename == "Racing bike" for one in found.scenarios)
