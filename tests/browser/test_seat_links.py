"""A person comes by the link to a seat, without a study: before it begins, in time, late, and back
again."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from events.run import RunPaused, RunResumed
from store.log.event_store import ANY
from store.read_model import queries
from tests.browser.playing import NARROW, Playing, needs_chromium
from tests.browser.studies import MINUTE
from tests.support.runs import REHEARSAL_MINDS, plan, record

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(300), needs_chromium]

PEOPLE = """
[people]
deadline_s = 12
nudge_s = 1
late = "nothing"
"""
SOMEONE = '\n[minds.someone]\nkind = "person"\n'
_CUT_OFF = """() => [...document.querySelectorAll(".bar *:not(.hidden-text)")]
    .filter((one) => one.checkVisibility() &&
        (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1 ||
            one.getBoundingClientRect().right > innerWidth))
    .map((one) => one.id)"""
"""What of the bar at the top is not whole, by id."""


async def whole(play: Playing, page: Page) -> None:
    """Nothing scrolls sideways, and what stands in the bar can be read to its end."""
    assert not await play.overflows(page)
    inline = ["time"]  # has no box of its own
    assert [one for one in await page.evaluate(_CUT_OFF) if one not in inline] == []


async def test_a_seat_waits_for_its_episode_is_reminded_told_what_was_missed_and_taken_again(
    play: Playing, tmp_path: Path
) -> None:
    store = play.store
    pairings = '[["someone", "generous"]]'
    rules = "turn_cap = 100\nstale_turns = 0"
    text = plan(REHEARSAL_MINDS + SOMEONE, tasks=1, pairings=pairings, rules=rules)
    run = record(store, tmp_path, text + PEOPLE)
    store.append(f"run-{run}", ANY, [RunPaused(reason="stopped")], correlation=run)
    episode = queries.episodes(store, run=run)[0].id
    page = await play.page("participant", episode=episode, seat=0, width=NARROW)
    await page.goto(f"/seat/{episode}/1")
    standing = page.locator("#standing")
    await expect(standing).to_contain_text("has not begun yet")
    await expect(standing).to_contain_text("Keep this page open")

    store.append(f"run-{run}", ANY, [RunResumed(detached=True)], correlation=run)
    await page.get_by_role("button", name="Sit down").click(timeout=MINUTE)
    turn, missed = page.locator("#turn"), page.locator("#missed")
    await expect(turn).to_have_text("Your turn: please answer", timeout=MINUTE)
    await whole(play, page)
    await expect(missed).to_be_visible(timeout=MINUTE)
    await expect(missed).to_contain_text("your turn has passed without you")
    await whole(play, page)
    assert await play.violations(page) == []
    await page.reload()
    await expect(missed).to_be_visible(timeout=MINUTE)

    await page.get_by_role("button", name="Leave your seat", exact=True).click()
    dialog = page.locator("dialog")
    await expect(dialog).to_contain_text("You can sit down in it again")
    assert "cannot come back" not in await page.content()
    await dialog.get_by_role("button", name="Leave your seat").click()
    await expect(page.locator("#sit")).to_contain_text("You have left your seat")
    await expect(missed).to_be_hidden()
    await page.get_by_role("button", name="Sit down").click()
    await expect(turn).to_contain_text("Your turn", timeout=MINUTE)

    await play.troupe("pause", episode)
    await expect(standing).to_have_text("It is paused. It goes on by itself.", timeout=MINUTE)
