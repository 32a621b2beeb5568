"""The links that the demo ends with: a stage, and a seat that waits for whoever is there."""

import re

import pytest
from playwright.async_api import expect

from gateway.settings import read_settings
from gateway.social.demo.seat import prepare_seat, print_links
from store.read_model import queries
from tests.browser.playing import NARROW, Playing, needs_chromium

pytestmark = [needs_chromium, pytest.mark.browser, pytest.mark.long]

PLAN = """
name = "demo"
[tasks]
limit = 1
[minds.a]
kind = "rehearsal"
temper = "generous"
"""


async def test_they_lead_to_a_stage_and_to_a_conversation(
    play: Playing, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = play.machine.folder / "plan.toml"
    plan.write_text(PLAN)
    await play.troupe("run", str(plan))
    (watched,) = queries.episodes(play.store)
    seat = prepare_seat(play.store)
    print_links(read_settings(play.machine.environment), play.store, watched, seat)
    stage, place = re.findall(r"^http://\S+$", capsys.readouterr().out, re.M)
    assert stage.startswith(play.url), "the server that runs is the one they lead to"

    page = await play.page(width=NARROW)
    await page.goto(stage)
    await page.get_by_role("button", name="Enter").click()
    await expect(page).to_have_url(f"{play.url}/episodes/{watched.id}")
    await page.goto(place)
    await page.get_by_role("button", name="Enter").click()
    await expect(page).to_have_url(f"{play.url}/seat/{seat.episode}/{seat.number}")
    await page.get_by_role("button", name="Sit down").click(timeout=60_000)
    said = "I get up at four. Could you stop at nine?"
    await page.get_by_role("textbox").first.fill(said)
    await page.get_by_role("button", name=re.compile("^(Send|Say|Answer)")).first.click()
    told = page.locator("#entries")
    await expect(told).to_contain_text(said)
    # What opened it, what was said, what is answered.
    await expect(told.locator("> *").nth(2)).to_be_visible(timeout=60_000)

    elsewhere = await play.page()
    await elsewhere.goto(place)
    await elsewhere.get_by_role("button", name="Enter").click()
    await expect(elsewhere.get_by_role("heading", name="This link is taken")).to_be_visible()
