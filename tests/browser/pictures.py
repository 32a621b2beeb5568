"""The pictures of the README, from the reports that ``troupe demo`` writes.

python -m tests.browser.pictures REPORT.html CHAINS.html
"""

import asyncio
import base64
import sys
import tempfile
from pathlib import Path

from tests.browser.chromium import Page, chromium

IMAGES = Path(__file__).parents[2] / "docs" / "images"
CURVE = "[...document.querySelectorAll('figure.wide')].find(f => f.innerText.startsWith('Goal by'))"
"""What the second picture shows."""


async def take(page: Page, url: str, path: Path, box: str, width: int) -> None:
    """Write a part of a page; ``box``: an expression for its place, ``{x, y, width, height}``."""
    await page.look(width)
    await page.open(url)
    # A scrollbar would be in the picture, or take its room while the place is measured.
    await page.send("Emulation.setScrollbarsHidden", hidden=True)
    clip = await page.run(f"JSON.parse(JSON.stringify({box}))")
    answer = await page.send(
        "Page.captureScreenshot",
        captureBeyondViewport=True,
        clip={name: clip[name] for name in ("x", "y", "width", "height")} | {"scale": 1},
    )
    path.write_bytes(base64.b64decode(answer["data"]))


async def main(report: Path, chains: Path) -> None:
    """Write both."""
    with tempfile.TemporaryDirectory() as folder:
        async with chromium(Path(folder)) as page:
            top = "({x: 0, y: 0, width: 1200, height: 1330})"
            await take(page, report.resolve().as_uri(), IMAGES / "report.png", top, 1200)
            figure = f"{CURVE}.getBoundingClientRect()"
            await take(page, chains.resolve().as_uri(), IMAGES / "curve.png", figure, 1000)


if __name__ == "__main__":
    asyncio.run(main(*map(Path, sys.argv[1:3])))
