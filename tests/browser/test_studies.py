"""People take part in studies, each in a browser of their own."""

import csv
import os
import re
import signal
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from actors.social.catalog_items import Catalog, Character, Scenario, Task
from events.episode import ActionTaken
from events.serialization.codec import event_of
from store.read_model.catalogs import save_catalog
from tests.browser.playing import NARROW, Playing, needs_chromium, playing
from tests.browser.studies import (
    MINUTE,
    heard,
    says,
    seated,
    started,
    study_file,
    to_the_code,
    to_the_lobby,
    whose_turn,
)
from tests.support.servers.network_proxy import Proxy

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(300), needs_chromium]

TABLE = """
[[conditions]]
name = "table"
people = 5
tasks.ids = ["t1"]
"""
SEATS = ("Ana", "Bo", "Cleo", "Dag", "Eve")


async def test_two_people_play_each_other_from_consent_to_code(play: Playing) -> None:
    study = await started(play, study_file())
    pages = {
        "one": await play.page(),
        "other": await play.page(width=NARROW, dark=True),
    }
    for who, page in pages.items():
        await to_the_lobby(page, study, who)
    await seated(*pages.values())
    for turn in range(4):
        speaker = await whose_turn(pages)
        listener = "other" if speaker == "one" else "one"
        words = f"This is what I say in turn {turn}."
        await says(pages[speaker], words)
        await heard(pages[listener], words)
        assert await play.violations(pages[listener]) == []
        assert not await play.overflows(pages[listener])
    speaker = await whose_turn(pages)
    await says(pages[speaker], "Good night, then.", "Leave")
    codes = [await to_the_code(page) for page in pages.values()]
    assert len(set(codes)) == 2
    again = await play.page()
    await again.goto(f"/join/{study}?PROLIFIC_PID=one")
    await again.get_by_role("button", name="I agree", exact=True).click()
    await expect(again.get_by_role("heading")).to_have_text("You have been here before")


async def test_nothing_on_the_page_or_the_wire_tells_a_person_from_a_model(play: Playing) -> None:
    alone = '[[conditions]]\nname = "m"\npeople = 1\nminds = ["candid"]\n'
    study = await started(play, study_file(alone + 'tasks.ids = ["last_ferry-june-leila"]'))
    page = await play.page()
    frames: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))),
    )
    await to_the_lobby(page, study, "one")
    await seated(page)
    await says(page, "What do you think?")
    await page.locator(".entry.theirs").last.wait_for(timeout=MINUTE)
    told = "\n".join([*frames, await page.content()])
    assert "candid" not in told
    assert not re.search(r'rehears|"mind|"kind": ?"(person|model)|participant":', told)


async def test_five_people_sit_at_one_table(play: Playing) -> None:
    catalog = Catalog(
        name="table",
        characters=tuple(Character(id=name.lower(), first_name=name, age=40) for name in SEATS),
        scenarios=(
            Scenario(
                id="supper",
                context="A long table, one loaf of bread.",
                goals=tuple(f"Get the piece number {seat}." for seat in range(5)),
            ),
        ),
        tasks=(Task(id="t1", scenario="supper", characters=tuple(map(str.lower, SEATS))),),
    )
    save_catalog(play.store, catalog, "a test")
    study = await started(play, study_file(TABLE).replace("[study]", 'catalog = "table"\n[study]'))
    pages = {str(seat): await play.page() for seat in range(5)}
    for who, page in pages.items():
        await to_the_lobby(page, study, who)
    await seated(*pages.values())
    for turn in range(6):
        speaker = await whose_turn(pages)
        words = f"Turn {turn}: pass the bread, please."
        await says(pages[speaker], words)
        for who, page in pages.items():
            if who != speaker:
                await heard(page, words)
    for who, page in pages.items():
        own = await page.locator(".goal").inner_text()
        others = [f"number {seat}." for seat in range(5) if f"number {seat}." not in own]
        assert len(others) == 4
        content = await page.content()
        assert not any(goal in content for goal in others), who


