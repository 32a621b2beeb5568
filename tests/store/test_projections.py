"""Tables that follow from the log, however often and by whomever they are brought up to date."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from prometheus_client import REGISTRY
from sqlalchemy import Connection, event

from events.agent import ModelAnswered
from events.episode import EpisodeEnded, EpisodeFailed
from events.evaluation import EvaluationFailed, EvaluationStarted, Scored
from events.run import RunEnded, RunPaused, RunResumed
from store.database.engines import writing
from store.id_lookup import UnknownId
from store.log.event_store import ANY, NEW, EventStore
from store.open_store import open_store
from store.projections.changes import Changes
from store.projections.maintenance import projector, shadow_tables
from store.projections.maintenance.projection_lag import Lags
from store.projections.maintenance.projector import PROJECTIONS, catch_up, position
from store.projections.maintenance.rebuild import rebuild
from store.projections.tables import episodes, metadata, projections
from store.projections.types import KEY_LENGTH
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow
from tests.store.histories import (
    STRICT,
    call,
    evaluate,
    fork,
    planned,
    play,
    started,
    turn,
    whole_run,
)
from tests.store.random_histories import World, happen, steps


def content(store: EventStore) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every projection."""
    with store.engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(table.select())), key=repr)
            for table in metadata.sorted_tables
            if table is not projections
        }


def reopened(store: EventStore) -> EventStore:
    """The same database as another process sees it."""
    return open_store(store.url, durable=False)


