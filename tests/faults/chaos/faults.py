"""What is done to a fleet while it plays. Each fault draws what is left to chance beforehand, so
that a seed says all there is to say."""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import msgspec

from tests.faults.chaos.fleet import ACK_WAIT_S, COORDINATOR, WORKERS, Fleet, Member
from tests.faults.chaos.servers import KillableNats, KillablePostgres
from tests.faults.chaos.signing import now

TOGETHER = 0.25
"""The share of rounds in which a second fault of another kind follows closely."""


class Struck(msgspec.Struct, kw_only=True):
    """A fault as it happened. Times are in seconds since 1970."""

    kind: str
    at: float
    over: float
    """When what was taken away was there again; ``at`` where it stays away for the round."""
    member: str = ""
    """The process it struck; empty: all of them."""


async def kill_worker(fleet: Fleet, draw: random.Random) -> Struck:
    """``kill -9`` of a worker that is playing; it stays away for the rest of the round."""
    chance = draw.random()
    worker = _busy(fleet, chance)
    at = now()
    await asyncio.to_thread(worker.kill)
    return Struck(kind="kill-worker", at=at, over=at, member=worker.name)


async def kill_coordinator(fleet: Fleet, draw: random.Random) -> Struck:
    """``kill -9`` of the coordinator, which is started again soon."""
    away = draw.uniform(0.0, 1.0)
    coordinator = fleet.members[COORDINATOR]
    await coordinator.ready()
    at = now()
    await asyncio.to_thread(coordinator.kill)
    await asyncio.sleep(away)
    coordinator.begin()
    await coordinator.ready()
    return Struck(kind="kill-coordinator", at=at, over=now(), member=COORDINATOR)


async def kill_all(fleet: Fleet, draw: random.Random) -> Struck:
    """``kill -9`` of all workers and of the coordinator, which plays, too; all are started again
    soon."""
    away = draw.uniform(0.0, 1.0)
    await fleet.ready()
    at = now()
    for member in fleet.members.values():
        if member.running:
            member.kill()
    await asyncio.sleep(away)
    for member in fleet.members.values():
        member.begin()
    await fleet.ready()
    return Struck(kind="kill-all", at=at, over=now())


async def stop_worker(fleet: Fleet, draw: random.Random) -> Struck:
    """``SIGSTOP`` of a worker that is playing, for longer than the ack wait, then ``SIGCONT``."""
    chance = draw.random()
    away = ACK_WAIT_S * draw.uniform(1.3, 1.8)
    worker = _busy(fleet, chance)
    stopped = worker.process
    at = now()
    worker.send(signal.SIGSTOP)
    await asyncio.sleep(away)
    if worker.process is stopped and worker.running:
        worker.send(signal.SIGCONT)
    return Struck(kind="stop-worker", at=at, over=now(), member=worker.name)


async def partition_worker(fleet: Fleet, draw: random.Random) -> Struck:
    """The packets of a worker that is playing to NATS, to PostgreSQL, or both, vanish for a while;
    its connections seem to stand."""
    chance = draw.random()
    return await _partition("partition-worker", _busy(fleet, chance), draw)


async def partition_coordinator(fleet: Fleet, draw: random.Random) -> Struck:
    """The same of the coordinator."""
    return await _partition("partition-coordinator", fleet.members[COORDINATOR], draw)


async def lose_reply(fleet: Fleet, draw: random.Random) -> Struck:
    """PostgreSQL commits what a worker that is playing has appended, and the connection breaks
    before the worker is told."""
    worker = _busy(fleet, draw.random())
    with suppress(TimeoutError):
        await asyncio.wait_for(worker.network.postgres.lose_reply(), ACK_WAIT_S)
    at = now()
    return Struck(kind="lose-reply", at=at, over=at, member=worker.name)


async def kill_nats(fleet: Fleet, draw: random.Random) -> Struck:
    """``kill -9`` of nats-server, which is started again on the same files."""
    return await _kill_server("kill-nats", fleet.nats, draw)


async def kill_postgres(fleet: Fleet, draw: random.Random) -> Struck:
    """``kill -9`` of PostgreSQL and all its processes; it is started again on the same files."""
    return await _kill_server("kill-postgres", fleet.postgres, draw)


async def model_fails(fleet: Fleet, draw: random.Random) -> Struck:
    """The model server answers with errors only, or not at all, for a while."""
    how = draw.choice(("rate_limited", "server_error", "hang", "broken_reply"))
    away = draw.uniform(0.5, 2.0)
    at = now()
    fleet.stub.settings = msgspec.structs.replace(fleet.stub.usual, **{how: 1.0})
    await asyncio.sleep(away)
    fleet.stub.settings = fleet.stub.usual
    return Struck(kind="model-fails", at=at, over=now())


Fault = Callable[[Fleet, random.Random], Awaitable[Struck]]
OF_MEMBERS: Mapping[str, Fault] = {
    "kill-worker": kill_worker,
    "kill-all": kill_all,
    "stop-worker": stop_worker,
    "kill-coordinator": kill_coordinator,
    "partition-worker": partition_worker,
    "partition-coordinator": partition_coordinator,
    "lose-reply": lose_reply,
}
OF_SERVERS: Mapping[str, Fault] = {
    "kill-nats": kill_nats,
    "kill-postgres": kill_postgres,
    "model-fails": model_fails,
}
FAULTS = {**OF_MEMBERS, **OF_SERVERS}


def drawn(seed: int, draw: random.Random, only: str = "") -> list[str]:
    """What is to strike in a round: every kind in turn, as the seeds go up, or the ``only`` one;
    now and then a second one with it, which strikes what the first spares."""
    names = list(FAULTS)
    first = only or names[seed % len(names)]
    if draw.random() >= TOGETHER:
        return [first]
    return [first, draw.choice(list(OF_SERVERS if first in OF_MEMBERS else OF_MEMBERS))]


async def _kill_server(
    kind: str, server: KillableNats | KillablePostgres, draw: random.Random
) -> Struck:
    away = draw.uniform(0.1, 1.5 * ACK_WAIT_S)
    at = now()
    await asyncio.to_thread(server.kill)
    await asyncio.sleep(away)
    await asyncio.to_thread(server.start)
    return Struck(kind=kind, at=at, over=now())


async def _partition(kind: str, member: Member, draw: random.Random) -> Struck:
    network = member.network
    cut = draw.choice(((network.nats,), (network.postgres,), tuple(network)))
    away = ACK_WAIT_S * draw.uniform(0.5, 2.0)
    at = now()
    for proxy in cut:
        proxy.part()
    await asyncio.sleep(away)
    for proxy in cut:
        proxy.heal()
    return Struck(kind=kind, at=at, over=now(), member=member.name)


def _busy(fleet: Fleet, chance: float) -> Member:
    """A worker that plays: the last that asked the model, else any."""
    running = [fleet.members[name] for name in WORKERS if fleet.members[name].plays]
    names = {member.name for member in running}
    for asked in reversed(fleet.stub.asked):
        if asked.member in names:
            return fleet.members[asked.member]
    return running[int(chance * len(running))]
