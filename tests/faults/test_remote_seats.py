"""Seats played over NATS by programs that know nothing of Troupe, well behaved or not."""

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

from actors.runtime.embedded_nats.server import EmbeddedNats
from events.episode import ActionTaken, EpisodeEnded
from gateway.process.worker_node import WorkerNode
from store.open_store import open_store
from store.read_model import queries
from tests.faults.plain_client import Player, encode
from tests.faults.process import Troupe
from tests.support.runs import (
    REHEARSAL_MINDS,
    REMOTE_MINDS,
    carry_out_here,
    events_of,
    plan,
    record,
    settings_of,
)
from tests.support.servers.nats_server import until
from tests.support.store_checks import check_store

DOCS = Path(__file__).parents[2] / "docs" / "how-to"
SAMPLE, NODE_SAMPLE = DOCS / "remote_seat.py", DOCS / "remote_seat.mjs"
NODE = shutil.which("node")


def environment(server: EmbeddedNats, space: str) -> dict[str, str]:
    """What `troupe nats` has a shell know."""
    reached = {"TROUPE_NATS_URL": server.url, "TROUPE_NATS_TOKEN": server.token}
    return {**os.environ, **reached, "TROUPE_SPACE": space}


@pytest.fixture
async def asked(tmp_path: Path, nats_server: EmbeddedNats, space: str):
    """An episode under way whose first seat is remote and was asked before anybody listened."""
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    text = plan(
        REHEARSAL_MINDS + REMOTE_MINDS,
        tasks=1,
        pairings='[["far", "generous"], ["far", "generous", "generous"]]',
        rules="turn_cap = 6",
    )
    run = record(store, tmp_path, text)
    settings = settings_of(tmp_path, store, nats_server, space)
    running = asyncio.ensure_future(carry_out_here(settings, store, run))
    (episode,) = (row.id for row in queries.episodes(store, run=run))
    await until(lambda: store.version(f"episode-{episode}") >= 1)
    yield store, run, episode, running
    running.cancel()
    store.close()


async def test_a_late_player_is_told_everything_and_each_turn_counts_once(
    asked, nats_server: EmbeddedNats, space: str
):
    store, run, episode, running = asked
    player = await Player.join(nats_server.url, nats_server.token, space, episode, 0)
    assert (await player.look())["type"] == "Accepted"
    seen = await player.asked()
    assert seen["background"]["goal"]
    said = []
    while seen["type"] == "Observation":
        turn = seen["turn"]
        said.append(f"first answer to turn {turn}")
        assert (await player.act(turn, said[-1]))["type"] == "Accepted"
        if len(said) == 1:  # behind the last turn the run is over, and nobody is left to answer
            assert (await player.act(turn, "a second answer"))["type"] == "Accepted"
        seen = await player.asked(turn)
    await player.leave()
    assert (await running).done
    taken = [e for e in events_of(store, f"episode-{episode}") if isinstance(e, ActionTaken)]
    assert [e.action.text for e in taken if e.seat == 0] == said
    assert len(said) >= 2
    check_store(store, run)


WRONG = {
    "cannot act in turn 99": {"turn": 99},
    "there is no seat 7": {"seat": 7},
    "there is no seat -1": {"seat": -1},
    "seat 1 cannot act in turn 1": {"seat": 1},
    "needs a text": {"action": {"kind": "speak", "text": "  "}},
    "cannot whisper to itself": {"action": {"kind": "speak", "text": "psst", "to": [0]}},
    "there is no seat 9 to whisper to": {"action": {"kind": "speak", "text": "p", "to": [9]}},
    "Invalid enum value 'shout'": {"action": {"kind": "shout", "text": "hey"}},
    "Expected `int`, got `str`": {"turn": "one"},
    "Invalid value 'Fly'": {"type": "Fly"},
    "at most": {"action": {"kind": "speak", "text": "x" * 100_000}},
}


async def test_what_a_player_may_not_do_is_refused_with_a_sentence_and_changes_nothing(
    asked, nats_server: EmbeddedNats, space: str
):
    store, _, episode, running = asked
    player = await Player.join(nats_server.url, nats_server.token, space, episode, 0)
    head = store.head()
    for sentence, fields in WRONG.items():
        reply = await player.act(1, "hello", fields)
        assert reply["type"] == "Refused", fields
        assert sentence in reply["reason"]
    for garbage in (b"", b"\xff\x00hello", encode([1, 2]), encode(None), b"\x91" * 100_000):
        reply = await player.send(garbage)
        assert reply["type"] == "Refused", garbage[:10]
        assert "cannot be read" in reply["reason"]
    assert store.head() == head
    assert not running.done()
    assert (await player.act(1, "hello"))["type"] == "Accepted"
    await player.leave()


