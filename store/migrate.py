"""Bringing a database to the tables of this version.

Alembic, which takes a tenth of a second to import, is needed only where something is to be done:
which revisions there are, their files' names say.
"""

from pathlib import Path

import sqlalchemy as sa

from store.database.engines import redacted, writing
from store.errors import WrongSchema

_MIGRATION_LOCK = 7_346_021_158
"""Key of the advisory lock that lets one process migrate at a time."""
_FOLDER = Path(__file__).parent / "migrations"


def migrate(engine: sa.Engine) -> None:
    """Create or upgrade the tables, in one transaction. Safe in several processes at once.

    Raises ``WrongSchema`` when a newer version of Troupe was here before.
    """
    if _is_current(engine):
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")


def require_current(
    engine: sa.Engine, advice: str = "open it with migrate=True once", url: str = ""
) -> None:
    """Raises ``WrongSchema`` unless the tables are those of this version. ``advice``: what to do
    about older ones; ``url``: what to call the store where the engine's address is not its own."""
    found, known = _found(engine), known_schemas()
    if found != known[-1:]:
        newer = not set(found) <= set(known)
        advice = "a newer version of Troupe wrote it" if newer else advice
        raise WrongSchema(url or redacted(engine.url), found, known[-1:], advice)


def known_schemas() -> list[str]:
    """The revisions of the tables that this version can open or upgrade, the newest last."""
    return sorted(file.stem.partition("_")[0] for file in (_FOLDER / "versions").glob("[0-9]*.py"))


def _is_current(engine: sa.Engine) -> bool:
    """Whether there is nothing to upgrade. Raises ``WrongSchema`` where a newer version wrote."""
    found, known = _found(engine), known_schemas()
    if not set(found) <= set(known):
        raise _wrong(engine, found, "a newer version of Troupe wrote it")
    return found == known[-1:]


def _found(engine: sa.Engine) -> list[str]:
    with engine.connect() as connection:
        if not _has_versions(connection):
            return []
        rows = connection.execute(sa.text("SELECT version_num FROM alembic_version"))
        return list(rows.scalars())


def _has_versions(connection: sa.Connection) -> bool:
    if connection.dialect.name != "sqlite":
        return sa.inspect(connection).has_table("alembic_version")
    # Of an attached database, too.
    found = connection.exec_driver_sql("PRAGMA table_info(alembic_version)")
    return found.first() is not None


def _wrong(engine: sa.Engine, found: list[str], advice: str) -> WrongSchema:
    return WrongSchema(redacted(engine.url), found, known_schemas()[-1:], advice)
