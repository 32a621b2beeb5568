"""The tables that projections fill; all of it can be rebuilt from the log."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = (
    "projections",
    "catalogs",
    "runs",
    "episodes",
    "evaluations",
    "scores",
    "calls",
    "spending",
)


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    key = sa.String(200, collation=collation)

    def keyed(name: str) -> sa.Column[Any]:
        return sa.Column(name, key, primary_key=True)

    def numbered(name: str) -> sa.Column[Any]:
        return sa.Column(name, sa.BigInteger, primary_key=True, autoincrement=False)

    def words(*names: str) -> list[sa.Column[Any]]:
        return [sa.Column(name, key, nullable=False, server_default="") for name in names]

    def texts(*names: str, default: str = "") -> list[sa.Column[Any]]:
        return [sa.Column(name, sa.Text, nullable=False, server_default=default) for name in names]

    def counts(*names: str) -> list[sa.Column[Any]]:
        return [
            sa.Column(name, sa.BigInteger, nullable=False, server_default="0") for name in names
        ]

    def maybe(*names: str) -> list[sa.Column[Any]]:
        return [sa.Column(name, sa.BigInteger, nullable=True) for name in names]

    def status(first: str) -> sa.Column[Any]:
        return sa.Column("status", key, nullable=False, server_default=first)

    op.create_table("projections", keyed("name"), *counts("position"))
    op.create_table(
        "catalogs",
        keyed("name"),
        *words("digest"),
        *texts("source"),
        *counts("characters", "relationships", "scenarios", "tasks", "imports"),
        *maybe("imported_at"),
    )
    op.create_table(
        "runs",
        keyed("id"),
        *texts("name"),
        *words("catalog"),
        status("running"),
        *words("pause_reason"),
        *texts("pause_detail"),
        *counts("episodes_planned"),
        *maybe("started_at", "ended_at"),
    )
    op.create_table(
        "episodes",
        keyed("id"),
        *words("run"),
        *maybe("place"),
        *words("task", "catalog", "scenario_id"),
        *texts("scenario"),
        *texts("characters", "minds", default="[]"),
        status("planned"),
        *counts("turns"),
        *texts("end_reason"),
        *counts("failures"),
        sa.Column("parent", key, nullable=True),
        *maybe("forked_at", "started_at", "ended_at"),
        sa.Index("episodes_of_run", "run", "status"),
        sa.Index("episodes_of_parent", "parent"),
    )
    op.create_table(
        "evaluations",
        keyed("id"),
        *words("episode", "run", "judge", "judge_kind", "judge_hash"),
        *counts("upto"),
        status("running"),
        *texts("reason"),
        *maybe("started_at", "ended_at"),
        sa.Index("evaluations_of_episode", "episode"),
        sa.Index("evaluations_of_run", "run"),
    )
    op.create_table(
        "scores",
        keyed("evaluation"),
        numbered("seat"),
        keyed("dimension"),
        status("failed"),
        sa.Column("value", sa.Float, nullable=True),
        *texts("reason"),
        *texts("evidence", default="[]"),
    )
    op.create_table(
        "calls",
        keyed("stream"),
        numbered("turn"),
        numbered("attempt"),
        *words("run", "episode"),
        *maybe("seat"),
        *words("evaluation", "model", "purpose"),
        *counts("asked", "answered", "failed"),
        *words("failure"),
        *counts("input_tokens", "output_tokens", "cost_pico_usd", "unpriced"),
        *counts("latency_us", "retries"),
        sa.Index("calls_of_run", "run"),
        sa.Index("calls_of_episode", "episode"),
        sa.Index("calls_of_evaluation", "evaluation"),
    )
    op.create_table("spending", keyed("run"), *counts("cost_pico_usd", "tokens", "unpriced"))


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