async def test_a_drop_out_is_replaced_and_the_other_one_goes_on_to_the_code(
    play: Playing, tmp_path: Path
) -> None:
    study = await started(play, study_file(rule="replace"))
    pages = {"one": await play.page(), "other": await play.page()}
    for who, page in pages.items():
        await to_the_lobby(page, study, who)
    await seated(*pages.values())
    gone = await whose_turn(pages)
    stays = "other" if gone == "one" else "one"
    await says(pages[gone], "I have to go, I am afraid.")
    await pages[gone].get_by_role("button", name="Stop taking part", exact=True).click()
    await pages[gone].locator("dialog").get_by_role("button", name="Stop taking part").click()
    await pages[gone].get_by_role("link", name="Continue").click(timeout=MINUTE)
    await expect(pages[gone].get_by_role("heading")).to_have_text("Your part has ended")
    await says(pages[stays], "What a pity.")
    await expect(pages[stays].locator(".entry.theirs")).not_to_have_count(1, timeout=MINUTE)
    await says(pages[stays], "Good night.", "Leave")
    code = await to_the_code(pages[stays])

    folder = tmp_path / "export"
    await play.troupe("study", "export", study, str(folder))
    with (folder / "sessions.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["link_PROLIFIC_PID"]: row for row in csv.DictReader(file)}
    assert (rows[gone]["outcome"], rows[stays]["outcome"]) == ("dropped", "completed")
    assert code in (folder / "codes.csv").read_text()

    words = "I have to go, I am afraid."
    left = [path for path in tmp_path.rglob("*") if path.is_file() and words.encode() in _of(path)]
    assert left == [], "the words stand in a file in plain text"
    episode, participant = rows[gone]["episode"], rows[gone]["participant"]
    assert words in await play.troupe("replay", episode)
    await play.troupe("study", "erase", study, participant, "--yes")
    after = await play.troupe("replay", episode)
    assert words not in after
    assert "[erased]" in after
    assert "What a pity." in after
    await play.troupe("verify-store")


def _of(path: Path) -> bytes:
    """A file's bytes; none of one that has gone meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


async def test_a_network_cut_and_a_server_restart_in_the_middle_lose_nothing(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path) as play:
        port = urlsplit(play.url).port
        assert port
        study = await started(play, study_file())
        async with Proxy.to_port(port) as proxy:
            direct, play.url = play.url, f"http://127.0.0.1:{proxy.port}"
            pages = {"one": await play.page(), "other": await play.page()}
            for who, page in pages.items():
                await to_the_lobby(page, study, who)
            await seated(*pages.values())
            speaker = await whose_turn(pages)
            listener = "other" if speaker == "one" else "one"
            await says(pages[speaker], "Before the cut.")
            await heard(pages[listener], "Before the cut.")

            form = pages[listener].locator("#answer form")
            await form.wait_for(timeout=MINUTE)
            await form.get_by_label("Say", exact=True).check()
            await form.locator("textarea").first.fill("Said while nothing got through.")
            for side in tuple(proxy.sides):
                side.transport.abort()
            proxy.part()
            await form.get_by_role("button", name="Send").click()
            standing = pages[listener].locator("#standing")
            await expect(standing).to_contain_text("tries again by itself", timeout=MINUTE)
            proxy.heal()
            await heard(pages[speaker], "Said while nothing got through.")

            form = pages[speaker].locator("#answer form")
            await form.wait_for(timeout=MINUTE)
            await form.get_by_label("Say", exact=True).check()
            await form.locator("textarea").first.fill("A draft that outlives the server.")
            os.kill(play.pid, signal.SIGKILL)
            await expect(pages[speaker].locator("#standing")).to_be_visible(timeout=MINUTE)
            again = await play.machine.start("serve", "--port", str(port))
            try:
                await expect(pages[speaker].locator("#standing")).to_be_hidden(timeout=MINUTE)
                await pages[speaker].reload()
                form = pages[speaker].locator("#answer form")
                await form.wait_for(timeout=MINUTE)
                draft = form.locator("textarea").first
                await expect(draft).to_have_value("A draft that outlives the server.")
                await form.get_by_role("button", name="Send").click()
                await heard(pages[listener], "A draft that outlives the server.")
                episode = urlsplit(pages[listener].url).path.split("/")[2]
                with closing(play.machine.open()) as store:
                    events = [event_of(one) for one in store.read(f"episode-{episode}")]
                said = [one.action.text for one in events if isinstance(one, ActionTaken)]
                assert said == [
                    "Before the cut.",
                    "Said while nothing got through.",
                    "A draft that outlives the server.",
                ]
            finally:
                # They would try to connect again, and complain of it when nobody listens any more.
                for page in pages.values():
                    await page.close()
                await again.stop()
                play.url = direct
                # That a socket could not be opened, the page said in words.
                play.complaints[:] = [one for one in play.complaints if "WebSocket" not in one]
