"""What a gateway does with who is slow, silent, rude, too many, or let in no longer; nothing of it
touches others, or the store."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY
from websockets.exceptions import ConnectionClosed

from actors.episodes.delivery.deadlines import now_us
from actors.runtime.embedded_nats.server import EmbeddedNats
from gateway.live.live_episode import LiveEpisode
from gateway.live.viewer_connection import ConnectionLimits
from gateway.services.viewers.frames import Leaving, NotDone, Ping, Standing, Welcome
from store.log.event_store import EventStore
from tests.gateway.live.served import Served, Watcher, principal, serving
from tests.support.builders import episode, mind, opened, started, taken
from tests.support.servers.nats_server import until

BEGUN = [started(minds=(mind(), mind("people", "person"))), opened(1, [0])]


@pytest.fixture
def limits() -> ConnectionLimits:
    """What ``strict`` allows: little, but it takes its time."""
    return ConnectionLimits(burst=15, per_token=2, per_seat=2)


@pytest_asyncio.fixture
async def strict(
    nats_server: EmbeddedNats,
    tmp_path: Path,
    store: EventStore,
    space: str,
    limits: ConnectionLimits,
) -> AsyncIterator[Served]:
    """A gateway of few allowances."""
    async with serving(nats_server, tmp_path, store, space, limits) as one:
        one.people["watch"] = principal()
        one.people["sit"] = principal("participant", seat=1, name="p-abcdefgh")
        await one.begin("e1", BEGUN)
        yield one


async def closed(watcher: Watcher) -> int:
    await until(lambda: watcher.code is not None)
    assert watcher.code is not None
    return watcher.code


@pytest.mark.parametrize(
    ("hello", "code", "why"),
    [
        ({"token": "none"}, 4001, "no token"),
        ({"episode": "e2"}, 4003, "not for this episode"),
        ({"episode": "no such id"}, 4004, "no such episode"),
        ({"viewer": "1"}, 4003, "look so"),
        ({"viewer": "judge"}, 4022, "no viewer"),
        ({"version": -1}, 4022, "cannot be read"),
    ],
)
async def test_who_may_not_come_in_is_told_why(
    strict: Served, hello: dict[str, Any], code: int, why: str
) -> None:
    watcher = await strict.watch(**{"token": "watch", **hello})
    assert await closed(watcher) == code
    (refused,) = watcher.of(NotDone)
    assert why in refused.reason
    assert watcher.of(Welcome) == []


async def test_an_episode_that_there_is_not_is_said_not_to_be(served: Served) -> None:
    watcher = await served.watch("all", episode="e404")
    assert await closed(watcher) == 4004


async def test_who_waits_longer_than_an_episode_is_kept_sees_it_begin(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.live.live_episodes.KEEP_S", 0.2)
    monkeypatch.setattr("gateway.live.live_episodes.TICK_S", 0.02)
    monkeypatch.setattr("gateway.live.conversation.WAIT_S", 0.05)
    monkeypatch.setattr(LiveEpisode, "_check_planned", planned)
    watcher = await served.watch("watch")
    await until(lambda: len(watcher.of(Standing)) > 15)
    await served.begin("e1", BEGUN)
    await until(lambda: watcher.of(Welcome))


async def planned(_: LiveEpisode) -> None:
    """There is such an episode."""


async def test_noise_is_refused_with_a_reason_and_touches_nobody_else(
    served: Served, store: EventStore
) -> None:
    await served.begin("e1", BEGUN)
    good = await served.watch("watch")
    await until(lambda: good.of(Welcome))
    before, draw = store.head(), random.Random(5)
    frames = ['{"type":"Act"}', "[]", "null", "{", '{"type":"Hello"}' * 2, "[" * 5_000, '"é']
    frames += ['{"type":"Act","ref":1,"turn":1,"answer":' + "[" * 900 + "]" * 900 + "}"]
    frames += ['{"type":"Direct","ref":1e400,"what":"stop"}', '{"type":"Typing","more":1' * 2]
    frames += ["".join(chr(draw.randrange(32, 3000)) for _ in range(40)) for _ in range(10)]
    for text in frames:
        rude = await served.watch("sit")
        await until(lambda rude=rude: rude.of(Welcome))  # type: ignore[misc]
        await rude.connection.send(text)
        await until(lambda rude=rude: rude.of(NotDone))  # type: ignore[misc]
        assert rude.of(NotDone)[0].reason
        await rude.close()
    rude = await served.watch("sit")
    await rude.connection.send(b"\x00\xff")
    assert await closed(rude) == 4022
    rude = await served.watch("sit")
    await rude.connection.send("x" * 600_000)
    assert await closed(rude) == 1009
    assert store.head() == before
    await served.tell("e1", [taken(1, 0, "Still here.")])
    await until(lambda: any(one.entries for one in good.happened))
    assert good.code is None


@pytest.mark.parametrize("limits", [ConnectionLimits(heartbeat_s=0.3)])
async def test_who_says_nothing_is_asked_and_then_left(strict: Served) -> None:
    silent = await strict.watch("watch")
    await until(lambda: silent.of(Ping))
    assert await closed(silent) == 4008


@pytest.mark.parametrize("limits", [ConnectionLimits(hello_s=0.5)])
async def test_who_never_says_hello_is_left(strict: Served) -> None:
    assert await closed(await strict.socket()) == 4008


async def test_who_says_too_much_is_left(strict: Served) -> None:
    loud = await strict.watch("watch")
    await until(lambda: loud.of(Welcome))
    with suppress(ConnectionClosed):
        for _ in range(1_000):
            await loud.connection.send('{"type":"Pong"}')
    assert await closed(loud) == 4029


async def test_of_one_seat_the_newest_tabs_stay_and_of_other_tokens_the_first(
    strict: Served,
) -> None:
    tabs = []
    for _ in range(3):
        tabs.append(await strict.watch("sit"))
        await until(lambda: tabs[-1].of(Welcome))
    assert await closed(tabs[0]) == 4009
    watchers = []
    for _ in range(3):
        watchers.append(await strict.watch("watch"))
        await until(lambda: watchers[-1].frames)
    assert await closed(watchers[2]) == 4029
    assert watchers[0].code is None


async def test_who_does_not_read_is_closed_to_come_back_and_others_see_all(
    nats_server: EmbeddedNats, tmp_path: Path, store: EventStore, space: str
) -> None:
    limits = ConnectionLimits(heartbeat_s=60.0, stall_s=1.0, most_behind=20)
    async with serving(nats_server, tmp_path, store, space, limits) as impatient:
        impatient.people["watch"] = principal()
        await impatient.begin("e1", BEGUN)
        reads, stalls = await impatient.watch("watch"), await impatient.watch("watch")
        await until(lambda: reads.of(Welcome) and stalls.of(Welcome))
        # No more is read than what the client's own queue takes.
        stalls.connection.transport.pause_reading()
        long, turn = "word " * 15_000, 0
        while len(impatient.live.clients) > 1:
            turn += 1
            assert turn < 500, "what its socket holds is full by then"
            await impatient.tell("e1", [taken(turn, 0, long), opened(turn + 1, [0])])
            await asyncio.sleep(0.01)
        stalls.connection.transport.resume_reading()
        assert await closed(stalls) == 4000
        assert stalls.of(Leaving)[0].reason == "slow"
        known = stalls.happened[-1].version
        again = await impatient.watch("watch", version=known)
        await until(lambda: again.happened and again.happened[-1].turn == turn + 1, 30)
        assert again.happened[0].version == known + 1
        await until(lambda: reads.happened[-1].turn == turn + 1, 30)
        assert reads.code is None


async def test_a_restart_is_told_and_nothing_is_lost_over_it(served: Served) -> None:
    await served.begin("e1", BEGUN)
    watcher = await served.watch("watch")
    await until(lambda: watcher.of(Welcome))
    await served.live.drain()
    assert await closed(watcher) == 1012
    assert watcher.of(Leaving)[0].reason == "restart"
    assert await closed(await served.socket()) == 1012


async def test_a_token_that_expires_ends_its_sockets(served: Served) -> None:
    served.people["short"] = principal(expires=served.live.store.head() + 1)
    await served.begin("e1", BEGUN)
    watcher = await served.watch("short")
    assert await closed(watcher) == 4001
    assert watcher.of(Leaving)[0].reason == "expired"


async def test_that_nobody_plays_it_is_said(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.live.live_episode.QUIET_S", 0.1)
    await served.begin("e1", BEGUN)
    watcher = await served.watch("all")
    await until(lambda: watcher.of(Standing), 30)
    assert "nobody plays it" in watcher.of(Standing)[0].waits


async def test_what_a_mind_does_is_shown_to_participants_with_the_delay_that_was_set(
    served: Served,
) -> None:
    from events.episode import PeopleRules

    people = PeopleRules(reply_delay_s=1.0)
    first = started(minds=(mind(), mind("people", "person")), people=people)
    await served.begin("e1", [first, opened(1, [0])])
    sees, knows = await served.watch("sit"), await served.watch("all")
    await until(lambda: sees.of(Welcome) and knows.of(Welcome))
    await served.tell("e1", [taken(1, 0, "At once."), opened(2, [1])])
    await until(lambda: any(one.entries for one in sees.happened))
    seen_at = now_us()
    await until(lambda: any(one.entries for one in knows.happened))
    shown = next(one for one in sees.happened if one.entries)
    happened = next(one for one in knows.happened if one.entries)
    assert shown.at == happened.at + 1_000_000
    assert seen_at >= shown.at


async def test_a_long_past_comes_in_pieces(served: Served) -> None:
    lines = [(turn % 2, f"Line {turn}.") for turn in range(500)]
    await served.begin("e1", episode(started(), lines, end=None))
    watcher = await served.watch("watch")
    await until(lambda: watcher.frames and not getattr(watcher.frames[-1], "more", True))
    assert [one.version for one in watcher.happened] == list(range(1, 1001))
    assert len(watcher.frames) > 2


async def test_pages_of_others_open_no_sockets(served: Served) -> None:
    await served.begin("e1", BEGUN)
    theirs = await served.socket(origin="https://evil.example")
    assert await closed(theirs) == 4003
    ours = await served.socket(origin=served.url.replace("ws:", "http:").removesuffix("/ws"))
    await ours.send({"type": "Hello", "token": "watch", "episode": "e1"})
    await until(lambda: ours.of(Welcome))


@pytest.mark.parametrize("limits", [ConnectionLimits(heartbeat_s=1.0)])
async def test_how_many_watch_and_why_they_go_is_counted(strict: Served) -> None:
    def counted(name: str, **labels: str) -> float:
        return REGISTRY.get_sample_value(name, labels) or 0.0

    before = counted("troupe_ws_disconnects_total", reason="silent")
    watcher = await strict.watch("watch")
    await until(lambda: counted("troupe_ws_connections", role="spectator") == 1)
    await closed(watcher)
    await until(lambda: counted("troupe_ws_connections", role="spectator") == 0)
    assert counted("troupe_ws_disconnects_total", reason="silent") == before + 1
