"""The page *Stage* in Chromium: a researcher watches an episode of models live, scrubs back, forks,
sits down in the middle, and hands back; what is kept from a spectator never reaches them."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from events.agent import ModelAnswered, ModelAsked
from events.base import Event
from events.wire.subjects import agent_stream
from store.log.event_store import NEW
from store.read_model import queries
from store.read_model.episode_history import lineage
from tests.browser.playing import NARROW, Playing, needs_chromium
from tests.support.runs import events_of, model_minds, plan
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings

pytestmark = [needs_chromium, pytest.mark.browser, pytest.mark.long]


async def begun(play: Playing, folder: Path, stub: StubServer) -> str:
    """An episode of two models that the server has begun to play."""
    # More turns than are played before the page stops it, however busy the machine is.
    text = plan(model_minds(stub.url), tasks=1, rules="turn_cap = 1000")
    (folder / "plan.toml").write_text(text)
    await play.troupe("run", "--detach", "--no-probe", str(folder / "plan.toml"))
    found: list[str] = []

    def playing() -> bool:
        found[:] = [row.id for row in queries.episodes(play.store) if row.turns > 1]
        return bool(found)

    await until(playing, within=60)
    return found[0]


async def opened(page: Page, path: str) -> None:
    """Open a stage, and wait until its module has all that was told so far."""
    await page.goto(path)
    await page.wait_for_selector("#stage[data-ready]")


async def test_a_researcher_watches_scrubs_forks_sits_down_and_hands_back(
    play: Playing, tmp_path: Path
) -> None:
    async with StubServer(StubSettings(seed=2, latency_s=0.6)) as stub:
        episode = await begun(play, tmp_path, stub)
        page = await play.page("researcher", name="mara")
        await opened(page, f"/episodes/{episode}")

        # It goes on by itself.
        turns = page.locator(".transcript .turn")
        count = await turns.count()
        await expect(turns.nth(count)).to_be_attached()

        # Paused, it waits with what a mind proposes.
        await page.get_by_role("button", name="Pause").click()
        await expect(page.locator("#state")).to_contain_text("paused")
        await expect(page.locator("#now .notice")).to_contain_text("Proposed")

        # Back by the keyboard to the first event, and on again.
        await page.keyboard.press("Home")
        await expect(page.locator(".scrubber .where")).to_contain_text("Event 0 · 1 of")
        await expect(page.locator(".transcript .entry")).to_have_count(0)
        await page.keyboard.press("Shift+ArrowRight")
        await page.keyboard.press("ArrowRight")
        await expect(page.locator(".transcript .entry")).to_have_count(1)
        await expect(page).to_have_url(re.compile("at="))

        # From there a fork with another mind.
        await page.keyboard.press("f")
        await page.get_by_label(re.compile("Last event")).wait_for()
        await page.locator("#seat-1").fill("rehearsal:stubborn")
        await page.get_by_role("button", name="Fork").click()
        await page.wait_for_selector("#stage[data-ready]")
        tree = lineage(play.store, episode)
        (fork,) = tree.forks
        assert page.url.endswith(fork.episode.id)
        await expect(page.locator(".transcript .note").first).to_contain_text("fork")
        await page.goto(f"/episodes/{episode}/compare/{fork.episode.id}")
        await expect(page.locator("main")).to_contain_text("another mind")
        assert await play.violations(page) == []

        # A seat from its model, an answer, and back to the model.
        await opened(page, f"/episodes/{episode}")
        await expect(page.locator("#state")).to_contain_text("paused")
        card = page.locator("#seats > li").first
        await card.get_by_role("button", name="Take this seat").click()
        await expect(card.locator(".mind")).to_contain_text("a person")
        await page.get_by_role("button", name="Go on").click()
        words = page.locator("#sitting textarea")
        await words.fill("I have thought about it: <b>no</b>.")
        await words.press("Enter")
        said = page.locator(".entry", has_text="I have thought about it: <b>no</b>.")
        await expect(said).to_be_visible()
        await page.locator("#sitting").get_by_role("button", name="Hand it back").click()
        await expect(card.locator(".mind")).not_to_contain_text("a person")
        count = await turns.count()
        await expect(turns.nth(count + 1)).to_be_attached()
        assert await play.violations(page) == []

        # Stopped, it ends, and everybody is told.
        page.on("dialog", lambda dialog: dialog.accept())
        await page.get_by_role("button", name="Stop").click()
        await expect(page.locator("#state")).to_contain_text("ended")
    tags = [type(event).__name__ for event in events_of(play.store, f"episode-{episode}")]
    for tag in ("EpisodePaused", "SeatTaken", "EpisodeContinued", "SeatReleased", "EpisodeEnded"):
        assert tag in tags


async def test_a_spectator_is_shown_less_and_at_360_px_too(play: Playing, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        plan(tasks=1, rules="turn_cap = 6", judges='["rehearsal-strict"]')
    )
    await play.troupe("run", str(tmp_path / "plan.toml"))
    row = queries.episodes(play.store)[0]
    page = await play.page("spectator", width=NARROW, dark=True, episode=row.id)
    await opened(page, f"/episodes/{row.id}")
    await expect(page.locator(".transcript .entry").first).to_be_visible()
    assert not await play.overflows(page)
    assert await play.violations(page) == []
    for hidden in ("#scores", "#forks", "#controls", ".eyes", ".goal", ".mind"):
        await expect(page.locator(hidden)).to_have_count(0)
    researcher = await play.page("researcher")
    await opened(researcher, f"/episodes/{row.id}")
    await researcher.locator(".eyes a", has_text="Spectator").click()
    await expect(researcher.locator(".goal")).to_have_count(0)
    await researcher.get_by_role("link", name="Ask a character").click()
    await researcher.locator("#question").fill("What did you want?")
    await researcher.locator("#interviews-part").get_by_role("button", name="Ask").click()
    await expect(researcher.locator(".interview .answer")).to_contain_text("What I wanted")
    theirs = await page.locator(".transcript .words").all_inner_texts()
    assert await researcher.locator(".transcript .words").all_inner_texts() == theirs


async def test_the_calls_of_an_episode_are_read_page_by_page_at_360_px(
    play: Playing, tmp_path: Path
) -> None:
    (tmp_path / "plan.toml").write_text(plan(tasks=1, rules="turn_cap = 2"))
    await play.troupe("run", str(tmp_path / "plan.toml"))
    row = queries.episodes(play.store)[0]
    calls: list[Event] = []
    for attempt in range(60):
        key = {"turn": 1, "attempt": attempt, "request_hash": f"h{attempt}"}
        asked = ModelAsked(**key, purpose="act", model="a/model", prompt_version="act-0:1")
        calls += [asked, ModelAnswered(**key, text=f"answer {attempt} {'long ' * 40}<b>")]
    play.store.append(agent_stream(row.id, 0), NEW, calls)
    page = await play.page("researcher", width=NARROW, dark=True)
    await page.goto(f"/episodes/{row.id}/calls")
    await expect(page.locator("article.call")).to_have_count(50)
    await expect(page.locator("article.call").first).to_contain_text("answer 0")
    await expect(page.locator("article.call").first).to_contain_text("It is not asked so today")
    assert not await play.overflows(page)
    assert await play.violations(page) == []
    further = page.get_by_role("link", name="Further calls")
    await further.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("article.call")).to_have_count(10)
    await expect(page.get_by_role("link", name="Earlier calls")).to_be_visible()
    await page.goto(f"/episodes/{row.id}/calls/1")
    await page.get_by_role("link", name="All calls of the episode").click()
    await expect(page).to_have_url(re.compile(rf"/episodes/{row.id}/calls$"))
    spectator = await play.page("spectator", episode=row.id)
    for path in ("calls", "calls/1"):
        answer = await spectator.goto(f"{play.url}/episodes/{row.id}/{path}")
        assert answer is not None
        assert answer.status in (403, 404)
        assert "answer 0" not in await spectator.content()
