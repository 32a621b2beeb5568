"""The keys that participants' words are sealed with (``events.privacy.encryption``). They are no
tables of the log: no export holds them, and no backup that Troupe makes. Dropping a key erases what
it sealed, here and in every copy of the log. Where they are:
``store.participants.key_locations``."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Final, Literal, NamedTuple

import sqlalchemy as sa

from events.ids import digest_of
from events.privacy import encryption
from events.privacy.encryption import Key
from store.database.engines import redacted
from store.errors import KeysUnavailable
from store.participants.key_database import IDENTITY, KEYS, KeyDatabase, denied
from store.participants.key_locations import KeyLocation, place_of

Dropped = Literal["now", "before", "never"]
"""What became of a key that was to be dropped: it is gone; it was gone before; there was none."""
KEEP_S: Final = 2.0
"""For how long a key is known without being looked for, in seconds: so long after it was dropped
another process may still show the words."""
_DROPPED: Final = b""
"""What stands in place of a secret that is gone."""
MOST_KEPT: Final = 10_000
"""Keys that are known at once."""


class KeyRow(NamedTuple):
    """A key as it is stored."""

    participant: str
    id: bytes
    secret: bytes
    """Empty: it was dropped."""


class ParticipantKeys(KeyDatabase):
    """Keys by participant. Blocking; safe from any thread. Nothing is opened before a key is asked
    for, and nothing is made before there is one. All methods raise ``KeysUnavailable``."""

    def __init__(self, place: KeyLocation, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds since whenever."""
        super().__init__(place)
        self._clock = clock
        self._secrets: dict[bytes, tuple[float, bytes | None]] = {}
        self._keys: dict[str, tuple[float, Key | None]] = {}

    def make(self, participant: str) -> Key:
        """The participant's key, from now on if they had none."""
        found = self._of(participant)
        if found is not None:
            return found
        key = Key.new()
        values = {"participant": participant, "id": key.id, "secret": key.secret}
        self.make_tables()
        try:
            with self.changing() as connection:
                connection.execute(KEYS.insert().values(**values))
        except sa.exc.IntegrityError:
            # Another process was first.
            there = self._of(participant)
            assert there is not None
            return there
        self._keys[participant] = (self._clock() + KEEP_S, key)
        return key

    def drop(self, participant: str) -> Dropped:
        """Forget a participant's key for good. That there was one stays known: what they say from
        then on is sealed with keys that are not kept."""
        if not self.there():
            return "never"
        whose = KEYS.c.participant == participant
        own = whose & (KEYS.c.secret != _DROPPED)
        with self.changing() as connection:
            # The journal of what follows, which stays, would hold the key itself.
            connection.execute(KEYS.update().where(own).values(secret=secrets.token_bytes(32)))
        with self.changing() as connection:
            # Deleted first: what that writes lies over all of the journal's earlier pages.
            gone = connection.execute(KEYS.delete().where(own))
            if gone.rowcount:
                left = {"participant": participant, "id": Key.new().id, "secret": _DROPPED}
                connection.execute(KEYS.insert().values(**left))
        self.forget_known()
        if not gone.rowcount and self._row(sa.select(KEYS.c.id).where(whose)) is None:
            return "never"
        # Also where it was dropped before: the table might not have been rewritten then.
        self.rewrite()
        return "now" if gone.rowcount else "before"

    def identity(self, *, make: bool = False) -> str:
        """A random word that tells this key store from others; empty: it has none yet. ``make``: it
        has one from now on."""
        if not make and not self.there(IDENTITY):
            return ""
        if make:
            self.make_tables()
        known = self._row(sa.select(IDENTITY.c.id))
        if known is None and make:
            try:
                with self.changing() as connection:
                    connection.execute(IDENTITY.insert().values(one=1, id=secrets.token_hex(16)))
            except sa.exc.IntegrityError:
                pass  # another process was first
            known = self._row(sa.select(IDENTITY.c.id))
        return str(known[0]) if known else ""

    def check_readable(self) -> None:
        """Request a key, as is done to decrypt words."""
        if self.there():
            self._row(sa.select(KEYS.c.id, KEYS.c.secret).limit(1))

    def rows(self) -> Sequence[KeyRow]:
        """All keys, those of the dropped with an empty secret."""
        if not self.there():
            return ()
        with self.asking() as connection:
            found = connection.execute(sa.select(KEYS.c.participant, KEYS.c.id, KEYS.c.secret))
            return [KeyRow(name, bytes(id_), bytes(secret)) for name, id_, secret in found]

    def take(self, row: KeyRow) -> bool:
        """Keep a key of another key store; whether it is kept. It is not where the participant has
        another one here. One that is dropped there is dropped here."""
        self.make_tables()
        try:
            with self.changing() as connection:
                connection.execute(KEYS.insert().values(**row._asdict()))
        except sa.exc.IntegrityError:
            whose = KEYS.c.participant == row.participant
            there = self._row(sa.select(KEYS.c.id, KEYS.c.secret).where(whose))
            if there is None or bytes(there[1]) == _DROPPED:
                return there is not None
            if row.secret == _DROPPED:
                self.drop(row.participant)
                return True
            return bytes(there[0]) == row.id
        return True

    def forget(self, participants: Sequence[str]) -> None:
        """Keep nothing of these people: another key store has their keys."""
        with self.changing() as connection:
            for name in participants:
                mine = KEYS.c.participant == name
                connection.execute(KEYS.update().where(mine).values(secret=secrets.token_bytes(32)))
        with self.changing() as connection:
            for name in participants:
                connection.execute(KEYS.delete().where(KEYS.c.participant == name))
        self.forget_known()

    def forget_known(self) -> None:
        """Ask the database again for what is known of it."""
        self._keys.clear()
        self._secrets.clear()

    def of(self, participant: str) -> Key | None:
        """As ``events.privacy.encryption.Keyring`` says; of who was erased one that nobody
        keeps."""
        known = self._keys.get(participant)
        now = self._clock()
        if known is None or known[0] < now:
            known = (now + KEEP_S, self._of(participant))
            _room(self._keys)
            self._keys[participant] = known
        return known[1]

    def secret(self, key: bytes) -> bytes | None:
        """As ``events.privacy.encryption.Keyring`` says."""
        known = self._secrets.get(key)
        now = self._clock()
        if known is None or known[0] < now:
            known = (now + KEEP_S, self._secret(key))
            _room(self._secrets)
            self._secrets[key] = known
        return known[1]

    def _of(self, participant: str) -> Key | None:
        if not self.there():
            return None
        row = self._row(
            sa.select(KEYS.c.id, KEYS.c.secret).where(KEYS.c.participant == participant)
        )
        if row is None:
            return None
        key = Key(*map(bytes, row))
        return key if key.secret != _DROPPED else Key.new()

    def _secret(self, key: bytes) -> bytes | None:
        if not self.there():
            return None
        try:
            row = self._row(sa.select(KEYS.c.secret).where(KEYS.c.id == key))
        except KeysUnavailable as error:
            if denied(error.__cause__):
                return None  # a user who may not read keys reads no words
            raise
        secret = _DROPPED if row is None else bytes(row[0])
        return None if secret == _DROPPED else secret

    def _row(self, query: sa.Select[Any]) -> tuple[Any, ...] | None:
        with self.asking() as connection:
            row = connection.execute(query).first()
        return None if row is None else tuple(row)


