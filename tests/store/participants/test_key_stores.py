"""One key store for all processes: where it is, who may make it, and how another one is noticed."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
import structlog
import tenacity
from psycopg import sql
from sqlalchemy.engine import make_url

from gateway.services.files.export import export_to
from gateway.services.studies.export_study import export_study
from store.database.engines import redacted
from store.errors import KeysNotRead, KeysNotShared, KeysUnavailable, OtherKeys
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.participants.key_locations import SCHEMA, KeyLocation, place_of, sharing_fault
from store.participants.participant_keys import ParticipantKeys, keys_of
from store.participants.shared_key_store import (
    choose,
    move,
    require_keys,
    require_readable,
    take_over_file,
)
from store.verification import verify
from tests.store.histories import planned

LITE, GRES = "sqlite:////data/troupe.db", "postgresql://troupe:secret@db/troupe"


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TROUPE_KEYS_URL", raising=False)


@pytest.fixture
def log(postgres_url: str) -> Iterator[EventStore]:
    """On PostgreSQL."""
    with closing(open_store(postgres_url, durable=False)) as store:
        yield store


def test_keys_are_beside_the_log_or_where_the_setting_says() -> None:
    assert place_of(LITE, "") == KeyLocation("sqlite:////data/keys.db")
    assert place_of(GRES, "") == KeyLocation(GRES, SCHEMA)
    assert place_of(GRES, "postgresql://v@vault/k") == KeyLocation("postgresql://v@vault/k")
    assert place_of(GRES, "").shown == "postgresql://troupe:***@db/troupe, schema troupe_keys"


@pytest.mark.parametrize(
    ("store", "given", "why"),
    [
        (LITE, "", ""),
        (GRES, "", ""),
        (GRES, "postgresql://v@vault/k", ""),
        (LITE, "sqlite:////vault/k.db", ""),
        (LITE, "postgresql://v@vault/k", ""),
        (GRES, "sqlite:////vault/k.db", "names an SQLite file"),
        (GRES, "vault", "is no database URL"),
        (LITE, "mysql://v@vault/k", "of another kind"),
        (LITE, "sqlite://", "no file that others could open"),
    ],
)
def test_whether_addresses_can_be_shared_is_one_pure_rule(store: str, given: str, why: str) -> None:
    fault = sharing_fault(store, given)
    assert why in fault
    assert bool(fault) == bool(why)


def test_beside_a_log_on_postgresql_every_process_finds_the_same_keys(log: EventStore) -> None:
    require_keys(log)
    with psycopg.connect(log.url) as database:
        (made,) = database.execute(
            "SELECT count(*) FROM pg_namespace WHERE nspname = %s", (SCHEMA,)
        ).fetchone() or (None,)
    assert made == 0, "to ask changes nothing"
    key = require_keys(log, recording=True).make("p-ana")
    with closing(ParticipantKeys(place_of(log.url))) as elsewhere:
        assert elsewhere.of("p-ana") == key
        assert elsewhere.drop("p-ana") == "now"
        assert elsewhere.drop("p-ana") == "before"
    assert not verify(log).defects


def file_of_keys(url: str) -> bytes:
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("CHECKPOINT")
        row = database.execute(
            "SELECT pg_read_binary_file(pg_relation_filepath('troupe_keys.participant_keys'))"
        ).fetchone()
    assert row
    return bytes(row[0])


@contextmanager
def reading(url: str) -> Iterator[psycopg.Connection]:
    """A transaction that goes on seeing what is there now."""
    with psycopg.connect(url) as database:
        database.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        database.execute("SELECT pg_current_snapshot()")
        yield database


def test_a_dropped_key_is_in_no_file_of_the_table(log: EventStore) -> None:
    key = require_keys(log, recording=True).make("p-ana")
    assert key.secret in file_of_keys(log.url)
    assert keys_of(log.url).drop("p-ana") == "now"
    assert key.secret not in file_of_keys(log.url)


def test_a_key_is_rewritten_once_an_earlier_transaction_has_ended(
    log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = require_keys(log, recording=True)
    key = keys.make("p-ana")
    with reading(log.url) as reader:
        monkeypatch.setattr(keys._until_nothing_is_left, "sleep", lambda _: reader.rollback())
        assert keys.drop("p-ana") == "now"
        assert key.secret not in file_of_keys(log.url)


def test_a_key_that_a_transaction_still_sees_is_said_to_stay_until_it_is_erased_again(
    log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = require_keys(log, recording=True)
    key = keys.make("p-ana")
    monkeypatch.setattr(keys._until_nothing_is_left, "stop", tenacity.stop_after_attempt(1))
    with reading(log.url), structlog.testing.capture_logs() as logged:
        assert keys.drop("p-ana") == "now"
    (entry,) = (one for one in logged if one["event"] == "keys_not_rewritten")
    assert "erase again when it has ended" in entry["reason"]
    assert key.secret in file_of_keys(log.url)
    assert keys.drop("p-ana") == "before"
    assert key.secret not in file_of_keys(log.url)


def test_who_may_make_no_schema_is_told_what_to_do(log: EventStore, postgres_url: str) -> None:
    url = make_url(postgres_url)
    role = f"r{url.database}"[:60]
    with psycopg.connect(postgres_url, autocommit=True) as database:
        name = sql.Identifier(role)
        database.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'x'").format(name))
        database.execute(sql.SQL("GRANT ALL ON ALL TABLES IN SCHEMA public TO {}").format(name))
    try:
        theirs = url.set(username=role, password="x").render_as_string(hide_password=False)
        with closing(open_store(theirs, migrate=False)) as store:
            for recording in (False, True):
                with pytest.raises(KeysNotShared, match=r"GRANT CREATE ON DATABASE"):
                    require_keys(store, recording=recording)
            with pytest.raises(KeysUnavailable, match=r"GRANT CREATE ON DATABASE"):
                keys_of(store.url).make("p-ana")
            # Made by somebody else it will do.
            keys_of(log.url).make_tables()
            with psycopg.connect(postgres_url, autocommit=True) as database:
                for what in ("USAGE ON SCHEMA {}", "ALL ON ALL TABLES IN SCHEMA {}"):
                    granted = f"GRANT {what} TO {{}}"
                    database.execute(sql.SQL(granted).format(sql.Identifier(SCHEMA), name))
            assert require_keys(store, recording=True).make("p-ana")
    finally:
        keys_of(theirs).close()
        with psycopg.connect(postgres_url, autocommit=True) as database:
            database.execute(sql.SQL("DROP OWNED BY {}").format(name))
            database.execute(sql.SQL("DROP ROLE {}").format(name))


def test_a_process_with_another_key_store_is_noticed(
    log: EventStore, empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_keys(log, recording=True)
    monkeypatch.setenv("TROUPE_KEYS_URL", empty_postgres_url)
    for recording in (False, True):
        with pytest.raises(OtherKeys, match="unset TROUPE_KEYS_URL"):
            require_keys(log, recording=recording)
    with pytest.raises(KeysNotRead, match="would read as erased"):
        export_to(log, "e1", "jsonl", None)
    with pytest.raises(KeysNotRead, match="would read as erased"):
        export_study(log, "y1", Path("never"))
    choose(log)
    require_keys(log, recording=True)
    require_readable(log)
    monkeypatch.delenv("TROUPE_KEYS_URL")
    with pytest.raises(OtherKeys, match="set TROUPE_KEYS_URL as the other processes"):
        require_keys(log)


def test_a_key_store_that_does_not_answer_lets_nobody_in(
    log: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TROUPE_KEYS_URL", "postgresql://nobody:pw@127.0.0.1:1/keys")
    with pytest.raises(KeysUnavailable, match="correct TROUPE_KEYS_URL") as told:
        require_keys(log)
    assert "pw" not in str(told.value)


def test_keys_of_a_gateways_own_file_are_taken_over_once(log: EventStore, tmp_path: Path) -> None:
    file = tmp_path / "keys.db"
    old = ParticipantKeys(KeyLocation(f"sqlite:///{file}"))
    ana, other, study = old.make("p-ana"), old.make("p-of-another-store"), old.make("study-y1")
    old.make("p-gone")
    old.drop("p-gone")
    for stream in ("session-p-ana", "session-p-gone", "study-y1"):
        log.append(stream, ANY, [planned()])
    moved, stay = take_over_file(log, tmp_path)
    assert sorted(moved) == ["p-ana", "p-gone", "study-y1"]
    assert stay == []
    keys = keys_of(log.url)
    assert (keys.of("p-ana"), keys.of("study-y1")) == (ana, study)
    assert keys.drop("p-gone") == "before"
    assert ana.secret not in file.read_bytes()
    assert old.of("p-of-another-store") == other
    assert take_over_file(log, tmp_path) == ([], [])
    old.close()


def test_a_key_that_was_dropped_in_one_place_is_dropped_in_both(tmp_path: Path) -> None:
    one, other = (ParticipantKeys(KeyLocation(f"sqlite:///{tmp_path / n}.db")) for n in "ab")
    key = one.make("p-ana")
    other.take(one.rows()[0])
    one.drop("p-ana")
    other.make("p-bo")
    one.make("p-bo")
    moved, stay = move(one, other)
    assert (moved, stay) == (["p-ana"], ["p-bo"])
    assert other.secret(key.id) is None
    assert other.drop("p-ana") == "before"
    one.close()
    other.close()


def test_an_address_is_shown_without_its_password() -> None:
    assert "secret" not in redacted(GRES)
    assert "secret" not in place_of(GRES, "").shown
