"""An annotator scores an episode, and the comparison of judges shows it; in Chromium."""

import json
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from store.read_model import queries
from tests.browser.playing import NARROW, WIDE, Playing, needs_chromium
from tests.support.runs import chain_plan, plan

pytestmark = [needs_chromium, pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(300)]

HOSTILE = "</textarea><script>document.title = 'pwned'</script><b>bold\u202e"


async def run_of(play: Playing, folder: Path, text: str) -> str:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    await play.troupe("run", str(path))
    return queries.runs(play.store)[0].id


async def answer_all(page: Page, reason: str) -> None:
    """Give every open answer its first value and a reason, by keyboard alone."""
    await page.keyboard.press("Escape")
    while not await page.locator("#answered").get_by_text("14 of 14").count():
        await page.keyboard.press("n")
        await page.keyboard.press("Space")
        await page.keyboard.press("w")
        await page.keyboard.type(reason)
        await page.keyboard.press("Escape")


async def check(play: Playing, page: Page) -> None:
    """Nothing serious to axe, nothing wider than the screen; wide and narrow, light and dark."""
    for width, scheme in ((WIDE, "light"), (NARROW, "dark")):
        await page.set_viewport_size({"width": width, "height": 800})
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert await play.violations(page) == []
        assert not await play.overflows(page)
    await page.set_viewport_size({"width": WIDE, "height": 800})
    await page.emulate_media(color_scheme="light")


async def test_an_annotator_scores_by_keyboard_and_the_judges_are_compared(
    play: Playing, tmp_path: Path
) -> None:
    run = await run_of(
        play, tmp_path, plan(tasks=2, pairings='[["generous", "stubborn"]]',
                             judges='["rehearsal-strict"]')
    )  # fmt: skip
    said = await play.troupe("annotate", "new", "--run", run, "-k", "2", "--json")
    study = json.loads(said[said.index("{") : said.rindex("}") + 1])["id"]
    page = await play.page("annotator", name="anna", study=study)
    await page.goto("/annotate")
    await page.locator(".studies a").click()
    await check(play, page)
    await page.get_by_role("button", name="Begin").click()
    await expect(page.get_by_role("heading", name="The episode")).to_be_visible()
    await check(play, page)

    # What one seat knew can be looked at.
    await page.locator("#seeing button[data-seat='0']").click()
    await expect(page.locator(".given[data-of='0']")).to_be_visible()
    await expect(page.locator(".given[data-of='']")).to_be_hidden()
    await page.get_by_role("button", name="All", exact=True).click()

    # A reason, and words that are selected in the episode, come to the answer one is at; both are
    # still there after the page was left.
    await page.keyboard.press("n")
    await page.keyboard.press("w")
    await page.keyboard.type(HOSTILE)
    await page.keyboard.press("Escape")
    await page.evaluate(
        "() => getSelection().selectAllChildren(document.querySelector('.line .said'))"
    )
    await page.keyboard.press("q")
    await expect(page.locator("#row-0\\.0 .quotes li")).to_have_count(1)
    await expect(page.locator("#saved")).to_have_text("Saved")
    await page.reload()
    await expect(page.locator("#reason-0\\.0")).to_have_value(HOSTILE.replace("\u202e", "[U+202E]"))
    await expect(page.locator("#row-0\\.0 .quotes li")).to_have_count(1)
    assert "pwned" not in await page.title()

    # With the mouse, one answer after the other.
    for seat in (0, 1):
        await page.locator(f"#row-{seat}\\.0 label").nth(3).click()
    for seat in (0, 1):
        await expect(page.locator(f"#row-{seat}\\.0 input:checked[type=radio]")).to_have_count(1)

    # What is missing comes back with what is wrong, and what was typed.
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#faults")).to_contain_text("13 answers to mend")
    await expect(page.locator("#row-0\\.0 .quotes li")).to_have_count(1)
    await check(play, page)
    await answer_all(page, "they said so")
    await page.keyboard.press("Control+Enter")
    await expect(page.locator(".bar")).to_contain_text("1 of 2 items done")
    rows = [row for row in queries.scores(play.store) if row.judge_kind == "person"]
    assert len(rows) == 14
    assert sum(bool(row.quotes) for row in rows) == 1

    # Somebody else's scores stand beside; the researcher sees all three.
    other = await play.page("annotator", name="ben", study=study)
    await other.goto(f"/annotate/{study}")
    await other.get_by_role("button", name="Begin").click()
    await answer_all(other, "so it seems")
    await other.keyboard.press("Control+Enter")
    await expect(other.locator(".bar")).to_contain_text("1 of 2 items done")
    mara = await play.page("researcher", name="mara")
    await mara.goto(f"/annotate/{study}")
    await expect(mara.locator("main")).to_contain_text("2 of 4 annotations")
    await check(play, mara)
    await mara.get_by_role("link", name="How far people agree").click()
    await expect(mara.get_by_role("heading", name="Judges", level=1)).to_be_visible()
    await expect(mara.locator("#a option:checked")).to_have_text("people (mean of 2)")
    await expect(mara.locator("#b option:checked")).to_contain_text("rehearsal-strict")
    await expect(mara.locator("#agreement")).to_contain_text("GOAL")
    await expect(mara.locator("#charts svg").first).to_be_visible()
    await expect(mara.locator("#people")).to_contain_text(rows[0].judge)
    await mara.locator("#differ summary").first.click()
    await expect(mara.locator("#differ")).to_contain_text("so it seems")
    href = await mara.locator("#differ a").first.get_attribute("href")
    assert href is not None
    assert href.startswith("/episodes/e")
    await check(play, mara)

    # A link for one study leads to no other, and an annotator sees no judge.
    assert (await page.request.get("/judges")).status == 403
    assert (await page.request.get(f"/annotate/{study}/answers.csv")).status == 403
    stranger = await play.page("annotator", name="cleo", study="another")
    assert (await stranger.request.get(f"/annotate/{study}")).status == 403


async def test_chains_and_catalogs_are_looked_at(play: Playing, tmp_path: Path) -> None:
    text = chain_plan(length=3, pairs=1, judges='["belext-rehearsal"]', turn_cap=6)
    await run_of(play, tmp_path, text)
    page = await play.page("researcher", name="mara")
    await page.goto("/chains")
    await expect(page.locator(".curve svg").first).to_be_visible()
    await check(play, page)
    await page.locator("tbody a").first.click()
    await expect(page.locator(".recalls svg").first).to_be_visible()
    await page.locator("#index-2 summary").first.click()
    await page.locator("#index-2 a.reminder").first.click()
    await expect(page.locator("#index-2 pre.reminded")).not_to_be_empty()
    await check(play, page)
    await page.goto("/catalogs")
    await check(play, page)
    await page.get_by_role("link", name="starter", exact=True).click()
    await expect(page.locator(".drawn svg")).to_be_visible()
    await check(play, page)
    await page.locator("#q").fill("bread")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(f"{play.url}/catalogs/starter?q=bread")
    await page.locator(".things a").first.click()
    await expect(page.locator(".facts")).to_be_visible()
    await check(play, page)
