"""``troupe`` as a member of a fleet that is watched.

    python -m tests.faults.chaos.member FILE ARGUMENT…

It is the command with the arguments that follow, but each state that an episode comes into in this
process is written into FILE, so that it can be compared with the state that a replay gives. What
was written before a ``kill -9`` is there. And each request to a model says when it was sent.
"""

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import gateway.servers.server
from actors.episodes.rules.decide import EpisodeState
from actors.models.direct.adapter import DirectModel
from actors.models.port import ModelReply, ModelRequest
from events.ids import digest_of
from events.serialization.codec import encode
from gateway.cli.main import main
from gateway.process.worker_node import WorkerNode
from tests.faults.chaos.signing import KEY_VARIABLE, Signature, now


class Seen(NamedTuple):
    """One state, as it was in the process that had it."""

    episode: str
    number: int
    """The last event that is in it."""
    digest: str


def digest_of_state(state: EpisodeState) -> str:
    """A fingerprint of a state."""
    return digest_of(encode(state))


def read_seen(path: Path, offset: int) -> tuple[list[Seen], int]:
    """What a member has written behind an offset, and where that ends."""
    with path.open("rb") as file:
        file.seek(offset)
        lines = file.read()
    whole = lines[: lines.rfind(b"\n") + 1]
    return list(_parsed(whole.decode())), offset + len(whole)


def _parsed(lines: str) -> Iterator[Seen]:
    for line in lines.splitlines():
        episode, number, digest = line.split()
        yield Seen(episode, int(number), digest)


def _watch(path: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def witness(episode: str, state: EpisodeState) -> None:
        os.write(file, f"{episode} {state.number} {digest_of_state(state)}\n".encode())

    vars(gateway.servers.server)["WorkerNode"] = partial(WorkerNode, witness=witness)


def _sign() -> None:
    name, complete = os.environ[KEY_VARIABLE], DirectModel.complete

    async def signed(model: DirectModel, request: ModelRequest) -> ModelReply:
        # What follows reads it before it waits for anything.
        os.environ[KEY_VARIABLE] = Signature(name, now()).key
        return await complete(model, request)

    DirectModel.complete = signed


if __name__ == "__main__":
    _watch(sys.argv.pop(1))
    _sign()
    main()
