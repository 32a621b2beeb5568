"""Commands write to and read from whatever a path leads to: links stay, devices and pipes are not
replaced, and nothing without an end is read. Devices are made here; the machine's are left alone.
"""

import json
import os
import shutil
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from tests.gateway.command import Desk
from tests.store.test_files import database_at, endless, listening, names, null_at
from tests.support.undrawn_charts import undrawn

__all__ = ["undrawn"]
pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.mark.parametrize("command", ["export", "report"])
def test_results_are_written_through_a_link(
    played: Desk, run: str, tmp_path: Path, command: str
) -> None:
    target, link = tmp_path / "kept" / "result.html", tmp_path / "link.html"
    target.parent.mkdir()
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    more = ("--format", "jsonl") if command == "export" else ()
    played.does(command, run, *more, "--out", str(link))
    assert link.is_symlink()
    assert len(target.read_bytes()) > 1000
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert names(target.parent) == ["result.html"]


@pytest.mark.parametrize("command", ["export", "report"])
def test_results_are_written_into_a_pipe_and_a_device(
    played: Desk, run: str, tmp_path: Path, command: str
) -> None:
    more = ("--format", "jsonl") if command == "export" else ()
    fifo, null = tmp_path / "fifo", tmp_path / "null"
    os.mkfifo(fifo)
    reader, found = listening(fifo)
    played.does(command, run, *more, "--out", str(fifo))
    reader.join(60)
    assert len(found[0]) > 1000
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    null_at(null)
    played.does(command, run, *more, "--out", str(null))
    assert stat.S_ISCHR(null.stat().st_mode)
    assert null.stat().st_rdev == os.makedev(1, 3)


