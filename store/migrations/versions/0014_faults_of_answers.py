"""What was wrong with answers, and what asking again was for."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    key = sa.String(200, collation=collation)
    # Older events say nothing of either, so that older rows are as they would be built again.
    op.add_column("calls", sa.Column("mends", key, nullable=False, server_default=""))
    op.add_column("calls", sa.Column("fault", key, nullable=False, server_default=""))
    op.add_column(
        "calls", sa.Column("continued", sa.BigInteger, nullable=False, server_default="0")
    )
