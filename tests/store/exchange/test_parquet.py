"""A run as Parquet tables."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from store.id_lookup import UnknownId
from store.log.event_store import NEW
from store.parquet.schemas import SCHEMAS, meaning
from store.parquet.score_tables import DerivedScores
from store.parquet.write_run import RunContext, export_parquet
from store.read_model import queries
from tests.store.histories import (
    chain_started,
    planned,
    planned_chain,
    play,
    play_chain,
    started,
    turn,
    whole_run,
)

TABLES = ["actions", "calls", "chains", "episodes", "evaluations", "memories", "runs", "scores"]


def rows(folder, table):
    return pq.read_table(folder / f"{table}.parquet").to_pylist()


def test_a_run_becomes_a_file_for_each_table(store, tmp_path):
    whole_run(store)
    paths = export_parquet(store, "r1", tmp_path / "out")
    assert sorted(paths) == TABLES
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"{name}.parquet" for name in TABLES
    ]


def test_episodes_are_told_as_the_queries_tell_them(store, tmp_path):
    whole_run(store)
    export_parquet(store, "r1", tmp_path)
    table = rows(tmp_path, "episodes")
    told = queries.episodes(store, run="r1")
    assert [row["episode"] for row in table] == [row.id for row in told]
    assert [row["status"] for row in table] == ["ended", "ended", "planned", "playing", "playing"]
    first, planned_only, forked = table[0], table[2], table[3]
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    assert first["started_at"] == epoch + timedelta(microseconds=told[0].started_at)
    assert first["characters"] == ["Ada Moor", "Ben Okoye"]
    assert (planned_only["started_at"], planned_only["minds"]) == (None, ["calm", "keen"])
    assert (forked["parent"], forked["forked_at"]) == ("e1", 4)


def test_actions_say_who_did_what_and_what_was_inherited(store, tmp_path):
    whole_run(store)
    export_parquet(store, "r1", tmp_path)
    table = [row for row in rows(tmp_path, "actions") if row["episode"] == "e1f"]
    assert [(r["number"], r["turn"], r["character"], r["mind"], r["inherited"]) for r in table] == [
        (2, 1, "Ada Moor", "calm", True),
        (4, 2, "Ben Okoye", "keen", True),
        (7, 3, "Ada Moor", "calm", False),
        (9, 4, "Ben Okoye", "calm", False),
    ]
    assert (table[0]["kind"], table[0]["text"], table[0]["to"]) == ("speak", "line 1", [])


def test_an_action_that_a_mind_failed_to_give_says_so(store, tmp_path):
    store.append("run-r1", NEW, [planned("e1")])
    store.append("episode-e1", NEW, [started("r1"), *turn(1), *turn(2, failed=True)])
    export_parquet(store, "r1", tmp_path)
    assert [(r["failure"], r["failure_detail"]) for r in rows(tmp_path, "actions")] == [
        (None, None),
        ("unreadable", "no JSON"),
    ]


def test_a_missing_score_is_null_and_says_why(store, tmp_path):
    whole_run(store)
    export_parquet(store, "r1", tmp_path)
    table = [row for row in rows(tmp_path, "scores") if row["evaluation"] == "v1"]
    assert [(row["seat"], row["dimension"], row["status"], row["value"]) for row in table] == [
        (0, "goal", "scored", 7.0),
        (1, "goal", "failed", None),
        (1, "secret", "abstained", None),
    ]
    assert table[1]["reason"] == "not a number"


def test_a_call_whose_price_is_not_known_is_null(store, tmp_path):
    whole_run(store)
    export_parquet(store, "r1", tmp_path)
    table = [row for row in rows(tmp_path, "calls") if row["answered"]]
    assert [(row["seat"], row["cost_usd"], row["latency_s"]) for row in table] == [
        (0, 0.25, 0.5),
        (1, None, 0.5),
    ]


def test_chains_and_what_was_remembered_are_told_as_the_queries_tell_them(store, tmp_path):
    store.append("run-r1", NEW, [planned_chain("h1", "c1", "c2")], correlation="r1")
    play_chain(store, "h1", "c1", "c2", run="r1")
    export_parquet(store, "r1", tmp_path)
    (chain,) = rows(tmp_path, "chains")
    assert (chain["run"], chain["chain"], chain["characters"]) == ("r1", "h1", ["ada", "ben"])
    assert (chain["status"], chain["done"], chain["failed"]) == ("ended", 2, 0)
    told = queries.memories(store, "h1")
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    table = rows(tmp_path, "memories")
    assert [(r["run"], r["seat"], r["index"], r["episode"]) for r in table] == [
        ("r1", 0, 0, "c1"),
        ("r1", 0, 1, "c2"),
    ]
    assert [(r["dropped"], r["words"], r["cost_usd"]) for r in table] == [
        ([], 2, 0.5),
        ([0], 2, 0.5),
    ]
    written = [epoch + timedelta(microseconds=row.written_at) for row in told]
    assert [row["written_at"] for row in table] == written
    assert [(row["chain"], row["index"]) for row in rows(tmp_path, "episodes")] == [
        ("h1", 0),
        ("h1", 1),
    ]


def test_an_export_that_is_interrupted_leaves_what_was_there(store, tmp_path, monkeypatch):
    whole_run(store)
    export_parquet(store, "r1", tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.parquet")}
    play(store, "e3", run="r1")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    # The last table: all others are written by then.
    monkeypatch.setattr(queries, "memories_where", interrupted)
    store.append("chain-h1", NEW, [chain_started("r1", "e3")], correlation="r1")
    with pytest.raises(KeyboardInterrupt):
        export_parquet(store, "r1", tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.glob("*.parquet*")} == before


def test_a_run_that_did_nothing_yet_has_tables_with_columns_and_no_rows(store, tmp_path):
    store.append("run-r1", NEW, [planned()])
    play(store, "other", run="r2")
    for name, path in export_parquet(store, "r1", tmp_path).items():
        table = pq.read_table(path)
        assert (table.num_rows, table.num_columns > 10) == (int(name == "runs"), True)


def test_an_unknown_run_leaves_no_files(store, tmp_path):
    with pytest.raises(UnknownId):
        export_parquet(store, "r1", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_scores_say_whom_each_seat_played_with(store, tmp_path):
    whole_run(store)
    export_parquet(store, "r1", tmp_path)
    table = [row for row in rows(tmp_path, "scores") if row["evaluation"] == "v1"]
    assert [(row["seat"], row["mind"], row["partner"]) for row in table] == [
        (0, "calm", ["keen"]),
        (1, "keen", ["calm"]),
        (1, "keen", ["calm"]),
    ]
    assert not any(row["derived"] for row in table)


def test_what_is_known_elsewhere_becomes_tags_columns_and_derived_scores(store, tmp_path):
    whole_run(store)

    def twice(arrays):
        return DerivedScores(
            dimension="all",
            judge=[arrays.evaluations[0].judge_hash],
            episode=["e1"],
            seat=np.array([1]),
            status=np.array([1], dtype=np.int8),
            value=np.array([np.nan]),
        )

    beyond = RunContext(
        tags=lambda started: ("hard", started.task),
        labels=lambda started: {"source": started.catalog},
        derived=twice,
        derives=("all",),
    )
    export_parquet(store, "r1", tmp_path, beyond)
    first, planned_only = rows(tmp_path, "episodes")[0], rows(tmp_path, "episodes")[2]
    assert first["tags"] == ["hard", first["task"]]
    assert first["source"] == first["catalog"]
    assert (planned_only["tags"], planned_only["source"]) == (None, None)
    derived = [row for row in rows(tmp_path, "scores") if row["derived"]]
    assert [(row["dimension"], row["seat"], row["mind"], row["status"]) for row in derived] == [
        ("all", 1, "keen", "failed")
    ]
    assert (derived[0]["value"], derived[0]["evaluation"]) == (None, None)


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_docs_say_of_every_column_what_the_file_says(name):
    docs = Path(__file__).parents[3] / "docs"
    text = (docs / "reference" / "tables.md").read_text(encoding="utf-8")
    part = text.partition(f"\n## {name}: ")[2].partition("\n## ")[0]
    told = [f"| `{field.name}` | {meaning(field)} |" for field in SCHEMAS[name]]
    assert [line for line in part.splitlines() if line.startswith("| `")] == told
