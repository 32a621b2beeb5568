"""Chains, what their characters remember, and what scores quote."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# No event of an older version says anything about these columns, so what they begin with is what
# the rows that are there would get from the log.


def upgrade() -> None:
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    key = sa.String(200, collation=collation)

    def word(name: str) -> sa.Column[Any]:
        return sa.Column(name, key, nullable=False, server_default="")

    def text(name: str, default: str = "") -> sa.Column[Any]:
        return sa.Column(name, sa.Text, nullable=False, server_default=default)

    def count(name: str) -> sa.Column[Any]:
        return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")

    def maybe(*names: str) -> list[sa.Column[Any]]:
        return [sa.Column(name, sa.BigInteger, nullable=True) for name in names]

    def numbered(name: str) -> sa.Column[Any]:
        return sa.Column(name, sa.BigInteger, primary_key=True, autoincrement=False)

    op.add_column("episodes", word("chain"))
    op.add_column("episodes", count("index_"))
    op.create_index("episodes_of_chain", "episodes", ["chain", "index_"])
    op.add_column("scores", text("quotes", "[]"))
    op.add_column("calls", word("chain"))
    op.create_table(
        "chains",
        sa.Column("id", key, primary_key=True),
        word("run"),
        *maybe("place"),
        word("catalog"),
        text("characters", "[]"),
        text("minds", "[]"),
        word("memory"),
        word("module"),
        *(count(name) for name in ("length", "done", "failed", "memories_failed")),
        sa.Column("status", key, nullable=False, server_default="planned"),
        text("reason"),
        *maybe("started_at", "ended_at"),
        sa.Index("chains_of_run", "run"),
    )
    op.create_table(
        "memories",
        sa.Column("chain", key, primary_key=True),
        numbered("seat"),
        numbered("index_"),
        word("episode"),
        *(count(name) for name in ("words", "tokens")),
        word("writer"),
        count("attempts"),
        sa.Column("within_bounds", sa.Boolean, nullable=False, server_default=sa.true()),
        *maybe("cost_pico_usd"),
        *(count(name) for name in ("input_tokens", "output_tokens")),
        text("recalled", "[]"),
        text("dropped", "[]"),
        *(count(name) for name in ("recalled_tokens", "limit_tokens")),
        *maybe("recalled_at", "written_at"),
    )


def downgrade() -> None:
    op.drop_table("memories")
    op.drop_table("chains")
    op.drop_column("calls", "chain")
    op.drop_column("scores", "quotes")
    op.drop_index("episodes_of_chain", "episodes")
    op.drop_column("episodes", "index_")
    op.drop_column("episodes", "chain")
