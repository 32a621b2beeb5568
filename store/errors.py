"""Errors of the store. Every message says what was wrong, where, and what would be right."""

from collections.abc import Sequence

from events.untrusted.redacted_urls import without_secrets
from events.untrusted.safe_text import shortened
from store.log.event_store import ANY, NEW


class StoreError(Exception):
    """The root of the store's errors."""


class Conflict(StoreError):
    """Somebody else wrote to the stream first; nothing of this append was stored."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(
            f"stream {shortened(stream)!r} {_at(actual)}, but the append expected "
            f"{_expected(expected)}"
        )
        self.stream, self.expected, self.actual = stream, expected, actual


class HistoryDiffers(Conflict):
    """An imported stream is here already, with other events."""

    def __init__(self, stream: str, version: int, actual: int) -> None:
        super().__init__(stream, version, actual)
        self.args = (
            f"stream {shortened(stream)!r} is here already and its event at version {version} is "
            "a different one; import it into a store that does not know the stream",
        )
        self.version = version


class BrokenImport(StoreError):
    """The envelopes to import are not whole streams in order."""

    def __init__(self, stream: str, wanted: int, found: int) -> None:
        super().__init__(
            f"the import of stream {shortened(stream)!r} needs version {wanted} next, but brings "
            f"{found}"
        )
        self.stream, self.wanted, self.found = stream, wanted, found


class UnsoundImport(StoreError):
    """An event to import is one that ``troupe verify-store`` would find fault with for ever."""

    def __init__(self, stream: str, version: int, why: str) -> None:
        super().__init__(
            f"the event at version {version} of stream {shortened(stream)!r} is unsound: "
            f"{shortened(why, 1_000)}"
        )
        self.stream, self.version, self.why = stream, version, why


class EventIdTaken(StoreError):
    """An event id is in the store already, in another append than the one repeated."""

    def __init__(self, event_id: str, stream: str, version: int) -> None:
        super().__init__(
            f"event id {shortened(event_id)} belongs to version {version} of stream "
            f"{shortened(stream)!r}; an append is repeated with all its ids and nothing else, and "
            "a new append needs new ids"
        )
        self.event_id, self.stream, self.version = event_id, stream, version


class StreamArchived(StoreError):
    """A stream of a run that is in an archive, and not here, was to grow."""

    def __init__(self, stream: str, run: str) -> None:
        super().__init__(
            f"nothing can be appended to stream {shortened(stream)!r}: run {shortened(run)} was "
            "archived; `troupe retrieve DIR` brings it back (`troupe runs` says where it is)"
        )
        self.stream, self.run = stream, run


class BadAppend(StoreError, ValueError):
    """The arguments of an append make no sense."""

    def __init__(self, stream: str, why: str) -> None:
        super().__init__(f"cannot append to stream {shortened(stream)!r}: {shortened(why, 1_000)}")
        self.stream, self.why = stream, why


class AppendFailed(StoreError):
    """The database refused an append for a reason of its own; nothing of it was stored."""

    def __init__(self, stream: str, why: str) -> None:
        super().__init__(
            f"the database did not take an append to stream {shortened(stream)!r}: "
            f"{shortened(why, 1_000)}"
        )
        self.stream, self.why = stream, why


class StoreClosed(StoreError):
    """The store was closed before."""

    def __init__(self, url: str) -> None:
        super().__init__(f"the store {shortened(url)} is closed; open it again with open_store")
        self.url = url


class StoreUnavailable(StoreError):
    """The database could not be reached for as long as this call may wait."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"the store {shortened(url)} cannot be reached: {shortened(why, 1_000)}")
        self.url, self.why = url, why


class StoreFull(StoreUnavailable):
    """There is no room for what is to be stored; what was stored before is all there."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(url, why)
        self.args = (
            f"the store {shortened(url)} cannot grow: {shortened(why, 1_000)}; make room on its "
            "disk (or allow it larger files), then `troupe resume` goes on where it stopped",
        )


class StoreOverloaded(StoreUnavailable):
    """More events wait to be stored than may; the append was not taken."""

    def __init__(self, url: str, waiting: int, most: int) -> None:
        super().__init__(
            url,
            f"{waiting} events wait to be stored and {most} may; the database is away or too slow "
            "for so much at once",
        )
        self.waiting, self.most = waiting, most


class KeysUnavailable(StoreUnavailable):
    """The database of participants' keys could not be reached, or made."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(url, why)
        self.args = (
            f"the participants' keys in {shortened(url)} cannot be reached: "
            f"{shortened(why, 1_000)}; start that database, or correct TROUPE_KEYS_URL",
        )


class KeysNotShared(StoreError):
    """Not every process that writes or reads people's words would find the same keys."""

    def __init__(self, why: str) -> None:
        super().__init__(f"people are not let in: {shortened(why, 1_000)}")
        self.why = why


class OtherKeys(KeysNotShared):
    """The settings of this process name another key store than the log does."""


class KeysNotRead(StoreError):
    """The key store that the log names is not the one that is read here."""

    def __init__(self, why: str) -> None:
        super().__init__(f"what participants wrote would read as erased: {shortened(why, 1_000)}")


class NoKey(StoreError):
    """The key that a participant's words are sealed with is not where this process looks."""

    def __init__(self, participant: str, consequence: str) -> None:
        super().__init__(
            f"no key of participant {shortened(participant)!r} is found here: "
            f"{shortened(consequence)}; set "
            "the same TROUPE_KEYS_URL for every process (`troupe doctor` says where keys are)"
        )
        self.participant = participant


class BadStoreUrl(StoreError, ValueError):
    """Not the address of a database that can hold a store."""

    def __init__(self, url: str, why: str) -> None:
        self.url, self.why = without_secrets(url), why
        super().__init__(
            f"{shortened(self.url)!r} cannot hold a store: {shortened(why, 1_000)}; give "
            "sqlite:////absolute/path.db or postgresql://user@host/database"
        )


class TransactionPooler(BadStoreUrl):
    """Between here and the database is a pooler that lends a session for a transaction only."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "a pooler in transaction mode is in between")
        self.args = (
            f"{shortened(self.url)} goes through a pooler in transaction mode, which loses "
            "prepared statements; set it to session mode for this database (in PgBouncer "
            "pool_mode = session), or give the address of PostgreSQL itself",
        )


class WrongSchema(StoreError):
    """The database's tables are not those of this version of Troupe."""

    def __init__(self, url: str, found: Sequence[str], wanted: Sequence[str], advice: str) -> None:
        super().__init__(
            f"the store {shortened(url)} has schema {_names(found)} where {_names(wanted)} is "
            f"needed; {shortened(advice, 1_000)}"
        )
        self.url, self.found, self.wanted = url, tuple(found), tuple(wanted)


def _at(version: int) -> str:
    return "does not exist" if version == NEW else f"is at version {version}"


def _expected(version: int) -> str:
    if version == NEW:
        return "that it does not exist"
    return "any version" if version == ANY else f"version {version}"


def _names(revisions: Sequence[str]) -> str:
    return ", ".join(revisions) or "none"
