"""Tables are created and upgraded when a store is opened."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from store import migrate
from store.conformance.base import some
from store.database.engines import create_engine, writing
from store.database.tables import answers, archived_streams, log, metadata, snapshots
from store.errors import BadStoreUrl, StoreUnavailable, WrongSchema
from store.log.event_store import NEW
from store.migrate import known_schemas
from store.open_store import open_store

OPENERS = 2

pytestmark = pytest.mark.usefixtures("truly_migrated")


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind without any table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/troupe.db"
    return str(request.getfixturevalue("empty_postgres_url"))


def open_and_append(url: str, number: int) -> int:
    with closing(open_store(url)) as store:
        return store.append(f"episode-{number}", NEW, some(1)).last_position


def test_the_migrations_make_the_tables_that_the_code_expects(store_url):
    ours = {log.name, snapshots.name, archived_streams.name, answers.name}
    with closing(open_store(store_url)) as store, store.engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"include_name": lambda name, kind, _: kind != "table" or name in ours},
        )
        only_ours = sa.MetaData()
        for table in (log, snapshots, archived_streams, answers):
            table.to_metadata(only_ours)
        if store.backend == "postgresql":
            # A unique key reaches no further than its partition, so each has its own.
            for constraint in ("log_event_id", "log_stream_version"):
                (unique,) = (c for c in only_ours.tables["log"].constraints if c.name == constraint)
                only_ours.tables["log"].constraints.remove(unique)
            keys = sa.inspect(connection).get_unique_constraints("log_from_1")
            assert sorted(key["column_names"] for key in keys) == [
                ["event_id"],
                ["stream", "version"],
            ]
        assert compare_metadata(context, only_ours) == []
    assert ours <= metadata.tables.keys()


def test_the_names_of_their_files_say_the_revisions_in_order():
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    newest_first = ScriptDirectory.from_config(config).walk_revisions()
    assert known_schemas() == [script.revision for script in newest_first][::-1]


def test_opening_again_keeps_what_is_there(store_url):
    assert open_and_append(store_url, 1) == 1
    assert open_and_append(store_url, 2) == 2


def test_several_processes_may_open_a_new_store_at_once(store_url):
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(OPENERS, mp_context=spawn) as pool:
        positions = pool.map(open_and_append, [store_url] * OPENERS, range(OPENERS))
        assert sorted(positions) == [*range(1, OPENERS + 1)]


def test_without_migrating_an_empty_database_is_refused(store_url):
    with pytest.raises(WrongSchema, match="migrate=True") as caught:
        open_store(store_url, migrate=False)
    assert caught.value.found == ()


def test_without_migrating_a_current_store_opens(store_url):
    open_and_append(store_url, 1)
    with closing(open_store(store_url, migrate=False)) as store:
        assert store.head() == 1


@pytest.mark.parametrize("migrate", [True, False])
def test_a_store_of_a_newer_version_is_refused_untouched(store_url, migrate):
    open_and_append(store_url, 1)
    engine = create_engine(store_url)
    with writing(engine) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(WrongSchema, match="newer version of Troupe") as caught:
        open_store(store_url, migrate=migrate)
    assert caught.value.found == ("9999",)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("nonsense", "not a database URL"),
        ("mysql://localhost/x", "no backend for 'mysql'"),
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
    ],
)
def test_an_address_that_cannot_hold_a_store_is_refused(url, complaint):
    with pytest.raises(BadStoreUrl, match=complaint):
        open_store(url)


def test_an_error_does_not_show_the_password():
    with pytest.raises(BadStoreUrl) as caught:
        open_store("mysql://ada:opensesame@localhost/x")
    assert "opensesame" not in str(caught.value)


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(StoreUnavailable, match="unable to open database file"):
        open_store(f"sqlite:///{tmp_path}/missing/troupe.db")
