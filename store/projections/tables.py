"""The tables that projections fill. The migrations create them; a test holds the two together.

Every column but the key has a default, because a row is built up by several events and each
sets only what it knows. A new column is one line here, one in a migration, and one in the record
that ``store.read_model.records`` answers; rebuilds, upserts and queries take a table's columns as
they are. A migration that adds a column whose values older events know also deletes the
projection's rows and its row in ``projections``: the next query fills both from the log.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    MetaData,
    Table,
    false,
    func,
    literal_column,
    true,
)

from store.projections.score_texts import WORDS
from store.projections.types import CleanText, Key, Names, Numbers, Summary, Whole

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


def _numbers(name: str) -> Column[tuple[int, ...]]:
    return Column(name, Numbers, nullable=False, server_default="[]")


def _status(first: str) -> Column[str]:
    return Column("status", Key, nullable=False, server_default=first)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=false())


def _number(name: str) -> Column[int]:
    return Column(name, Whole, primary_key=True, autoincrement=False)


projections = Table("projections", metadata, _key("name"), _count("position"))
"""How far each projection has come: the last position whose event is in its rows."""

catalogs = Table(
    "catalogs",
    metadata,
    _key("name"),
    _word("digest"),
    _text("source"),
    _count("imports"),
    _maybe("imported_at"),
    _word("environment"),
    Column("counts", Summary, nullable=False, server_default="{}"),
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
    _flag("detached"),
    _flag("stopped"),
    _flag("archived"),
    _word("imported"),
    # Where its streams were taken to, and when; empty: they are here.
    _text("taken_to"),
    _maybe("taken_at"),
    _count("taken_events"),
    _count("taken_bytes"),
    # Episodes that had ended and that were given up by then.
    _count("taken_ended"),
    _count("taken_failed"),
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
    # Its whole history's, the past that a fork shares included.
    _count("failed_actions"),
    Column("parent", Key, nullable=True),
    _maybe("forked_at"),
    _maybe("started_at"),
    _maybe("ended_at"),
    # The chain it belongs to and its place there, from 0; empty and 0 without one.
    _word("chain"),
    _count("index_"),
    # Empty until it is known.
    _word("environment"),
    Column("summary", Summary, nullable=False, server_default="{}"),
    # The episode that was played in its place; empty: it stands.
    _word("superseded_by"),
    Index("episodes_of_run", "run", "status"),
    Index("episodes_of_parent", "parent"),
    Index("episodes_of_chain", "chain", "index_"),
)

# A literal and no parameter: an expression is looked up in an index only where it is the same.
placed = func.coalesce(episodes.c.place, literal_column("4611686018427387904", BigInteger))
"""An episode's place in its plan; 2^62, behind all places, where no plan names it."""
# Of a run of 100,000 a page is read without a look at the other rows, and counting looks at none.
Index("episodes_in_plan", episodes.c.run, episodes.c.superseded_by, placed, episodes.c.id)

seat_changes = Table(
    "seat_changes",
    metadata,
    _key("episode"),
    # Of the event in the episode's own stream.
    _number("version"),
    _word("run"),
    # From 0.
    _count("seat"),
    # Who sits there from here on, by name.
    _word("mind"),
    Index("seat_changes_of_run", "run"),
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
    # The evaluation by the same judge that counts in its place; empty: it stands.
    _word("superseded_by"),
    Index("evaluations_of_episode", "episode"),
    # By the hash, so that a run's judges are found without a walk over its evaluations.
    Index("evaluations_of_run", "run", "judge_hash", "id"),
)

# The scores of an evaluation together, a text a column (``store.projections.score_texts``).
scores = Table(
    "scores",
    metadata,
    _key("evaluation"),
    *(_text(name) for name in ("kinds", "numbers", *WORDS)),
)

# What each judge gave each episode; filled by ``evaluators.scores.episode_means``.
episode_means = Table(
    "episode_means",
    metadata,
    # The evaluation's, or its episode's where it names none.
    _key("run"),
    # Its hash.
    _key("judge"),
    _key("episode"),
    # By dimension, over the seats that were scored; nothing for what no longer counts.
    Column("means", Summary, nullable=False, server_default="{}"),
    # Dimensions of which a score is missing.
    _names("missing"),
    sqlite_with_rowid=False,
)

calls = Table(
    "calls",
    metadata,
    _key("stream"),
    _number("turn"),
    _number("attempt"),
    _word("run"),
    # Of an agent its episode and seat, of a memory its chain and seat, of a judge the evaluation.
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
    _word("chain"),
    # As in the events; of several answers with one number the last one's.
    _word("mends"),
    _word("fault"),
    # Calls that let a model go on from where its answer was cut off.
    _count("continued"),
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


chains = Table(
    "chains",
    metadata,
    _key("id"),
    _word("run"),
    # The place in the run's plan, from 0; NULL for a chain that no plan names.
    _maybe("place"),
    _word("catalog"),
    # Ids, unlike those of an episode: a chain's first event holds no profiles.
    _names("characters"),
    _names("minds"),
    _word("memory"),
    _word("module"),
    _count("length"),
    _count("done"),
    _count("failed"),
    _count("memories_failed"),
    _status("planned"),
    _text("reason"),
    _maybe("started_at"),
    _maybe("ended_at"),
    Index("chains_of_run", "run"),
)

memories = Table(
    "memories",
    metadata,
    _key("chain"),
    _number("seat"),
    # Of the episode that was about to begin when something was recalled, and over when it was
    # written.
    _number("index_"),
    _word("episode"),
    _count("words"),
    _count("tokens"),
    _word("writer"),
    _count("attempts"),
    Column("within_bounds", Boolean, nullable=False, server_default=true()),
    _maybe("cost_pico_usd"),
    _count("input_tokens"),
    _count("output_tokens"),
    _numbers("recalled"),
    _numbers("dropped"),
    _count("recalled_tokens"),
    _count("limit_tokens"),
    _maybe("recalled_at"),
    _maybe("written_at"),
)
