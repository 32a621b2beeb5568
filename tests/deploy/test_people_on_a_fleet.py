"""A study on a fleet of the shape of ``deploy/``: a server, two workers and a gateway that share
PostgreSQL and NATS and nothing else. What people wrote is sealed in the database, read by every
process, outlives their folders, and is gone once it is erased."""

import asyncio
import json
import re
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.studies.state import StudyState
from gateway.client.socket import NotDoneError, Stage
from gateway.http.authentication import Access
from gateway.services.access.token_repository import new_principal
from gateway.services.studies.study_repository import Studies
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.browser.studies import study_file
from tests.faults.process import SLOW_S, Process, Troupe
from tests.faults.test_sessions import Served
from tests.support.servers.nats_server import until

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

SAID = {"ana": "Zebras quarrel beside my grandmother's well", "bo": "My cellar holds nine violins"}
WHY = {"ana": "Because purple herons sang", "bo": "Since the mayor owes me a goose"}
SECRET = "for tests alone, " * 3


class Fleet:
    """Machines that share a database and a NATS server; each has a folder of its own."""

    def __init__(self, folder: Path, nats: EmbeddedNats, space: str, database: str) -> None:
        self.folder, self.database = folder, database
        self.shared = {
            "TROUPE_NATS_URL": nats.url,
            "TROUPE_NATS_TOKEN": nats.token,
            "TROUPE_SPACE": space,
            "TROUPE_DATABASE_URL": database,
            "TROUPE_SECRET": SECRET,
        }

    def machine(self, name: str, **more: str) -> Troupe:
        return Troupe(self.folder / name, **self.shared, **more)

    async def says(self, name: str, *arguments: str, **more: str) -> tuple[int, str]:
        """What a command says on a machine of that name; the exit code first."""
        process = await self.machine(name, **more).start(*arguments)
        code = await process.ended()
        return code, process.said()

    def dump(self) -> bytes:
        """All rows of all tables of the database, in all schemas, as text."""
        parts: list[bytes] = []
        with psycopg.connect(self.database) as connection:
            tables = connection.execute(
                "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables "
                "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
            ).fetchall()
            for (table,) in tables:
                with connection.cursor().copy(f"COPY (SELECT * FROM {table}) TO STDOUT") as rows:
                    parts += [bytes(row) for row in rows]
        return b"".join(parts)


def found_in(dump: bytes, words: str) -> bool:
    """Whether words are in a dump, as text or as bytes."""
    return words.encode() in dump or words.encode().hex().encode() in dump


class Person:
    """A participant with a browser."""

    def __init__(self, base: str, study: str, name: str) -> None:
        self.study, self.name = study, name
        self.browser = httpx.AsyncClient(
            base_url=base,
            headers={"accept": "text/html", "origin": base, "sec-fetch-site": "same-origin"},
            timeout=SLOW_S,
        )
        self.page = ""

    async def goes(self, method: str, path: str, **fields: str) -> httpx.Response:
        answer = await self.browser.request(method, path, data=fields or None)
        while answer.status_code == 303 and answer.headers["location"].startswith("/join"):
            answer = await self.browser.get(answer.headers["location"])
        self.page = answer.text
        return answer

    async def sends(self, part: str, **fields: str) -> None:
        answer = await self.goes("POST", f"/join/{self.study}/{part}", **fields)
        assert answer.status_code in (200, 303), answer.text

    async def to_the_lobby(self) -> None:
        who = {"PROLIFIC_PID": self.name}
        await self.goes("GET", f"/join/{self.study}?PROLIFIC_PID={self.name}")
        found = re.search(r'name="hash" value="(\w+)"', self.page)
        assert found, self.page
        await self.sends("consent", hash=found[1], agreed="yes", **who)
        await self.sends("screening", **{"q-age": "30"})
        await self.sends("instructions")
        await self.sends("comprehension", **{"q-goal": "Only I"})

    async def to_the_seat(self) -> str:
        """Waits in the lobby as its page does; the seat's address."""
        async with asyncio.timeout(SLOW_S):
            while True:
                await self.browser.post(f"/join/{self.study}/here")
                answer = await self.goes("GET", f"/join/{self.study}")
                if answer.status_code == 303:
                    return str(answer.headers["location"])
                await asyncio.sleep(0.3)

    async def plays(self, words: str) -> None:
        """To the end: says the words in the first turn of theirs, and little in the others."""
        seat = await self.to_the_seat()
        episode = seat.split("/")[2]
        (token,) = [c.value for c in self.browser.cookies.jar if c.value and "troupe" in c.name]
        url = str(self.browser.base_url).replace("http", "ws", 1) + "/ws"
        async with Stage(episode, url=url, token=token, viewer=seat.split("/")[3]) as stage:
            while True:
                await until(lambda: stage.state.ended or stage._unanswered, SLOW_S)
                if stage.state.ended:
                    break
                try:
                    await stage.act(text=words)
                    words = "Well."
                except NotDoneError as refused:
                    if refused.code not in ("not_playing", "try_again", "not_asked"):
                        raise
                await asyncio.sleep(0.1)

    async def answers(self, why: str) -> None:
        """The questionnaire, once the episode is over."""
        async with asyncio.timeout(SLOW_S):
            while "How natural" not in self.page:
                await self.goes("GET", f"/join/{self.study}")
                await asyncio.sleep(0.2)
        await self.sends("questionnaire", **{"q-natural": "4", "q-why": why})


