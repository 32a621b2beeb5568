"""Files are written and read as what they are: links stay, devices and pipes are not replaced, and
nothing is read that does not end."""

import errno
import os
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from store.files.atomic_files import atomic_write
from store.files.compressed_lines import open_lines
from store.files.regular_files import FileTooLarge, NotRegular, open_regular, read_regular


def write(path: Path, text: str) -> None:
    with atomic_write(path) as unfinished:
        unfinished.write_text(text)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fail(path: Path) -> None:
    """Write, and break off."""
    with atomic_write(path) as unfinished:
        unfinished.write_text("new")
        raise ZeroDivisionError


def listening(fifo: Path) -> tuple[threading.Thread, list[bytes]]:
    """Whoever reads a pipe, and what they have read."""
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(fifo.read_bytes()), daemon=True)
    reader.start()
    return reader, found


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    write(tmp_path / "new" / "a", "x")
    assert mode(tmp_path / "new" / "a") == 0o600
    assert names(tmp_path / "new") == ["a"]


@pytest.mark.parametrize("permissions", [0o644, 0o640, 0o600])
def test_a_file_that_is_there_keeps_its_permissions(tmp_path: Path, permissions: int) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(permissions)
    write(path, "new")
    assert (path.read_text(), mode(path)) == ("new", permissions)


