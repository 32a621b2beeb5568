"""The chains of a run in its report, in a real browser."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.browser.chromium import BINARY, Page, chromium
from tests.gateway.command import Desk
from tests.support.runs import chain_plan

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="Chromium is not installed (make chromium)"),
]
LENGTH, PAIRS = 4, 2
MEMORIES = ("none", "summary")
LABELS = [f"{mind}, {memory}" for mind in ("generous", "stubborn") for memory in MEMORIES]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of chains with two memories, judged by a rehearsal and by rules."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("chains"), patch)
        plan = chain_plan(
            length=LENGTH,
            pairs=PAIRS,
            memory='["summary", "none"]',
            judges='["belext-rehearsal", "belext-rule", "believability-strict-rehearsal"]',
        )
        desk.does("run", desk.file("plan.toml", plan))
        run = desk.does("runs", "--json").json[0]["id"]
        path = desk.folder / "report.html"
        desk.does("report", run, "--out", str(path))
    return path.as_uri()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Page]:
    async with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


FIGURE = "[...document.querySelectorAll('figure.wide')].find(one => one.innerText.includes('%s'))"
ROWS = (
    "[...(%s).querySelectorAll('tbody tr')]"
    ".map(row => [...row.cells].map(cell => cell.textContent.trim()))"
)
UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


def rows_of(title: str) -> str:
    return ROWS % (FIGURE % title)


async def test_each_mind_with_each_memory_has_a_curve_and_a_row(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    title = "Belext by index, judged by belext-rehearsal"
    rows = await browser.run(rows_of(title))
    assert [row[0] for row in rows] == LABELS
    assert all(row[3] == str(PAIRS) for row in rows)
    assert all(row[4] == f"{LENGTH * PAIRS} of {LENGTH * PAIRS}" for row in rows)
    told = await browser.run(f"({FIGURE % title}).querySelector('svg desc').textContent")
    assert all(f"{label}, from " in told for label in LABELS)
    lines = await browser.run(f"({FIGURE % title}).querySelectorAll('svg [id*=line2d]').length")
    assert lines >= len(LABELS)


async def test_what_a_judge_declined_is_missing_from_the_count_and_not_a_score(
    browser: Page, url: str
) -> None:
    await browser.look(1280)
    await browser.open(url)
    await browser.run(UNFOLD)
    rows = await browser.run(rows_of("Responds by index, judged by belext-rule"))
    counts = [tuple(map(int, row[4].split(" of "))) for row in rows]
    assert all(asked == LENGTH * PAIRS for _, asked in counts)
    assert any(scored < asked for scored, asked in counts)


async def test_memories_and_chains_are_listed(browser: Page, url: str) -> None:
    await browser.look(1280)
    await browser.open(url)
    table = "document.querySelector('[aria-label=\"%s\"]')"
    memories = await browser.run(ROWS % (table % "Memory"))
    assert [row[0] for row in memories] == list(MEMORIES)
    notes = {row[0]: row[2] for row in memories}
    assert notes == {"none": "0", "summary": str(2 * LENGTH * PAIRS)}
    chains = await browser.run(ROWS % (table % "The chains"))
    assert len(chains) == PAIRS * len(MEMORIES)
    assert {row[4] for row in chains} == {f"{LENGTH} of {LENGTH}"}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1280])
async def test_curves_fit_every_screen_and_scroll_inside_their_frame_on_a_small_one(
    browser: Page, url: str, width: int, dark: bool
) -> None:
    await browser.look(width, dark=dark)
    await browser.open(url)
    await browser.run(UNFOLD)
    assert await browser.run("document.documentElement.scrollWidth <= innerWidth")
    frames = await browser.run(
        "[...document.querySelectorAll('.plot')].map(one => [one.clientWidth, one.scrollWidth])"
    )
    assert frames
    assert all((inside > frame) == (width == 360) for frame, inside in frames)
    assert browser.complaints == []


async def test_the_axis_of_believability_extended_ends_where_nothing_was_scored(
    browser: Page, url: str
) -> None:
    await browser.look(1280)
    await browser.open(url)
    title = "Believability extended by index, judged by believability-strict-rehearsal"
    ticks = await browser.run(
        f"[...({FIGURE % title}).querySelectorAll('svg text')].map(text => text.textContent)"
    )
    assert "0" in ticks
    assert not {"−40", "−30", "−20"} & set(ticks)