@asynccontextmanager
async def fleet_of(fleet: Fleet) -> AsyncIterator[Served]:
    """A server, two workers and a gateway; the gateway."""
    playing: list[Process] = []
    gateway = Served(fleet.machine("gateway"), "gateway")
    try:
        playing.append(await fleet.machine("serve").start("serve", "--port", "0"))
        for name in ("worker-1", "worker-2"):
            playing.append(await fleet.machine(name).start("worker", "--port", "0"))
        await gateway.start()
        yield gateway
    finally:
        for process in playing:
            if process.process.returncode is None:
                process.process.kill()
        await gateway.end()
        await asyncio.gather(*(process.ended() for process in playing))


async def planned(fleet: Fleet) -> str:
    file = fleet.folder / "study.toml"
    file.write_text(study_file().replace("turn_cap = 12", "turn_cap = 4"), encoding="utf-8")
    code, said = await fleet.says("desk", "study", "start", str(file), "--json")
    assert code == 0, said
    return str(json.loads(said)["study"])


async def played(base: str, study: str) -> None:
    people = [Person(base, study, name) for name in SAID]
    for person in people:
        await person.to_the_lobby()
    await asyncio.gather(*(person.plays(SAID[person.name]) for person in people))
    for person in people:
        await person.answers(WHY[person.name])
        await person.browser.aclose()


async def exported(fleet: Fleet, study: str, machine: str) -> str:
    """All that a study's tables and its episode say, read on a machine that nobody played on."""
    folder = fleet.folder / machine / "out"
    code, said = await fleet.says(machine, "study", "export", study, str(folder))
    assert code == 0, said
    tables = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.iterdir()))
    code, said = await fleet.says(machine, "replay", state_of(fleet, study).episode)
    assert code == 0, said
    return tables + " ".join(said.split())


class Seen:
    """A study as it is in the store."""

    def __init__(self, state: StudyState) -> None:
        (self.episode,) = state.groups
        self.participants = [place.participant for place in state.places.values()]


def state_of(fleet: Fleet, study: str) -> Seen:
    store = open_store(fleet.database)
    try:
        return Seen(Studies(store).load(study).state)
    finally:
        store.close()


def operator(fleet: Fleet, store: EventStore) -> dict[str, str]:
    machine = fleet.machine("desk")
    access = Access(read_settings(machine.environment), store, machine.environment)
    token = access.token_for(new_principal("operator", expires_s=3600))
    return {"authorization": f"Bearer {token}"}


