"""The tables that projections fill. The migrations create them; a test holds the two together.

Every column but the key has a default, because a row is built up by several events and each
sets only what it knows.
"""

from typing import Any

from sqlalchemy import Column, Float, Index, MetaData, Table

from store.projections.types import CleanText, Key, Names, Numbers, Whole

metadata = MetaData()


def _key(name: str) -> Column[str]:
    return Column(name, Key, primary_key=True)


def _word(name: str) -> Column[str]:
    return Column(name, Key, nullable=False, server_default="")


def _text(name: str) -> Column[str]:
    return Column(name, CleanText, nullable=False, server_default="")


def _count(name: str) -> Column[int]:
    return Column(name, Whole, nullable=False, server_default="0")


def _maybe(name: str) -> Column[int]:
    return Column(name, Whole, nullable=True)


def _names(name: str) -> Column[tuple[str, ...]]:
    return Column(name, Names, nullable=False, server_default="[]")


def _status(first: str) -> Column[str]:
    return Column("status", Key, nullable=False, server_default=first)


def _seat(name: str) -> Column[int]:
    return Column(name, Whole, primary_key=True, autoincrement=False)


projections = Table("projections", metadata, _key("name"), _count("position"))
"""How far each projection has come: the last position whose event is in its rows."""

catalogs = Table(
    "catalogs",
    metadata,
    _key("name"),
    _word("digest"),
    _text("source"),
    _count("characters"),
    _count("relationships"),
    _count("scenarios"),
    _count("tasks"),
    _count("imports"),
    _maybe("imported_at"),
)

runs = Table(
    "runs",
    metadata,
    _key("id"),
    _text("name"),
    _word("catalog"),
    _status("running"),
    _word("pause_reason"),
    _text("pause_detail"),
    _count("episodes_planned"),
    _maybe("started_at"),
    _maybe("ended_at"),
)

episodes = Table(
    "episodes",
    metadata,
    _key("id"),
    _word("run"),
    # The place in the run's plan, from 0; NULL for an episode that no plan names.
    _maybe("place"),
    _word("task"),
    _word("catalog"),
    _word("scenario_id"),
    _text("scenario"),
    _names("characters"),
    _names("minds"),
    _status("planned"),
    _count("turns"),
    _text("end_reason"),
    _count("failures"),
    Column("parent", Key, nullable=True),
    _maybe("forked_at"),
    _maybe("started_at"),
    _maybe("ended_at"),
    Index("episodes_of_run", "run", "status"),
    Index("episodes_of_parent", "parent"),
)

evaluations = Table(
    "evaluations",
    metadata,
    _key("id"),
    _word("episode"),
    _word("run"),
    _word("judge"),
    _word("judge_kind"),
    _word("judge_hash"),
    _count("upto"),
    _status("running"),
    _text("reason"),
    _maybe("started_at"),
    _maybe("ended_at"),
    Index("evaluations_of_episode", "episode"),
    Index("evaluations_of_run", "run"),
)

scores = Table(
    "scores",
    metadata,
    _key("evaluation"),
    _seat("seat"),
    _key("dimension"),
    _status("failed"),
    Column("value", Float, nullable=True),
    _text("reason"),
    Column("evidence", Numbers, nullable=False, server_default="[]"),
)

calls = Table(
    "calls",
    metadata,
    _key("stream"),
    _seat("turn"),
    _seat("attempt"),
    _word("run"),
    # Either the episode and seat of the agent that asked, or the evaluation of the judge.
    _word("episode"),
    _maybe("seat"),
    _word("evaluation"),
    _word("model"),
    _word("purpose"),
    _count("asked"),
    _count("answered"),
    _count("failed"),
    _word("failure"),
    _count("input_tokens"),
    _count("output_tokens"),
    # Whole trillionths of a dollar: sums are exact, so that they do not depend on the order.
    _count("cost_pico_usd"),
    _count("unpriced"),
    _count("latency_us"),
    _count("retries"),
    Index("calls_of_run", "run"),
    Index("calls_of_episode", "episode"),
    Index("calls_of_evaluation", "evaluation"),
)

spending = Table(
    "spending",
    metadata,
    _key("run"),
    _count("cost_pico_usd"),
    _count("tokens"),
    _count("unpriced"),
)


def key_columns(table: Table) -> tuple[str, ...]:
    """The names of a table's key columns, in order."""
    return tuple(column.name for column in table.primary_key)


Row = dict[str, Any]
