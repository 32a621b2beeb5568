"""Model servers that fail in every way: ``docs/explanation/faults.md`` says of each what happens.

The tests play its table row by row; a row without a server fails, and a server without a row.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import gateway.process.worker_node
from actors.models.caller import ModelCaller
from actors.models.limits.backoff import Backoff
from events.minds import ModelSpec
from gateway.models.probe_models import probe_alone
from store.read_model import queries
from store.read_model.records import RunRow
from tests.faults.hostile import HostileServer
from tests.gateway.command import Desk, Said
from tests.support.runs import answers, plan
from tests.support.servers.stub_llm import StubSettings

DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "faults.md"
AFTER = 60
"""Requests that are answered well where the table says so."""
EPISODES = 16
ADAPTERS = ("direct", "litellm")


class Row(NamedTuple):
    """A row of the table."""

    server: str
    played: str
    scored: str
    exit: str
    sentence: str
    mended: str


def table() -> list[Row]:
    """The table of ``docs/explanation/faults.md``."""
    text = DOCS.read_text(encoding="utf-8").partition("### Models that fail, one by one")[2]
    section = text.partition("\n### ")[0].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines]


ROWS = table()
THOUGHTS = '<think>I had better say hello: {"kind": "speak", "text": "Hello'
SERVERS: dict[str, StubSettings] = {
    "401 from the start": StubSettings(status=401),
    "401 from the start, `--no-probe`": StubSettings(status=401),
    "401 from the 60th call on": StubSettings(status=401),
    "401 for the judge alone, `--no-probe`": StubSettings(status=401),
    "no key": StubSettings(),
    "403 from the start": StubSettings(status=403),
    "404 from the start": StubSettings(status=404),
    "connection refused": StubSettings(),
    "500 for ever": StubSettings(status=500),
    "500 from the 60th call on": StubSettings(status=500),
    "429 with Retry-After 3,600 from the 60th call on": StubSettings(
        status=429, retry_after="3600"
    ),
    "429 with Retry-After 1, now and then": StubSettings(rate_limited=0.04, retry_after="1"),
    "no credit from the 60th call on": StubSettings(status=429, error_code="insufficient_quota"),
    "hanging from the start": StubSettings(hang=1.0, hang_s=5.0),
    "hanging from the 60th call on": StubSettings(hang=1.0, hang_s=5.0),
    "rubbish in a tenth of the calls": StubSettings(
        truncated=0.03, wrong_name=0.04, empty=0.03, seed=2
    ),
    "replies of 5 MiB from the start": StubSettings(too_long=1.0),
    "replies of 5 MiB now and then": StubSettings(too_long=0.04),
    "thoughts cut off, always": StubSettings(
        choice={"finish_reason": "length", "message": {"content": THOUGHTS}}
    ),
    "no usage": StubSettings(usage={}),
}
"""How each server of the table misbehaves."""


class Bench:
    """A desk, a server, and the plan that is played with it."""

    def __init__(self, desk: Desk, row: Row, adapter: str, server: HostileServer) -> None:
        self.desk, self.row, self.server = desk, row, server
        self.address = server.url
        if row.server == "connection refused":
            self.address = "http://127.0.0.1:9/v1"  # the discard port: nobody listens
        few = "start" in row.server or row.played in ("nothing begun", "given up")
        self.episodes = 4 if few else EPISODES
        # A busy machine is no server that hangs.
        patience = 1.0 if "hanging" in row.server else 20.0
        self.settings = (
            f'model = "openai/stub"\nadapter = "{adapter}"\ntimeout_s = {patience}\nretries = 2\n'
        )
        if row.server == "no key":
            self.settings += 'api_key_env = "HOSTILE_KEY"\n'
        desk.set("HOSTILE_KEY", "")
        self.apart = "judge alone" in row.server

    def plan(self, healthy: HostileServer | None = None) -> str:
        """The plan's file. ``healthy``: asked for the actions where only the judge's fails."""
        url = healthy.url if healthy else self.address
        judge = f'name = "stub judge"\nkind = "model"\nbase_url = "{self.address}"\n'
        self.desk.file("judge.toml", judge + self.settings)
        minds = f'[minds.stub]\nkind = "model"\nbase_url = "{url}"\n{self.settings}'
        return self.desk.file(
            "plan.toml",
            plan(
                minds,
                tasks=self.episodes,
                judges='["judge.toml"]',
                rules="turn_cap = 6",
                concurrency=8,
            ),
        )

    def mend(self) -> None:
        """What the sentence asks for is done."""
        self.server.mend()
        self.desk.set("HOSTILE_KEY", "any")
        self.address = self.server.url

    def run(self) -> RunRow | None:
        """The run as it stands; None: nothing was begun."""
        store = self.desk.open()
        try:
            return next(iter(queries.runs(store)), None)
        finally:
            store.close()

    def scored(self) -> int:
        """Episodes that have scores, each of which is a number."""
        store = self.desk.open()
        try:
            found = queries.scores(store)
            assert all(score.status == "scored" for score in found)
            return len({score.episode for score in found})
        finally:
            store.close()

    def paid_once(self) -> None:
        """No answer that was stored was asked for again."""
        store = self.desk.open()
        try:
            paid = Counter(
                (stream, answer.turn, answer.attempt) for stream, answer in answers(store)
            )
            assert max(paid.values(), default=1) == 1
        finally:
            store.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that are short enough for a test."""
    backoff = Backoff(first_s=0.02, longest_s=0.2, patience_s=1.0)
    caller = functools.partial(ModelCaller, backoff=backoff)
    monkeypatch.setattr(
        gateway.process.worker_node, "ModelCaller", lambda models, **_: caller(models)
    )
    monkeypatch.setattr(gateway.process.worker_node, "MODEL_TRIES", 1)
    monkeypatch.setattr(gateway.process.worker_node, "MODEL_FIRST_S", 0.1)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Nothing is stored yet."""
    desk = Desk(tmp_path, monkeypatch)
    desk.width(200)
    return desk


@pytest.fixture
def healthy() -> Iterator[HostileServer]:
    """A server that answers well."""
    with HostileServer(StubSettings()) as server:
        yield server


def marks_of(row: Row, adapter: str) -> list[pytest.MarkDecorator]:
    """`make test` plays the shorter rows, once."""
    slow = adapter == "litellm" or "60th" in row.server or "MiB" in row.server
    return [pytest.mark.long] if slow else []


@pytest.fixture(scope="module")
def warm() -> None:
    """LiteLLM loads parts of itself in its first call, which would not fit into the time-out."""
    with HostileServer(StubSettings()) as server:
        spec = ModelSpec(name="openai/stub", adapter="litellm", base_url=server.url)
        probe_alone([spec])


def test_every_server_of_the_table_is_played():
    assert [row.server for row in ROWS] == list(SERVERS)


@pytest.mark.parametrize(
    ("row", "adapter"),
    [
        pytest.param(row, adapter, id=f"{row.server}-{adapter}", marks=marks_of(row, adapter))
        for row in ROWS
        for adapter in ADAPTERS
    ],
)
@pytest.mark.long
def test_what_the_table_says_is_what_happens(
    desk: Desk, row: Row, adapter: str, healthy: HostileServer, request: pytest.FixtureRequest
):
    if adapter == "litellm":
        request.getfixturevalue("warm")
    after = AFTER if "60th" in row.server else 0
    with HostileServer(SERVERS[row.server], after) as server:
        bench = Bench(desk, row, adapter, server)
        options = ["--no-probe"] * ("--no-probe" in row.server)
        apart = healthy if bench.apart else None
        said = desk.says("run", bench.plan(apart), *options)
        check(bench, said)
        if not row.mended:
            return
        bench.mend()
        run = bench.run()
        match row.mended:
            case "run again":
                assert run is None
                said = desk.does("run", bench.plan(apart))
            case "resume":
                assert run is not None
                assert (run.status, run.pause_reason) == ("paused", "model")
                said = desk.does("resume", run.id)
            case "retry-failed":
                assert run is not None
                said = desk.does("resume", run.id, "--retry-failed")
        run = bench.run()
        assert run is not None
        assert (run.status, run.episodes_ended) == ("ended", bench.episodes), said
        assert run.episodes_marked == run.episodes_failed == 0
        assert bench.scored() == bench.episodes
        bench.paid_once()


def check(bench: Bench, said: Said) -> None:
    """What came of the run is what its row says."""
    row, run = bench.row, bench.run()
    assert said.code == int(row.exit), said
    words = " ".join(said.err.split())
    assert row.sentence in words, said.err
    if row.exit == "3":
        assert "openai/stub" in words
        status = re.match(r"40[134]|500", row.server)
        assert status is None or status[0] in words
        assert len(re.findall(re.escape(row.sentence), words)) == 1, "it is said once"
    if row.played == "nothing begun":
        assert run is None
        return
    assert run is not None
    ended, of = run.episodes_ended, bench.episodes
    match row.played:
        case "all":
            assert ended == of
        case "some":
            assert 0 <= ended < of
        case "none":
            assert ended == 0
        case "given up":
            assert (ended, run.episodes_failed) == (0, of)
    assert run.episodes_marked <= (ended if "rubbish" in row.server else 0), "nobody was silent"
    scored = bench.scored()
    assert scored == {"all": of, "none": 0}.get(row.scored, scored)
    assert scored <= ended
    bench.paid_once()
    assert msgspec.json.decode(msgspec.json.encode(run))
