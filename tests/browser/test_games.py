"""People play a game with hidden roles, each in a browser of their own."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from actors.games.setup import Consequences, Deal, GameAct
from events.episode import ActionTaken, EpisodeStarted, SeatReleased, WorldChanged
from events.run import RunPaused, RunResumed
from store.log.event_store import ANY
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.browser.playing import NARROW, WIDE, Playing, needs_chromium
from tests.browser.studies import MINUTE
from tests.support.runs import model_minds, record
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400), needs_chromium]

PLAN = """
name = "hunt"
environment = "games"
catalog = "parlour"
seed = 7
[tasks]
ids = ["{task}"]
[minds.someone]
kind = "person"
[minds.open]
kind = "rehearsal"
temper = "open"
{minds}
[seats]
pairings = [{pairing}]
[people]
{people}
"""
NIGHT: Final = {"hunt": "poacher", "follow": "tracker", "shelter": "healer"}
"""Which role has a verb that nobody else may learn of."""
DEADLINE_S: Final = 20
DONE: Final = "#answer form, #over:not([hidden])"


class Village:
    """A hunt, the pages of those who play it, and all that each page was sent."""

    def __init__(self, play: Playing, episode: str) -> None:
        self.play, self.episode = play, episode
        first = read_history(play.store, episode)[0].event
        assert isinstance(first, EpisodeStarted)
        self.deal: Deal = first.setup
        self.roles = [card.role for card in self.deal.cards if card is not None]
        self.names = [one.name for one in self.deal.players]
        self.pages: dict[int, Page] = {}
        self.frames: dict[int, list[str]] = {}

    def seats(self, role: str) -> list[int]:
        """Who has a role."""
        return [seat for seat, one in enumerate(self.roles) if one == role]

    async def sit(self, seat: int, *, width: int = NARROW, dark: bool = False) -> Page:
        """A person in a seat, with the token of a link to it."""
        page = await self.play.page(
            "participant", episode=self.episode, seat=seat, width=width, dark=dark
        )
        sent = self.frames.setdefault(seat, [])
        page.on("websocket", lambda socket: socket.on("framereceived", _keeper(sent)))
        await page.goto(f"/seat/{self.episode}/{seat + 1}")
        await page.get_by_role("button", name="Sit down").click(timeout=MINUTE)
        self.pages[seat] = page
        return page

    async def answers(self, seat: int, victims: list[int]) -> str:
        """Wait until the page is asked, and act; the verb, empty: it is over. The poachers hunt
        the first of the ``victims`` who is left, all others vote for a poacher."""
        page = self.pages[seat]
        await page.locator(DONE).filter(visible=True).first.wait_for(timeout=3 * MINUTE)
        form = page.locator("#answer form").filter(visible=True)
        if not await form.count():
            return ""
        asked = await form.element_handle(timeout=MINUTE)
        lead = await form.locator(".ask-lead").inner_text()
        if "talk" in lead:
            await form.get_by_label("Say something to").first.fill(f"It was not me, {seat + 1}.")
            verb = "say"
        else:
            offered = await form.locator(".games-choices input").evaluate_all(
                "all => all.map((one) => one.value)"
            )
            verb = {"choose": "hunt", "tracker": "follow", "healer": "shelter"}.get(
                lead.split()[-1], "vote"
            )
            poachers = self.seats("poacher")
            wanted = {"hunt": victims, "follow": poachers, "shelter": [seat]}.get(verb, poachers)
            names = [self.names[one] for one in wanted if self.names[one] in offered]
            await form.get_by_role("radio", name=(names or offered)[0]).check()
        await form.get_by_role("button", name="Send").click()
        await asked.wait_for_element_state("hidden", timeout=MINUTE)
        return verb

    async def plays(self, seat: int, victims: list[int], until: str = "") -> None:
        """Act until it is over, or until a verb was used."""
        while (verb := await self.answers(seat, victims)) and verb != until:
            pass


def _keeper(sent: list[str]) -> Any:
    return lambda payload: sent.append(payload if isinstance(payload, str) else payload.decode())


async def begun(play: Playing, folder: Path, **fields: str) -> Village:
    """A village whose game the server plays."""
    run = record(play.store, folder, PLAN.format(**{"minds": "", "people": "", **fields}))
    asked = [RunPaused(reason="stopped"), RunResumed(detached=True)]
    play.store.append(f"run-{run}", ANY, asked, correlation=run)
    (row,) = queries.episodes(play.store, run=run)
    await until(lambda: play.store.version(f"episode-{row.id}") >= 0, MINUTE / 1000)
    return Village(play, row.id)


def sent_before_the_end(village: Village, seat: int) -> list[str]:
    """Everything that a page was sent before the roles of all were told."""
    frames = village.frames[seat]
    last = next((at for at, one in enumerate(frames) if '"kind":"ended"' in one), len(frames))
    return frames[:last]


def values_of(found: Any, name: str) -> list[Any]:
    """All that stands under a name, however deep."""
    if isinstance(found, list):
        return [value for one in found for value in values_of(one, name)]
    if not isinstance(found, dict):
        return []
    own = [found[name]] if name in found else []
    return own + [value for one in found.values() for value in values_of(one, name)]


def assert_nothing_is_given_away(village: Village, seat: int) -> None:
    """No byte that the seat was sent names another's role, or what is done at night."""
    frames, own = sent_before_the_end(village, seat), village.roles[seat]
    sent, parsed = "\n".join(frames), [json.loads(one) for one in frames]
    cards = values_of(parsed, "cards")
    assert cards
    for one in cards:
        assert [card is not None for card in one] == [other == seat for other in range(len(one))]
    assert {one for waiting in values_of(parsed, "waiting") for one in waiting} == {seat}
    for verb, role in NIGHT.items():
        acts = [one for one in values_of(parsed, "act") if one.get("verb") == verb]
        assert bool(acts) == (own == role)
        assert (f'"verb":"{verb}"' in sent) == (own == role)
    assert ('"kind":"marked"' in sent) == (own == "poacher")
    assert ('"kind":"protected"' in sent) == (own == "healer")
    assert not any(values_of(parsed, "values"))
    assert values_of(parsed, "seed") == []