async def test_what_people_wrote_is_sealed_for_all_and_erased_for_good(
    tmp_path: Path, nats_server: EmbeddedNats, space: str, postgres_url: str
) -> None:
    fleet = Fleet(tmp_path, nats_server, space, postgres_url)
    every = [*SAID.values(), *WHY.values()]
    async with fleet_of(fleet) as gateway:
        base = f"http://127.0.0.1:{gateway.port}"
        study = await planned(fleet)
        await played(base, study)
        assert not [words for words in every if found_in(fleet.dump(), words)], "all is sealed"
        # A pod that comes back with an empty folder loses nothing.
        await gateway.end()
        shutil.rmtree(fleet.machine("gateway").data_dir)
        await gateway.start()
        assert not [words for words in every if words not in await exported(fleet, study, "far")]

        ana, bo = state_of(fleet, study).participants
        code, said = await fleet.says("desk", "study", "erase", study, ana, "--yes")
        assert (code, "are erased" in said) == (0, True), said
        code, said = await fleet.says("desk", "study", "erase", study, ana, "--yes")
        assert (code, "were erased before" in said) == (0, True), said
        await erased_by_rest(fleet, base, study, bo)
        after = await exported(fleet, study, "farther")
        dump = fleet.dump()
    assert "[erased]" in after
    assert not [words for words in every if words in after or found_in(dump, words)]
    code, said = await fleet.says("desk", "verify-store")
    assert code == 0, said


async def erased_by_rest(fleet: Fleet, base: str, study: str, participant: str) -> None:
    store = open_store(fleet.database)
    try:
        headers = operator(fleet, store)
    finally:
        store.close()
    path = f"{base}/api/v1/studies/{study}/participants/{participant}/erase"
    async with httpx.AsyncClient(headers=headers, timeout=SLOW_S) as client:
        done = [(await client.post(path)).json() for _ in range(2)]
    told = [(one["changed"], one["outcome"]) for one in done]
    assert told == [(True, "erased"), (False, "erased_before")]


AWAY = "postgresql://nobody@127.0.0.1:1/keys"


@pytest.mark.parametrize("keys", [AWAY, "sqlite:////tmp/of-this-machine-alone.db"])
async def test_without_a_key_store_that_all_reach_no_study_is_started(
    tmp_path: Path, nats_server: EmbeddedNats, space: str, postgres_url: str, keys: str
) -> None:
    fleet = Fleet(tmp_path, nats_server, space, postgres_url)
    (tmp_path / "study.toml").write_text(study_file(), encoding="utf-8")
    file = str(tmp_path / "study.toml")
    commands: Sequence[Any] = (
        ("study", "check", file),
        ("study", "start", file),
        ("study", "start", file, "--closed"),
        ("doctor", "--no-probe"),
    )
    for words in commands:
        code, said = await fleet.says("desk", *words, TROUPE_KEYS_URL=keys)
        assert code == 1, said
        assert "TROUPE_KEYS_URL" in said
    store = open_store(postgres_url)
    try:
        assert Studies(store).ids() == [], "nothing was planned"
    finally:
        store.close()


async def test_a_process_with_other_keys_does_not_start(
    tmp_path: Path,
    nats_server: EmbeddedNats,
    space: str,
    postgres_url: str,
    empty_postgres_url: str,
) -> None:
    fleet = Fleet(tmp_path, nats_server, space, postgres_url)
    await planned(fleet)
    for command in ("worker", "gateway", "serve"):
        code, said = await fleet.says(
            "odd", command, "--port", "0", TROUPE_KEYS_URL=empty_postgres_url
        )
        assert (code, "unset TROUPE_KEYS_URL" in said) == (1, True), said
    # Moved on purpose, they belong there, and who has not heard of it is told.
    code, said = await fleet.says(
        "desk", "study", "keys", "--yes", TROUPE_KEYS_URL=empty_postgres_url
    )
    assert code == 0, said
    code, said = await fleet.says("odd", "worker", "--port", "0")
    assert (code, "set TROUPE_KEYS_URL as the other processes" in said) == (1, True), said
