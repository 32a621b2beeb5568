"""`troupe verify`: it finds what is wrong, and nothing where all is well."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings

from events.serialization.codec import encode
from store.database.engines import writing
from store.database.tables import log
from store.log.event_store import ANY, NEW, EventStore
from store.open_store import open_store
from store.projections import tables
from store.projections.maintenance import shadow_tables
from store.projections.maintenance.projector import catch_up
from store.projections.maintenance.rebuild import rebuild
from store.verification import Defect, Verified, verify, verify_store
from store.verification.defects import MOST
from tests.store.histories import call, evaluate, planned_chain, play, play_chain, whole_run
from tests.store.random_histories import World, happen, steps
from tests.support.builders import opened


@pytest.fixture(params=["alone", "shared"])
def sharing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process alone, or with another one's help."""
    if request.param == "shared":
        monkeypatch.setattr(verify_store, "MIN_EVENTS", 1)


SHARED_LATER = pytest.mark.parametrize(
    "sharing", ["alone", pytest.param("shared", marks=pytest.mark.long)], indirect=True
)
"""For what another process, which takes its time to start, hardly changes."""


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make batches end in the middle of everything."""
    monkeypatch.setattr(shadow_tables, "BATCH", 4)
    monkeypatch.setattr(verify_store, "BATCH", 3)


@pytest.fixture
def filled(store: EventStore) -> EventStore:
    """Runs, chains, calls, scores; the tables know of most of it."""
    whole_run(store)
    store.append("run-r2", NEW, [planned_chain("h1", "c1", "c2")], correlation="r2")
    play_chain(store, "h1", "c1", "c2", run="r2")
    catch_up(store)
    play(store, "e9", run="r2")
    return store


@contextmanager
def tampering(store: EventStore) -> Iterator[sa.Connection]:
    """Change what the database itself refuses to have changed."""
    sqlite = store.backend == "sqlite"
    with writing(store.engine) as connection:
        if sqlite:
            guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            triggers = connection.exec_driver_sql(guards).all()
            for name, _ in triggers:
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
        else:
            connection.exec_driver_sql("ALTER TABLE log DISABLE TRIGGER ALL")
        yield connection
        if sqlite:
            for _, text in triggers:
                connection.exec_driver_sql(text)
        else:
            connection.exec_driver_sql("ALTER TABLE log ENABLE TRIGGER ALL")


def only_defect(verified: Verified) -> Defect:
    (defect,) = verified.defects
    assert not verified.sound
    return defect


@pytest.mark.usefixtures("sharing", "small_batches")
def test_a_sound_store_is_sound(filled):
    progress = []
    verified = verify(filled, lambda reached, last: progress.append((reached, last)))
    assert verified.sound
    assert (verified.events, verified.head) == (filled.head(), filled.head())
    assert verified.streams == len({e.stream for e in filled.read_all(limit=1000)})
    rest = "all but the list of positions and the means that evaluators keep"
    assert verified.tables == len(tables.metadata.tables) - 2, rest
    assert progress[-1] == (filled.head(), filled.head())
    assert len(progress) > 5


def test_an_empty_store_is_sound(store):
    assert verify(store).sound


@settings(
    max_examples=settings().max_examples // 4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(history=steps("catch_up"))
def test_whatever_happens_the_tables_are_what_the_log_makes_of_them(store, small_batches, history):
    happen(World(store), history, {"catch_up": lambda _: catch_up(store)})
    # Histories at random correlate as they like.
    assert {defect.check for defect in verify(store).defects} <= {"correlations"}


@SHARED_LATER
def test_it_changes_nothing_and_leaves_nothing_behind(filled, sharing):
    catch_up(filled)

    def everything() -> list[object]:
        with filled.engine.connect() as connection:
            names = sa.inspect(connection).get_table_names()
            found = [connection.exec_driver_sql(f"SELECT * FROM {name}").all() for name in names]
        return [names, *(sorted(map(repr, rows)) for rows in found)]

    before = everything()
    assert verify(filled).sound
    assert everything() == before


@SHARED_LATER
def test_others_may_write_and_read_meanwhile(filled, sharing):
    done = threading.Event()

    def go_on() -> None:
        with closing(open_store(filled.url, durable=False)) as mine:
            number = 0
            while not done.is_set():
                number += 1
                play(mine, f"x{number}", run="r1")
                call(mine, f"x{number}", run="r1")
                evaluate(mine, f"w{number}", f"x{number}", run="r1")
                catch_up(mine)

    with ThreadPoolExecutor(1) as threads:
        going_on = threads.submit(go_on)
        try:
            outcomes = [verify(filled) for _ in range(3)]
        finally:
            done.set()
        going_on.result()
    assert [outcome.defects for outcome in outcomes] == [()] * 3
    assert outcomes[-1].events > outcomes[0].events, "it went on meanwhile"


def test_a_version_that_is_missing_is_found(filled):
    with tampering(filled) as connection:
        wrong = (log.c.stream == "episode-e1") & (log.c.version == 3)
        gone = connection.execute(sa.select(log.c.position).where(wrong)).scalar_one()
        connection.execute(log.delete().where(wrong))
    rebuild(filled)
    by_check = {defect.check: defect for defect in verify(filled).defects}
    assert set(by_check) == {"positions", "versions"}
    assert by_check["positions"].what == f"position {gone} is missing from the log"
    assert by_check["versions"].where == "stream episode-e1"
    assert "version 3 must come next, but" in by_check["versions"].what
    assert by_check["versions"].what.endswith("there is version 4")


def test_versions_in_the_wrong_order_are_found(filled):
    with tampering(filled) as connection:
        for before, after in ((1, 99), (2, 1), (99, 2)):
            connection.execute(
                log.update()
                .where(log.c.stream == "episode-e1", log.c.version == before)
                .values(version=after)
            )
    found = [defect for defect in verify(filled).defects if defect.check == "versions"]
    assert [defect.where for defect in found] == ["stream episode-e1"] * 3


def test_an_id_that_is_there_twice_is_found(filled):
    ids = [envelope.event_id for envelope in filled.read_all(limit=2)]
    with tampering(filled) as connection:
        if filled.backend == "sqlite":
            # The file's own format knows the key; without it the rest is the same.
            connection.exec_driver_sql("PRAGMA writable_schema = ON")
            connection.exec_driver_sql("CREATE TABLE copied AS SELECT * FROM log")
            connection.exec_driver_sql("DROP TABLE log")
            connection.exec_driver_sql("ALTER TABLE copied RENAME TO log")
        else:
            connection.exec_driver_sql("ALTER TABLE log_from_1 DROP CONSTRAINT log_from_1_event_id")
        connection.execute(log.update().where(log.c.event_id == ids[1]).values(event_id=ids[0]))
    defect = only_defect(verify(filled))
    assert (defect.check, defect.where) == ("ids", f"event id {ids[0]}")
    assert defect.what == "it is there 2 times"


@pytest.mark.parametrize(
    ("sharing", "changes", "why"),
    [
        ("alone", {"payload": b"\x81"}, "cannot read a stored ActionTaken of schema 2"),
        ("alone", {"tag": "ActionImagined"}, "the tag is unknown"),
        ("alone", {"schema": 9}, "schemas up to 2"),
        ("shared", {"schema": 9}, "schemas up to 2"),
    ],
    indirect=["sharing"],
)
def test_an_event_that_cannot_be_read_is_found(filled, sharing, changes, why):
    with tampering(filled) as connection:
        chosen = (log.c.stream == "episode-e9") & (log.c.version == 2)
        position = connection.execute(sa.select(log.c.position).where(chosen)).scalar_one()
        connection.execute(log.update().where(chosen).values(changes))
    found = verify(filled).defects
    assert (found[0].check, found[0].where) == ("payloads", f"position {position}")
    assert why in found[0].what
    # Without it there is no telling what the tables should be.
    assert {defect.check for defect in found[1:]} <= {"projections"}


def test_a_payload_under_another_tag_is_found(filled):
    with tampering(filled) as connection:
        chosen = (log.c.stream == "episode-e9") & (log.c.version == 2)
        forged = encode(opened(1, (0,)))
        connection.execute(log.update().where(chosen).values(payload=forged))
    found = verify(filled).defects
    assert found[0].what == "its tag is ActionTaken, but its payload is a TurnOpened"


def test_an_event_of_another_run_is_found(store):
    play(store, "e1", run="r1")
    store.append("episode-e1", ANY, [opened(9, (0,))], correlation="r2")
    defect = only_defect(verify(store))
    assert (defect.check, defect.where) == ("correlations", "stream episode-e1")
    assert defect.what == ("version 8 is correlated to 'r2', but the stream's first event to 'r1'")


def test_a_run_that_is_correlated_to_another_is_found(store):
    store.append("run-r1", NEW, [planned_chain("h1")], correlation="r7")
    defect = only_defect(verify(store))
    assert (defect.check, defect.where) == ("correlations", "stream run-r1")
    assert defect.what.endswith("to the run itself, not to 'r7'")


@SHARED_LATER
@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        (tables.episodes, "turns", 77),
        (tables.scores, "reasons", "forged"),
        (tables.calls, "cost_pico_usd", 1),
        (tables.calls, "seat", None),
        (tables.spending, "tokens", 0),
        (tables.memories, "within_bounds", False),
        (tables.chains, "done", 0),
    ],
    ids=str,
)
def test_a_row_that_does_not_follow_from_the_log_is_found(filled, sharing, table, column, value):
    catch_up(filled)
    with writing(filled.engine) as connection:
        changed = connection.execute(table.update().values({column: value})).rowcount
    assert changed > 0
    excess, lacking = verify(filled).defects
    assert {excess.check, lacking.check} == {"projections"}
    assert excess.where == lacking.where == f"table {table.name}"
    assert excess.what.startswith("it has rows that the log does not lead to: ")
    assert lacking.what.startswith("it lacks rows that the log leads to: ")
    assert excess.what.endswith("`troupe projections rebuild` mends it")
    rebuild(filled)
    assert verify(filled).sound


def test_rows_too_many_and_rows_too_few_are_told_apart(filled):
    catch_up(filled)
    with writing(filled.engine) as connection:
        connection.execute(tables.runs.insert().values(id="r99"))
        connection.execute(tables.scores.delete().where(tables.scores.c.evaluation == "v2"))
    found = {defect.where: defect.what for defect in verify(filled).defects}
    assert "does not lead to: 1, for example id r99;" in found["table runs"]
    lacking = "it lacks rows that the log leads to: 1, for example evaluation v2; "
    assert found["table scores"].startswith(lacking)


def test_tables_that_were_emptied_are_not_taken_for_slow_ones(filled):
    with writing(filled.engine) as connection:
        connection.execute(tables.episodes.delete())
    defect = only_defect(verify(filled))
    assert defect.where == "table episodes"


def test_guards_that_were_taken_away_are_missed(filled):
    table = "log" if filled.backend == "sqlite" else "log_from_1"
    with writing(filled.engine) as connection:
        if filled.backend == "sqlite":
            connection.exec_driver_sql("DROP TRIGGER log_no_DELETE")
        else:
            connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER log_no_change")
    defect = only_defect(verify(filled))
    assert (defect.check, defect.where) == ("guards", f"table {table}")


def test_of_many_findings_some_are_told_and_all_are_counted(store):
    for number in range(MOST + 5):
        play(store, f"e{number}", run="r1", turns=1)
        store.append(f"episode-e{number}", ANY, [opened(9, (0,))])
    verified = verify(store)
    assert len(verified.defects) == MOST
    assert verified.unlisted == {"correlations": 5}


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("root", ["log", "episodes", "calls"])
def test_a_damaged_page_is_found(filled, root):
    with filled.engine.connect() as connection:
        ask = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        page = connection.exec_driver_sql(ask, (root,)).scalar_one()
    filled.close()
    with Path(str(filled.engine.url.database)).open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(b"\xff" * 4096)
    with closing(open_store(filled.url, durable=False)) as again:
        checks = {defect.check for defect in verify(again).defects}
    assert "database" in checks


def test_the_process_beside_the_walk_loads_no_driver_and_no_arrays_that_it_may_not_need() -> None:
    code = "import sys, store.verification.comparison_process; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"numpy", "psycopg", "sqlalchemy.dialects.postgresql"}
