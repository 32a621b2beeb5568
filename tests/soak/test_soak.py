"""A soak is over by itself, says what it found, and leaves nothing behind."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.faults.process import Troupe
from tests.soak.processes import place_in


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.skipif(
    not os.environ.get("SOAK"), reason="`make soak` is run by itself; SOAK=1 runs it"
)
async def test_a_short_soak_ends_with_a_verdict_and_without_a_trace(tmp_path: Path):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.soak", "--minutes", "0.4", "--keep", str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    # In so little time nothing can be said.
    assert (process.returncode, err) == (2, b"")
    assert "give more MINUTES" in out.decode()
    lines = [line.split() for line in out.decode().splitlines()]
    sampled = [line for line in lines if len(line) > 10 and line[0] == "serve"]
    assert int(sampled[-1][2].replace(",", "")) > 0, "episodes have ended"
    assert (tmp_path / "serve.log").read_text() == ""
    assert Troupe(tmp_path).servers() == []


async def test_a_server_that_is_watched_says_what_it_holds(tmp_path: Path):
    async with place_in(tmp_path, fleet=False) as place:
        (process,) = place.watched
        inside = await process.inside()
    assert inside.blocks > 0
    assert (inside.actors, inside.episodes) == (0, 0)


async def test_a_question_that_cannot_be_answered_ends_the_process(tmp_path: Path):
    async with place_in(tmp_path, fleet=False) as place:
        (process,) = place.watched
        with pytest.raises(RuntimeError, match="has ended by itself"):
            await process.inside(types=tmp_path / "no folder" / "types")
    assert "FileNotFoundError" in (tmp_path / "serve.log").read_text()
