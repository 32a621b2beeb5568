"""The scores of an evaluation in one row."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    op.drop_table("scores")
    op.create_table(
        "scores",
        sa.Column("evaluation", sa.String(200, collation=collation), primary_key=True),
        *(
            sa.Column(name, sa.Text, nullable=False, server_default="")
            for name in ("kinds", "numbers", "reasons", "evidence", "quotes")
        ),
    )
    # The next query fills both from the log.
    op.execute("DELETE FROM evaluations")
    op.execute("DELETE FROM projections WHERE name = 'scores'")
