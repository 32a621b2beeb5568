"""Where participants' keys are, and whether every process would find them there."""

import os
from pathlib import Path
from typing import Final, NamedTuple

from store.database.engines import parsed_url, redacted
from store.errors import BadStoreUrl

VARIABLE: Final = "TROUPE_KEYS_URL"
SCHEMA: Final = "troupe_keys"
"""Of PostgreSQL: where the keys of a store there are unless ``TROUPE_KEYS_URL`` says otherwise."""
FILE: Final = "keys.db"


class KeyLocation(NamedTuple):
    """A key store's."""

    url: str
    """Of its database."""
    schema: str = ""
    """Of PostgreSQL; empty: the one that its user has by default."""

    @property
    def is_file(self) -> bool:
        """Whether it is a file of SQLite."""
        return parsed_url(self.url).get_backend_name() == "sqlite"

    @property
    def shown(self) -> str:
        """For people, without a password."""
        return redacted(self.url) + (f", schema {self.schema}" if self.schema else "")


def place_of(store_url: str, given: str | None = None) -> KeyLocation:
    """Where the keys of a store are: as ``given`` (left out: ``TROUPE_KEYS_URL``) says; where that
    is empty, in ``keys.db`` beside an SQLite store, in the schema ``troupe_keys`` beside a log on
    PostgreSQL."""
    given = os.environ.get(VARIABLE, "") if given is None else given
    if given:
        return KeyLocation(given)
    url = parsed_url(store_url)
    if url.get_backend_name() == "sqlite" and url.database:
        return KeyLocation(f"sqlite:///{Path(url.database).parent / FILE}")
    return KeyLocation(store_url, SCHEMA)


def url_fault(given: str) -> str:
    """Why ``TROUPE_KEYS_URL`` cannot be used for any store, as a sentence; empty: it can."""
    right = "give postgresql://user@host/database or sqlite:////absolute/path.db, or unset it"
    try:
        url = parsed_url(given)
    except BadStoreUrl:
        return f"is no database URL; {right}"
    backend = url.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        return f"names a database of another kind ({backend}); {right}"
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        return f"is no file that others could open; {right}"
    return ""


def sharing_fault(store_url: str, given: str) -> str:
    """Why not every process that writes or reads people's words can reach the keys that ``given``
    (``TROUPE_KEYS_URL``; empty: not set) says, as a sentence; empty: as far as addresses tell, each
    can. A process that opens an SQLite store reaches a file beside it; one that opens a store on
    PostgreSQL reaches its database, but not the files of other machines."""
    if not given:
        return ""
    if fault := url_fault(given):
        return f"{VARIABLE} {fault}"
    url = parsed_url(given)
    if url.get_backend_name() == "sqlite" and parsed_url(store_url).get_backend_name() != "sqlite":
        return (
            f"{VARIABLE} names an SQLite file, which processes of a store on PostgreSQL need not "
            "share; unset it to keep keys in a schema beside the log, or name a PostgreSQL "
            f"database; `troupe study keys {redacted(given)}` then takes its keys along"
        )
    return ""
