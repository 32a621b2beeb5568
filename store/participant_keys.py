"""Where the keys are that participants' words are sealed with (``events.sealing``): a database of
its own, which no backup and no export of the store holds. Dropping a key erases what it sealed,
here and in every copy of the log."""

import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, Final

import sqlalchemy as sa

from events import sealing
from events.ids import digest_of
from events.sealing import Key
from store.engines import LOCK_TIMEOUT_S, parsed_url, postgresql_url, redacted

VARIABLE: Final = "TROUPE_KEYS_URL"
KEEP_S: Final = 2.0
"""For how long a key is known without being looked for, in seconds: so long after it was dropped
another process may still show the words."""
_DROPPED: Final = b""
"""What stands in place of a secret that is gone."""
MOST_KEPT: Final = 10_000
"""Keys that are known at once."""

_METADATA = sa.MetaData()
_KEYS: Final = sa.Table(
    "participant_keys",
    _METADATA,
    sa.Column("participant", sa.String(200), primary_key=True),
    sa.Column("id", sa.LargeBinary(16), nullable=False, unique=True),
    sa.Column("secret", sa.LargeBinary(32), nullable=False),
)


class ParticipantKeys:
    """Keys by participant. Blocking; safe from any thread. Nothing is opened before a key is asked
    for, and no file is made before there is one."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds since whenever."""
        self.url = url
        self._clock = clock
        self._lock = Lock()
        self._engine: sa.Engine | None = None
        self._secrets: dict[bytes, tuple[float, bytes | None]] = {}
        self._keys: dict[str, tuple[float, Key | None]] = {}

    def make(self, participant: str) -> Key:
        """The participant's key, from now on if they had none."""
        found = self._of(participant)
        if found is not None:
            return found
        key = Key.new()
        values = {"participant": participant, "id": key.id, "secret": key.secret}
        try:
            with self._opened(new=True).begin() as connection:
                connection.execute(_KEYS.insert().values(**values))
        except sa.exc.IntegrityError:
            # Somebody else was first.
            there = self._of(participant)
            assert there is not None
            return there
        self._keys[participant] = (self._clock() + KEEP_S, key)
        return key

    def drop(self, participant: str) -> bool:
        """Forget a participant's key for good; whether there was one. That there was stays known:
        what they say from then on is sealed with keys that nobody keeps."""
        if not self._there():
            return False
        own = (_KEYS.c.participant == participant) & (_KEYS.c.secret != _DROPPED)
        with self._opened().begin() as connection:
            # The journal of what follows, which stays, would hold the key itself.
            connection.execute(_KEYS.update().where(own).values(secret=secrets.token_bytes(32)))
        with self._opened().begin() as connection:
            # Deleted first: what that writes lies over all of the journal's earlier pages.
            gone = connection.execute(_KEYS.delete().where(own))
            if gone.rowcount:
                left = {"participant": participant, "id": Key.new().id, "secret": _DROPPED}
                connection.execute(_KEYS.insert().values(**left))
        self._keys.clear()
        self._secrets.clear()
        return gone.rowcount > 0

    def of(self, participant: str) -> Key | None:
        """As ``events.sealing.Keyring`` says; of who was erased one that nobody keeps."""
        known = self._keys.get(participant)
        now = self._clock()
        if known is None or known[0] < now:
            known = (now + KEEP_S, self._of(participant))
            _room(self._keys)
            self._keys[participant] = known
        return known[1]

    def secret(self, key: bytes) -> bytes | None:
        """As ``events.sealing.Keyring`` says."""
        known = self._secrets.get(key)
        now = self._clock()
        if known is None or known[0] < now:
            known = (now + KEEP_S, self._secret(key))
            _room(self._secrets)
            self._secrets[key] = known
        return known[1]

    def close(self) -> None:
        """Let go of the database."""
        if self._engine is not None:
            self._engine.dispose()

    def _of(self, participant: str) -> Key | None:
        if not self._there():
            return None
        row = self._row(
            sa.select(_KEYS.c.id, _KEYS.c.secret).where(_KEYS.c.participant == participant)
        )
        if row is None:
            return None
        key = Key(*map(bytes, row))
        return key if key.secret != _DROPPED else Key.new()

    def _secret(self, key: bytes) -> bytes | None:
        if not self._there():
            return None
        row = self._row(sa.select(_KEYS.c.secret).where(_KEYS.c.id == key))
        secret = _DROPPED if row is None else bytes(row[0])
        return None if secret == _DROPPED else secret

    def _row(self, query: sa.Select[Any]) -> tuple[Any, ...] | None:
        with self._opened().connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else tuple(row)

    def _there(self) -> bool:
        url = parsed_url(self.url)
        return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()

    def _opened(self, *, new: bool = False) -> sa.Engine:
        with self._lock:
            if self._engine is None:
                self._engine = _engine(self.url)
                new = True
            if new:
                _METADATA.create_all(self._engine)
        return self._engine


def _room(
    kept: dict[str, tuple[float, Key | None]] | dict[bytes, tuple[float, bytes | None]],
) -> None:
    if len(kept) >= MOST_KEPT:
        kept.clear()


def _engine(url: str) -> sa.Engine:
    parsed = parsed_url(url)
    if parsed.get_backend_name() == "postgresql":
        return sa.create_engine(postgresql_url(parsed), pool_size=2, pool_pre_ping=True)
    engine = sa.create_engine(
        parsed.set(drivername="sqlite+pysqlite"), connect_args={"timeout": LOCK_TIMEOUT_S}
    )

    @sa.event.listens_for(engine, "connect")
    def set_up(connection: sa.engine.interfaces.DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        # What is deleted is overwritten, and so is the journal by that of the next transaction.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute("PRAGMA journal_mode = PERSIST")
        cursor.close()

    return engine


def keys_url(store_url: str) -> str:
    """Where the keys of a store are: as ``TROUPE_KEYS_URL`` says, else in ``keys.db`` beside an
    SQLite store, or in the data folder."""
    if given := os.environ.get(VARIABLE):
        return given
    url = parsed_url(store_url)
    if url.get_backend_name() == "sqlite" and url.database:
        folder = Path(url.database).parent
    else:
        folder = Path(os.environ.get("TROUPE_DATA_DIR") or "troupe-data").expanduser().absolute()
    return f"sqlite:///{folder / 'keys.db'}"


def keys_are_shared(store_url: str) -> bool:
    """Whether every process that uses a store finds the same keys: those of a store on PostgreSQL
    only where ``TROUPE_KEYS_URL`` says where they are, since processes elsewhere have other data
    folders."""
    return bool(os.environ.get(VARIABLE)) or parsed_url(store_url).get_backend_name() == "sqlite"


def use_keys_of(store_url: str) -> ParticipantKeys:
    """The keys of a store, for all that is decoded in this process from now on."""
    url = keys_url(store_url)
    known = _in_use.get(url)
    if known is None:
        known = _in_use.setdefault(url, ParticipantKeys(url))
        sealing.use(digest_of(redacted(url).encode()), known)
    return known


_in_use: dict[str, ParticipantKeys] = {}
