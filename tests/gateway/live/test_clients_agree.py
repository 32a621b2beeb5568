"""JavaScript's client does what Python's does; and a program in Node that knows nothing but the
AsyncAPI document joins, plays and comes back."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from gateway.services.viewers.asyncapi import asyncapi
from tests.gateway.live.golden import FILE, made
from tests.gateway.live.served import Served
from tests.gateway.live.test_playing import begun, company
from tests.support.managed_episodes import Company

HERE = Path(__file__).parent
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no Node")
__all__ = ["company"]


async def node(*arguments: str) -> str:
    """What a program in Node prints."""
    process = await asyncio.create_subprocess_exec(
        NODE or "node",
        *arguments,
        cwd=HERE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, said = await process.communicate()
    finally:
        # Where the test is given up, it would look for its server for ever.
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, said.decode()
    return out.decode()


def test_the_golden_file_is_what_the_reducer_makes() -> None:
    assert made() == FILE.read_bytes()


@needs_node
async def test_the_reducer_for_pages_agrees() -> None:
    assert await node("reduce_golden.mjs") == "ok\n"


@needs_node
async def test_the_client_for_pages_plays_and_comes_back_after_a_cut(
    served: Served, company: Company
) -> None:
    playing = await begun(company)
    played = json.loads(await node("play_stage.mjs", served.url, "sit"))
    assert played["ended"] == "turn_cap"
    assert played["connections"] == 2
    assert played["versions"] == list(range(1, len(played["versions"]) + 1))
    await playing.ended()


@needs_node
async def test_a_program_written_from_the_document_alone_joins_plays_and_comes_back(
    served: Served, company: Company, tmp_path: Path
) -> None:
    document = tmp_path / "asyncapi.json"
    document.write_text(json.dumps(asyncapi(served.url.split("/")[2])))
    await begun(company)
    played = json.loads(await node("from_document.mjs", str(document), "sit", "e1"))
    assert played["ended"] == "turn_cap"
    assert played["cuts"] == 1
    assert played["versions"] == list(range(1, len(played["versions"]) + 1))