def test_a_disk_is_refused_in_a_sentence(played: Desk, run: str, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    null_at(disk, stat.S_IFBLK, (240, 0))
    said = played.says("export", run, "--format", "jsonl", "--out", str(disk))
    assert said.code != 0
    assert "is a disk, which is not written; name a file" in " ".join(said.err.split())
    assert stat.S_ISBLK(disk.stat().st_mode)


def digests(folder: Path) -> dict[str, str]:
    """What is in the databases of a folder."""
    return {one.name: sha256(one.read_bytes()).hexdigest() for one in folder.glob("*.db")}


@pytest.mark.parametrize(("command", "by_link"), [("export", True), ("report", False)])
@pytest.mark.parametrize(
    "name", ["troupe.db", "troupe.db-wal", "troupe.db-shm", "keys.db", "keys.db-journal"]
)
def test_the_store_and_its_keys_are_not_written_over(
    played: Desk, run: str, tmp_path: Path, command: str, name: str, by_link: bool
) -> None:
    keys = played.data_dir / "keys.db"
    if not keys.exists():
        database_at(keys)
    place = played.data_dir / name
    if by_link:
        (tmp_path / "link").symlink_to(place)
        place = tmp_path / "link"
    before = digests(played.data_dir)
    more = ("--format", "jsonl") if command == "export" else ()
    said = refused(played, command, run, *more, "--out", str(place))
    assert "database of SQLite, which is not written over; name another file" in said
    assert digests(played.data_dir) == before


def test_keys_elsewhere_are_not_written_over(played: Desk, run: str, tmp_path: Path) -> None:
    keys = tmp_path / "elsewhere.sqlite"
    played.set("TROUPE_KEYS_URL", f"sqlite:///{keys}")
    before = database_at(keys)
    said = refused(played, "export", run, "--format", "jsonl", "--out", str(keys))
    assert "name another file" in said
    assert keys.read_bytes() == before


def test_a_table_does_not_go_over_the_store(played: Desk, run: str, tmp_path: Path) -> None:
    (tmp_path / "scores.parquet").symlink_to(played.data_dir / "troupe.db")
    before = digests(played.data_dir)
    said = refused(played, "export", run, "--format", "parquet", "--out", str(tmp_path))
    assert "name another file" in said
    assert digests(played.data_dir) == before


def test_tables_in_a_folder_are_written_through_links(
    played: Desk, run: str, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    (tmp_path / "tables").mkdir()
    (tmp_path / "link").symlink_to("tables")
    (tmp_path / "tables" / "scores.parquet").symlink_to(kept)
    null_at(tmp_path / "tables" / "episodes.parquet")
    played.does("export", run, "--format", "parquet", "--out", str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "tables" / "scores.parquet").is_symlink()
    assert kept.read_bytes().startswith(b"PAR1")
    assert stat.S_ISCHR((tmp_path / "tables" / "episodes.parquet").stat().st_mode)


def refused(desk: Desk, *arguments: str) -> str:
    """What a command says that must neither wait nor change anything."""
    before = desk.head()
    said = desk.says(*arguments)
    assert said.code != 0, said
    assert desk.head() == before
    assert "Traceback" not in said.err
    return " ".join((said.err + said.out).split())


@pytest.mark.parametrize("number", [0, 1, 2])
def test_what_is_no_file_is_not_taken_in(played: Desk, tmp_path: Path, number: int) -> None:
    path = endless(tmp_path)[number]
    for command in (
        ("import", "episodes", str(path)),
        ("import", "worldtrees", str(path)),
        ("run", str(path)),
        ("study", "check", str(path)),
    ):
        said = refused(played, *command)
        assert "pipe or a device" in said, command
        assert "Errno" not in said, command


@pytest.mark.parametrize("kind", ["episodes", "worldtrees"])
def test_links_that_lead_to_no_file_are_told_from_no_file(
    played: Desk, tmp_path: Path, kind: str
) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to("none")
    for name, why in (
        ("a", "is a loop of links"),
        ("c", "is a link that leads nowhere"),
        ("none", "there is no such file"),
    ):
        assert why in refused(played, "import", kind, str(tmp_path / name))


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize(
    ("command", "files"),
    [
        (("import", "sotopia"), ("environment_profiles.jsonl", "agent_profiles.jsonl")),
        (("import", "stss"), ("maze_meta_info.json", "collision_maze.csv")),
        (("import", "worldtrees"), ("tree.json",)),
        (("import", "episodes"), ("episodes.jsonl",)),
        (("catalog", "check"), ("catalog.toml",)),
        (("catalog", "import"), ("catalog.toml", "tasks.toml")),
        (("town", "import"), ("reverie/meta.json", "meta.json")),
    ],
)
def test_folders_with_what_is_no_file_are_not_taken_in(
    played: Desk, tmp_path: Path, number: int, command: tuple[str, ...], files: tuple[str, ...]
) -> None:
    (tmp_path / "ends-not").mkdir()
    path = endless(tmp_path / "ends-not")[number]
    folder = tmp_path / "folder"
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).symlink_to(path)
    refused(played, *command, str(folder))


@pytest.mark.parametrize(
    ("number", "layer"),
    [(0, "maze_meta_info.json"), (1, "sector_maze.csv"), (2, "arena_blocks.csv")],
)
def test_a_layer_that_does_not_end_is_refused(
    played: Desk, tmp_path: Path, number: int, layer: str
) -> None:
    folder = tmp_path / "town"
    town = str(tmp_path / "town.toml")
    played.does("town", "map", "make", "--people", "2", "--to", town)
    played.does("town", "map", "to-csv", town, "--to", str(folder))
    path = endless(tmp_path)[number]
    (folder / layer).unlink()
    (folder / layer).symlink_to(path)
    said = refused(played, "town", "map", "from-csv", str(folder), "--to", str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()
    # What has no such file is no folder of layers.
    assert "pipe or a device" in said or "holds no maze_meta_info.json" in said
    assert layer in said


@pytest.mark.parametrize(
    ("number", "which"), [(0, "backup"), (1, "backup"), (1, "manifest"), (2, "manifest")]
)
def test_a_backup_that_does_not_end_is_not_restored(
    played: Desk, tmp_path: Path, number: int, which: str
) -> None:
    path, made = endless(tmp_path)[number], tmp_path / "a.db"
    played.does("backup", str(made))
    manifest = tmp_path / "a.db.json"
    spoiled = made if which == "backup" else manifest
    if which == "backup":
        # It says what a device does.
        said = json.loads(manifest.read_text())
        manifest.write_text(json.dumps({**said, "size": 0}))
    spoiled.unlink()
    spoiled.symlink_to(path)
    assert "pipe or a device" in refused(played, "restore", str(made), "--replace")


@pytest.mark.parametrize(
    ("number", "name"),
    [(0, "run.json"), (1, "events.jsonl.zst"), (2, "events.jsonl.zst"), (2, "run.json")],
)
def test_an_archive_that_does_not_end_is_not_brought_back(
    played: Desk, run: str, tmp_path: Path, number: int, name: str
) -> None:
    path = endless(tmp_path)[number]
    played.does("archive", run, "--to", str(tmp_path / "archive"))
    folder = tmp_path / "archive" / run
    shutil.copy(folder / name, tmp_path / "kept")
    (folder / name).unlink()
    (folder / name).symlink_to(path)
    said = refused(played, "retrieve", str(folder))
    assert "pipe or a device" in said or "it holds no run.json" in said
    (folder / name).unlink()
    shutil.copy(tmp_path / "kept", folder / name)
    played.does("retrieve", str(folder))
