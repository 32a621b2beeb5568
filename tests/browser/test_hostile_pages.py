"""Every page shows hostile texts, and does nothing that they say."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import Page

from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from tests.browser.playing import NARROW, WIDE, needs_chromium, playing
from tests.evaluators.synthetic import fill
from tests.faults.process import Troupe
from tests.support.hostile_stores import hostile_copy
from tests.support.runs import chain_plan

pytestmark = [needs_chromium, pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]

POISON = (
    "\"'></title></textarea></script></style><img src=x onerror=window.hit=1>"
    "<script>window.hit=1</script><svg onload=window.hit=1><a href=javascript:window.hit=1>x</a>"
    "{{7*7}}{%print 1%}\x1b[2J\u202e\u2028\x07"
)
OURS = "[onerror], [onload], img[src='x'], a[href^='javascript'], script:not([src], [type*=json])"
"""What is on no page of ours."""


def urls(store: EventStore) -> Iterator[str]:
    """Every page there is something to see on."""
    yield from ("/", "/runs", "/new", "/chains", "/judges", "/catalogs", "/studies", "/annotate")
    yield from ("/generated", "/api/docs")
    runs = queries.runs(store)
    for run in runs:
        yield f"/runs/{run.id}"
        yield f"/runs/{run.id}/episodes"
        ended = [row for row in queries.episodes(store, run=run.id) if row.status == "ended"]
        for row in ended[:2]:
            yield f"/episodes/{row.id}"
            yield f"/episodes/{row.id}?as=spectator"
            yield f"/episodes/{row.id}?as=1&at=3"
            yield f"/seat/{row.id}/1"
        yield f"/episodes/{ended[0].id}/compare/{ended[1].id}"
    yield f"/compare?run={runs[0].id}&run={runs[1].id}"
    yield from (f"/chains/{chain.id}" for chain in queries.chains(store)[:2])
    yield from (f"/catalogs/{row.name}" for row in queries.catalogs(store))
    hostile = quote(POISON)
    yield from (
        f"/enter?to=/{hostile}",
        f"/{hostile}",
        f"/runs?q={hostile}&sort={hostile}&status={hostile}",
        f"/runs/{hostile}",
        f"/episodes/{hostile}",
        f"/episodes/x?as={hostile}&at={hostile}",
        f"/compare?run={hostile}&run={hostile}",
        f"/seat/{hostile}/1",
        f"/join/{hostile}",
        f"/chains/{hostile}",
        f"/catalogs/{hostile}",
        f"/generated/{hostile}",
        f"/generated/{hostile}/{hostile}",
        f"/annotate/{hostile}",
        f"/judges?judge={hostile}&run={hostile}",
        f"/static/{hostile}",
    )


async def harmed(page: Page) -> list[str]:
    """What a page has taken from texts as its own."""
    hit = await page.evaluate("window.hit")
    found = await page.locator(OURS).evaluate_all("all => all.map(one => one.outerHTML)")
    return [*found, *(["a script ran"] if hit else [])]


async def test_hostile_texts_run_nowhere(tmp_path: Path) -> None:
    played = Troupe(tmp_path / "played")
    plan = tmp_path / "plan.toml"
    plan.write_text(chain_plan(length=2, pairs=1, judges='["belext-rehearsal"]'))
    run = await played.start("run", str(plan))
    assert await run.ended() == 0, run.said()
    (tmp_path / "data").mkdir()
    target = open_store(f"sqlite:///{tmp_path / 'data/troupe.db'}")
    filled = open_store(f"sqlite:///{tmp_path / 'filled.db'}", durable=False)
    fill(filled, episodes=4)
    for source in (filled, played.open()):
        hostile_copy(source, target, POISON)
        source.close()
    pages = list(urls(target))
    target.close()

    async with playing(tmp_path) as play:
        seen: dict[str, list[str]] = {}
        shown = 0
        for width, dark in ((WIDE, False), (NARROW, True)):
            page = await play.page("operator", name=POISON, width=width, dark=dark)
            page.on("dialog", lambda dialog: seen.setdefault(dialog.message, ["a dialog"]))
            for url in pages:
                answer = await page.goto(url, wait_until="load")
                assert answer is not None
                assert answer.status < 500, url
                # Modules fetch what they show.
                await page.wait_for_timeout(150)
                if found := await harmed(page):
                    seen[url] = found
                shown += "onerror=window.hit" in await page.locator("body").inner_text()
        assert seen == {}
        assert shown > len(pages), "the texts are there to be read"
        await page.goto("/")
        await page.evaluate("text => { document.body.innerHTML = text; }", POISON)
        assert len(await harmed(page)) >= 3, "what is looked for would be found"
        # The policy refuses the script of that, and says so.
        play.complaints.clear()
