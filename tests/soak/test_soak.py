"""A soak is over by itself, says what it found, and leaves nothing behind."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.faults.process import Troupe


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
