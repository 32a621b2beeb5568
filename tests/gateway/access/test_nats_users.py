"""What NATS users may say and hear, on a real server with the configuration that is written."""

import asyncio
import json
import stat
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from nats import errors
from nats.aio.client import Client

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import find_nats_server
from actors.runtime.jobs.queue import JobQueue
from events.wire import subjects
from gateway.services.access.nats_users import (
    BadUsersFile,
    NoNatsUser,
    add_user,
    inbox_of,
    permissions,
    remove_users,
)
from gateway.services.access.roles import Principal
from gateway.services.access.token_repository import new_principal
from tests.gateway.command import Desk
from tests.support.servers.nats_server import until

SPACE, OTHER_SPACE = "lab", "class"
SEATED = new_principal("participant", episode="e1", seat=0)
RESEARCHER = new_principal("researcher")
FLEET, OTHERS = new_principal("operator"), new_principal("operator")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """A server's address, and passwords by user."""
    folder = tmp_path_factory.mktemp("nats")
    users = folder / "users.conf"
    passwords = {one.token: add_user(users, one, SPACE) for one in (SEATED, RESEARCHER, FLEET)}
    passwords[OTHERS.token] = add_user(users, OTHERS, OTHER_SPACE)
    config = folder / "nats.conf"
    config.write_text(
        f'listen: "127.0.0.1:-1"\nports_file_dir: "{folder}"\n'
        f'include "users.conf"\njetstream {{ store_dir: "{folder}" }}\n'
    )
    with (folder / "nats.log").open("wb") as log:
        process = subprocess.Popen([find_nats_server(), "-c", config], stdout=log, stderr=log)
    try:
        while not (found := list(folder.glob("*.ports"))):
            assert process.poll() is None, (folder / "nats.log").read_text()
        yield json.loads(found[0].read_bytes())["nats"][0], passwords
    finally:
        process.terminate()
        process.wait()


class Speaker:
    """A program that speaks NATS as a principal, with any client."""

    def __init__(self) -> None:
        self.client = Client()
        self.refused: list[str] = []

    async def complained(self, error: Exception) -> None:
        self.refused.append(str(error))

    async def may_hear(self, subject: str) -> bool:
        await self.client.subscribe(subject)
        return not await self._was_refused()

    async def may_say(self, subject: str) -> bool:
        await self.client.publish(subject, b"x")
        return not await self._was_refused()

    async def _was_refused(self) -> bool:
        """Refusals come in order: behind it something that certainly is."""
        self.refused.clear()
        await self.client.publish("certainly.refused", b"x")
        await self.client.flush()
        await until(lambda: any("certainly.refused" in one for one in self.refused))
        return any("certainly.refused" not in one for one in self.refused)


@asynccontextmanager
async def speaking(
    server: tuple[str, dict[str, str]], principal: Principal
) -> AsyncIterator[Speaker]:
    url, passwords = server
    speaker = Speaker()
    await speaker.client.connect(
        url,
        user=principal.token,
        password=passwords[principal.token],
        inbox_prefix=inbox_of(principal).encode(),
        error_cb=speaker.complained,
    )
    try:
        yield speaker
    finally:
        await speaker.client.close()


def fleet_url(server: tuple[str, dict[str, str]], principal: Principal) -> str:
    parts = urlsplit(server[0])
    return f"nats://{principal.token}:{server[1][principal.token]}@{parts.netloc}"


async def test_a_seat_s_user_speaks_for_its_seat_alone(server: tuple[str, dict[str, str]]) -> None:
    async with speaking(server, SEATED) as seat:
        assert await seat.may_say(subjects.seat_command(SPACE, "e1", 0))
        for subject in (
            subjects.seat_command(SPACE, "e1", 1),
            subjects.seat_command(SPACE, "e2", 0),
            subjects.seat_command(OTHER_SPACE, "e1", 0),
            subjects.command(SPACE, "episode", "e1"),
            subjects.inbox(SPACE, "episode", "e1"),
            subjects.seat(SPACE, "e1", 0),
            subjects.seat(SPACE, "e1", 1),
            subjects.event(SPACE, "episode", "e1"),
            subjects.job(SPACE, "episode", "e9"),
            subjects.workers(SPACE),
            "$JS.API.STREAM.LIST",
            "$JS.API.STREAM.DELETE.troupe",
            "$SYS.REQ.SERVER.PING",
            inbox_of(FLEET) + ".x",
            "anything",
        ):
            assert not await seat.may_say(subject), subject


async def test_a_seat_s_user_hears_its_seat_alone(server: tuple[str, dict[str, str]]) -> None:
    async with speaking(server, SEATED) as seat:
        own = subjects.seat(SPACE, "e1", 0)
        for subject in (own, f"{own}.json", f"{own}.news", f"{own}.news.json"):
            assert await seat.may_hear(subject), subject
        for subject in (
            ">",
            "*",
            "_INBOX.>",
            f"{inbox_of(FLEET)}.>",
            subjects.seat(SPACE, "e1", 1),
            f"troupe.{SPACE}.seat.*.*",
            f"troupe.{SPACE}.seat.e1.*.json",
            subjects.seat_command(SPACE, "e1", 0),
            subjects.event(SPACE, "episode", "e1"),
            subjects.event(SPACE, "agent", "e1.0"),
            subjects.all_commands(SPACE, "episode"),
            "$SYS.>",
            "$JS.EVENT.>",
        ):
            assert not await seat.may_hear(subject), subject


