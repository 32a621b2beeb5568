"""Ports on which nobody listens."""

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager

HOST = "127.0.0.1"


@contextmanager
def nobody_listens() -> Iterator[int]:
    """A port that refuses connections, kept so that nobody else is given it meanwhile."""
    with socket.socket() as bound:
        bound.bind((HOST, 0))
        yield bound.getsockname()[1]


def free_ports(count: int) -> list[int]:
    """Ports for servers that must know each other's before they start: below those that a system
    gives to who asks for any, for it might give them away meanwhile."""
    found: set[int] = set()
    while len(found) < count:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as asked:
            try:
                asked.bind((HOST, port))
            except OSError:
                continue
        found.add(port)
    return list(found)
