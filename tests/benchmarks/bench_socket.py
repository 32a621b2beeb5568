"""The websocket: joins, crowds, stalled and idle clients, pairs of people.

    python -m tests.benchmarks.bench_socket

Gateway and clients are two processes of this machine, so that a full core is all a gateway has.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from actors.runtime.actors.event_loop import run
from tests.benchmarks.sockets import (
    Reader,
    Remote,
    apart,
    broadcast_process,
    closing,
    gateway_process,
    reader,
    readers,
    share,
)
from tests.benchmarks.table import Row

EVENTS = 10_000
JOINS, PER_S = 500, 50
CROWD, STALLED, RATE, SECONDS = 1_000, 50, 10, 8
BURST = 200
IDLE = 5_000
PAIRS, TURN_S, PLAY_S = 200, 3.0, 24.0
_AT = re.compile(rb'"at":(\d+)')
_ONE = b'"type":"Happened"'
_MORE = b'"more":true'
SPECTATOR = {"type": "Hello", "token": "watch", "viewer": "spectator"}


def now_us() -> int:
    return time.time_ns() // 1000


async def joins(gateway: Remote) -> tuple[float, float, float, float, float]:
    """p99 and median of a join to a running episode, in milliseconds; that of the first, which
    reads it; how many KiB it gets; and milliseconds of the gateway's CPU."""
    await gateway.do("begin", "long", EVENTS // 2)
    took: list[float] = []
    sizes: list[int] = []

    async def join() -> None:
        begun, whole, size = time.perf_counter(), asyncio.Event(), 0

        def heard(_: Reader, data: bytes) -> None:
            nonlocal size
            size += len(data)
            told = data.startswith((b'{"type":"Welcome"', b'{"type":"Happenings"'))
            # It stands behind what happened.
            if told and _MORE not in data[-200:]:
                whole.set()

        one = await reader(gateway.port, heard)
        one.say({**SPECTATOR, "episode": "long"})
        await whole.wait()
        took.append(1e3 * (time.perf_counter() - begun))
        sizes.append(size)
        assert one.transport is not None
        one.transport.abort()

    await join()
    first = took.pop()
    cpu = await gateway.do("cpu")
    running = asyncio.ensure_future(gateway.do("tell", "long", 40, 4.0))
    begun, under_way = time.perf_counter(), []
    for number in range(JOINS):
        await asyncio.sleep(max(0.0, begun + number / PER_S - time.perf_counter()))
        under_way.append(asyncio.ensure_future(join()))
    await asyncio.gather(*under_way)
    await running
    cpu = 1e3 * (await gateway.do("cpu") - cpu) / JOINS
    return share(took, 0.99), share(took, 0.5), first, max(sizes) / 1024, cpu


class Crowd(NamedTuple):
    """What 1,000 spectators saw."""

    p99_ms: float
    p50_ms: float
    kib: float
    """By how much the gateway grew, for each that was stalled."""
    closed: int
    """Stalled ones that were closed."""
    cpu_us: float
    """Microseconds of the gateway's CPU for each frame."""


async def crowd(gateway: Remote, episode: str, stalled: int) -> Crowd:
    """Some of them do not read."""
    await gateway.do("begin", episode, 20)
    await gateway.do("squeeze")
    late: list[float] = []
    measuring, came = False, 0

    def heard(_: Reader, data: bytes) -> None:
        nonlocal came
        came += 1
        if measuring and data.startswith(b'{"type":"Happened"'):
            found = _AT.search(data)
            assert found is not None
            late.append((now_us() - int(found[1])) / 1e3)

    hello = {**SPECTATOR, "episode": episode}
    people = await readers(gateway.port, CROWD - stalled, heard, hello)
    frozen = [await reader(gateway.port, heard, room=4096) for _ in range(stalled)]
    for one in frozen:
        one.say(hello)
    async with closing([*people, *frozen]):
        while await gateway.do("clients") < CROWD:
            await asyncio.sleep(0.1)
        for one in frozen:
            assert one.transport is not None
            one.transport.pause_reading()
        before = await gateway.do("rss")
        # What a socket's own buffers take is soon full.
        await gateway.do("tell", episode, BURST, 0.0)
        before_that = -1
        while came > before_that:  # what is behind it is not late
            before_that = came
            await asyncio.sleep(1.0)
        measuring, cpu = True, await gateway.do("cpu")
        await gateway.do("tell", episode, RATE * SECONDS, float(RATE))
        await asyncio.sleep(0.5)
        cpu = 1e6 * (await gateway.do("cpu") - cpu) / (RATE * SECONDS * (CROWD - stalled))
        grown = await gateway.do("rss") - before
        for _ in range(40):
            there = await gateway.do("clients")
            if there <= CROWD - stalled:
                break
            await asyncio.sleep(0.25)
    while await gateway.do("clients"):
        await asyncio.sleep(0.1)
    kib = grown / 1024 / max(1, stalled)
    return Crowd(share(late, 0.99), share(late, 0.5), kib, CROWD - there, cpu)


async def throughput(remote: Remote, tell: Callable[[], Awaitable[Any]], hello: Any) -> float:
    """Frames a second, all clients together, of a burst."""
    came, all_came = 0, asyncio.Event()

    def heard(_: Reader, data: bytes) -> None:
        nonlocal came
        if not data.startswith(b'{"type":"Welcome"'):
            came += data.count(_ONE)
            if came >= BURST * CROWD:
                all_came.set()

    people = await readers(remote.port, CROWD, heard, hello)
    async with closing(people):
        while (await remote.do("clients")) < CROWD:
            await asyncio.sleep(0.1)
        begun = time.perf_counter()
        telling = asyncio.ensure_future(tell())
        await all_came.wait()
        took = time.perf_counter() - begun
        await telling
    return BURST * CROWD / took


async def idle(gateway: Remote) -> float:
    """KiB of the gateway for each connection that waits."""
    await gateway.do("begin", "quiet", 3)
    some = await readers(gateway.port, 10, lambda *_: None, {**SPECTATOR, "episode": "quiet"})
    await asyncio.sleep(0.5)
    before = await gateway.do("rss")
    more = await readers(gateway.port, IDLE, lambda *_: None, {**SPECTATOR, "episode": "quiet"})
    async with closing([*some, *more]):
        while await gateway.do("clients") < IDLE + 10:
            await asyncio.sleep(0.2)
        await asyncio.sleep(1.0)
        return (await gateway.do("rss") - before) / IDLE / 1024  # type: ignore[no-any-return]


class SeatedPerson:
    """Somebody in a seat, who acts when asked and sees when others did."""

    def __init__(self, token: str, late: list[float], seated: "SeatedPeople") -> None:
        self.seat, self.late, self.seated = int(token.rpartition(".")[2]), late, seated
        self.mine, self.acted, self.ref = False, 0, 0
        self.asked: Any = None
        self.until = time.perf_counter() + seated.play_s

    def heard(self, one: Reader, data: bytes) -> None:
        """Sit down, wait for a turn, think, act; see when somebody did."""
        frame = msgspec.json.decode(data)
        for happened in [frame, *frame.get("happened", ())]:
            for entry in happened.get("entries", ()):
                if frame["type"] == "Happened" and self.seated.counts(entry, self.seat):
                    self.late.append((now_us() - int(entry["text"].split()[-1])) / 1e3)
        match frame["type"]:
            case "SeatState":
                self.mine = frame["mine"]
                if not self.mine and frame.get("may_take"):
                    self.ref += 1
                    one.say({"type": "TakeMySeat", "ref": self.ref})
            case "AskedNow":
                self.asked = frame if frame.get("questions") else None
        if self.mine and self.asked and self.asked["turn"] > self.acted:
            self.acted = self.asked["turn"]
            think = self.seated.turn_s
            asyncio.get_running_loop().call_later(think, self._act, one, self.acted)

    def _act(self, one: Reader, turn: int) -> None:
        if time.perf_counter() > self.until:
            return
        self.ref += 1
        said = self.seated.act(f"I say at {now_us()}")
        one.say({"type": "Act", "ref": self.ref, "turn": turn, **said})


class SeatedPeople(NamedTuple):
    """Episodes all of whose seats are people."""

    begin: str
    """What the gateway is told to begin; the episodes are named ``name`` and a number."""
    name: str
    episodes: int
    seats: int
    turn_s: float
    """For how long somebody thinks."""
    play_s: float
    act: Callable[[str], dict[str, Any]]
    """What is sent for a text."""
    counts: Callable[[dict[str, Any], int], bool]
    """Whether an entry is one whose way to a seat's screen is measured."""

    async def __call__(self, gateway: Remote) -> tuple[float, float, int]:
        """p99 and median from sending to the screens, in milliseconds; how many."""
        await gateway.do(self.begin, self.episodes)
        await asyncio.sleep(2.0)
        late: list[float] = []
        people = []
        for number in range(self.episodes):
            episode = f"{self.name}{number}"
            for seat in range(self.seats):
                token = f"{episode}.{seat}"
                one = await reader(gateway.port, SeatedPerson(token, late, self).heard)
                one.say({"type": "Hello", "token": token, "episode": episode})
                people.append(one)
            await asyncio.sleep(0.01)
        async with closing(people):
            await asyncio.sleep(self.play_s + 2.0)
        return share(late, 0.99), share(late, 0.5), len(late)


pairs = SeatedPeople(
    begin="pairs",
    name="pair",
    episodes=PAIRS,
    seats=2,
    turn_s=TURN_S,
    play_s=PLAY_S,
    act=lambda text: {"answer": {"kind": "speak", "text": text}},
    counts=lambda entry, seat: bool(entry["seat"] != seat),
)
"""From one's act to the partner's screen."""


def on_gateway(work: Callable[[Remote], Awaitable[Any]]) -> Any:
    """Something done with a gateway of its own."""
    with apart(gateway_process) as gateway:
        return run(_awaited(work(gateway)))


async def _awaited(work: Awaitable[Any]) -> Any:
    return await work


def _throughput() -> tuple[float, float]:
    async def ours(gateway: Remote) -> float:
        await gateway.do("begin", "burst", 10)
        return await throughput(
            gateway,
            lambda: gateway.do("tell", "burst", BURST, 0.0),
            {**SPECTATOR, "episode": "burst"},
        )

    text = '{"type":"Happened",' + '"entries":[]' * 30 + "}"
    with apart(broadcast_process) as bare:
        peer = run(throughput(bare, lambda: bare.do("tell", text, BURST), None))
    return on_gateway(ours), peer


def rows() -> list[Row]:
    """The table."""
    found = []
    p99, p50, first, kib, cpu = on_gateway(joins)
    found.append(
        Row(
            f"join of {EVENTS:,} events, {PER_S}/s, p99",
            f"{p99:.0f} ms",
            f"median {p50:.0f} ms; CPU {cpu:.1f} ms; {kib:,.0f} KiB",
            "≤ 100 ms",
            p99 <= 100,
        )
    )
    found.append(Row("  the first, which reads it", f"{first:.0f} ms"))
    without = on_gateway(lambda gateway: crowd(gateway, "calm", 0))
    ours, peer = _throughput()
    found.append(
        Row(
            f"{CROWD:,} spectators, {RATE} events/s, p99",
            f"{without.p99_ms:.0f} ms",
            f"median {without.p50_ms:.0f} ms; CPU a frame {without.cpu_us:.0f} µs",
            "≤ 200 ms",
            without.p99_ms <= 200,
        )
    )
    found.append(
        Row(
            f"  a burst of {BURST} events to all",
            f"{ours:,.0f} frames/s",
            f"bare broadcast: {peer:,.0f} frames/s",
            "≥ 0.5 of it",
            ours >= 0.5 * peer,
        )
    )
    among = on_gateway(lambda gateway: crowd(gateway, "stalls", STALLED))
    found.append(
        Row(
            f"{STALLED} stalled among {CROWD:,}, p99 of the others",
            f"{among.p99_ms:.0f} ms",
            f"{without.p99_ms:.0f} ms without; {among.closed} closed",
            "≤ 1.2 ×",
            among.p99_ms <= 1.2 * without.p99_ms and among.closed == STALLED,
        )
    )
    found.append(
        Row(
            "  memory for each that is stalled",
            f"{among.kib:.0f} KiB",
            "",
            "≤ 512 KiB",
            among.kib <= 512,
        )
    )
    each = on_gateway(idle)
    found.append(
        Row(f"{IDLE:,} idle connections, each", f"{each:.1f} KiB", "", "≤ 40 KiB", each <= 40)
    )
    late, median, count = on_gateway(pairs)
    expected = PAIRS * PLAY_S / TURN_S
    found.append(
        Row(
            f"{PAIRS} pairs of people, act to screen, p99",
            f"{late:.0f} ms",
            f"median {median:.0f} ms; {count:,} of ~{expected:,.0f} acts",
            "≤ 100 ms",
            late <= 100,
        )
    )
    return found


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
