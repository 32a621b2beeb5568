"""Backups: whole, consistent, and put back only where they belong."""

import json
import multiprocessing
import resource
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from store.backups import (
    BackupManifest,
    BackupRefused,
    NotAFile,
    RestoreRefused,
    back_up,
    manifest_path,
    restore,
)
from store.errors import StoreError
from store.log.event_store import ANY, EventStore
from store.migrate import known_schemas
from store.open_store import open_store
from store.projections.maintenance.projector import catch_up
from store.read_model import queries
from store.verification import verify
from tests.store.histories import play, play_chain, turn, whole_run
from tests.support.store_checks import check_versions, whole_log

LIMIT = 100_000
"""Bytes of a file, smaller than any store."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "data" / "troupe.db"


@pytest.fixture
def store(place: Path) -> Iterator[EventStore]:
    """A store in which something has happened."""
    with closing(opened(place)) as store:
        whole_run(store)
        play_chain(store, "h1", "c1", "c2", run="r1")
        catch_up(store)
        yield store


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where a backup is to be."""
    return tmp_path / "backups" / "monday.db"


@pytest.fixture
def made(store: EventStore, target: Path) -> Path:
    """A backup of the store, which is closed and goes on afterwards."""
    back_up(store.url, target)
    play(store, "later")
    store.close()
    return target


def opened(file: Path) -> EventStore:
    file.parent.mkdir(exist_ok=True)
    return open_store(url_of(file), durable=False)


def url_of(file: Path) -> str:
    return f"sqlite:///{file}"


def held(file: Path) -> list[Any]:
    """Every event in a store."""
    with closing(opened(file)) as store:
        return whole_log(store)


def beside(file: Path) -> set[str]:
    """What is in a file's folder, but for what SQLite keeps beside a store that is open."""
    return {
        path.name for path in file.parent.iterdir() if path.suffix not in (".db-wal", ".db-shm")
    }


