"""Five people play a session at a table, each in a browser of their own."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from actors.tabletop.setup import Played, Recalled, Session
from evaluators.tabletop.stage_guesses import TITLE
from events.episode import ActionTaken, EpisodeStarted, SeatReleased
from events.run import RunPaused, RunResumed
from store.log.event_store import ANY, EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.browser.playing import NARROW, Playing, needs_chromium
from tests.browser.studies import MINUTE
from tests.support.runs import record

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(300), needs_chromium]

PLAN = """
name = "table"
environment = "tabletop"
catalog = "tavern"
seed = 7
[tasks]
ids = ["{task}"]
[tabletop]
turns = {turns}
[minds.someone]
kind = "person"
[minds.open]
kind = "rehearsal"
temper = "open"
[seats]
pairings = [["someone", "someone", "someone", "someone", "someone"]]
[people]
substitute = "open"
[judges]
use = ["information-rule"]
"""
NPC = 4
GUESSED = re.compile(r"after turn \d+")


def begun(play: Playing, folder: Path, task: str, turns: int) -> str:
    """The episode, which the server plays."""
    run = record(play.store, folder, PLAN.format(task=task, turns=turns))
    asked = [RunPaused(reason="stopped"), RunResumed(detached=True)]
    play.store.append(f"run-{run}", ANY, asked, correlation=run)
    (row,) = queries.episodes(play.store, run=run)
    return row.id


async def sit(play: Playing, episode: str, seat: int) -> Page:
    """A person in a seat, some on a phone, with the token of a link to it."""
    width = NARROW if seat % 2 else 1280
    page = await play.page("participant", episode=episode, seat=seat, width=width, dark=seat == 2)
    await page.goto(f"/seat/{episode}/{seat + 1}")
    await page.get_by_role("button", name="Sit down").click(timeout=MINUTE)
    return page


async def form_of(page: Page) -> Locator:
    """The form in which the page is asked something."""
    form = page.locator("#answer form")
    await form.wait_for(timeout=MINUTE)
    return form


async def moves(page: Page, say: str = "", do: str = "") -> None:
    """It is this page's turn; both empty: it passes."""
    form = await form_of(page)
    if not say and not do:
        await form.get_by_role("button", name="Pass").click()
        return
    await form.get_by_label("What you say").fill(say)
    await form.get_by_label("What you do").fill(do)
    await form.get_by_role("button", name="Send").click()


async def all_read(pages: Mapping[int, Page], words: str) -> None:
    for page in pages.values():
        await expect(page.locator(".entry").filter(has_text=words)).to_have_count(1, timeout=MINUTE)


def actions(store: EventStore, episode: str) -> list[ActionTaken]:
    history = [one.event for one in read_history(store, episode)]
    return [event for event in history if isinstance(event, ActionTaken)]


async def test_five_people_play_one_returns_a_mind_takes_over_and_the_question_is_answered(
    play: Playing, tmp_path: Path
) -> None:
    episode = begun(play, tmp_path, "exchange-1", turns=8)
    pages = {seat: await sit(play, episode, seat) for seat in range(5)}
    first = read_history(play.store, episode)[0].event
    assert isinstance(first, EpisodeStarted)
    setup: Session = first.setup
    assert setup.sheet is not None
    secret = setup.sheet.points[0].text
    for seat, page in pages.items():
        await expect(page.locator("#brief-name")).to_contain_text(setup.characters[seat].name)
        assert (secret in await page.content()) == (seat == NPC)
    now = "[aria-current=step]"
    await expect(pages[1].locator(now)).to_contain_text(setup.characters[0].name.split()[0])
    await expect(pages[1].locator("#turn")).to_have_text(f"{setup.characters[0].name}’s turn")

    # Words, a deed, both, and neither; an empty form is not sent.
    form = await form_of(pages[0])
    await form.get_by_role("button", name="Send").click()
    await expect(form.get_by_role("alert")).to_have_text("Write what you say or do, or pass.")
    await moves(pages[0], say="Who lit it first?", do="leans over the counter")
    await all_read(pages, "Who lit it first? *leans over the counter*")
    await moves(pages[1], do="sits down and listens")
    await all_read(pages, "sits down and listens")
    await expect((await form_of(pages[2])).get_by_text("Move 3 of 8")).to_be_visible()
    for seat in (1, 2):
        assert await play.violations(pages[seat]) == []
        assert not await play.overflows(pages[seat])
    await moves(pages[2])
    await all_read(pages, "passes")

    # One drops out in the middle of a sentence, and comes back to it.
    form = await form_of(pages[3])
    await form.get_by_label("What you say").fill("Tell us about the")
    context = pages[3].context
    await pages[3].close()
    pages[3] = await play.page_in(context)
    await pages[3].goto(f"/seat/{episode}/4")
    form = await form_of(pages[3])
    await expect(form.get_by_label("What you say")).to_have_value("Tell us about the")
    await moves(pages[3], say="Tell us about the lantern.")
    await all_read(pages, "Tell us about the lantern.")
    await moves(pages[NPC], say=secret)
    await all_read(pages, secret)

    # Another leaves for good: a mind takes the seat over and plays on, to the answer in the end.
    await pages[1].get_by_role("button", name="Leave your seat", exact=True).click(timeout=MINUTE)
    await pages[1].locator("dialog").get_by_role("button", name="Leave your seat").click()
    await expect(pages[1].locator("#sit")).to_contain_text("You have left your seat")
    await moves(pages[0], say="So that is how.")
    await all_read({seat: page for seat, page in pages.items() if seat != 1}, "So that is how.")
    await moves(pages[2])
    for seat in (0, 2, 3):
        form = await form_of(pages[seat])
        await expect(form).to_contain_text(f"What have you learned about {setup.topic}?")
        assert await play.violations(pages[seat]) == []
        if seat == 2:
            await form.get_by_role("button", name="I learned nothing").click()
        else:
            await form.locator("textarea").fill(f"Seat {seat} has learned: {secret}")
            await form.get_by_role("button", name="Send").click()
    for seat in (0, 2, 3, NPC):
        await expect(pages[seat].locator("#over")).to_be_visible(timeout=MINUTE)
        told = await pages[seat].content()
        learned = [other for other in (0, 3) if f"Seat {other} has learned" in told]
        assert learned == ([seat] if seat in (0, 3) else [])

    taken = actions(play.store, episode)
    assert [one.seat for one in taken if isinstance(one.action, Played)] == [0, 1, 2, 3, 4, 0, 1, 2]
    answers = {one.seat: one.action.text for one in taken if isinstance(one.action, Recalled)}
    assert sorted(answers) == [0, 1, 2, 3]
    assert answers[2] == ""
    assert secret in answers[0]
    assert all(one.failure is None for one in taken)
    history = [one.event for one in read_history(play.store, episode)]
    assert [one.seat for one in history if isinstance(one, SeatReleased)] == [1]
    assert queries.episode(play.store, episode).end_reason == "played"