async def roles_on(page: Page) -> dict[str, str]:
    """The roles that a page's table shows, by name."""
    rows = await page.locator(".games-player").evaluate_all(
        "all => all.map((one) => [one.querySelector('b').textContent,"
        " one.querySelector('.games-role')?.textContent ?? ''])"
    )
    return {name: role for name, role in rows if role}


async def test_two_people_play_among_minds_and_each_sees_their_own_card_alone(
    play: Playing, tmp_path: Path
) -> None:
    pairing = '["someone", "someone", "open", "open", "open", "open"]'
    village = await begun(play, tmp_path, task="hunt-6-1", pairing=pairing)
    for seat, width in ((0, WIDE), (1, NARROW)):
        page = await village.sit(seat, width=width, dark=seat == 1)
        await expect(page.locator(".games-player")).to_have_count(6)
        assert set(await roles_on(page)) == {village.names[seat]}
        assert not await play.overflows(page)

    # With one click nobody who looks over a shoulder learns anything.
    page, card = village.pages[1], village.deal.cards[1]
    assert card is not None
    cover = page.get_by_role("button", name="Cover my card")
    await expect(page.get_by_text(card.goal).first).to_be_visible()
    await cover.press("Enter")
    await expect(cover).to_be_focused()
    await expect(cover).to_have_attribute("aria-pressed", "true")
    for goal in await page.get_by_text(card.goal).all():
        await expect(goal).to_be_hidden()
    assert await roles_on(page) == {}
    await page.reload()
    await expect(cover).to_have_attribute("aria-pressed", "true")
    assert await roles_on(page) == {}
    await cover.click()
    assert set(await roles_on(page)) == {village.names[1]}

    await asyncio.gather(*[village.plays(seat, [5, 4, 3, 2]) for seat in (0, 1)])
    for seat, page in village.pages.items():
        await expect(page.locator("#over")).to_be_visible(timeout=MINUTE)
        await expect(page.locator(".games-end")).to_contain_text("Won by")
        assert len(await roles_on(page)) == 6
        assert await play.violations(page) == []
        assert not await play.overflows(page)
        assert_nothing_is_given_away(village, seat)