def tell(backup: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a manifest."""
    path = manifest_path(backup)
    manifest = json.loads(path.read_bytes())
    change(manifest)
    path.write_text(json.dumps(manifest))


def refused(backup: Path, place: Path, **options: bool) -> RestoreRefused:
    """The refusal to restore, which leaves the store as it was."""
    before, files = held(place), beside(place)
    with pytest.raises(RestoreRefused) as refusal:
        restore(backup, url_of(place), **options)
    assert held(place) == before
    assert beside(place) == files
    assert str(refusal.value).startswith(f"nothing was restored from {backup}: ")
    return refusal.value


# ------------------------------------------------------------------ there and back


def test_a_backup_is_a_store_that_holds_the_same(store, target):
    manifest = back_up(store.url, target)
    last = whole_log(store)[-1]
    assert (manifest.contents.events, manifest.contents.head) == (last.position, last.position)
    assert manifest.contents.last_event == last.event_id
    assert manifest.contents.schema in known_schemas()
    assert manifest.size == target.stat().st_size
    assert msgspec.json.decode(manifest_path(target).read_bytes(), type=BackupManifest) == manifest
    assert beside(target) == {target.name, f"{target.name}.json"}
    assert held(target) == whole_log(store)


def test_what_is_restored_is_what_was_backed_up(store, target, tmp_path):
    back_up(store.url, target)
    elsewhere = tmp_path / "elsewhere" / "troupe.db"
    told: list[tuple[int, int]] = []
    manifest = restore(target, url_of(elsewhere), progress=lambda *done: told.append(done))
    assert told[-1] == (manifest.size, manifest.size)
    with closing(opened(elsewhere)) as restored:
        assert whole_log(restored) == whole_log(store)
        assert queries.runs(restored) == queries.runs(store)
        assert queries.chains(restored) == queries.chains(store)
        assert queries.scores(restored) == queries.scores(store)
        assert verify(restored).sound
        play(restored, "next")
    assert beside(elsewhere) == {elsewhere.name}


def test_a_restored_store_is_the_one_of_then_wherever_it_had_gone_on(made, place):
    before = held(place)
    restore(made, url_of(place), replace=True)
    assert before[: len(held(place))] == held(place)
    assert len(held(place)) < len(before)
    with closing(opened(place)) as store:
        assert verify(store).sound


def test_an_empty_store_makes_room_without_being_told(made, tmp_path):
    empty = tmp_path / "empty.db"
    opened(empty).close()
    restore(made, url_of(empty))
    assert held(empty) == held(made)


def test_backups_made_while_others_write_are_each_the_store_at_one_moment(store, target):
    done, grown = threading.Event(), threading.Condition()
    written = 0

    def go_on(name: str) -> None:
        nonlocal written
        with closing(opened(Path(str(store.engine.url.database)))) as mine:
            while not done.is_set():
                play(mine, f"{name}{written}", run="r1")
                mine.append("episode-shared", ANY, turn(1), correlation="r1")
                catch_up(mine)
                with grown:
                    written += 1
                    grown.notify_all()

    heads = []
    with ThreadPoolExecutor(2) as threads:
        writers = [threads.submit(go_on, name) for name in ("a", "b")]
        try:
            for number in range(4):
                with grown:
                    so_far = written
                    assert grown.wait_for(lambda so_far=so_far: written > so_far, timeout=60)
                heads.append(back_up(store.url, numbered(target, number)).contents.head)
        finally:
            done.set()
        for writer in writers:
            writer.result()
    assert heads == sorted(set(heads)), "it went on meanwhile"
    log = whole_log(store)
    for number, head in enumerate(heads):
        with closing(opened(numbered(target, number))) as copy:
            check_versions(copy)
            assert whole_log(copy) == log[:head]
            assert verify(copy).sound


def numbered(target: Path, number: int) -> Path:
    return target.with_name(f"{number}.db")


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize("there", ["file", "manifest"])
def test_nothing_that_is_there_is_overwritten_by_a_backup(store, target, there):
    target.parent.mkdir()
    found = target if there == "file" else manifest_path(target)
    found.write_text("precious")
    with pytest.raises(BackupRefused, match=f"{found.name} is there already; name another file"):
        back_up(store.url, target)
    assert (beside(target), found.read_text()) == ({found.name}, "precious")


def test_a_store_that_is_not_there_is_not_backed_up(tmp_path, target):
    with pytest.raises(BackupRefused, match=f"there is no store at {tmp_path}/none.db"):
        back_up(url_of(tmp_path / "none.db"), target)
    assert not target.parent.exists()


def test_a_damaged_store_gives_no_backup(store, place, target):
    store.close()
    damage(place)
    with pytest.raises(BackupRefused, match=f"no backup was made at {target}: "):
        back_up(url_of(place), target)
    assert beside(target) == set()


def damage(file: Path) -> None:
    """Whoever reads all of a store comes by here."""
    with file.open("r+b") as bytes_:
        bytes_.seek(4096 * 20)
        bytes_.write(b"\xff" * 4096)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (damage, "its checksum is not that of its manifest"),
        (lambda file: file.write_bytes(file.read_bytes()[:-4096]), "bytes where its manifest says"),
        (lambda file: file.write_bytes(b""), "it has 0 bytes where its manifest says"),
        (Path.unlink, "No such file"),
        (lambda file: manifest_path(file).unlink(), "monday.db.json is not beside it"),
        (lambda file: manifest_path(file).write_bytes(b"\xff{"), "monday.db.json makes no sense"),
        (lambda file: manifest_path(file).write_text("{}"), "monday.db.json makes no sense"),
        (lambda file: tell(file, lambda m: m.update(sha256="0" * 64)), "its checksum is not"),
        (lambda file: tell(file, lambda m: m.update(size=7)), "where its manifest says 7"),
        (lambda file: tell(file, lambda m: m.update(version=2)), "not that of a troupe-backup"),
        (lambda file: tell(file, lambda m: m.update(format="zip")), "not that of a troupe-backup"),
        (
            lambda file: tell(file, lambda m: m["contents"].update(events=1)),
            "but its manifest says",
        ),
        (
            lambda file: tell(file, lambda m: m["contents"].update(last_event="0" * 32)),
            "but its manifest says",
        ),
        (
            lambda file: tell(file, lambda m: m["contents"].update(schema="9999_tomorrow")),
            "its tables are of schema 9999_tomorrow, made by a newer version",
        ),
    ],
)
def test_a_backup_that_is_not_what_its_manifest_says_is_not_put_back(made, place, spoil, why):
    spoil(made)
    assert why in refused(made, place, replace=True).why


def test_a_damaged_file_whose_manifest_was_made_to_fit_is_not_put_back(made, place):
    damage(made)
    digest = sha256(made.read_bytes()).hexdigest()
    tell(made, lambda manifest: manifest.update(sha256=digest))
    assert "it is damaged" in refused(made, place, replace=True).why


def test_a_store_that_holds_something_is_overwritten_only_when_told_to(made, place):
    count = len(held(place))
    assert f"holds {count} events; --replace overwrites them" in refused(made, place).why


@pytest.mark.parametrize("busy", ["open", "reading", "writing"])
def test_a_store_in_use_is_not_overwritten(made, place, busy):
    with closing(opened(place)) as using:
        before = whole_log(using)
        with closing(sqlite3.connect(place, isolation_level=None)) as other:
            if busy == "reading":
                other.execute("BEGIN")
                other.execute("SELECT count(*) FROM log").fetchone()
            elif busy == "writing":
                other.execute("BEGIN IMMEDIATE")
            with pytest.raises(RestoreRefused, match=f"the store {place} is in use"):
                restore(made, url_of(place), replace=True)
        assert whole_log(using) == before
        assert verify(using).sound, "who uses it goes on"
        play(using, "on")


def test_a_store_that_is_no_database_any_more_is_replaced_when_told_to(made, place):
    place.write_bytes(b"not a database at all" * 1000)
    with pytest.raises(RestoreRefused, match=r"cannot be read .* --replace overwrites it"):
        restore(made, url_of(place))
    assert place.read_bytes().startswith(b"not a database")
    restore(made, url_of(place), replace=True)
    assert held(place) == held(made)


def test_postgresql_has_its_own_tools(made, tmp_path):
    url = "postgresql://troupe@db/troupe"
    with pytest.raises(NotAFile, match="whose own `pg_dump` does that"):
        back_up(url, tmp_path / "other.db")
    with pytest.raises(NotAFile, match="whose own `pg_restore` does that"):
        restore(made, url)


# ------------------------------------------------------------------ interrupted


def interrupted_backup(url: str, target: Path, stop: bool) -> None:
    """In a process of its own: killed when half is copied, or without room for the rest."""
    if not stop:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
    back_up(url, target, _die if stop else lambda _done, _of: None)


def interrupted_restore(backup: Path, url: str, stop: bool) -> None:
    """The same."""
    if not stop:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
    restore(backup, url, replace=True, progress=_die if stop else lambda _done, _of: None)


def _die(done: int, of: int) -> None:
    assert done <= of
    signal.raise_signal(signal.SIGKILL)


def killed(work: Callable[..., None], *arguments: object) -> None:
    """Have a process do something that kills it."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def why_not(work: Callable[..., None], *arguments: object) -> str:
    """Have a process do something that it finds no room for; what it says."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as processes:
        error = processes.submit(_told, work, arguments).result()
    assert error, "it had room enough"
    return error


def _told(work: Callable[..., None], arguments: tuple[object, ...]) -> str:
    try:
        work(*arguments)
    except StoreError as error:
        return str(error)
    return ""


def test_a_restore_that_is_killed_leaves_the_old_store_and_may_be_repeated(made, place):
    before = held(place)
    killed(interrupted_restore, made, url_of(place), True)
    assert held(place) == before
    with closing(opened(place)) as store:
        assert verify(store).sound
    restore(made, url_of(place), replace=True)
    assert held(place) == held(made)


def test_a_backup_that_is_killed_leaves_no_file_of_its_name(made, place, target):
    again = target.with_name("tuesday.db")
    killed(interrupted_backup, url_of(place), again, True)
    assert not again.exists()
    assert not manifest_path(again).exists()
    back_up(url_of(place), again)
    assert held(again) == held(place)


def test_a_restore_without_room_leaves_the_old_store(made, place):
    before, files = held(place), beside(place)
    told = why_not(interrupted_restore, made, url_of(place), False)
    assert told == f"nothing was restored from {made}: File too large"
    assert (held(place), beside(place)) == (before, files)


def test_a_backup_without_room_leaves_nothing(made, place, target):
    again, files = target.with_name("tuesday.db"), beside(target)
    told = why_not(interrupted_backup, url_of(place), again, False)
    assert told.startswith(f"no backup was made at {again}: ")
    assert beside(target) == files