async def test_the_guess_follows_on_the_researchers_stage_and_no_seat_is_sent_it(
    play: Playing, tmp_path: Path
) -> None:
    episode = begun(play, tmp_path, "intention-1", turns=5)
    pages = {seat: await sit(play, episode, seat) for seat in range(5)}
    frames: list[str] = []
    for page in pages.values():
        page.on("websocket", lambda socket: socket.on("framereceived", frames.append))
    researcher = await play.page("researcher")
    await researcher.goto(f"/episodes/{episode}")
    guesses = researcher.locator("#guesses")
    await expect(guesses).to_contain_text("Nothing has happened yet", timeout=MINUTE)
    await moves(pages[0], do="hides, sneaks and creeps through the shadows")
    await expect(guesses.locator(".guessed")).to_contain_text("Stealth", timeout=MINUTE)
    await expect(guesses.locator(".guessed")).to_contain_text(GUESSED)
    assert await play.violations(researcher) == []
    await moves(pages[1], say="I know the old kings of this land and their wars.")
    await expect(guesses.locator(".guessed")).to_contain_text("after turn 2", timeout=MINUTE)
    await guesses.get_by_text("Turn by turn").click()
    await expect(guesses.locator(".guesses li")).to_have_count(2)
    for seat in (2, 3, 4):
        await moves(pages[seat])
    for page in pages.values():
        await expect(page.locator("#over")).to_be_visible(timeout=MINUTE)
        frames.append(await page.content())
    assert TITLE not in "\n".join(map(str, frames))


async def test_a_reader_gives_each_case_a_word(play: Playing, tmp_path: Path) -> None:
    text = PLAN.format(task="exchange-1", turns=8)
    text = text[: text.index("[seats]")] + '[seats]\npairings = "same"\n[judges]\n'
    text = text.replace('kind = "person"', 'kind = "rehearsal"\ntemper = "guarded"')
    path = tmp_path / "plan.toml"
    path.write_text(text + 'use = ["information-rule"]\n', encoding="utf-8")
    await play.troupe("run", str(path))
    (run,) = queries.runs(play.store)
    said = await play.troupe("tabletop", "cases", run.id, "--below", "1", "-k", "2", "--json")
    planned = json.loads(said[said.index("{") : said.rindex("}") + 1])
    items = len(planned["cases"])
    page = await play.page("annotator", name="anna", study=planned["study"], width=NARROW)
    await page.goto(f"/annotate/{planned['study']}")
    await expect(page.get_by_text("give one word")).to_be_visible()
    await page.get_by_role("button", name="Begin").click()
    word = page.get_by_label("Your word")
    await expect(word).to_have_count(1)
    assert await play.violations(page) == []
    assert not await play.overflows(page)
    await expect(page.locator("#answered")).to_have_text("0 of 1 answered")
    await word.fill("too vague")
    await expect(page.locator("#saved")).to_have_text("Saved")
    await page.reload()
    await expect(word).to_have_value("too vague")
    await page.get_by_role("button", name="Hand in").click()
    await expect(page.locator("#faults")).to_contain_text("give one word")
    for item in range(items):
        await word.fill("vague")
        await expect(page.locator("#answered")).to_have_text("1 of 1 answered")
        await page.get_by_role("button", name="Hand in").click()
        await expect(page.get_by_text(f"{item + 1} of {items} items")).to_be_visible()
    shown = await play.troupe("annotate", "export", planned["study"])
    assert shown.count(",case_word,1,vague,") == items
