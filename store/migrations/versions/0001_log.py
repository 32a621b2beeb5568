"""The log, which only grows, and the snapshots."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_SQLITE_GUARDS = [
    f"CREATE TRIGGER log_no_{verb} BEFORE {verb} ON log "
    f"BEGIN SELECT RAISE(ABORT, 'the log only grows: {verb} is refused'); END"
    for verb in ("UPDATE", "DELETE")
]

_POSTGRESQL_GUARDS = [
    "CREATE FUNCTION log_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ "
    "BEGIN RAISE EXCEPTION 'the log only grows: % is refused', TG_OP; END $$",
    "CREATE TRIGGER log_no_change BEFORE UPDATE OR DELETE ON log "
    "FOR EACH ROW EXECUTE FUNCTION log_only_grows()",
    "CREATE TRIGGER log_no_truncate BEFORE TRUNCATE ON log "
    "FOR EACH STATEMENT EXECUTE FUNCTION log_only_grows()",
]


def upgrade() -> None:
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    name = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "log",
        sa.Column("position", big, primary_key=True, autoincrement=False),
        sa.Column("event_id", name, nullable=False),
        sa.Column("stream", name, nullable=False),
        sa.Column("version", big, nullable=False),
        sa.Column("tag", name, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("recorded_at", big, nullable=False),
        sa.Column("correlation", name, nullable=False),
        sa.Column("causation", name, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("event_id", name="log_event_id"),
        sa.UniqueConstraint("stream", "version", name="log_stream_version"),
    )
    op.create_table(
        "snapshots",
        sa.Column("stream", name, primary_key=True),
        sa.Column("version", big, nullable=False),
        sa.Column("schema", sa.Text, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    sqlite = op.get_bind().dialect.name == "sqlite"
    for guard in _SQLITE_GUARDS if sqlite else _POSTGRESQL_GUARDS:
        op.execute(guard)


def downgrade() -> None:
    op.drop_table("snapshots")
    op.drop_table("log")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION log_only_grows()")
