"""Which runs lists leave out, which are left to a server, and which were ended for good."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    for name in ("detached", "stopped", "archived"):
        column = sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column("runs", column)
    key = sa.String(200, collation=collation)
    op.add_column("runs", sa.Column("imported", key, nullable=False, server_default=""))
    # Who was to carry a run out, and where it was played, is in its older events.
    op.execute("DELETE FROM runs")
    op.execute("DELETE FROM projections WHERE name = 'runs'")
