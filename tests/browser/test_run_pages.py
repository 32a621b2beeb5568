"""The pages of runs in Chromium: a run is written, started, watched, looked into and compared."""

import re
from itertools import pairwise

import pytest
from playwright.async_api import Page, expect

from evaluators.scores.score_columns import read_columns
from store.read_model import queries
from tests.browser.playing import NARROW, Playing, needs_chromium
from tests.support.runs import plan

pytestmark = [needs_chromium, pytest.mark.long, pytest.mark.browser]


async def test_a_run_from_its_plan_to_its_findings(play: Playing) -> None:
    await play.troupe("run", str(_plan(play, name="before")))
    page = await play.page("researcher")
    await _write_and_start(page)
    run = page.url.rpartition("/")[2]
    await expect(page.locator(".live .standing")).to_have_text("ended", timeout=60_000)
    assert queries.run(play.store, run).name == "written here"
    await page.reload()
    await _look_at_findings(play, page, run)
    await _look_through_episodes(play, page, run)
    await _compare(page)
    await _hide(page, run)
    for path in ("/runs", f"/runs/{run}", f"/runs/{run}/episodes", "/new"):
        for dark in (False, True):
            narrow = await play.page("researcher", width=NARROW, dark=dark)
            await narrow.goto(path)
            assert not await play.overflows(narrow), path
            assert await play.violations(narrow) == [], path
            await narrow.context.close()


def _plan(play: Playing, name: str) -> object:
    path = play.machine.data_dir / "plan.toml"
    judges = '["rehearsal-strict", "rehearsal-lenient"]'
    path.write_text(plan(judges=judges).replace("test", name, 1), encoding="utf-8")
    return path


async def _write_and_start(page: Page) -> None:
    await page.goto("/new")
    text = page.locator("#toml")
    meaning = page.locator("#meaning")
    await page.get_by_label("Name", exact=True).fill("written here")
    await page.keyboard.press("Tab")
    await expect(text).to_have_value(re.compile('name = "written here"'))
    cap = page.get_by_label("Turn cap")
    await cap.fill("none at all")
    await cap.press("Enter")
    await expect(page.locator("[id='f-social.turn_cap-why']")).to_contain_text("whole number")
    await expect(meaning.get_by_role("button", name="Start")).to_be_disabled()
    await cap.fill("6")
    await cap.press("Enter")
    await expect(text).to_have_value(re.compile("turn_cap = 6"))
    await expect(meaning).to_contain_text("Episodes")
    changed = (await text.input_value()).replace("turn_cap = 6", "turn_cap = 4")
    await text.fill(changed)
    await expect(page.get_by_label("Turn cap")).to_have_value("4")
    await text.fill(changed.replace("[tasks]", "[tasks"))
    await expect(meaning).to_contain_text("cannot be started")
    await text.fill(changed)
    await meaning.get_by_role("button", name="Start").click(timeout=20_000)
    await page.wait_for_url(re.compile("/runs/r"))


async def _look_at_findings(play: Playing, page: Page, run: str) -> None:
    cells = page.get_by_role("region", name="Means by mind").locator("td a")
    shown = await cells.first.inner_text()
    row = page.get_by_role("region", name="Means by mind").locator("tbody tr").first
    mind = (await row.locator("th").inner_text()).strip()
    columns = read_columns(play.store, run)
    judge = columns.judges[0]
    mine = columns.of(judge.hash, columns.dimensions()[0])
    mine = mine.where(mine.mind.among(mind) & mine.scored)
    assert shown.replace("−", "-") == f"{mine.value.mean():.1f}"
    image = page.locator("figure.chart img").first
    await image.scroll_into_view_if_needed()
    await expect(image).to_have_js_property("complete", value=True)
    assert await image.evaluate("image => image.naturalWidth") > 0
    async with page.expect_download() as download:
        await page.get_by_role("link", name=re.compile("^CSV")).first.click()
    assert (await download.value).suggested_filename.endswith(".csv")
    await cells.first.click()
    await page.wait_for_url(re.compile(rf"/runs/{run}/episodes\?"))
    assert await play.violations(page) == []


async def _look_through_episodes(play: Playing, page: Page, run: str) -> None:
    await page.goto(f"/runs/{run}/episodes")
    rows = page.locator("#rows li:not([hidden]) a")
    there = [row.id for row in queries.episodes(play.store, run=run)]
    await expect(rows).to_have_count(len(there))
    await page.get_by_label("Order").select_option("score")
    await expect(page).to_have_url(re.compile("sort=score"))
    await expect(page.locator("#rows")).not_to_have_class(re.compile("busy"))
    means = [
        sum(
            float(one.replace("−", "-"))
            for one in await line.locator(".scores b").all_inner_texts()
        )
        for line in await rows.all()
    ]
    # Each of the two is rounded to a hundredth.
    assert all(a <= b + 0.03 for a, b in pairwise(means)), means
    await page.get_by_role("searchbox", name="Find").fill(there[2])
    await expect(rows).to_have_count(1)
    await page.get_by_role("searchbox", name="Find").press("ArrowDown")
    await expect(rows.first).to_be_focused()
    await page.reload()
    await expect(rows).to_have_count(1)
    await page.keyboard.press("/")
    await expect(page.get_by_role("searchbox", name="Find")).to_be_focused()
    plain = await play.browser.new_context(base_url=play.url, java_script_enabled=False)
    await play.sign_in(plain, play.token("researcher"))
    without = await plain.new_page()
    await without.goto(f"/runs/{run}/episodes?sort=turns")
    await expect(without.locator("ol.episodes li")).to_have_count(len(there))
    await plain.close()


async def _compare(page: Page) -> None:
    await page.goto("/runs")
    for box in (await page.get_by_role("checkbox").all())[:2]:
        await box.check()
    await page.get_by_role("button", name="Compare").click()
    await expect(page.get_by_role("heading", name="What they are")).to_be_visible()
    await expect(page.get_by_role("region", name="What they are")).to_contain_text("written here")


async def _hide(page: Page, run: str) -> None:
    await page.goto("/runs")
    own = page.locator(f"li[data-run='{run}']")
    await own.get_by_role("button", name="Hide").click()
    await expect(own).to_have_count(0)
    await page.goto("/runs?show=hidden")
    await own.get_by_role("button", name="Show in lists").click()
    await page.goto("/runs")
    await expect(own).to_have_count(1)
