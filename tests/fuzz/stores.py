"""Stores for cases: one filled once, and copies of it."""

import shutil
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from hashlib import blake2b
from pathlib import Path

import sqlalchemy as sa

from gateway.services.catalogs.read_catalog import ensure_starters
from store.database.tables import log
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from store.projections.maintenance.projector import catch_up
from store.verification import verify
from tests.fuzz.oracle import Fault
from tests.store.histories import planned_chain, play_chain, whole_run

STORE = "troupe.db"


def fill(path: Path) -> None:
    """A store with a run of episodes, forks and scores, and one of a chain."""
    store = open_store(f"sqlite:///{path}", durable=False)
    ensure_starters(store)
    whole_run(store)
    store.append("run-r2", NEW, [planned_chain("h1", "c1", "c2")], correlation="r2")
    play_chain(store, "h1", "c1", "c2", run="r2")
    catch_up(store)
    store.close()


@contextmanager
def copy_of(filled: Path, folder: Path) -> Iterator[EventStore]:
    """A copy of a filled store, in the place of whatever the folder had."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob(f"{STORE}*"):
        old.unlink()
    shutil.copy(filled, folder / STORE)
    store = open_store(f"sqlite:///{folder / STORE}", migrate=False, durable=False)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def standing_in(folder: Path) -> Iterator[None]:
    """Have an empty folder be the current one: what a case names without a folder is made there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with chdir(folder):
        yield


def fingerprint(store: EventStore) -> str:
    """A hash over all that is in the log."""
    digest = blake2b(digest_size=16)
    with store.engine.connect() as connection:
        for row in connection.execute(sa.select(log).order_by(log.c.position)):
            digest.update(repr(tuple(row)).encode())
    return digest.hexdigest()


def require_sound(store: EventStore, but: frozenset[str] = frozenset()) -> None:
    """Raises ``Fault`` where ``troupe verify`` finds something, but for some checks."""
    wrong = [defect for defect in verify(store).defects if defect.check not in but]
    if wrong:
        raise Fault(f"the store is not sound: {wrong[0].check}, {wrong[0].where}: {wrong[0].what}")
