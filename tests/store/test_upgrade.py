"""What an earlier release left behind goes on under this one.

Told from the rows and lines as that release wrote them, not from what this one makes of them.
"""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from events.serialization.codec import event_of
from gateway.services.episodes.episode_details import episode_details, replay_details
from store.log.event_store import EventStore
from store.open_store import open_store
from store.projections.maintenance.rebuild import rebuild
from store.read_model import queries
from store.read_model.catalogs import load_catalog, save_catalog
from store.read_model.episode_history import read_history
from tests.gateway.command import Desk
from tests.support.store_checks import check_store, check_versions, whole_log

FIXTURES = Path(__file__).parent / "fixtures"
RELEASES = sorted(path.name.removesuffix(".db.gz") for path in FIXTURES.glob("*.db.gz"))
EXPORTED = sorted(path.name.removesuffix(".jsonl.gz") for path in FIXTURES.glob("*.jsonl.gz"))


class Row(NamedTuple):
    """A row of the log as a release wrote it."""

    position: int
    event_id: str
    stream: str
    version: int
    tag: str
    schema: int
    recorded_at: int
    correlation: str
    causation: str
    payload: bytes

    @property
    def fields(self) -> dict[str, Any]:
        """What the payload holds, with the names of that time."""
        return msgspec.msgpack.decode(self.payload)


class Said(NamedTuple):
    """An action with words, as a release wrote it."""

    number: int
    """Of its event in the episode's history."""
    seat: int
    to: tuple[int, ...]
    """Seats that heard a whisper; empty: all."""
    text: str


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Nothing is stored yet."""
    return Desk(tmp_path, monkeypatch)


@pytest.fixture(params=RELEASES)
def left_behind(request: pytest.FixtureRequest, desk: Desk) -> Desk:
    """A data folder as that release left it."""
    desk.data_dir.mkdir()
    packed = FIXTURES / f"{request.param}.db.gz"
    (desk.data_dir / "troupe.db").write_bytes(gzip.decompress(packed.read_bytes()))
    return desk


@pytest.fixture
def before(left_behind: Desk) -> list[Row]:
    """Every row of the log, before this release has touched it."""
    rows = rows_of(left_behind)
    assert len(rows) > 500
    return rows


@pytest.fixture
def store(left_behind: Desk, before: object) -> Iterator[EventStore]:
    """The migrated store."""
    with closing(left_behind.open()) as opened:
        yield opened


def rows_of(desk: Desk) -> list[Row]:
    with closing(sqlite3.connect(desk.data_dir / "troupe.db")) as db:
        columns = ", ".join(f'"{name}"' for name in Row._fields)
        return [Row(*row) for row in db.execute(f"SELECT {columns} FROM log ORDER BY position")]


def run_named(store: EventStore, name: str) -> str:
    return next(row.id for row in queries.runs(store) if row.name == name)


def begun(store: EventStore) -> list[str]:
    """Episodes that have a history."""
    return [row.id for row in queries.episodes(store) if row.started_at is not None]


def said_in(rows: list[Row], episode: str) -> list[Said]:
    """What was said in an episode, a fork's shared past included."""
    own = [row for row in rows if row.stream == f"episode-{episode}"]
    said: list[Said] = []
    first = 0
    if own[0].tag == "EpisodeForked":
        parent, at = own[0].fields["parent"], own[0].fields["at"]
        said = [one for one in said_in(rows, parent) if one.number <= at]
        first = at + 1
    for number, row in enumerate(own, first):
        action = row.fields.get("action", {})
        if action.get("text"):
            to = tuple(action.get("to", ()))
            said.append(Said(number, row.fields["seat"], to, action["text"]))
    return said


def words_of(shown: object) -> str:
    """All texts of what a command shows, however they are arranged."""
    found: list[str] = []
    waiting: list[Any] = [msgspec.to_builtins(shown, str_keys=True)]
    while waiting:
        match waiting.pop():
            case str(text):
                found.append(text)
            case dict(fields):
                waiting += fields.values()
            case list(items) | tuple(items):
                waiting += items
    return "\n".join(found)


