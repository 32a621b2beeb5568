"""A run that is killed in the middle, and goes on."""

import signal
import subprocess
import sys
import time

from actors.models.local.runtime import LOCK
from actors.models.local.server import running
from events.agent import ModelAnswered, ModelAsked
from events.serialization.codec import event_of
from tests.gateway.command import Desk
from tests.local.played import MINDS, PAIR
from tests.support.runs import answers, plan


def test_what_was_answered_is_not_asked_again_and_the_server_of_the_killed_ends(desk: Desk):
    path = desk.file("plan.toml", plan(MINDS, tasks=1, pairings=PAIR, rules="turn_cap = 4"))
    command = [sys.executable, "-c", "from gateway.cli.main import main; main()", "run", path]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    store = desk.open()
    try:
        within = time.monotonic() + 300
        while len(answers(store)) < 2:
            assert killed.poll() is None
            assert time.monotonic() < within
            time.sleep(0.05)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        (folder,) = (desk.data_dir / "local").iterdir()
        while running(folder) is not None:
            assert time.monotonic() < within
            time.sleep(0.1)
        assert (folder / LOCK).exists()
        (run,) = desk.does("runs", "--json").json
        assert desk.says("resume", run["id"]).code in (0, 4)
        answered: set[tuple[str, int, int]] = set()
        for envelope in store.read_all(limit=100_000):
            if envelope.tag not in ("ModelAsked", "ModelAnswered"):
                continue
            event = event_of(envelope)
            assert isinstance(event, ModelAsked | ModelAnswered)
            place = (envelope.stream, event.turn, event.attempt)
            assert place not in answered, "it was answered before"
            if isinstance(event, ModelAnswered):
                answered.add(place)
    finally:
        killed.kill()
        killed.wait()
        store.close()