def _room(
    kept: dict[str, tuple[float, Key | None]] | dict[bytes, tuple[float, bytes | None]],
) -> None:
    if len(kept) >= MOST_KEPT:
        kept.clear()


def keys_of(store_url: str) -> ParticipantKeys:
    """The keys of a store, wherever the settings say that they are."""
    place = place_of(store_url)
    with _registering:
        return _known.setdefault(place, ParticipantKeys(place))


def hold_keys_of(store_url: str) -> ParticipantKeys:
    """The same, for all that is decoded and sealed in this process as long as a store is open
    (``let_go``)."""
    keys = keys_of(store_url)
    with _registering:
        _held[keys.place] += 1
        encryption.use(_name(keys.place), keys)
    return keys


def let_go(keys: ParticipantKeys) -> None:
    """A store is closed; behind the last one of these keys nothing is decoded with them."""
    with _registering:
        _held[keys.place] -= 1
        if _held[keys.place] > 0:
            return
        del _held[keys.place]
        _known.pop(keys.place, None)
        encryption.forget(_name(keys.place))
    keys.close()


def _name(place: KeyLocation) -> str:
    return digest_of(f"{redacted(place.url)} {place.schema}".encode())


_known: dict[KeyLocation, ParticipantKeys] = {}
_held: Counter[KeyLocation] = Counter()
_registering = Lock()
