"""Bringing a database to the tables of this version."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from store.engines import redacted, writing
from store.errors import WrongSchema

_MIGRATION_LOCK = 7_346_021_158
"""Key of the advisory lock that lets one process migrate at a time."""


def migrate(engine: sa.Engine) -> None:
    """Create or upgrade the tables, in one transaction. Safe in several processes at once.

    Raises ``WrongSchema`` when a newer version of Troupe was here before.
    """
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        config = _config()
        script = ScriptDirectory.from_config(config)
        found = MigrationContext.configure(connection).get_current_heads()
        _refuse_unknown(engine, found, script)
        if found != tuple(script.get_heads()):
            config.attributes["connection"] = connection
            command.upgrade(config, "heads")


def require_current(engine: sa.Engine) -> None:
    """Raises ``WrongSchema`` unless the tables are those of this version."""
    script = ScriptDirectory.from_config(_config())
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_heads()
    _refuse_unknown(engine, found, script)
    if found != tuple(script.get_heads()):
        raise WrongSchema(
            redacted(engine.url), found, script.get_heads(), "open it with migrate=True once"
        )


def known_schemas() -> set[str]:
    """The revisions of the tables that this version can open or bring up to date."""
    return _revisions(ScriptDirectory.from_config(_config()))


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def _refuse_unknown(engine: sa.Engine, found: tuple[str, ...], script: ScriptDirectory) -> None:
    if not _revisions(script).issuperset(found):
        raise WrongSchema(
            redacted(engine.url), found, script.get_heads(), "a newer version of Troupe wrote it"
        )


def _revisions(script: ScriptDirectory) -> set[str]:
    return {revision.revision for revision in script.walk_revisions()}
