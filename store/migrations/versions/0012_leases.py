"""Which process carries out a run now."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    name = sa.Text(collation=collation)
    op.create_table(
        "leases",
        sa.Column("name", name, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("process", name, nullable=False),
        sa.Column("host", name, nullable=False),
        sa.Column("pid", sa.BigInteger, nullable=False),
        sa.Column("command", name, nullable=False),
        sa.Column("place", name, nullable=False),
        sa.Column("queue", name, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("renewed_at", sa.BigInteger, nullable=False),
        sa.Column("lapses_at", sa.BigInteger, nullable=False),
    )
    op.create_index("leases_of_process", "leases", ["process"])