async def test_a_seat_s_user_is_answered_by_the_fleet(server: tuple[str, dict[str, str]]) -> None:
    bus = await Bus.connect(fleet_url(server, FLEET), space=SPACE)
    try:
        await bus.subscribe(
            subjects.all_seat_commands(SPACE), lambda m: bus.publish(m.reply, b"yes:" + m.data)
        )
        await bus.flush()
        async with speaking(server, SEATED) as seat:
            # The request leaves behind the subscription; nats-py's own flush may overtake it.
            heard = await seat.client.subscribe(subjects.seat(SPACE, "e1", 0))
            subject = subjects.seat_command(SPACE, "e1", 0)
            answer = await seat.client.request(subject, b"look", timeout=30)
            assert answer.data == b"yes:look"
            assert seat.refused == []
            bus.publish(subjects.seat(SPACE, "e1", 0), b"your turn")
            assert (await heard.next_msg(5)).data == b"your turn"
    finally:
        await bus.close()


async def test_the_fleet_does_everything_within_its_own_space(
    server: tuple[str, dict[str, str]],
) -> None:
    ours = await Bus.connect(fleet_url(server, FLEET), space=SPACE)
    theirs = await Bus.connect(fleet_url(server, OTHERS), space=OTHER_SPACE)
    heard: list[bytes] = []
    try:
        for bus in (ours, theirs):
            await JobQueue(bus).ensure()
        await theirs.subscribe(">", lambda m: heard.append(m.data))
        await ours.subscribe(f"troupe.{SPACE}.>", lambda m: heard.append(b"ours " + m.data))
        for bus in (ours, theirs):
            await bus.flush()
        ours.publish(subjects.event(SPACE, "episode", "e1"), b"it happened")
        await until(lambda: heard)
        await asyncio.gather(ours.flush(), theirs.flush())
        assert heard == [b"ours it happened"]
    finally:
        await ours.close()
        await theirs.close()


async def test_a_researcher_s_user_commands_episodes_and_queues_no_jobs(
    server: tuple[str, dict[str, str]],
) -> None:
    async with speaking(server, RESEARCHER) as researcher:
        assert await researcher.may_say(subjects.command(SPACE, "episode", "e7"))
        assert await researcher.may_hear(subjects.event(SPACE, "episode", "e7"))
        assert not await researcher.may_say(subjects.job(SPACE, "episode", "e9"))
        assert not await researcher.may_say("$JS.API.STREAM.DELETE.troupe")
        assert not await researcher.may_hear("_INBOX.>")


async def test_a_wrong_password_is_refused(server: tuple[str, dict[str, str]]) -> None:
    client = Client()

    async def heard(_: Exception) -> None: ...

    with pytest.raises(errors.Error):
        await client.connect(
            server[0], user=SEATED.token, password="x", error_cb=heard, allow_reconnect=False
        )


def test_others_need_no_nats_user() -> None:
    for principal in (
        new_principal("annotator"),
        new_principal("spectator", episode="e1"),
        new_principal("participant", study="s1"),
    ):
        with pytest.raises(NoNatsUser):
            permissions(principal, SPACE)


def test_users_come_and_go_in_a_file_for_the_server_alone(tmp_path: Path) -> None:
    file = tmp_path / "users.conf"
    add_user(file, SEATED, SPACE)
    add_user(file, FLEET, SPACE)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert remove_users(file, frozenset((SEATED.token, "knobody"))) == 1
    [user] = json.loads(file.read_text())["accounts"][SPACE]["users"]
    assert user["user"] == FLEET.token
    file.write_text("listen: 4222")
    with pytest.raises(BadUsersFile):
        add_user(file, SEATED, SPACE)
    assert file.read_text() == "listen: 4222"


def test_the_command_writes_the_user_and_takes_it_out_again(desk: Desk) -> None:
    file = desk.folder / "users.conf"
    desk.set("TROUPE_NATS_URL", "nats://token@nats.example:4222")
    made = desk.does("token", "issue", "operator", "--nats", str(file), "--json").json
    [user] = json.loads(file.read_text())["accounts"]["main"]["users"]
    expected = f"nats://{made['id']}:{user['password']}@nats.example:4222"
    assert made["nats"]["TROUPE_NATS_URL"] == expected
    assert (
        "1 NATS user taken out" in desk.does("token", "revoke", made["id"], "--nats", str(file)).out
    )
    assert json.loads(file.read_text())["accounts"]["main"]["users"] == []
    refused = desk.says("token", "issue", "annotator", "--nats", str(file))
    assert (refused.code, "needs no NATS user" in refused.err) == (1, True)
