"""No room for the SQLite file: the run ends with a clear error, and goes on when there is room."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.runtime.embedded_nats.server import EmbeddedNats
from events.episode import EpisodeFailed
from events.run import RunPaused
from store.log.event_store import EventStore
from store.read_model import queries
from store.verification import verify
from tests.faults.process import Process, Troupe
from tests.faults.questions import hash_of
from tests.support.runs import answers, model_minds, plan, record
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store, check_versions, whole_log

LARGEST = 2_000_000
"""Bytes of a file; the run writes several times as many."""
# Python ignores SIGXFSZ, so that a file that would grow too large is an error, not the end.
LIMITED = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({LARGEST}, {LARGEST})); "


class Limited(Troupe):
    """A machine that allows no large files."""

    def command(self, *arguments: str) -> tuple[str, ...]:
        """The same, under the limit."""
        python, option, text, *rest = super().command(*arguments)
        return (python, option, LIMITED + text, *rest)


@pytest.fixture
def environment(nats_server: EmbeddedNats, space: str) -> dict[str, str]:
    """Settings of commands. Theirs would be one more server without room."""
    return {
        "TROUPE_NATS_URL": nats_server.url,
        "TROUPE_NATS_TOKEN": nats_server.token,
        "TROUPE_SPACE": space,
        "TROUPE_GRACE_S": "1",
        "TROUPE_ACK_WAIT_S": "2",
    }


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own, as small as the limit to files above is."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={LARGEST}", "none", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def check_what_is_left(store: EventStore, process: Process) -> None:
    """A sentence says what is wrong; everything stored is sound, and nothing was given up."""
    said = process.said().splitlines()[-1]
    assert said.startswith(f"troupe: the store {store.url} cannot grow: ")
    assert "make room on its disk" in said
    told = [line for line in process.said().splitlines() if "Traceback" in line]
    assert not [line for line in told if "sqlite3" in line], "its sentence says it"
    check_versions(store)
    assert not {EpisodeFailed.__name__, RunPaused.__name__} & {e.tag for e in whole_log(store)}


async def carry_on(
    cramped: Troupe, folder: Path, stub: StubServer, *, make_room: list[str] | None = None
) -> None:
    """Run out of room, twice, then have room."""
    store = cramped.open()
    text = plan(model_minds(stub.url), tasks=16, rules="turn_cap = 10", concurrency=8)
    run = record(store, folder, text)
    spec = queries.plan(store, run).plan.minds[0].model
    assert spec is not None
    asked: list[int] = []
    paid: list[set[str]] = []
    for _ in range(2):
        process = await cramped.start("resume", run)
        assert await process.ended() == 1, process.said()
        check_what_is_left(store, process)
        asked.append(len(stub.bodies))
        paid.append({answer.request_hash for _, answer in answers(store)})
    assert len(paid[0]) > 10, "there was room for something"

    if make_room:
        subprocess.run(make_room, check=True)
    roomy = Troupe(folder, **cramped.environment)
    roomy.data_dir = cramped.data_dir
    process = await roomy.start("resume", run)
    assert await process.ended() == 0, process.said()
    check_store(store, run)
    assert verify(store).sound
    for begin, stored in zip(asked, paid, strict=True):
        later = {hash_of(body, spec) for body in stub.bodies[begin:]}
        assert later, "there was something left to ask"
        assert not later & stored, "what was stored is not asked for again"
    store.close()


@pytest.mark.long
async def test_a_run_that_meets_a_limit_to_files_is_resumed_when_there_is_none(
    tmp_path: Path, environment: dict[str, str]
):
    async with StubServer(StubSettings(latency_s=0.02)) as stub:
        await carry_on(Limited(tmp_path, **environment), tmp_path, stub)


@pytest.mark.long
async def test_a_run_on_a_full_disk_is_resumed_when_there_is_room(
    tmp_path: Path, small_disk: Path, environment: dict[str, str]
):
    make_room = ["mount", "-o", f"remount,size={50 * LARGEST}", str(small_disk)]
    async with StubServer(StubSettings(latency_s=0.02)) as stub:
        troupe = Troupe(tmp_path, **environment | {"TROUPE_DATA_DIR": str(small_disk)})
        troupe.data_dir = small_disk
        await carry_on(troupe, tmp_path, stub, make_room=make_room)
