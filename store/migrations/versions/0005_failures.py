"""Failed actions of whole histories, and what was played or scored again in whose place."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    key = sa.String(200, collation=collation)
    op.alter_column("episodes", "failures", new_column_name="failed_actions")
    for table in ("episodes", "evaluations"):
        op.add_column(table, sa.Column("superseded_by", key, nullable=False, server_default=""))
    # Of a fork, failures in the past it shares count from now on: the log knows.
    op.execute("DELETE FROM episodes")
    op.execute("DELETE FROM projections WHERE name = 'episodes'")
