"""NATS or PostgreSQL is not there: every command that needs it says so in a sentence, and ends."""

import re
import subprocess
from collections.abc import Iterator
from socket import create_server, socket

import pytest

from actors.runtime.embedded_nats.server import find_nats_server
from tests.gateway.command import Desk
from tests.support.runs import plan
from tests.support.servers.unused_ports import nobody_listens

NEED_NATS = [
    ("run", "PLAN"),
    ("score", "r", "--judge", "belext-rehearsal"),
    ("serve", "--port", "0"),
    ("worker", "--port", "0"),
    ("workers",),
    ("jobs",),
    ("jobs", "retry", "--all"),
]
NEED_A_STORE = [
    ("run", "PLAN"),
    ("run", "PLAN", "--detach"),
    ("resume", "r"),
    ("runs",),
    ("show", "r"),
    ("chains",),
    ("serve", "--port", "0"),
    ("worker", "--port", "0"),
    ("jobs", "retry", "--all"),
    ("verify-store",),
    ("projections", "rebuild"),
]


@pytest.fixture
def silent() -> Iterator[int]:
    """A port that takes connections and says nothing."""
    with create_server(("127.0.0.1", 0)) as listening:
        yield port_of(listening)


@pytest.fixture
def nobody() -> Iterator[int]:
    """A port on which nobody listens."""
    with nobody_listens() as port:
        yield port


@pytest.fixture
def plain_nats() -> Iterator[str]:
    """The address of a NATS server without JetStream."""
    command = [find_nats_server(), "-a", "127.0.0.1", "-p", "-1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            said = (re.search(r"client connections on (\S+)", line) for line in server.stderr)
            yield f"nats://{next(found[1] for found in said if found)}"
        finally:
            server.kill()


def port_of(listening: socket) -> int:
    port: int = listening.getsockname()[1]
    return port


def refusal(desk: Desk, words: tuple[str, ...]) -> str:
    """What a command says that cannot be carried out: one sentence, and nothing else."""
    path = desk.file("plan.toml", plan(tasks=1))
    said = desk.says(*(path if word == "PLAN" else word for word in words))
    assert said.code == 1, said
    assert not said.out, said
    (sentence,) = said.err.splitlines()
    return sentence


@pytest.mark.parametrize("words", NEED_NATS, ids=" ".join)
def test_where_nobody_listens_there_is_no_nats(
    played: Desk, nobody: int, words: tuple[str, ...]
) -> None:
    url = f"nats://127.0.0.1:{nobody}"
    played.set("TROUPE_NATS_URL", url)
    sentence = refusal(played, words)
    assert sentence.startswith(f"troupe: no NATS server answers at {url} (nobody listens there);")
    assert "TROUPE_NATS_URL" in sentence


@pytest.mark.parametrize("words", NEED_NATS[-3:], ids=" ".join)
def test_a_nats_server_that_says_nothing_is_not_waited_for(
    played: Desk, silent: int, words: tuple[str, ...]
) -> None:
    url = f"nats://127.0.0.1:{silent}"
    played.set("TROUPE_NATS_URL", url)
    told = rf"troupe: no NATS server answers at {re.escape(url)} \(no answer for \d s\);"
    assert re.match(told, refusal(played, words))


@pytest.mark.parametrize("words", [("run", "PLAN"), ("worker", "--port", "0"), ("jobs",)])
def test_a_nats_server_without_a_job_queue_is_told_from_one_that_is_not_there(
    played: Desk, plain_nats: str, words: tuple[str, ...]
) -> None:
    played.set("TROUPE_NATS_URL", plain_nats)
    assert "this NATS server runs without JetStream" in refusal(played, words)
    found = {finding["what"]: finding for finding in played.says("doctor", "--json").json}
    assert found["NATS"]["status"] == "broken"
    assert "jetstream" in found["NATS"]["mend"]


@pytest.mark.parametrize("words", NEED_A_STORE, ids=" ".join)
def test_where_nobody_listens_there_is_no_postgresql(
    desk: Desk, nobody: int, words: tuple[str, ...]
) -> None:
    desk.set("TROUPE_DATABASE_URL", f"postgresql://troupe:secret@127.0.0.1:{nobody}/troupe")
    # A worker looks for its server, too.
    desk.set("TROUPE_NATS_URL", f"nats://127.0.0.1:{nobody}")
    sentence = refusal(desk, words)
    shown = f"postgresql://troupe:***@127.0.0.1:{nobody}/troupe"
    assert sentence.startswith(f"troupe: the store {shown} cannot be reached: ")
    assert "Connection refused" in sentence
    assert sentence.endswith("start that database, or correct TROUPE_DATABASE_URL")


def test_a_postgresql_that_says_nothing_is_not_waited_for(desk: Desk, silent: int) -> None:
    desk.set("TROUPE_DATABASE_URL", f"postgresql://troupe@127.0.0.1:{silent}/troupe")
    assert "cannot be reached: connection timeout expired;" in refusal(desk, ("runs",))


def test_the_doctor_says_of_both_that_they_are_not_there(desk: Desk, nobody: int) -> None:
    desk.set("TROUPE_DATABASE_URL", f"postgresql://troupe@127.0.0.1:{nobody}/troupe")
    desk.set("TROUPE_NATS_URL", f"nats://127.0.0.1:{nobody}")
    found = {finding["what"]: finding for finding in desk.says("doctor", "--json").json}
    for what, variable in (("database", "TROUPE_DATABASE_URL"), ("NATS", "TROUPE_NATS_URL")):
        assert found[what]["status"] == "broken"
        assert variable in found[what]["mend"]
    assert desk.says("doctor").code == 1
