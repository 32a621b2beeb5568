"""What the servers of models were found to accept: a row for each model of each server. This is a
cache and not part of the log: without it each server is asked once more."""

import time
from typing import Any, Literal

import sqlalchemy as sa
import structlog

from events.base import Value, replace
from events.ids import digest_of
from store.database.engines import writing
from store.database.tables import model_abilities as t
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)

AnswerForm = Literal["schema", "simple", "json", "none"]
"""What a server can hold an answer to: a JSON Schema as it is; one without bounds of lengths,
counts and numbers; any JSON object; nothing."""


class Ability(Value, frozen=True, kw_only=True):
    """What one model of one server was found to take."""

    adapter: str
    base_url: str
    name: str
    """As in ``events.minds.ModelSpec``, like the two before."""
    form: AnswerForm | None = None
    """None: not found out."""
    context: int = 0
    """Tokens that fit into a prompt with its answer, as the server says; 0: it does not."""
    why: str = ""
    """Why ``form`` is no better one, as a sentence; empty: the server takes everything."""
    found_at: int = 0
    """Microseconds since 1970, UTC."""


class ModelAbilities:
    """The table. Blocking; safe from any thread. Where it cannot be read or written nothing is
    remembered, and the log says so."""

    def __init__(self, store: EventStore) -> None:
        self._engine = store.engine

    def find(self, adapter: str, base_url: str, name: str) -> Ability | None:
        """What is remembered of one model."""
        found = self._read(sa.select(t).where(t.c.key == _key(adapter, base_url, name)))
        return found[0] if found else None

    def all(self) -> list[Ability]:
        """All that is remembered, by name."""
        return self._read(sa.select(t).order_by(t.c.name, t.c.base_url, t.c.adapter))

    def remember(self, found: Ability) -> Ability:
        """Take the place of what was remembered of the model; what is remembered now."""
        now = replace(found, found_at=time.time_ns() // 1000)
        key = _key(now.adapter, now.base_url, now.name)
        values = {name: getattr(now, name) for name in Ability.__struct_fields__}
        try:
            with writing(self._engine) as connection:
                connection.execute(sa.delete(t).where(t.c.key == key))
                connection.execute(
                    sa.insert(t).values(key=key, **{**values, "form": now.form or ""})
                )
        except sa.exc.SQLAlchemyError as error:
            # Another process may have remembered the same just now.
            log.info("model_ability_not_remembered", error_type=type(error).__name__)
        return now

    def _read(self, query: sa.Select[Any]) -> list[Ability]:
        try:
            with self._engine.connect() as connection:
                rows = connection.execute(query).all()
        except sa.exc.SQLAlchemyError as error:
            log.info("model_abilities_not_read", error_type=type(error).__name__)
            return []
        return [
            Ability(
                adapter=row.adapter,
                base_url=row.base_url,
                name=row.name,
                form=row.form or None,
                context=row.context,
                why=row.why,
                found_at=row.found_at,
            )
            for row in rows
        ]


def _key(*account: str) -> str:
    return digest_of("\0".join(account).encode())