@pytest.mark.long
async def test_eight_people_play_to_the_end_and_a_model_takes_the_seat_of_one_who_drops_out(
    play: Playing, tmp_path: Path
) -> None:
    async with StubServer() as stub:
        village = await begun(
            play,
            tmp_path,
            task="hunt-8-1",
            pairing=json.dumps(["someone"] * 8),
            minds=model_minds(stub.url),
            people=f'deadline_s = {DEADLINE_S}\nlate = "takeover"\nsubstitute = "stub"',
        )
        # The clock of whoever is asked at night runs once they sit.
        first = village.seats("villager")
        night = [seat for seat in range(8) if seat not in first]
        for seat in [*first, *night]:
            await village.sit(seat, dark=seat % 2 == 0)
        gone, *victims = first
        for seat, page in village.pages.items():
            shown = await roles_on(page)
            mates = village.seats("poacher") if village.roles[seat] == "poacher" else [seat]
            assert set(shown) == {village.names[one] for one in mates}
            assert not await play.overflows(page)
        players = [seat for seat in range(8) if seat != gone]
        ongoing = [asyncio.ensure_future(village.plays(seat, victims)) for seat in players]

        # One is asked to speak, and closes the browser instead.
        await village.pages[gone].locator("#answer form").wait_for(timeout=2 * MINUTE)
        await village.pages[gone].context.close()
        await asyncio.gather(*ongoing)

    for seat in players:
        page = village.pages[seat]
        await expect(page.locator("#over")).to_be_visible(timeout=MINUTE)
        await expect(page.locator(".games-end")).to_contain_text("No poacher is left")
        won = "You have not won." if village.roles[seat] == "poacher" else "You have won."
        await expect(page.locator(".games-end")).to_contain_text(won)
        assert len(await roles_on(page)) == 8
        assert not await play.overflows(page)
    for seat in (players[0], players[1]):
        assert await play.violations(village.pages[seat]) == []
    for seat in range(8):
        assert_nothing_is_given_away(village, seat)
    history = [one.event for one in read_history(play.store, village.episode)]
    (released,) = [one for one in history if isinstance(one, SeatReleased)]
    assert (released.seat, released.mind.name if released.mind else "") == (gone, "stub")
    after = history[history.index(released) :]
    acts = [one for one in after if isinstance(one, ActionTaken) and one.seat == gone]
    assert acts
    assert all(isinstance(one.action, GameAct) and one.failure is None for one in acts)
    assert queries.episode(play.store, village.episode).end_reason == "won"


async def test_a_researcher_sees_all_and_each_seat_as_that_seat_does(
    play: Playing, tmp_path: Path
) -> None:
    village = await begun(play, tmp_path, task="hunt-8-1", pairing=json.dumps(["open"] * 8))
    await until(lambda: queries.episode(play.store, village.episode).end_reason, MINUTE / 1000)
    history = [one.event for one in read_history(play.store, village.episode)]
    hunted = next(
        number
        for number, event in enumerate(history)
        if isinstance(event, ActionTaken)
        and isinstance(event.action, GameAct)
        and event.action.verb == "hunt"
    )
    page = await play.page("researcher")
    # Both poachers have named somebody, and the votes are counted.
    await page.goto(f"/episodes/{village.episode}?at={hunted + 2}")
    await expect(page.locator(".games-role")).to_have_count(8)
    await expect(page.locator(".games-team")).to_contain_text("hunt")
    assert await play.violations(page) == []

    # The role of who was voted out by day is shown to all.
    out = {
        village.names[fact.seat]
        for event in history[: hunted + 1]
        if isinstance(event, WorldChanged) and isinstance(event.change, Consequences)
        for fact in event.change.facts
        if fact.kind == "eliminated" and fact.seat is not None
    }
    villager, poacher = village.seats("villager")[-1], village.seats("poacher")[0]
    views: Mapping[int, set[str]] = {
        villager: {village.names[villager], *out},
        poacher: {*[village.names[one] for one in village.seats("poacher")], *out},
    }
    for seat, known in views.items():
        await page.locator(f'.eyes a[data-viewer="{seat + 1}"]').click()
        await expect(page.locator(".games-card")).to_be_visible()
        await expect(page.locator(".games-role")).to_have_count(len(known))
        assert set(await roles_on(page)) == known
        await expect(page.locator(".games-team")).to_have_count(int(seat == poacher))
        seen = page.locator("#transcript .entry:not([hidden])").filter(has_text="hunt")
        await expect(seen).to_have_count(3 if seat == poacher else 0)
    await page.locator('.eyes a[data-viewer="narrator"]').click()
    await expect(page.locator(".games-role")).to_have_count(8)