# ------------------------------------------------------------------ catching up


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make batches end in the middle of everything."""
    monkeypatch.setattr(projector, "BATCH", 3)
    monkeypatch.setattr(shadow_tables, "BATCH", 4)
    monkeypatch.setattr(projector, "SKIP_AHEAD", 2)


@settings(
    max_examples=settings().max_examples // 4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(history=steps("catch_up"))
def test_rows_do_not_depend_on_when_they_were_brought_up_to_date(store, small_batches, history):
    world = World(store)
    chosen = list(PROJECTIONS.values())
    happen(world, history, {"catch_up": lambda n: catch_up(store, chosen[n % len(chosen)])})
    catch_up(store)
    kept_up = content(store)
    rebuild(store)
    assert content(store) == kept_up
    for episode in world.episodes:
        check_history(store, episode)


def check_history(store: EventStore, episode: str) -> None:
    """A fork's history at any number is its parent's prefix and then its own events."""
    whole = read_history(store, episode)
    assert [numbered.number for numbered in whole] == list(range(len(whole)))
    row = queries.episode(store, episode)
    shared = []
    if row.parent is not None:
        assert row.forked_at is not None
        shared = read_history(store, row.parent)[: row.forked_at + 1]
    own = store.read(f"episode-{episode}")
    assert [n.envelope for n in whole] == [*(n.envelope for n in shared), *own]
    for upto in range(len(whole)):
        assert read_history(store, episode, upto) == whole[: upto + 1]


def test_several_processes_may_catch_up_at_once(store, small_batches):
    others = [reopened(store) for _ in range(3)]
    done = threading.Event()

    def keep_up(mine: EventStore) -> None:
        with closing(mine):
            while not done.is_set():
                catch_up(mine)
            catch_up(mine)

    with ThreadPoolExecutor(len(others)) as threads:
        keeping_up = [threads.submit(keep_up, other) for other in others]
        try:
            for number in range(20):
                play(store, f"e{number}", run="r1")
                call(store, f"e{number}", run="r1")
                evaluate(store, f"v{number}", f"e{number}", run="r1")
        finally:
            done.set()
        for one in keeping_up:
            one.result()
    assert queries.spent(store, "r1") == (20 * 0.25, 20 * 120)
    together = content(store)
    rebuild(store)
    assert content(store) == together


def test_a_rebuild_while_others_catch_up_loses_and_doubles_nothing(store, small_batches):
    whole_run(store)
    catch_up(store)
    before = content(store)

    def keep_up() -> None:
        with closing(reopened(store)) as mine:
            for _ in range(10):
                catch_up(mine)

    with ThreadPoolExecutor(1) as threads:
        keeping_up = threads.submit(keep_up)
        for _ in range(5):
            rebuild(store)
        keeping_up.result()
    assert content(store) == before


def test_a_batch_that_fails_leaves_rows_and_position_as_they_were(store, monkeypatch):
    play(store, "e1")
    catch_up(store)
    before, reached = content(store), position(store, PROJECTIONS["episodes"])
    play(store, "e2")

    class Interrupted(Exception):
        pass

    write = Changes.write

    def write_and_stop(changes: Changes, connection: Connection) -> None:
        write(changes, connection)
        raise Interrupted

    with monkeypatch.context() as patch:
        patch.setattr(Changes, "write", write_and_stop)
        with pytest.raises(Interrupted):
            catch_up(store)
    assert (content(store), position(store, PROJECTIONS["episodes"])) == (before, reached)
    catch_up(store)
    assert queries.episode(store, "e2").status == "ended"


def test_rebuilding_starts_from_nothing(store):
    whole_run(store)
    catch_up(store)
    before = content(store)
    with store.engine.begin() as connection:
        for table in metadata.sorted_tables:
            if table is not projections:
                connection.execute(table.delete())
    assert content(store) != before
    reached = rebuild(store)
    assert content(store) == before
    assert set(reached) == set(PROJECTIONS)
    assert all(position <= store.head() for position in reached.values())


def test_rows_stay_readable_while_they_are_rebuilt(store, small_batches):
    whole_run(store)
    catch_up(store)
    before = content(store)
    seen = []

    def look(reached: int, last: int) -> None:
        seen.append((content(store) == before, reached <= last == store.head()))

    rebuild(store, progress=look)
    assert len(seen) > 3, "there were several batches"
    assert set(seen) == {(True, True)}
    assert content(store) == before


def test_a_rebuild_that_is_interrupted_changes_nothing(store, small_batches):
    whole_run(store)
    catch_up(store)
    before = content(store)
    reached = {name: position(store, one) for name, one in PROJECTIONS.items()}

    class Interrupted(Exception):
        pass

    def interrupt(reached: int, last: int) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        rebuild(store, progress=interrupt)
    assert content(store) == before
    assert {name: position(store, one) for name, one in PROJECTIONS.items()} == reached
    rebuild(store)
    assert content(store) == before


def test_what_happens_during_a_rebuild_is_in_the_rows_afterwards(store, small_batches):
    whole_run(store)

    def go_on(reached: int, last: int) -> None:
        if reached == last:
            play(store, "e9", run="r1")
            catch_up(store)

    rebuild(store, progress=go_on)
    assert {position(store, one) for one in PROJECTIONS.values()} == {store.head()}
    assert queries.episode(store, "e9").status == "ended"
    together = content(store)
    rebuild(store)
    assert content(store) == together


def test_keys_that_the_databases_take_for_one_are_one_row_however_they_came(store):
    began = EvaluationStarted(episode="e1", upto=0, judge=STRICT, judge_hash="h")
    long = "d" * KEY_LENGTH
    scored = [Scored(seat=0, dimension=f"{long}{n}", value=n) for n in (1, 2)]
    store.append("evaluation-v1", NEW, [began, *scored])
    (row,) = queries.scores(store)
    assert (row.dimension, row.value) == (long, 2)


def test_one_projection_can_be_rebuilt_by_name(store):
    whole_run(store)
    catch_up(store)
    before = content(store)
    assert list(rebuild(store, ["calls"])) == ["calls"]
    assert content(store) == before


def test_an_unknown_projection_cannot_be_rebuilt(store):
    with pytest.raises(UnknownId, match="no projection 'call'; did you mean catalog, runs"):
        rebuild(store, ["call"])


def test_reading_does_not_write_where_nothing_new_concerns_it(store):
    play(store, "e1")
    catch_up(store)
    reached = position(store, PROJECTIONS["episodes"])
    call(store, "e1")
    assert queries.episode(store, "e1").status == "ended"
    assert position(store, PROJECTIONS["episodes"]) == reached


def test_what_does_not_concern_a_projection_is_passed_over_in_the_end(store, small_batches):
    play(store, "e1")
    catch_up(store)
    call(store, "e1")
    catch_up(store)
    assert position(store, PROJECTIONS["episodes"]) == store.head()


def test_the_lag_counts_the_events_that_wait(store):
    play(store, "e1", turns=2)
    call(store, "e1")
    # Of the episode: its start, two actions, its end; turns that open concern nobody.
    lags = Lags(store)
    assert lags.look() == {**dict.fromkeys(PROJECTIONS, 0), "episodes": 4, "calls": 4}
    name, labels = "troupe_projection_lag_events", {"projection": "episodes"}
    assert REGISTRY.get_sample_value(name, labels) == 4
    catch_up(store)
    assert REGISTRY.get_sample_value(name, labels) == 0
    assert set(lags.look().values()) == {0}


def test_what_waits_for_rows_that_nobody_asks_for_is_counted_once(store):
    lags, looked_at = Lags(store), []

    def note(_connection, _cursor, statement, parameters, *_):
        if "count(" in statement:
            looked_at.append(sorted(v for v in dict(parameters).values() if isinstance(v, int)))

    play(store, "e1", turns=1)
    first = store.head()
    lags.look()
    play(store, "e2", turns=1)
    event.listen(store.engine, "before_cursor_execute", note)
    assert lags.look()["episodes"] == 2 * 3
    assert looked_at == [[first, store.head()]] * len(PROJECTIONS)
    assert lags.look()["episodes"] == 2 * 3
    assert len(looked_at) == len(PROJECTIONS)


# An index over an expression cannot be read back from SQLite; that of PostgreSQL is compared.
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression")
def test_the_migrations_make_the_tables_that_the_projections_fill(store):
    def ours(_object: object, name: str | None, kind: str, *_: object) -> bool:
        return kind != "table" or name in metadata.tables

    with store.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "include_object": ours}
        )
        assert compare_metadata(context, metadata) == []


def test_a_migration_that_empties_a_projection_has_it_filled_again(store):
    """How a column is added whose values older events know."""
    whole_run(store)
    before = queries.episodes(store)
    with writing(store.engine) as connection:
        connection.execute(episodes.delete())
        connection.execute(projections.delete().where(projections.c.name == "episodes"))
    assert queries.episodes(store) == before


# ------------------------------------------------------------------ what the rows say


def test_a_run_is_running_paused_running_and_ended(store):
    def statuses() -> tuple[str, str]:
        row = queries.run(store, "r1")
        return row.status, row.pause_reason

    store.append("run-r1", NEW, [planned("e1")])
    assert statuses() == ("running", "")
    store.append("run-r1", 0, [RunPaused(reason="budget", detail="2.00 USD")])
    assert statuses() == ("paused", "budget")
    store.append("run-r1", 1, [RunResumed()])
    assert statuses() == ("running", "")
    end = RunEnded(episodes_ended=1, episodes_failed=0, evaluations_ended=0, evaluations_failed=0)
    ended = store.append("run-r1", 2, [end])
    assert statuses() == ("ended", "")
    assert queries.run(store, "r1").ended_at == ended.envelopes[0].recorded_at


def test_an_episode_is_planned_playing_and_ended(store):
    def row() -> EpisodeRow:
        return queries.episode(store, "e1")

    store.append("run-r1", NEW, [planned("e1")])
    assert (row().status, row().run, row().minds) == ("planned", "r1", ("calm", "keen"))
    assert (row().task, row().catalog, row().started_at) == ("stall-1", "starter", None)
    store.append("episode-e1", NEW, [started("r1")])
    assert (row().status, row().characters) == ("playing", ("Ada Moor", "Ben Okoye"))
    assert (row().scenario_id, row().scenario) == ("stall", "market stall")
    store.append("episode-e1", 0, [*turn(1), *turn(2, failed=True)])
    assert (row().status, row().turns, row().failed_actions) == ("playing", 2, 1)
    ended = store.append("episode-e1", 4, [EpisodeEnded(reason="stale", turn=2)])
    assert (row().status, row().end_reason) == ("ended", "stale")
    assert row().ended_at == ended.envelopes[0].recorded_at


def test_a_plan_read_late_does_not_undo_what_was_played(store):
    play(store, "e1", run="r1")
    store.append("run-r1", NEW, [planned("e1")])
    assert queries.episode(store, "e1").status == "ended"


def test_an_episode_given_up_says_why_until_it_is_taken_up_again(store):
    store.append("episode-e1", NEW, [started(), EpisodeFailed(reason="disk full", attempts=3)])
    row = queries.episode(store, "e1")
    assert (row.status, row.end_reason) == ("failed", "disk full")
    store.append("episode-e1", 1, turn(1))
    row = queries.episode(store, "e1")
    assert (row.status, row.end_reason, row.ended_at) == ("playing", "", None)


def test_a_fork_knows_what_its_shared_past_was(store):
    play(store, "e1", run="r1")
    fork(store, "e1", 4, "f1")
    row = queries.episode(store, "f1")
    assert (row.parent, row.forked_at, row.minds) == ("e1", 4, ("calm", "calm"))
    assert (row.task, row.scenario, row.characters) == (
        "stall-1",
        "market stall",
        ("Ada Moor", "Ben Okoye"),
    )
    assert (row.status, row.turns, row.run) == ("playing", 2, "")


def test_a_fork_of_a_whole_episode_has_ended_as_well(store):
    play(store, "e1")
    fork(store, "e1", 7, "f1")
    row = queries.episode(store, "f1")
    assert (row.status, row.end_reason, row.turns) == ("ended", "turn_cap", 3)


def test_a_fork_without_its_past_is_listed_all_the_same(store):
    fork(store, "nobody", 4, "f1")
    row = queries.episode(store, "f1")
    assert (row.status, row.parent, row.task, row.characters) == ("playing", "nobody", "", ())


def test_a_past_that_came_only_later_does_not_change_the_row(store):
    fork(store, "e1", 4, "f1")
    catch_up(store)
    play(store, "e1")
    before = queries.episode(store, "f1")
    rebuild(store)
    assert queries.episode(store, "f1") == before
    assert before.task == ""


def test_a_judge_that_gives_up_leaves_its_reason(store):
    evaluate(store, "v1", "e1")
    store.append("evaluation-v1", ANY, [EvaluationFailed(reason="no model", attempts=4)])
    (row,) = queries.evaluations(store)
    assert (row.status, row.reason) == ("failed", "no model")
    assert (row.scored, row.failed, row.abstained) == (1, 1, 1)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_is_no_number_is_missing(store, value):
    evaluate(store, "v1", "e1")
    store.append("evaluation-v1", ANY, [Scored(seat=0, dimension="secret", value=value)])
    row = next(row for row in queries.scores(store) if row.dimension == "secret" and not row.seat)
    assert (row.status, row.value, row.reason) == ("failed", None, f"{value} is not a number")


@pytest.mark.parametrize("cost_usd", [None, -1.0, float("nan"), float("inf"), 1e12])
def test_a_price_that_is_none_is_not_taken_for_zero(store, cost_usd):
    store.append("run-r1", NEW, [planned("e1")])
    call(store, "e1", run="r1", cost_usd=cost_usd)
    (totals,) = queries.call_totals(store, run="r1")
    assert (totals.cost_usd, totals.unpriced, totals.answered) == (0.0, 1, 1)


def test_sums_of_money_are_exact(store):
    for number in range(10):
        call(store, "e1", run="r1", cost_usd=0.1, turn=number)
        catch_up(store)
    assert queries.spent(store, "r1").usd == 1.0


def test_whatever_an_event_may_carry_finds_a_place(store):
    huge = ModelAnswered(
        turn=2**64 - 1,
        attempt=0,
        request_hash="h",
        text="",
        input_tokens=2**64 - 1,
        output_tokens=-5,
        latency_s=float("inf"),
    )
    store.append("agent-e1.0", NEW, [huge, huge], correlation="r1")
    store.append("run-r1", NEW, [planned(name="a\0b")])
    judge_hash = "h" * (KEY_LENGTH + 50)
    began = EvaluationStarted(episode="e1", upto=0, judge=STRICT, judge_hash=judge_hash)
    store.append("evaluation-v1", NEW, [began])
    assert queries.run(store, "r1").name == "a\ufffdb"
    assert queries.evaluations(store)[0].judge_hash == "h" * KEY_LENGTH
    assert queries.spent(store, "r1").tokens == 2 * 2**40