async def test_the_sample_of_the_documentation_plays_a_seat(
    asked, nats_server: EmbeddedNats, space: str
):
    store, _, episode, running = asked
    sample = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", str(SAMPLE)),
        *(episode, "0"),
        env=environment(nats_server, space),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await asyncio.wait_for(sample.communicate(b"Good day to you.\nleave\n"), 60.0)
    assert sample.returncode == 0, out.decode()
    assert b"Your goal:" in out
    assert (await running).done
    events = events_of(store, f"episode-{episode}")
    mine = [e.action for e in events if isinstance(e, ActionTaken) and e.seat == 0]
    assert [action.kind for action in mine][-1] == "leave"
    assert mine[0].text == "Good day to you."
    assert isinstance(events[-1], EpisodeEnded)
    assert events[-1].reason == "left"


async def test_a_person_takes_a_seat_leaves_it_and_comes_back(
    asked, tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store, run, episode, running = asked
    troupe = Troupe(
        tmp_path,
        TROUPE_DATABASE_URL=f"sqlite:///{tmp_path}/troupe.db",
        TROUPE_NATS_URL=nats_server.url,
        TROUPE_NATS_TOKEN=nats_server.token,
        TROUPE_SPACE=space,
    )

    async def types(what: str, *arguments: str) -> str:
        process = await asyncio.create_subprocess_exec(
            *troupe.command("play", *arguments),
            env=troupe.environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await asyncio.wait_for(process.communicate(what.encode()), 60.0)
        assert process.returncode == 0, out.decode()
        return out.decode()

    out = await types("\n/dance\n你好，\x1b[2J朋友。\n", episode, "--seat", "1")
    assert "wants" in out
    assert "or /nothing to let your turn pass" in out
    assert "/dance means nothing here" in out
    assert "\x1b" not in out
    assert f"the seat waits. Come back with troupe play {episode} --seat 1" in " ".join(out.split())
    out = await types("/leave Bye.\n", run, "--mind", "far")
    assert "你好，" in out, "what happened is told again"
    assert 'saying: "Bye."' in out
    assert "— it is over" in out
    assert (await running).done
    events = events_of(store, f"episode-{episode}")
    mine = [e.action for e in events if isinstance(e, ActionTaken) and e.seat == 0]
    assert [action.text for action in mine] == ["你好，\x1b[2J朋友。", "Bye."]


async def node_sample(server: EmbeddedNats, space: str, *arguments: str):
    return await asyncio.create_subprocess_exec(
        *(str(NODE), str(NODE_SAMPLE), *arguments),
        env=environment(server, space),
        stdout=asyncio.subprocess.PIPE,
    )


@pytest.mark.skipif(NODE is None, reason="Node is not on this machine")
async def test_the_sample_in_node_is_killed_plays_on_and_hears_of_the_end_when_it_comes_too_late(
    asked, tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store, _, episode, running = asked
    first = await node_sample(nats_server, space, "far", episode)
    assert first.stdout is not None
    async for line in first.stdout:
        if b"turn 1 taken" in line:
            break
    first.kill()
    await first.wait()
    second = await node_sample(nats_server, space, "far", episode, "0")
    out, _ = await asyncio.wait_for(second.communicate(), 60.0)
    assert second.returncode == 0
    assert b" is over: " in out
    assert (await running).done
    mine = [
        event.turn
        for event in events_of(store, f"episode-{episode}")
        if isinstance(event, ActionTaken) and event.seat == 0
    ]
    assert mine == [1, 3, 5]
    async with WorkerNode(settings_of(tmp_path, store, nats_server, space), store):
        for asked_for, said, code in ((episode, b" is over: ", 0), ("e9", b"there is no", 1)):
            late = await node_sample(nats_server, space, "far", asked_for)
            out, _ = await asyncio.wait_for(late.communicate(), 60.0)
            assert said in out
            assert late.returncode == code
