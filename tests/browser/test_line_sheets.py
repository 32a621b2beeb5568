"""A sheet of free lines in a real browser: marked by keys, kept, and saved as CSV that is read."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from evaluators.worldtree.lines.annotations import read_marks
from evaluators.worldtree.lines.sheet import page
from tests.browser.chromium import BINARY, Page, chromium
from tests.evaluators.worldtree.free_lines import item

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="Chromium is not installed (make chromium)"),
]
ITEMS = [item(n) for n in range(3)]
CATCH = """URL.createObjectURL = (blob) => { window.saved = blob.text(); return "about:blank"; };
HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };"""
KEYS = """for (const key of {keys})
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}))"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Page]:
    async with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


async def keys(browser: Page, *pressed: str) -> None:
    await browser.run(KEYS.format(keys=json.dumps(pressed)))


async def test_a_sheet_is_marked_by_keys_goes_on_where_it_was_and_saves_what_is_read(
    browser: Page, tmp_path: Path
) -> None:
    file = tmp_path / "lines-en.html"
    file.write_text(page(ITEMS, "en", "lines-en"), encoding="utf-8")
    await browser.open(file.as_uri())
    await browser.look(360)
    assert await browser.run("document.documentElement.scrollWidth") <= 360
    assert "0 marked" in await browser.run("document.querySelector('#progress').textContent")
    await keys(browser, "b", "1", "Enter", "n")
    await keys(browser, "ArrowLeft", "b", "s")  # B is taken back; without a name nothing is saved.
    assert await browser.run("document.activeElement.id") == "name"
    await browser.type("Bo b")  # In a field, letters are letters.

    await browser.open(file.as_uri())
    assert "Item 1 of 3, 2 marked" in await browser.run(
        "document.querySelector('#progress').textContent"
    )
    assert await browser.run("document.querySelector('#name').value") == "Bo b"
    await keys(browser, "u", "3")
    assert "All are marked" in await browser.run("document.querySelector('#message').textContent")
    await browser.run(CATCH)
    await keys(browser, "s")
    assert await browser.run("window.savedAs") == "lines-en-Bo-b.csv"
    saved = tmp_path / "saved.csv"
    saved.write_text(await browser.run("window.saved"), encoding="utf-8")
    marks = read_marks([saved], {one.id: one for one in ITEMS})
    assert [(one.item, one.annotator) for one in marks] == [
        ("e0", "Bo b"), ("e1", "Bo b"), ("e2", "Bo b"),
    ]  # fmt: skip
    assert [sorted(one.same) for one in marks] == [[ITEMS[0].order[0]], [], [ITEMS[2].order[2]]]
    assert not browser.complaints
