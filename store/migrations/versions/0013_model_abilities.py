"""What the servers of models were found to take."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    name = sa.Text(collation=collation)
    op.create_table(
        "model_abilities",
        sa.Column("key", name, primary_key=True),
        sa.Column("adapter", name, nullable=False),
        sa.Column("base_url", name, nullable=False),
        sa.Column("name", name, nullable=False),
        sa.Column("form", name, nullable=False),
        sa.Column("context", sa.BigInteger, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("found_at", sa.BigInteger, nullable=False),
    )
