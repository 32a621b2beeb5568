"""Servers of local models: started when first asked, shared, gone after the last that asks."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from actors.models.errors import CallFailed, ModelUnavailable
from actors.models.local import server
from actors.models.local.runtime import LOCK, Served
from actors.models.local.server import running
from actors.models.local.settings import LocalSettings
from actors.models.registry import Models
from tests.actors.models.local.servers import ask, caller_of, weights
from tests.support.servers.nats_server import until

OTHER = """
import asyncio, sys
from pathlib import Path
from actors.models.local.settings import LocalSettings
from events.minds import ModelSpec
from tests.actors.models.local.servers import ask, caller_of

async def main(home, name):
    caller = caller_of(LocalSettings(home=Path(home), weights=Path(home), slots=3))
    print((await ask(caller, ModelSpec(name=name)))["pid"], flush=True)
    await asyncio.sleep(3600)

asyncio.run(main(*sys.argv[1:]))
"""
"""Another process of the same data folder, which asks once and stays."""


async def test_a_server_is_started_as_its_settings_say(settings: LocalSettings, tmp_path: Path):
    caller = caller_of(msgspec.structs.replace(settings, threads=5, context=1024))
    try:
        told = await ask(caller, weights(tmp_path))
    finally:
        await caller.close()
    assert told["slots"] == 3
    assert told["context"] == 3 * 1024
    assert told["threads"] == [5, 5]
    assert told["hosts"] == ["127.0.0.1"]
    assert told["origins"] == "", "no page of another site may ask it"
    assert told["format"], "it is sent the schema"
    assert told["pid"] != os.getpid()


async def test_what_fits_is_what_the_server_says_whoever_started_it(
    settings: LocalSettings, tmp_path: Path
):
    spec = weights(tmp_path)
    started = caller_of(msgspec.structs.replace(settings, context=1024))
    models = Models(local=settings)
    try:
        await ask(started, spec)
        assert await models.context_of(spec) == 1024
    finally:
        await models.close()
        await started.close()


async def test_a_server_that_nobody_uses_any_more_is_not_used_with_other_settings(
    settings: LocalSettings, tmp_path: Path
):
    spec = weights(tmp_path)
    before = caller_of(settings)
    first = await ask(before, spec)
    await before.close()
    after = caller_of(msgspec.structs.replace(settings, context=1024))
    try:
        then = await ask(after, spec)
    finally:
        await after.close()
    assert then["pid"] != first["pid"]
    assert then["context"] == 3 * 1024


async def test_one_that_nobody_uses_is_waited_for_however_busy_the_machine_is(
    settings: LocalSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server, "_LINGER_S", 0.1)
    spec = weights(tmp_path)
    before = caller_of(settings)
    first = (await ask(before, spec))["pid"]
    os.kill(first, signal.SIGSTOP)
    await before.close()
    after = caller_of(msgspec.structs.replace(settings, context=1024))
    try:
        asking = asyncio.create_task(ask(after, spec))
        await asyncio.sleep(0.5)  # longer than one that is used is waited for
        os.kill(first, signal.SIGCONT)
        assert (await asking)["pid"] != first
    finally:
        await after.close()


async def test_threads_leave_a_core_to_others(settings: LocalSettings):
    assert settings.used_threads == max(1, len(os.sched_getaffinity(0)) - 1)


async def test_what_tells_of_a_server_is_for_its_owner_alone(
    settings: LocalSettings, tmp_path: Path
):
    caller = caller_of(settings)
    try:
        told = await ask(caller, weights(tmp_path))
        (folder,) = settings.home.iterdir()
        for file in folder.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file
        served = msgspec.json.decode((folder / LOCK).read_bytes(), type=Served)
        assert served.pid == told["pid"]
        assert len(served.key) >= 32
        assert served.key not in Path(f"/proc/{served.pid}/cmdline").read_text()
        assert served.key not in Path(f"/proc/{served.pid}/environ").read_text()
        assert served.key not in repr(served)
    finally:
        await caller.close()


async def test_processes_share_a_server_until_the_last_has_ended(
    settings: LocalSettings, tmp_path: Path
):
    spec = weights(tmp_path)
    caller = caller_of(settings)
    mine = (await ask(caller, spec))["pid"]
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(settings.home), spec.name],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    try:
        shared = int(await asyncio.to_thread(other.stdout.readline))
        assert shared == mine
        await caller.close()
        (folder,) = settings.home.iterdir()
        # Twice as long as it takes to see that none uses it.
        await asyncio.sleep(1)
        assert running(folder) is not None
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
    await until(lambda: running(folder) is None)


async def test_many_that_begin_at_once_have_one_server(settings: LocalSettings, tmp_path: Path):
    spec = weights(tmp_path)
    callers = [caller_of(settings) for _ in range(4)]
    try:
        told = await asyncio.gather(*(ask(caller, spec) for caller in callers))
    finally:
        for caller in callers:
            await caller.close()
    assert len({one["pid"] for one in told}) == 1


async def test_a_server_that_was_killed_is_started_again_by_the_next_attempt(
    settings: LocalSettings, tmp_path: Path
):
    patient = weights(tmp_path)
    spec = msgspec.structs.replace(patient, retries=0)
    caller = caller_of(settings)
    try:
        first = (await ask(caller, spec))["pid"]
        await _killed(settings, first)
        with pytest.raises(CallFailed, match="its server has stopped"):
            await ask(caller, spec)
        second = (await ask(caller, spec))["pid"]
        assert second != first
        assert (await ask(caller, patient))["pid"] == second
        await _killed(settings, second)
        assert (await ask(caller, patient))["pid"] not in (first, second)
    finally:
        await caller.close()


async def _killed(settings: LocalSettings, pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    (folder,) = settings.home.iterdir()
    await until(lambda: running(folder) is None)


async def test_what_a_killed_server_has_left_misleads_none(settings: LocalSettings, tmp_path: Path):
    spec = weights(tmp_path)
    caller = caller_of(settings)
    first = (await ask(caller, spec))["pid"]
    await _killed(settings, first)
    await caller.close()
    (folder,) = settings.home.iterdir()
    assert (folder / LOCK).read_bytes(), "it could not take back what it said"
    later = caller_of(settings)
    try:
        assert (await ask(later, spec))["pid"] != first
    finally:
        await later.close()


async def test_several_models_have_a_server_each(settings: LocalSettings, tmp_path: Path):
    caller = caller_of(settings)
    try:
        one = await ask(caller, weights(tmp_path, "one.gguf"))
        two = await ask(caller, weights(tmp_path, "two.gguf"))
    finally:
        await caller.close()
    assert one["pid"] != two["pid"]


async def test_no_more_is_asked_at_once_than_there_are_slots(settings: LocalSettings):
    asked = settings.asked(weights(settings.home.parent))
    assert asked.max_concurrency == 3
    assert asked.timeout_s == 600


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("smollm2", b"", "its weights are not in .*: fetch them with `troupe local fetch`"),
        ("smollm2", b"GGUF cut", "no GGUF file, or not all of one.: `troupe local fetch` fetches"),
        ("{}/a.gguf", b"", "there is no file .*a.gguf.*: correct the path"),
        ("{}/a.gguf", b"PK", "a.gguf is no GGUF file, or not all of one"),
        ("{}/a.gguf", b"GGUF broken", "llama.cpp did not start: load: tensor 'x' is not within"),
        ("{}/a.gguf", b"GGUF no room", "has no room left.: make room there"),
    ],
)
async def test_what_cannot_be_run_is_said_in_a_sentence(
    settings: LocalSettings, tmp_path: Path, name: str, content: bytes, said: str
):
    if content:
        settings.weights.mkdir()
        for file in (settings.weights / "SmolLM2-135M-Instruct.Q4_1.gguf", tmp_path / "a.gguf"):
            file.write_bytes(content)
    spec = weights(tmp_path, "unused.gguf")
    spec = msgspec.structs.replace(spec, name=f"local/{name.format(tmp_path)}")
    caller = caller_of(settings)
    try:
        with pytest.raises(ModelUnavailable, match=f"cannot be run here \\(.*{said}") as failed:
            await caller.probe(spec)
    finally:
        await caller.close()
    assert failed.value.lasting
    assert "\n" not in str(failed.value)


async def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("actors.models.local.server._RUNTIME", "no_such_runtime")
    caller = caller_of(LocalSettings(home=tmp_path, weights=tmp_path))
    try:
        with pytest.raises(ModelUnavailable, match=r"not installed here\): set it up with"):
            await caller.probe(weights(tmp_path))
    finally:
        await caller.close()
