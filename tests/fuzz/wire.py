"""What anybody who reaches NATS may send: commands to an episode, messages to a seat, jobs."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.serialization.codec import encode
from events.wire import subjects
from events.wire.messages import (
    ContinueEpisode,
    Evaluate,
    Look,
    News,
    Observation,
    PlayEpisode,
    Refused,
    TakeAction,
)
from gateway.process.process_limits import read_tuning
from gateway.process.worker_node import WorkerNode
from gateway.settings import Settings
from store.open_store import open_store
from tests.faults.test_garbage import World
from tests.fuzz.oracle import Fault
from tests.fuzz.playing import Kind
from tests.fuzz.spoiling import spoiled, step_of_bytes, step_of_tree
from tests.fuzz.stores import STORE, require_sound
from tests.support.runs import plan, record
from tests.support.servers.nats_server import until

_FORMS = (msgspec.msgpack.encode, msgspec.json.encode)


def step_of_message(data: bytes, random: Random) -> bytes:
    """Change a message: mostly as a value, in the form it has or the other."""
    if random.random() < 0.25:
        return step_of_bytes(data, random)
    try:
        decode: Any = msgspec.json.decode if data[:1] == b"{" else msgspec.msgpack.decode
        tree = step_of_tree(decode(data), random)
        form = random.choice(_FORMS) if random.random() < 0.1 else _FORMS[data[:1] == b"{"]
        return form(tree)
    except (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError):
        return step_of_bytes(data, random)


class Commands(Kind):
    """Commands to a live episode, and messages to one of its seats."""

    name = "commands"
    share = 3.0
    _messages: tuple[Any, ...] = (
        Look(seat=0),
        TakeAction(seat=0, turn=7, action={"kind": "speak", "text": "Hi.", "to": [1]}),
        TakeAction(seat=1, turn=0, question=3, action={"kind": "leave"}),
        Observation(episode="e1", seat=1, turn=2, news=()),
        News(episode="e1", seat=1, news=()),
    )
    samples = 2 * len(_messages)

    def __init__(self, folder: Path) -> None:
        self._runner = asyncio.Runner()
        self._nats = EmbeddedNats(folder)
        self._nats.start()
        self._world = self._runner.run(World.open(folder, self._nats, "fuzz"))
        self._played = 0

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._world.close())
        self._runner.close()
        self._nats.stop()

    def _message(self, sample: int, steps: Sequence[int]) -> bytes:
        whole = _FORMS[sample % 2](self._messages[sample // 2])
        return spoiled(whole, steps, step_of_message)

    def play(self, sample: int, steps: Sequence[int]) -> None:
        data = self._message(sample, steps)
        stream = f"episode-{self._world.episode}"
        before = self._world.store.version(stream)

        async def say() -> Any:
            await self._world.whisper(1, data)
            return await self._world.send(data)

        reply = self._runner.run(say())
        if isinstance(reply, Refused):
            if not reply.reason or len(reply.reason) > 2_000:
                raise Fault(f"refused with {len(reply.reason)} characters")
            if self._world.store.version(stream) != before:
                raise Fault("what was refused changed the episode")
        elif self._world.store.version(stream) != before:
            # It happened to be a right action: the others act, until this seat is asked again.
            self._runner.run(self._quiet(stream))
        failures = self._world.bench.bus.counts.handler_failures
        if failures:
            self._world.bench.bus.counts.handler_failures = 0
            raise Fault(f"{failures} handlers raised")

    async def _quiet(self, stream: str) -> None:
        last = -1
        while (now := self._world.store.version(stream)) != last:
            last = now
            await asyncio.sleep(1.0)

    def check_end(self) -> None:
        require_sound(self._world.store)

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self._message(sample, steps))


class Jobs(Kind):
    """Jobs in the queue of a worker at work."""

    name = "jobs"
    share = 1.0

    def __init__(self, folder: Path) -> None:
        self._runner = asyncio.Runner()
        self._nats = EmbeddedNats(folder)
        self._nats.start()
        self._store = open_store(f"sqlite:///{folder / STORE}", durable=False)
        run = record(self._store, folder, plan(tasks=1, judges='["rehearsal-strict"]'))
        self._settings = Settings(
            data_dir=folder,
            database_url=self._store.url,
            nats_url=self._nats.url,
            nats_token=self._nats.token,
            space="fuzz",
            log_level="critical",
            tuning=read_tuning({"TROUPE_JOB_TRIES": "1"})[0],
        )
        self._samples: tuple[tuple[str, Any], ...] = (
            ("episode", PlayEpisode(run=run, episode="nowhere")),
            ("episode", PlayEpisode(run="nowhere", episode="nowhere")),
            ("episode", ContinueEpisode(episode="nowhere")),
            ("evaluation", _evaluate(run)),
        )
        self.samples = len(self._samples)
        self._runner.run(self._open())

    async def _open(self) -> None:
        self._node = await WorkerNode(self._settings, self._store).__aenter__()
        self._stranger = await Bus.connect(self._nats.url, token=self._nats.token, space="fuzz")
        await self._node.work(4)

    def __exit__(self, *_: object) -> None:
        async def close() -> None:
            await self._stranger.close()
            await self._node.__aexit__(None, None, None)

        self._runner.run(close())
        self._runner.close()
        self._store.close()
        self._nats.stop()

    def _job(self, sample: int, steps: Sequence[int]) -> tuple[str, bytes]:
        kind, job = self._samples[sample]
        return kind, spoiled(encode(job), steps, step_of_message)

    def play(self, sample: int, steps: Sequence[int]) -> None:
        kind, data = self._job(sample, steps)
        before = self._settled()

        async def queued() -> None:
            await self._stranger.nats.jetstream().publish(subjects.job("fuzz", kind, "some"), data)
            await until(lambda: self._settled() > before, 30.0)

        try:
            self._runner.run(queued())
        except TimeoutError:
            raise Fault("the job was neither done nor buried") from None

    def _settled(self) -> int:
        counts = [worker.counts for worker in self._node.jobs._workers]
        return sum(one.done + one.dead for one in counts)

    def check_end(self) -> None:
        require_sound(self._store)

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self._job(sample, steps))


def _evaluate(run: str) -> Any:
    fields = {"evaluation": "v1", "episode": "nowhere", "run": run}
    if "judge" in Evaluate.__struct_fields__:
        from evaluators.registry import built_in

        fields["judge"] = built_in()["rehearsal-strict"]  # type: ignore[assignment]
    return Evaluate(**fields)  # type: ignore[arg-type]
