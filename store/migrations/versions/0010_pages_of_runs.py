"""Pages of a run of 100,000 episodes, in the plan's order and in that of its scores."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    place = sa.text("coalesce(place, 4611686018427387904)")
    op.create_index("episodes_in_plan", "episodes", ["run", "superseded_by", place, "id"])
    op.drop_index("evaluations_of_run", "evaluations")
    op.create_index("evaluations_of_run", "evaluations", ["run", "judge_hash", "id"])
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    key = sa.String(200, collation=collation)
    op.create_table(
        "episode_means",
        sa.Column("run", key, primary_key=True),
        sa.Column("judge", key, primary_key=True),
        sa.Column("episode", key, primary_key=True),
        sa.Column("means", sa.Text, nullable=False, server_default="{}"),
        sa.Column("missing", sa.Text, nullable=False, server_default="[]"),
        sqlite_with_rowid=False,
    )
