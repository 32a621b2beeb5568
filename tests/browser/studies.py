"""Participants of studies in browsers, and the study files that they take part in."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress

from playwright.async_api import Page, TimeoutError, expect

from tests.browser.playing import Playing

MINUTE = 60_000
"""Milliseconds that are waited for what others do."""

PAIR = """
[[conditions]]
name = "pair"
people = 2
quota = 5
tasks.ids = ["last_ferry-june-leila"]
"""


def study_file(conditions: str = PAIR, *, rule: str = "end", more: str = "") -> str:
    """A study's text: one question of each kind, and the conditions."""
    return f"""
[study]
name = "trial"
title = "A short talk"
partners = "You talk with one other person."
[consent]
version = "1"
text = "You may stop at any time."
[[screening]]
id = "age"
text = "How old are you?"
kind = "number"
low = 18
high = 120
[[instructions]]
title = "What you do"
text = "You talk."
[[comprehension]]
id = "goal"
text = "Who sees your goal?"
kind = "choice"
options = ["Only I", "Everybody"]
right = "Only I"
{conditions}
[minds.candid]
kind = "rehearsal"
temper = "candid"
[lobby]
limit_s = 600
[turns]
deadline_s = 600
[drop_outs]
rule = "{rule}"
mind = "candid"
[[questionnaire]]
id = "natural"
text = "How natural was it?"
kind = "scale"
low = 1
high = 7
[[questionnaire]]
id = "why"
text = "Why?"
kind = "text"
required = false
[recruitment]
keep = ["PROLIFIC_PID"]
participant = "PROLIFIC_PID"
redirect = "https://example.org/complete?cc={{code}}"
[social]
turn_cap = 12
{more}
"""


async def started(play: Playing, text: str) -> str:
    """Plan a study and let people in; its id."""
    path = play.machine.data_dir.parent / "study.toml"
    path.write_text(text, encoding="utf-8")
    said = await play.troupe("study", "start", str(path), "--json")
    return str(json.loads(said)["study"])


async def to_the_lobby(page: Page, study: str, who: str) -> None:
    """A participant comes by a platform's link and goes up to the lobby."""
    await page.goto(f"/join/{study}?PROLIFIC_PID={who}")
    await page.get_by_role("button", name="I agree", exact=True).click()
    await page.get_by_label("How old are you?").fill("30")
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("button", name="I have read this").click()
    await page.get_by_label("Only I").check()
    await page.get_by_role("button", name="Continue").click()


async def seated(*pages: Page) -> None:
    """All of them have come to their seats."""
    for page in pages:
        await page.wait_for_url("**/seat/**", timeout=MINUTE)
        await expect(page.locator("#brief-name")).to_contain_text("You are", timeout=MINUTE)


async def says(page: Page, words: str, kind: str = "Say") -> None:
    """It is this participant's turn, and they act."""
    form = page.locator("#answer form")
    await form.wait_for(timeout=MINUTE)
    await form.get_by_label(kind, exact=True).check()
    await form.locator("textarea").first.fill(words)
    await form.get_by_role("button", name="Send").click()
    own = page.locator(".entry.own").filter(has_text=words)
    await expect(own).to_be_visible(timeout=MINUTE)


async def whose_turn(pages: Mapping[str, Page]) -> str:
    """The name of the page that is asked."""
    while True:
        for name, page in pages.items():
            with suppress(TimeoutError):
                await page.locator("#answer form").wait_for(timeout=300)
                return name
        await asyncio.sleep(0)


async def heard(page: Page, words: str) -> None:
    """What somebody else said is there, once."""
    theirs = page.locator(".entry.theirs").filter(has_text=words)
    await expect(theirs).to_have_count(1, timeout=MINUTE)


async def to_the_code(page: Page) -> str:
    """From the end of the conversation to the completion code."""
    await page.get_by_role("link", name="Continue").click(timeout=MINUTE)
    await page.get_by_role("radio", name="6").check(force=True)
    await page.get_by_role("button", name="Finish").click()
    await expect(page.get_by_role("heading")).to_have_text("Thank you!")
    code = await page.locator("#code").inner_text()
    link = page.get_by_role("link", name="Finish and go back")
    await expect(link).to_have_attribute("href", f"https://example.org/complete?cc={code}")
    return code
