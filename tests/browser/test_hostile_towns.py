"""A town whose people, places, deeds, signs and talks are all hostile: every page, table and export
shows them, and does nothing that they say."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from actors.sandbox.formats.movement import Meta
from actors.sandbox.formats.movement_out import write_movement
from actors.sandbox.grid import grid_of
from actors.sandbox.map_file import read_town
from actors.sandbox.trajectory import Trajectory
from store import queries
from tests.actors.sandbox.wandering import arenas_of, wandered
from tests.browser.playing import NARROW, WIDE, Playing, needs_chromium
from tests.browser.test_hostile_pages import POISON, harmed

pytestmark = [needs_chromium, pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]

MARK = "onerror=window.hit"
NAME = "\"'></script><img src=x onerror=window.hit=1><script>window.hit=1</script>{{7*7}}"
"""What may be a name of somebody or of a place, at its worst."""
LONG = "W" * 3_000
ODD = ("שרה אבוטבול", "محمد", "Zoë 🧑‍🚀".replace("\u200d", ""), "..", "__proto__", "constructor")
"""Names that are none of our business, and shown as they are."""


async def town(play: Playing, folder: Path) -> Path:
    """The folder of a town of people with such names, who live at such places."""
    path = folder / "town" / "town.toml"
    path.parent.mkdir()
    made = ("sandbox", "map", "make", "--people", "10", "--seed", "3", "--to", str(path))
    await play.troupe(*made)
    text, people = path.read_text(), read_town(path).inhabitants
    for who, name in zip(people, (NAME, LONG, *ODD), strict=False):
        text = text.replace(f'"{who.id}"', json.dumps(name, ensure_ascii=False))
        text = text.replace(who.id, "they")
    for plain, name in (("park", NAME), ("dining room", LONG), ("bed", NAME)):
        for said in (f'{plain}"', f" {plain} "):
            text = text.replace(said, said.replace(plain, json.dumps(name)[1:-1]))
    path.write_text(text.replace('id = "town-3-10"', 'id = "odd"', 1))
    return path


def hostile(lived: Trajectory, poison: str) -> Trajectory:
    """With what is done, its sign and what is said made hostile; where it is done stays."""
    spans = tuple(
        tuple(
            replace(
                one, text=f"{one.text} {poison}", emoji=(poison * 20, "", "\x1b[2J", "👩‍🚀")[n % 4]
            )
            for n, one in enumerate(mine)
        )
        for mine in lived.spans
    )
    talks = tuple(
        replace(talk, lines=tuple((seat, f"{text} {poison}") for seat, text in talk.lines))
        for talk in lived.talks
    )
    return replace(lived, spans=spans, talks=talks)


async def test_hostile_towns_run_nothing(play: Playing, tmp_path: Path) -> None:
    path = await town(play, tmp_path)
    await play.troupe("catalog", "import", str(path.parent))
    read = read_town(path)
    task, grid = read.tasks[0], grid_of(read.town)
    assert any(MARK in name for name in task.characters)
    assert any(MARK in place for place in grid.places)
    lived = wandered(
        random.Random(1), grid, task.characters, ("a supper", "resting"), arenas_of(grid), 300,
        "2023-02-14 17:00", 60,
    )  # fmt: skip
    write_movement(hostile(lived, POISON), tmp_path / "sims" / "sim", Meta(sec_per_step=60))
    await play.troupe("sandbox", "import", str(tmp_path / "sims"), "-c", "odd", "--task", task.id)
    (run,) = queries.runs(play.store)
    (row,) = queries.episodes(play.store)
    shown = 0
    for command in (
        ("show", row.id),
        ("show", row.id, "--as", "2"),
        ("sandbox", "score", run.id),
        ("sandbox", "score", run.id, "--scorer", "paper", "--format", "csv"),
        ("catalog", "show", task.id, "-c", "odd"),
    ):
        said = await play.troupe(*command)
        assert not set(said) & {"\x1b", "\x07", "\u202e", "\u2028"}, command
        shown += MARK in said
    assert shown >= 2
    report = tmp_path / "report.html"
    await play.troupe("report", run.id, "--out", str(report))
    await play.troupe("sandbox", "export", run.id, str(tmp_path / "out"))
    await play.troupe("sandbox", "import", str(tmp_path / "out"))
    for width in (WIDE, NARROW):
        page = await play.page("operator", name=POISON, width=width)
        page.set_default_timeout(60_000)
        page.on("dialog", lambda dialog: play.complaints.append(dialog.message))
        for url in (
            f"/episodes/{row.id}",
            f"/episodes/{row.id}?as=1&at=30",
            f"/episodes/{row.id}?as=spectator",
            f"/runs/{run.id}",
            "/catalogs/odd",
        ):
            await page.goto(url)
            if "episodes" in url:
                await page.wait_for_selector("#stage[data-ready]")
                await page.wait_for_selector(".town-canvas")
                await page.get_by_label("Time in the town").fill("30")
                for button in await page.locator(".town-people button").all():
                    await button.click()
            await page.wait_for_timeout(300)
            assert await harmed(page) == [], url
            assert MARK in await page.locator("body").inner_text(), url
            assert not await play.overflows(page), (url, width)
            await page.screenshot(
                path=f"/tmp/leaks/shots/{width}-{url.replace('/', '_').replace('?', '_')}.png",
                full_page=False,
            )
        await page.goto(report.as_uri())
        assert await harmed(page) == []
