"""The parts that pages are made of are legible and reachable: wide and narrow, light and dark."""

import pytest

from tests.browser.playing import NARROW, WIDE, Playing, needs_chromium

pytestmark = [needs_chromium, pytest.mark.browser, pytest.mark.long]

EVERYTHING = """
<h1>Everything</h1><p class="lead">A lead.</p><p class="muted">Muted. <a href="/">A link</a></p>
<div class="row"><button>Plain</button><button class="primary">Primary</button>
<button class="quiet">Quiet</button><button class="danger">Danger</button>
<a class="button primary" href="/">Link</a><button class="small" disabled>Off</button></div>
<p>BADGES</p>
NOTICES
<div class="tabs"><a href="/" aria-current="page">One</a><a href="/">Two</a></div>
<div class="grid"><div class="card">A card</div><a class="card link" href="/">A link</a></div>
<div class="table-box" tabindex="0" role="region" aria-label="Scores"><table>
<caption>Scores</caption><thead><tr>HEADS</tr></thead>
<tbody><tr>CELLS</tr><tr aria-selected="true">CELLS</tr></tbody></table></div>
<form class="card stack"><div class="field"><label for="a">Name</label>
<input id="a" placeholder="Somebody" aria-describedby="h"><p class="hint" id="h">A hint</p>
<p class="error">An error</p></div>
<div class="field"><label for="b">Which</label><select id="b"><option>One</option></select></div>
<div class="field"><label for="c">Text</label><textarea id="c"></textarea></div>
<fieldset><legend>Choose</legend><div class="choice"><input type="radio" id="d" name="r">
<label for="d">This</label></div><div class="choice"><input type="checkbox" id="e">
<label for="e">That</label></div></fieldset>
<div class="field"><label for="f">How far</label><input type="range" id="f"></div></form>
<p>SEATS</p><details open><summary>More</summary>Text</details><p class="empty">Nothing yet.</p>
<p><kbd>k</kbd> <code>code</code> <mark>marked</mark></p><pre>troupe token issue researcher</pre>
<progress value="3" max="7" aria-label="How far"></progress>
""".strip()
KINDS = ("", "info", "good", "warn", "bad")
PARTS = {
    "BADGES": " ".join(f'<span class="badge {kind}">{kind or "plain"}</span>' for kind in KINDS),
    "NOTICES": "".join(
        f'<p class="notice {kind}">A notice. <a href="/">A link</a></p>' for kind in KINDS
    ),
    "HEADS": "".join(f'<th scope="col" class="number">A column {n}</th>' for n in range(12)),
    "CELLS": '<td class="number">12.345</td>' * 12,
    "SEATS": " ".join(f'<b class="seat-{n}" id="seat-{n}">Seat {n}</b>' for n in range(1, 9)),
}
SHOW = """html => {
  document.getElementById("main").innerHTML = html;
  for (let n = 1; n <= 8; n += 1) {
    document.getElementById(`seat-${n}`).style.color = `var(--seat-${n})`;
  }
}"""


async def test_everything_is_legible_and_nothing_overflows(play: Playing) -> None:
    html = EVERYTHING
    for name, part in PARTS.items():
        html = html.replace(name, part)
    for width in (NARROW, WIDE):
        for dark in (False, True):
            page = await play.page("researcher", width=width, dark=dark)
            await page.goto("/enter")
            await page.evaluate(SHOW, html)
            assert await play.violations(page) == [], (width, dark)
            assert not await play.overflows(page), (width, dark)
            await page.screenshot(
                path=play.machine.folder / f"{width}-{'dark' if dark else 'light'}.png",
                full_page=True,
            )
            await page.context.close()


async def test_sign_in_problems_and_home_pass_axe(play: Playing) -> None:
    for width, dark in ((NARROW, True), (WIDE, False)):
        for role in (None, "operator"):
            page = await play.page(role, width=width, dark=dark)
            for path in ("/", "/enter", "/nothing"):
                await page.goto(path)
                assert await play.violations(page) == [], (path, width, dark)
                assert not await play.overflows(page), (path, width, dark)
            await page.context.close()


async def test_by_keyboard_the_content_is_one_step_away(play: Playing) -> None:
    page = await play.page("operator")
    await page.goto("/")
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.textContent") == "Skip to the content"
    await page.keyboard.press("Enter")
    assert await page.evaluate("document.activeElement.id") == "main"
    await page.keyboard.press("Tab")
    focused = "getComputedStyle(document.activeElement).outlineStyle"
    assert await page.evaluate(focused) == "solid", "what has the focus is seen to have it"
