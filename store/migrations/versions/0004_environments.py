"""Which environment an episode or a catalog is of, and what it has lists say of it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    key = sa.String(200, collation=collation)
    op.add_column("episodes", sa.Column("environment", key, nullable=False, server_default=""))
    op.add_column("episodes", sa.Column("summary", sa.Text, nullable=False, server_default="{}"))
    # Before this there was one environment.
    op.execute("UPDATE episodes SET environment = 'social'")
    op.add_column("catalogs", sa.Column("environment", key, nullable=False, server_default=""))
    op.add_column("catalogs", sa.Column("counts", sa.Text, nullable=False, server_default="{}"))
    kinds = ("characters", "relationships", "scenarios", "tasks")
    counts = " || ',' || ".join(f"""'"{kind}":' || {kind}""" for kind in kinds)
    op.execute(f"UPDATE catalogs SET environment = 'social', counts = '{{' || {counts} || '}}'")  # noqa: S608
    for kind in kinds:
        op.drop_column("catalogs", kind)
