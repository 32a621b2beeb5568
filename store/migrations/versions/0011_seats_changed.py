"""Who took and left seats in the middle of episodes."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    key = sa.String(200, collation=collation)
    op.create_table(
        "seat_changes",
        sa.Column("episode", key, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("run", key, nullable=False, server_default=""),
        sa.Column("seat", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("mind", key, nullable=False, server_default=""),
    )
    op.create_index("seat_changes_of_run", "seat_changes", ["run"])
