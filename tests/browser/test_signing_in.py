"""The sign-in page and what all pages share, in Chromium."""

import pytest
from playwright.async_api import expect

from tests.browser.playing import NARROW, WIDE, Playing, needs_chromium

pytestmark = [needs_chromium, pytest.mark.browser]


async def test_a_link_signs_in_by_its_button_and_leaves_no_trace_in_the_address(
    play: Playing,
) -> None:
    page = await play.page(width=NARROW)
    await page.goto(f"/enter#{play.token('researcher', name='mara')}")
    await expect(page).to_have_url(f"{play.url}/enter")
    await page.keyboard.press("Enter")
    await expect(page.locator(".who")).to_contain_text("mara")
    await page.goto("/")
    assert await play.violations(page) == []
    assert not await play.overflows(page)
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("heading")).to_have_text("Sign in")
    await page.set_viewport_size({"width": WIDE, "height": 800})
    await page.emulate_media(color_scheme="dark")
    assert await play.violations(page) == []
