"""A run's episodes, page by page: every order, filter and way through it gives each row once."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import event

from evaluators.report.data.failed_actions import failed_episodes
from evaluators.report.data.run_data import gather
from evaluators.scores.episode_means import EpisodeMeans
from evaluators.scores.score_columns import read_columns
from gateway.errors import BadArgument
from gateway.services.results.result_cache import ResultCache
from gateway.services.runs.episode_list import (
    EpisodeListRow,
    EpisodeLists,
    Listing,
    Query,
    query_of,
)
from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from store.read_model.episode_lists import ORDERS, Wanted, episode_ids, page_of_episodes
from tests.evaluators.synthetic import RUN, fill

EPISODES = 23


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    opened = open_store(f"sqlite:///{tmp_path_factory.mktemp('list')}/store.db", durable=False)
    fill(opened, episodes=EPISODES)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def lists(store: EventStore) -> EpisodeLists:
    return EpisodeLists(store, ResultCache(store), EpisodeMeans(store))


def whole(lists: EpisodeLists, query: Query, size: int = 5) -> list[EpisodeListRow]:
    """All rows, as a person without a script turns the pages."""
    rows: list[EpisodeListRow] = []
    page = lists.show(RUN, query, size)
    while True:
        rows += page.rows
        if len(rows) >= page.total or not page.rows:
            return rows
        more = {"after": page.after} if page.after else {"start": page.start + len(page.rows)}
        page = lists.show(
            RUN, query_of({**_given(query), **{k: str(v) for k, v in more.items()}}), size
        )


def _given(query: Query) -> dict[str, str]:
    pairs = query.url()[1:].split("&") if len(query.url()) > 1 else []
    return dict(pair.split("=", 1) for pair in pairs)


def ids(rows: list[EpisodeListRow]) -> list[str]:
    return [row.id for row in rows]


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_turning_pages_shows_each_episode_once_in_order(
    store: EventStore, lists: EpisodeLists, order: str, down: bool
) -> None:
    paged = ids(whole(lists, Query(sort=order, down=down)))
    at_once = page_of_episodes(store, Wanted(run=RUN), order, descending=down, limit=500)  # type: ignore[arg-type]
    assert paged == [row.id for row in at_once.rows]
    assert sorted(paged) == sorted(row.id for row in queries.episodes(store, run=RUN))
    values = [cursor.value for cursor in at_once.cursors]
    assert all(a >= b if down else a <= b for a, b in pairwise(values))  # type: ignore[operator]


def test_rows_can_be_reached_from_the_middle(store: EventStore) -> None:
    wanted = Wanted(run=RUN)
    rows = page_of_episodes(store, wanted, "turns", limit=500)
    assert page_of_episodes(store, wanted, "turns", limit=3, skip=7).rows == rows.rows[7:10]
    beyond = page_of_episodes(store, wanted, "turns", skip=10_000)
    assert (beyond.rows, beyond.total) == ((), len(rows.rows))


def test_the_plans_order_is_that_of_the_command_line(
    store: EventStore, lists: EpisodeLists
) -> None:
    assert ids(whole(lists, Query())) == [row.id for row in queries.episodes(store, run=RUN)]


def test_filters_agree_with_the_rows_themselves(store: EventStore, lists: EpisodeLists) -> None:
    rows = queries.episodes(store, run=RUN)
    some = rows[3]
    for query, fits in (
        (Query(status="ended"), lambda row: row.status == "ended"),
        (Query(status="failed"), lambda row: row.status == "failed"),
        (Query(mind="warm"), lambda row: "warm" in row.minds),
        (Query(mind="warm", partner="cold"), lambda row: {"warm", "cold"} <= set(row.minds)),
        (Query(mind="warm", partner="warm"), lambda row: row.minds.count("warm") > 1),
        (Query(only="failures"), lambda row: row.failed_actions > 0),
        (Query(only="forks"), lambda row: row.parent is not None),
        (Query(scenario=some.scenario_id), lambda row: row.scenario_id == some.scenario_id),
        (Query(q=some.id.upper()), lambda row: row.id == some.id),
        (Query(q="KITCHEN warm"), lambda row: "kitchen" in row.scenario and "warm" in row.minds),
        (Query(q="no such words"), lambda row: False),
        (Query(q="%"), lambda row: "%" in f"{row.scenario}{row.characters}{row.end_reason}"),
    ):
        found = whole(lists, query)
        assert ids(found) == [row.id for row in rows if fits(row)], query
        assert lists.show(RUN, query).total == len(found)


def test_failed_actions_lead_by_their_reason_to_episodes(
    store: EventStore, lists: EpisodeLists
) -> None:
    counted = gather(store, RUN).failed_actions
    by_reason = failed_episodes(store, RUN)
    assert set(by_reason) == set(counted)
    for reason, episodes in by_reason.items():
        assert sorted(ids(whole(lists, Query(reason=reason)))) == sorted(episodes)
    assert lists.show(RUN, Query(reason="timeout")).total == 0


def test_the_order_by_score_is_that_of_the_tables(store: EventStore, lists: EpisodeLists) -> None:
    facet = lists.judges(RUN)[0]
    for dimension in ("overall", "goal"):
        query = Query(sort="score", judge=facet.hash, dimension=dimension, down=True)
        columns = read_columns(store, RUN).of(facet.hash, dimension)
        means: dict[str, list[float]] = {}
        for episode, value, scored in zip(
            columns.episode.words(), columns.value, columns.scored, strict=True
        ):
            if scored:
                means.setdefault(episode, []).append(float(value))
        expected = {id_: sum(values) / len(values) for id_, values in means.items()}
        found = ids(whole(lists, query))
        assert found[: len(expected)] == sorted(expected, key=lambda id_: (-expected[id_], id_))
        assert len(found) == len(queries.episodes(store, run=RUN))
        high = max(expected.values())
        best = Query(judge=facet.hash, dimension=dimension, low=high, sort="score")
        assert set(ids(whole(lists, best))) == {i for i, v in expected.items() if v == high}


def test_scores_beside_an_episode_are_its_own(store: EventStore, lists: EpisodeLists) -> None:
    facet = lists.judges(RUN)[0]
    columns = read_columns(store, RUN).of(facet.hash, facet.first)
    known = {
        (episode, int(seat)): float(value)
        for episode, seat, value, scored in zip(
            columns.episode.words(), columns.seat, columns.value, columns.scored, strict=True
        )
        if scored
    }
    shown = {
        (row.id, seat): value
        for row in whole(lists, Query())
        for seat, value in enumerate(row.scores)
        if value is not None
    }
    assert shown == pytest.approx(known)


def test_what_is_missing_is_found(store: EventStore, lists: EpisodeLists) -> None:
    gathered = gather(store, RUN)
    for facet in lists.judges(RUN):
        columns = gathered.columns.of(facet.hash, facet.first)
        missing = {
            episode
            for episode, scored in zip(columns.episode.words(), columns.scored, strict=True)
            if not scored
        }
        query = query_of({"only": "missing", "judge": facet.hash})
        assert set(ids(whole(lists, query))) == missing


@pytest.mark.parametrize(
    "given",
    [
        {"sort": "nonsense"},
        {"status": "asleep"},
        {"only": "x"},
        {"low": "high"},
        {"start": "-1"},
        {"start": "1.5"},
        {"start": "9" * 30},
    ],
)
def test_an_address_that_asks_for_nonsense_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(BadArgument):
        query_of(given)


@pytest.mark.parametrize("given", [{"after": "x"}, {"judge": "0000"}, {"dimension": "charm"}])
def test_what_a_run_does_not_have_is_refused(lists: EpisodeLists, given: dict[str, str]) -> None:
    with pytest.raises(BadArgument):
        lists.show(RUN, query_of(given))


def test_an_address_says_what_the_list_shows() -> None:
    query = Query(q="a b&c", mind="warm", sort="turns", down=True, start=40)
    assert query.url(start=20) == "?q=a+b%26c&mind=warm&sort=turns&down=1&start=20"
    assert query.url() == "?q=a+b%26c&mind=warm&sort=turns&down=1"


def test_what_is_worked_out_stays_until_the_run_has_more_events(store: EventStore) -> None:
    resting, times = ResultCache(store), []
    first = resting.get(RUN, "x", lambda: times.append(1))
    assert resting.get(RUN, "x", lambda: times.append(2)) is first
    from events.run import RunArchived, RunRestored

    store.append("run-other", -1, [RunArchived()], correlation="other")
    assert resting.get(RUN, "x", lambda: times.append(3)) is first
    version = store.version(f"run-{RUN}")
    store.append(f"run-{RUN}", version, [RunArchived(), RunRestored()], correlation=RUN)
    assert resting.get(RUN, "x", lambda: times.append(4)) is not first
    assert times == [1, 4]


def test_no_id_is_lost_between_the_ways_to_ask(store: EventStore) -> None:
    wanted = Wanted(run=RUN, status="ended")
    assert sorted(episode_ids(store, wanted)) == sorted(
        row.id for row in page_of_episodes(store, wanted, limit=500).rows
    )


def test_a_list_is_what_a_program_reads(lists: EpisodeLists) -> None:
    import msgspec

    listing = lists.show(RUN, Query(), 3)
    assert msgspec.json.decode(msgspec.json.encode(listing), type=Listing) == listing


def test_after_the_preparation_the_first_list_makes_no_new_statements(store: EventStore) -> None:
    lists = EpisodeLists(store, ResultCache(store), EpisodeMeans(store))
    lists.prepare()
    made = []

    def note(
        _connection: Any, _cursor: Any, _text: Any, _values: Any, context: Any, _: Any
    ) -> None:
        made.append(context.cache_hit.name)

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        lists.choices(RUN)
        assert lists.show(RUN, Query()).rows
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
    assert made
    assert "CACHE_MISS" not in made
