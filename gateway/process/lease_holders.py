"""Describes which process carries out what, from the leases in the store."""

import socket
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Final

from events.ids import EPISODE, EVALUATION, RUN
from gateway.errors import GatewayError
from gateway.process.process_registry import SERVER, is_gone
from gateway.settings import Settings
from store.leases import MICRO, Lease, leases
from store.log.event_store import EventStore

SERVING: Final = f"{SERVER}/"
"""How the lease begins that says that a process takes up runs that are left to a server."""
_KINDS: Final = {EPISODE: "episode", EVALUATION: "evaluation"}


class HeldElsewhere(GatewayError):
    """Another process carries it out."""

    def __init__(self, name: str, lease: Lease | None, *, taken_over: bool = False) -> None:
        """``lease``: as that process has it; None: it has left it since. ``taken_over``: from this
        process."""
        what, _, judge = name.partition("/")
        doing = "scored with this judge" if judge else "carried out"
        by = "by another process" if lease is None else f"by {holder_words(lease)}"
        more = f"; `troupe watch {what}` follows it, `troupe stop {what}` stops it"
        if taken_over:
            more = "; this process was silent for too long, and asks nothing more"
        elif judge or what[:1] != RUN:
            more = ""
        super().__init__(f"{_KINDS.get(what[:1], 'run')} {what} is {doing} {by}{more}")
        self.lease = lease


def holders(settings: Settings, store: EventStore) -> list[Lease]:
    """The leases that are held now. Blocking."""
    return _held(settings, leases(store))


def check_free_for_server(settings: Settings, store: EventStore, run: str) -> None:
    """Raises ``HeldElsewhere`` where a process that is no server carries out a run: a server would
    wait for it. Blocking."""
    for one in _held(settings, leases(store, [run])):
        if one.command != SERVER:
            raise HeldElsewhere(run, one)


def free(settings: Settings, store: EventStore, runs: Collection[str]) -> list[str]:
    """Those of some runs that no process carries out now. Blocking."""
    taken = {one.name for one in _held(settings, leases(store, runs))}
    return [run for run in runs if run not in taken]


def _held(settings: Settings, found: Iterable[Lease]) -> list[Lease]:
    return [one for one in found if not one.lapsed and not is_gone(settings, one)]


def holder_words(lease: Lease) -> str:
    """The process that holds a lease, since when, and how long ago it was heard of."""
    since = datetime.fromtimestamp(lease.since / MICRO, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    heard = max(0, round((lease.now - lease.renewed_at) / MICRO))
    who = f"`troupe {lease.command}` (pid {lease.pid} on {lease.host})"
    return f"{who} since {since}, heard of {heard} s ago"


def waiting_words(lease: Lease) -> str:
    """That a silent holder is waited for, as a sentence."""
    left = max(1, round((lease.lapses_at - lease.now) / MICRO))
    return (
        f"{holder_words(lease)} has {lease.name.partition('/')[0]}: waiting up to {left} s to see "
        "whether it still lives"
    )


def process_words(lease: Lease) -> str:
    """A holder in short."""
    elsewhere = lease.host != socket.gethostname()
    return f"pid {lease.pid}{f' on {lease.host}' * elsewhere}"
