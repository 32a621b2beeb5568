"""The page of the paper's tables in a real browser."""

from pathlib import Path

import pytest

from evaluators.worldtree.report.page import Page, RunShown, write_page
from evaluators.worldtree.report.page_parts import PageExtras
from evaluators.worldtree.scores import scores_of
from tests.browser.chromium import BINARY, chromium
from tests.evaluators.worldtree.test_paper_page import HOSTILE, results

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="Chromium is not installed (make chromium)"),
]
OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"


@pytest.mark.asyncio
async def test_it_asks_for_nothing_complains_of_nothing_and_fits_a_phone(tmp_path: Path) -> None:
    found = results(HOSTILE * 9)
    page = Page(
        title=HOSTILE,
        scores=scores_of(found),
        results=found,
        runs=[RunShown("r1", HOSTILE, "c", "m", "1 of 1")],
        added=PageExtras(paper=True),
    )
    url = write_page(page, tmp_path / "page.html").as_uri()
    async with chromium(tmp_path) as browser:
        for width, dark in ((360, True), (1280, False)):
            await browser.look(width, dark=dark)
            await browser.open(url)
            await browser.run(OPEN_ALL)
            assert await browser.run("document.documentElement.scrollWidth <= innerWidth")
        assert browser.requests == [url]
        assert browser.complaints == []
