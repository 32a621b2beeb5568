"""A store that is only read: it shows what is there now, and changes nothing."""

from contextlib import closing

import pytest
import sqlalchemy as sa

from store.errors import BadStoreUrl, WrongSchema
from store.log.event_store import NEW
from store.open_store import open_store
from store.projections import tables as t
from store.projections.maintenance.projector import position
from store.projections.registry import PROJECTIONS
from store.read_model import queries
from store.read_model.read_scores import read_scores
from store.read_only_store import OnlyRead, open_to_read
from tests.store.histories import planned, play, started, whole_run


def written(store):
    """All rows of the read side, and how far it is."""
    with store.engine.connect() as connection:
        rows = {
            table.name: sorted(map(repr, connection.execute(sa.select(table)).all()))
            for table in t.metadata.sorted_tables
        }
    return rows, [position(store, one) for one in PROJECTIONS.values()]


@pytest.fixture
def reading(store):
    whole_run(store)
    with closing(open_to_read(store.url)) as opened:
        yield opened


def test_what_nobody_has_asked_for_yet_is_shown_and_nothing_is_written(store, reading):
    before = written(store)
    runs, scores = queries.runs(reading), read_scores(reading, ("r1",))
    assert (len(runs), len(scores.value)) == (1, len(queries.scores(reading)))
    assert written(store) == before
    assert runs == queries.runs(store)
    assert queries.episodes(reading) == queries.episodes(store)


def test_what_happens_meanwhile_is_shown(store, reading):
    assert [row.id for row in queries.runs(reading)] == ["r1"]
    store.append("run-r2", NEW, [planned("x1")], correlation="r2")
    play(store, "x1", run="r2")
    assert [row.id for row in queries.runs(reading)] == ["r1", "r2"]
    # Another process brings some of it up to date, before and after the reader has rows of its own.
    queries.scores(store)
    queries.calls(store)
    store.append("run-r3", NEW, [planned("y1")], correlation="r3")
    assert queries.runs(reading) == queries.runs(store)
    assert queries.scores(reading) == queries.scores(store)
    assert queries.calls(reading) == queries.calls(store)


def test_what_somebody_brought_up_to_date_before_the_last_events_is_shown_at_once(store):
    """The reader's own tables come to hide those that it has asked before."""
    whole_run(store)
    queries.runs(store)
    queries.scores(store)
    store.append("run-r2", NEW, [planned("x1")], correlation="r2")
    play(store, "x1", run="r2")
    with closing(open_to_read(store.url)) as reading:
        found = [row.id for row in queries.runs(reading)]
        assert position(reading, PROJECTIONS["runs"]) == store.head()
    assert found == ["r1", "r2"]


def test_whatever_would_write_is_refused(reading):
    with pytest.raises(OnlyRead, match="opened to be read"):
        reading.append("episode-e9", NEW, [started("r1")])
    with pytest.raises(sa.exc.DBAPIError), reading.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM log")


def test_a_database_of_an_older_version_is_named_with_what_to_do(store):
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(WrongSchema, match="troupe runs"):
        open_to_read(store.url)


def test_a_file_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(BadStoreUrl, match="no such file"):
        open_to_read(f"sqlite:///{tmp_path / 'none.db'}")
    assert not list(tmp_path.iterdir())


def test_it_is_read_where_nobody_else_has_it_open(tmp_path):
    path = tmp_path / "troupe.db"
    with closing(open_store(f"sqlite:///{path}")) as store:
        whole_run(store)
    before = path.read_bytes()
    with closing(open_to_read(f"sqlite:///{path}")) as reading:
        assert len(queries.runs(reading)) == 1
    assert path.read_bytes() == before
