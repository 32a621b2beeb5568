"""What requests with an idempotency key were answered, for a day."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    name = sa.Text(collation=collation)
    op.create_table(
        "answers",
        sa.Column("key", name, primary_key=True),
        sa.Column("request", name, nullable=False),
        sa.Column("seed", name, nullable=False),
        sa.Column("begun_at", sa.BigInteger, nullable=False),
        sa.Column("alive_at", sa.BigInteger, nullable=False),
        sa.Column("status", sa.Integer, nullable=False, server_default="0"),
        sa.Column("media_type", name, nullable=False, server_default=""),
        sa.Column("body", sa.LargeBinary, nullable=True),
    )
    op.create_index("answers_by_age", "answers", ["begun_at"])
