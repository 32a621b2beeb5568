"""What an earlier release left behind goes on under this one."""

import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from events.evaluation import EvaluationStarted
from store import queries
from store.catalogs import load_catalog, save_catalog
from store.engines import create_engine
from store.history import read_history
from store.log import EventStore
from store.projections.rebuilding import rebuild
from store.tables import log
from tests.faults.process import Troupe
from tests.soundness import check_store, whole_log

FIXTURES = Path(__file__).parent / "fixtures"
RELEASES = sorted(path.name.removesuffix(".db.gz") for path in FIXTURES.glob("*.db.gz"))


@pytest.fixture(params=RELEASES)
def left_behind(request: pytest.FixtureRequest, tmp_path: Path) -> Troupe:
    """A data folder as that release left it."""
    troupe = Troupe(tmp_path)
    troupe.data_dir.mkdir()
    packed = FIXTURES / f"{request.param}.db.gz"
    (troupe.data_dir / "troupe.db").write_bytes(gzip.decompress(packed.read_bytes()))
    return troupe


@pytest.fixture
def before(left_behind: Troupe) -> list[tuple[object, ...]]:
    """Every row of the log, before this release has touched it."""
    engine = create_engine(f"sqlite:///{left_behind.data_dir / 'troupe.db'}")
    with engine.connect() as connection:
        rows = [tuple(row) for row in connection.execute(sa.select(log).order_by(log.c.position))]
    engine.dispose()
    assert len(rows) > 500
    return rows


@pytest.fixture
def store(left_behind: Troupe, before: object) -> Iterator[EventStore]:
    """The migrated store."""
    with closing(left_behind.open()) as opened:
        yield opened


def rows_of(store: EventStore) -> list[tuple[object, ...]]:
    with store.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(sa.select(log).order_by(log.c.position))]


def test_catalogs_are_known_again_when_they_are_imported_again(store):
    rows = queries.catalogs(store)
    assert rows
    for row in rows:
        catalog = load_catalog(store, row.name)
        assert (row.environment, row.counts["tasks"]) == ("social", len(catalog.tasks))
        assert save_catalog(store, catalog) == "unchanged"


def test_everything_can_be_read_and_means_the_same(store):
    runs = {row.name: row for row in queries.runs(store)}
    assert (runs["ended"].status, runs["killed"].status) == ("ended", "running")
    lists = queries.runs(store), queries.episodes(store), queries.scores(store)
    rebuild(store)
    assert (queries.runs(store), queries.episodes(store), queries.scores(store)) == lists
    statuses = [row.status for row in queries.episodes(store, run=runs["killed"].id)]
    assert min(statuses.count(status) for status in ("ended", "playing", "planned")) > 0
    for row in queries.episodes(store):
        if row.started_at is not None:
            assert read_history(store, row.id)[0].event.chain == ""


async def test_a_run_that_was_killed_then_is_resumed_now(left_behind, before, store):
    run = next(row.id for row in queries.runs(store) if row.name == "killed")
    scored = queries.evaluations(store, run=run)
    assert 0 < len(scored) < 44
    process = await left_behind.start("resume", run)
    assert await process.ended() == 0, process.said()
    check_store(store, run)
    assert rows_of(store)[: len(before)] == before
    after = {row.id: row for row in queries.evaluations(store, run=run)}
    assert {row.id: row for row in scored}.items() <= after.items()


async def test_what_was_scored_then_is_not_scored_again_now(left_behind, before, store):
    run = next(row.id for row in queries.runs(store) if row.name == "ended")
    process = await left_behind.start("score", run, "--judge", "rehearsal-strict")
    assert await process.ended() == 0, process.said()
    judged = [e for e in whole_log(store) if e.tag == EvaluationStarted.__name__]
    assert {e.position for e in judged} <= {row[0] for row in before}