@pytest.mark.skipif(os.geteuid() != 0, reason="only an administrator gives files away")
def test_a_file_of_somebody_else_stays_theirs(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    os.chown(path, 12_345, 12_345)
    write(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid, path.read_text()) == (12_345, 12_345, "new")


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("absolute", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_replaced(
    tmp_path: Path, there: bool, absolute: bool
) -> None:
    target, link = tmp_path / "far" / "a", tmp_path / "link"
    target.parent.mkdir()
    if there:
        target.write_text("old")
        before = target.stat().st_ino
    link.symlink_to(target if absolute else "far/a")
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert names(target.parent) == ["a"]
    if there:
        assert target.stat().st_ino != before, "in one step"


def test_what_fails_leaves_the_target_of_a_link_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(ZeroDivisionError):
        fail(tmp_path / "link")
    assert (tmp_path / "a").read_text() == "old"
    assert names(tmp_path) == ["a", "link"]


def test_links_in_a_circle_are_an_error_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError) as refused:
        write(tmp_path / "a", "x")
    assert refused.value.filename == str(tmp_path / "a")


def database_at(path: Path) -> bytes:
    """Make a database of SQLite; what is in its file."""
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE kept (a)")
    return path.read_bytes()


@pytest.mark.parametrize("beside", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("by", ["name", "link", "link to a folder"])
def test_a_database_and_what_sqlite_keeps_beside_it_are_not_replaced(
    tmp_path: Path, beside: str, by: str
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    before = database_at(kept / "a.db")
    (tmp_path / "link").symlink_to(kept / f"a.db{beside}")
    (tmp_path / "folder").symlink_to("kept")
    path = {
        "name": kept / f"a.db{beside}",
        "link": tmp_path / "link",
        "link to a folder": tmp_path / "folder" / f"a.db{beside}",
    }[by]
    with pytest.raises(OSError, match=f"database of SQLite.*name another file: '{path}'"):
        write(path, "x")
    assert names(kept) == ["a.db"]
    assert (kept / "a.db").read_bytes() == before


def test_a_second_name_of_a_database_is_not_replaced(tmp_path: Path) -> None:
    before = database_at(tmp_path / "a.db")
    (tmp_path / "b.jsonl").hardlink_to(tmp_path / "a.db")
    with pytest.raises(OSError, match="name another file"):
        write(tmp_path / "b.jsonl", "x")
    assert (tmp_path / "b.jsonl").read_bytes() == before


def test_a_database_is_replaced_where_that_is_meant(tmp_path: Path) -> None:
    database_at(tmp_path / "a.db")
    with atomic_write(tmp_path / "a.db", over_database=True) as unfinished:
        unfinished.write_text("new")
    assert (tmp_path / "a.db").read_text() == "new"


@pytest.mark.parametrize("by_link", [True, False])
def test_a_pipe_is_written_into(tmp_path: Path, by_link: bool) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (tmp_path / "link").symlink_to(fifo)
    reader, found = listening(fifo)
    write(tmp_path / "link" if by_link else fifo, "said" * 100_000)
    reader.join(60)
    assert found == [b"said" * 100_000]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert names(tmp_path) == ["fifo", "link"]


def test_a_pipe_gets_nothing_of_what_failed(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(ZeroDivisionError):
        fail(fifo)
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def null_at(path: Path, kind: int = stat.S_IFCHR, number: tuple[int, int] = (1, 3)) -> None:
    """A device of our own: never the machine's."""
    try:
        os.mknod(path, kind | 0o666, os.makedev(*number))
        if kind == stat.S_IFCHR:
            path.open("wb").close()
    except PermissionError:
        pytest.skip("no devices can be made here")


def test_a_device_is_written_into_and_stays_one(tmp_path: Path) -> None:
    null_at(tmp_path / "null")
    before = (tmp_path / "null").stat()
    write(tmp_path / "null", "x" * 1000)
    after = (tmp_path / "null").stat()
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)


def test_a_disk_a_socket_and_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listens:
        listens.bind(str(tmp_path / "socket"))
    paths = [tmp_path / "folder", tmp_path / "socket"]
    if os.geteuid() == 0:
        os.mknod(tmp_path / "disk", stat.S_IFBLK | 0o600, os.makedev(240, 0))
        paths.append(tmp_path / "disk")
    for path in paths:
        kind = stat.S_IFMT(path.stat().st_mode)
        with pytest.raises(OSError, match=f"is a .*; name a file: '{path}'"):
            write(path, "x")
        assert stat.S_IFMT(path.stat().st_mode) == kind


@pytest.mark.parametrize("into", ["file", "pipe"])
def test_standard_output_is_written_into(tmp_path: Path, into: str) -> None:
    program = (
        "import sys; from pathlib import Path; from store.files.atomic_files import atomic_write\n"
        "print('before', flush=True)\n"
        "with atomic_write(Path('/dev/stdout')) as one: one.write_text('whole\\n')\n"
        "print('after')"
    )
    command = [sys.executable, "-c", program]
    if into == "pipe":
        said = subprocess.run(command, check=True, capture_output=True).stdout
    else:
        with (tmp_path / "out").open("wb") as out:
            subprocess.run(command, check=True, stdout=out)
        said = (tmp_path / "out").read_bytes()
    assert said == b"before\nwhole\nafter\n"


def endless(folder: Path) -> list[Path]:
    """What is no file, by itself and behind a link."""
    os.mkfifo(folder / "fifo")
    (folder / "to-fifo").symlink_to("fifo")
    (folder / "to-zero").symlink_to("/dev/zero")
    return [folder / name for name in ("fifo", "to-fifo", "to-zero")]


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    for path in endless(tmp_path):
        for read in (open_regular, lambda path: read_regular(path, 10), open_lines):
            with pytest.raises(NotRegular) as refused:
                read(path)
            assert refused.value.filename == str(path)
            assert str(refused.value).startswith(f"{path}: is no file but a pipe")
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "none")


def test_no_more_is_read_than_is_wanted_whatever_the_size_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 10)
    assert read_regular(path, 10) == b"x" * 10
    with pytest.raises(FileTooLarge) as refused:
        read_regular(path, 9)
    assert refused.value.errno == errno.EFBIG
    # A regular file that says it has no bytes.
    status = Path("/proc/self/status")
    if status.exists():
        assert status.stat().st_size == 0
        assert read_regular(status, 1 << 20).startswith(b"Name:")
        with pytest.raises(FileTooLarge):
            read_regular(status, 3)
