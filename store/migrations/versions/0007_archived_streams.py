"""Streams that are in an archive, which alone may leave the log, and what lists say of their runs.

Whoever takes streams out names them in ``archived_streams`` in the same transaction: only then does
the log let them go, and take nothing more of them until they are no longer named. On SQLite the
trigger for the latter is there only while streams are named: it costs a fifth of an insert.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_SQLITE = [
    "DROP TRIGGER log_no_DELETE",
    "CREATE TRIGGER log_no_DELETE BEFORE DELETE ON log WHEN NOT EXISTS ("
    "SELECT 1 FROM archived_streams WHERE stream = OLD.stream "
    "AND OLD.version BETWEEN first_version AND last_version) "
    "BEGIN SELECT RAISE(ABORT, 'the log only grows: DELETE is refused'); END",
]
_POSTGRESQL = [
    "CREATE OR REPLACE FUNCTION log_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF TG_OP = 'DELETE' THEN IF EXISTS ("
    "SELECT FROM archived_streams WHERE stream = OLD.stream "
    "AND OLD.version BETWEEN first_version AND last_version) THEN RETURN OLD; END IF; END IF; "
    "RAISE EXCEPTION 'the log only grows: % is refused', TG_OP; END $$",
    # Once a statement: most insert several rows.
    "CREATE FUNCTION log_no_archived() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF EXISTS (SELECT FROM archived_streams) AND EXISTS (SELECT FROM added WHERE EXISTS ("
    "SELECT FROM archived_streams WHERE stream = added.stream) OR EXISTS ("
    "SELECT FROM archived_streams WHERE stream = 'run-' || added.correlation)) THEN "
    "RAISE EXCEPTION 'what is archived does not grow: INSERT is refused'; END IF; "
    "RETURN NULL; END $$",
    "CREATE TRIGGER log_no_archived AFTER INSERT ON log REFERENCING NEW TABLE AS added "
    "FOR EACH STATEMENT EXECUTE FUNCTION log_no_archived()",
]


def upgrade() -> None:
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    name = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "archived_streams",
        sa.Column("stream", name, primary_key=True),
        sa.Column("run", name, nullable=False),
        sa.Column("first_version", big, nullable=False),
        sa.Column("last_version", big, nullable=False),
    )
    op.create_index("archived_streams_of_run", "archived_streams", ["run"])
    op.add_column("runs", sa.Column("taken_to", sa.Text, nullable=False, server_default=""))
    op.add_column("runs", sa.Column("taken_at", sa.BigInteger, nullable=True))
    for count in ("taken_events", "taken_bytes", "taken_ended", "taken_failed"):
        op.add_column("runs", sa.Column(count, sa.BigInteger, nullable=False, server_default="0"))
    sqlite = op.get_bind().dialect.name == "sqlite"
    for guard in _SQLITE if sqlite else _POSTGRESQL:
        op.execute(guard)