def test_catalogs_are_known_again_when_they_are_imported_again(store):
    rows = queries.catalogs(store)
    assert rows
    for row in rows:
        catalog = load_catalog(store, row.name)
        assert (row.environment, row.counts["tasks"]) == ("social", len(catalog.tasks))
        assert save_catalog(store, catalog) == "unchanged"


def test_everything_can_be_read_and_means_the_same(before, store):
    runs = {row.name: row for row in queries.runs(store)}
    assert (runs["ended"].status, runs["killed"].status) == ("ended", "running")
    lists = queries.runs(store), queries.episodes(store), queries.scores(store)
    rebuild(store)
    assert (queries.runs(store), queries.episodes(store), queries.scores(store)) == lists
    statuses = [row.status for row in queries.episodes(store, run=runs["killed"].id)]
    assert min(statuses.count(status) for status in ("ended", "playing", "planned")) > 0
    check_versions(store)
    for row, envelope in zip(before, whole_log(store), strict=True):
        event_of(envelope)
        assert envelope.event_id == row.event_id
    chains = {r.stream: r.fields.get("chain", "") for r in before if r.tag == "EpisodeStarted"}
    for stream, chain in chains.items():
        event = event_of(store.read(stream)[0])
        assert event.chain == chain


@pytest.mark.parametrize(
    "left_behind", ["spine", pytest.param("lifelong", marks=pytest.mark.long)], indirect=True
)
def test_every_episode_is_replayed_at_every_event(before, store):
    for episode in begun(store):
        said = said_in(before, episode)
        last = read_history(store, episode)[-1].number
        for at in range(last + 1):
            words = words_of(replay_details(store, episode, at, "narrator"))
            past = {one.text for one in said if one.number <= at}
            assert [text for text in past if text not in words] == []
            to_come = {one.text for one in said} - past
            assert [t for t in to_come if t in words and not any(t in p for p in past)] == []
        assert all(
            one.text in words_of(episode_details(store, episode, "narrator")) for one in said
        )


def test_a_whisper_is_heard_by_those_it_was_meant_for(left_behind, before, store):
    for episode in begun(store):
        said = said_in(before, episode)
        for whisper in (one for one in said if one.to):
            aloud = {one.text for one in said if not one.to}
            assert whisper.text not in aloud
            seats = range(len(queries.episode(store, episode).characters))
            heard = {
                seat
                for seat in seats
                if whisper.text in words_of(episode_details(store, episode, str(seat + 1)))
            }
            assert heard == {whisper.seat, *whisper.to}


def test_what_is_not_ones_own_stays_hidden(before, store):
    for row in before:
        if row.tag != "EpisodeStarted":
            continue
        secrets = [character.get("secret", "") for character in row.fields["cast"]]
        episode = row.stream.removeprefix("episode-")
        for seat in range(len(secrets)):
            words = words_of(replay_details(store, episode, 1, str(seat + 1)))
            assert [other for other in secrets if other and other in words] in (
                [],
                [secrets[seat]],
            )


def test_every_command_that_reads_can_read_it(left_behind, before, store, tmp_path):
    run = run_named(store, "ended")
    judges = sorted({row.judge for row in queries.evaluations(store, run=run)})
    episode = queries.episodes(store, run=run)[0].id
    commands = [
        ("runs",),
        ("show", run),
        ("show", episode),
        ("show", episode, "--as", "1"),
        ("watch", episode, "--as", "2"),
        ("replay", episode, "--at", "3"),
        ("lineage", episode),
        ("compare", run, judges[0], judges[-1]),
        ("chains",),
        ("verify-store",),
        *(
            ("export", run, "--format", form, "--out", str(tmp_path / form))
            for form in ("jsonl", "parquet", "sotopia")
        ),
    ]
    for chain in queries.chains(store)[:1]:
        commands += [("show", chain.id), ("memory", chain.id), ("curves", chain.run)]
        commands += [("memory-scenarios", "recall", chain.run)]
    for command in commands:
        left_behind.does(*command)
    assert rows_of(left_behind) == before


