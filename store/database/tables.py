"""The log's tables as SQLAlchemy sees them. The migrations create them."""

import sqlalchemy as sa

metadata = sa.MetaData()

_Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""SQLite makes a column the row's own key only when it is called INTEGER."""
_Name = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Names are compared byte by byte: faster, and the same whatever the server's language."""

log = sa.Table(
    "log",
    metadata,
    sa.Column("position", _Big, primary_key=True, autoincrement=False),
    sa.Column("event_id", _Name, nullable=False),
    sa.Column("stream", _Name, nullable=False),
    sa.Column("version", _Big, nullable=False),
    sa.Column("tag", _Name, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("recorded_at", _Big, nullable=False),
    sa.Column("correlation", _Name, nullable=False),
    sa.Column("causation", _Name, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("event_id", name="log_event_id"),
    sa.UniqueConstraint("stream", "version", name="log_stream_version"),
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("stream", _Name, primary_key=True),
    sa.Column("version", _Big, nullable=False),
    sa.Column("schema", sa.Text, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

archived_streams = sa.Table(
    "archived_streams",
    metadata,
    sa.Column("stream", _Name, primary_key=True),
    sa.Column("run", _Name, nullable=False),
    sa.Column("first_version", _Big, nullable=False),
    sa.Column("last_version", _Big, nullable=False),
    sa.Index("archived_streams_of_run", "run"),
)
"""Streams that were taken out of the log; see ``store.archive``."""

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("key", _Name, primary_key=True),
    sa.Column("request", _Name, nullable=False),
    sa.Column("seed", _Name, nullable=False),
    sa.Column("begun_at", sa.BigInteger, nullable=False),
    sa.Column("alive_at", sa.BigInteger, nullable=False),
    sa.Column("status", sa.Integer, nullable=False, server_default="0"),
    sa.Column("media_type", _Name, nullable=False, server_default=""),
    sa.Column("body", sa.LargeBinary, nullable=True),
    sa.Index("answers_by_age", "begun_at"),
)
"""What requests with an idempotency key were answered; see ``store.idempotency``."""

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("name", _Name, primary_key=True),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("process", _Name, nullable=False),
    sa.Column("host", _Name, nullable=False),
    sa.Column("pid", sa.BigInteger, nullable=False),
    sa.Column("command", _Name, nullable=False),
    sa.Column("place", _Name, nullable=False),
    sa.Column("queue", _Name, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("renewed_at", sa.BigInteger, nullable=False),
    sa.Column("lapses_at", sa.BigInteger, nullable=False),
    sa.Index("leases_of_process", "process"),
)
"""What is carried out by which process now; see ``store.leases``."""

model_abilities = sa.Table(
    "model_abilities",
    metadata,
    sa.Column("key", _Name, primary_key=True),
    sa.Column("adapter", _Name, nullable=False),
    sa.Column("base_url", _Name, nullable=False),
    sa.Column("name", _Name, nullable=False),
    sa.Column("form", _Name, nullable=False),
    sa.Column("context", sa.BigInteger, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("found_at", sa.BigInteger, nullable=False),
)
"""What the servers of models were found to take; see ``store.model_abilities``."""
