"""Living processes of a data folder are found, and those that were killed are not."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from gateway.process.process_registry import (
    LiveProcess,
    ProcessRegistration,
    is_gone,
    live_processes,
)
from gateway.settings import Settings, read_settings
from store.leases import Holder, Lease

URL, TOKEN = "nats://127.0.0.1:4222", "secret"

_HOLDER = """
import sys
from gateway.process.process_registry import ProcessRegistration
from gateway.settings import read_settings
settings = read_settings({"TROUPE_DATA_DIR": sys.argv[1]})
with ProcessRegistration(settings, "serve", "nats://127.0.0.1:1", "secret"):
    print("here", flush=True)
    sys.stdin.read()
"""


def live_process(settings: Settings) -> LiveProcess | None:
    """Whom others ask first."""
    return next(iter(live_processes(settings)), None)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"TROUPE_DATA_DIR": str(tmp_path / "data")})


def test_a_folder_in_which_nothing_lives(settings: Settings):
    assert live_processes(settings) == []
    assert live_process(settings) is None


def test_a_process_is_found_with_all_it_takes_to_reach_it(settings: Settings):
    with ProcessRegistration(settings, "run", URL, TOKEN) as here:
        found = live_process(settings)
        assert found == here.process
        assert (found.pid, found.command) == (os.getpid(), "run")
        assert (found.nats_url, found.nats_token) == (URL, TOKEN)
        assert TOKEN not in repr(found)
        holder = here.holder
        assert (holder.process, holder.pid, holder.command) == (found.name, os.getpid(), "run")
        assert holder.queue == found.name
    assert [file.name for file in here.folder.iterdir()] == ["place"]


def test_one_that_has_no_server_is_not_asked_and_shares_its_queue(settings: Settings):
    with ProcessRegistration(settings, "worker", "", "") as here:
        assert live_processes(settings) == []
        assert here.holder.queue == ""


def lease(holder: Holder) -> Lease:
    moments = dict.fromkeys(("since", "renewed_at", "lapses_at", "now"), 0)
    return Lease(**to_builtins(holder), name="r1", version=0, **moments)


def test_the_holder_of_a_lease_is_known_to_be_gone_where_its_lock_can_be_seen(
    settings: Settings, tmp_path: Path
):
    elsewhere = read_settings({"TROUPE_DATA_DIR": str(tmp_path / "elsewhere")})
    with (
        ProcessRegistration(settings, "run", URL, TOKEN) as here,
        ProcessRegistration(elsewhere, "run", "", ""),
    ):
        held = lease(here.holder)
        assert not is_gone(settings, held)
    assert is_gone(settings, held)
    # Of what is not of this machine, or this folder, nothing is known.
    assert not is_gone(settings, replace(held, host="another"))
    assert not is_gone(settings, replace(held, place=""))
    assert not is_gone(elsewhere, held)
    assert not is_gone(read_settings({"TROUPE_DATA_DIR": str(tmp_path / "none")}), held)


def test_nobody_else_can_read_the_token(settings: Settings):
    with ProcessRegistration(settings, "run", URL, TOKEN) as here:
        assert here.folder.stat().st_mode & 0o077 == 0
        assert all(file.stat().st_mode & 0o077 == 0 for file in here.folder.iterdir())


def test_several_live_side_by_side_and_a_server_is_asked_first(settings: Settings):
    with (
        ProcessRegistration(settings, "run", URL, TOKEN) as run,
        ProcessRegistration(settings, "score", URL, TOKEN) as score,
    ):
        assert live_process(settings) == score.process
        with (
            ProcessRegistration(settings, "serve", URL, TOKEN) as server,
            ProcessRegistration(settings, "run", URL, "") as last,
        ):
            in_order = [server.process, last.process, score.process, run.process]
            assert live_processes(settings) == in_order
            assert live_process(settings) == server.process


def test_who_works_on_another_database_or_space_is_not_meant(settings: Settings, tmp_path: Path):
    with ProcessRegistration(settings, "serve", URL, TOKEN):
        other = replace(settings, database_url="postgresql://somebody:word@host/base")
        assert live_process(other) is None
        assert live_process(replace(settings, space="other")) is None
        link = tmp_path / "link"
        link.symlink_to(settings.data_dir)
        assert live_process(read_settings({"TROUPE_DATA_DIR": str(link)})) is not None


def test_a_killed_process_is_gone_at_once_and_leaves_nothing(settings: Settings):
    command = [sys.executable, "-c", _HOLDER, str(settings.data_dir)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"here\n"
        found = live_process(settings)
        assert found.pid == process.pid
        process.kill()
        process.wait()
        assert live_processes(settings) == []
    assert list((settings.data_dir / "processes").iterdir()) == []


def test_files_that_cannot_be_read_are_passed_over(settings: Settings):
    folder = settings.data_dir / "processes"
    folder.mkdir(parents=True)
    (folder / "1-a.json").write_text("{")
    with (folder / "1-a.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert live_processes(settings) == []


def test_what_is_no_file_of_ours_is_passed_over(settings: Settings):
    folder = settings.data_dir / "processes"
    (folder / "1-folder.lock").mkdir(parents=True)
    (folder / "2-loop.lock").symlink_to("2-loop.lock")
    os.mkfifo(folder / "3-pipe.lock")
    (folder / "4-folder.json").mkdir()
    (folder / "5-loop.json").symlink_to("5-loop.json")
    with (folder / "4-folder.lock").open("w") as one, (folder / "5-loop.lock").open("w") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        fcntl.flock(other, fcntl.LOCK_EX)
        assert live_processes(settings) == []
        with ProcessRegistration(settings, "run", URL, TOKEN) as here:
            assert live_processes(settings) == [here.process]