@pytest.mark.long
def test_every_run_of_then_is_reported_now(left_behind, before, store, tmp_path):
    for run in queries.runs(store):
        left_behind.does("report", run.id, "--out", str(tmp_path / f"{run.id}.html"))
    assert rows_of(left_behind) == before


def test_a_run_that_was_killed_then_is_resumed_now(left_behind, before, store):
    run = run_named(store, "killed")
    scored = [row for row in queries.evaluations(store, run=run) if row.status == "ended"]
    assert scored
    left_behind.does("resume", run)
    check_store(store, run)
    after = rows_of(left_behind)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    ended = {row.id: row for row in queries.evaluations(store, run=run)}
    assert {row.id: row for row in scored}.items() <= ended.items()


def test_what_was_scored_then_is_not_scored_again_now(left_behind, before, store):
    left_behind.does("score", run_named(store, "ended"), "--judge", "rehearsal-strict")
    assert rows_of(left_behind) == before


def test_what_was_played_then_is_scored_by_another_judge_now(left_behind, before, store):
    old = queries.scores(store)
    run = run_named(store, "ended")
    left_behind.does("score", run, "--judge", "rehearsal-lenient")
    assert rows_of(left_behind)[: len(before)] == before
    scores = queries.scores(store, run=run)
    new = [row for row in scores if row not in old]
    assert {row.episode for row in new} == {row.id for row in queries.episodes(store, run=run)}
    assert {row.status for row in new} == {"scored"}


def test_what_was_played_then_is_forked_now(left_behind, before, store):
    forks = [row.id for row in queries.episodes(store) if row.parent is not None]
    first = queries.episodes(store, run=run_named(store, "ended"))[0].id
    for parent in (first, *forks[-1:]):
        told = left_behind.does("fork", parent, "--at", "5", "--seat", "1=rehearsal:wily", "--json")
        fork = told.json["episode"]["id"]
        assert queries.episode(store, fork).status == "ended"
        past = [numbered.event for numbered in read_history(store, parent, 5)]
        assert [numbered.event for numbered in read_history(store, fork, 5)] == past
    assert rows_of(left_behind)[: len(before)] == before


@pytest.mark.parametrize("release", EXPORTED)
def test_an_export_of_then_is_imported_now_and_tells_the_same(desk, tmp_path, release):
    frozen = tmp_path / "frozen"
    frozen.mkdir()
    packed = (FIXTURES / f"{release}.db.gz").read_bytes()
    (frozen / "troupe.db").write_bytes(gzip.decompress(packed))
    for file in exports(release, tmp_path):
        brought = desk.does("import", "episodes", str(file), "--json").json
        assert brought["stored"] > 0
        assert desk.does("import", "episodes", str(file), "--json").json["stored"] == 0
    with (
        closing(open_store(f"sqlite:///{frozen / 'troupe.db'}")) as there,
        closing(desk.open()) as here,
    ):
        assert begun(here)
        assert sorted(begun(here)) == sorted(begun(there))
        for episode in begun(here):
            events = [numbered.event for numbered in read_history(here, episode)]
            assert events == [numbered.event for numbered in read_history(there, episode)]
        assert sorted(queries.scores(here), key=repr) == sorted(queries.scores(there), key=repr)
        unfinished = run_named(here, "killed")
        desk.does("resume", unfinished)
        check_store(here, unfinished)
    desk.does("verify-store")


def exports(release: str, folder: Path) -> Iterator[Path]:
    """The files that a release exported, one after the other; the last line of each counts it."""
    lines: list[bytes] = []
    packed = gzip.decompress((FIXTURES / f"{release}.jsonl.gz").read_bytes())
    for line in packed.splitlines(keepends=True):
        lines.append(line)
        if line.startswith(b'{"count":'):
            file = folder / "export.jsonl"
            file.write_bytes(b"".join(lines))
            lines = []
            yield file
    assert lines == []
