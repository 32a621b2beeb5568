"""Events about access: tokens that were issued or revoked, and actions of operators and
researchers. Never exported, and refused in imported files."""

from typing import Literal

from events.base import Event

Role = Literal["operator", "researcher", "annotator", "participant", "spectator"]
"""Operators look after processes and tokens, and may do what researchers may; researchers see and
do everything with runs, episodes and studies; annotators score what is given to them; participants
sit in one seat, or take part in one study; spectators watch one episode."""


class TokenIssued(Event, frozen=True, kw_only=True):
    """Somebody may come in. Stream ``token-<id>``; the token itself is kept nowhere."""

    role: Role
    """What its holder may do."""
    name: str
    """How its holder is called."""
    expires: int
    """When it does, in microseconds since 1970-01-01 UTC."""
    episode: str = ""
    """The one episode that it is for; empty: as the role says."""
    seat: int | None = None
    """The one seat of it, from 0."""
    study: str = ""
    """The one study that it is for; empty: none."""
    bound: bool = False
    """Its link belongs to the first device that uses it."""
    by: str = ""
    """Who issued it; empty: somebody at a terminal."""


class TokenUsed(Event, frozen=True, kw_only=True):
    """The link of a bound token was used for the first time."""

    device: str
    """A digest of the secret that the device was given."""


class TokenRevoked(Event, frozen=True, kw_only=True):
    """The token is worth nothing from here on."""

    by: str = ""
    """Who revoked it; empty: somebody at a terminal."""


class DeedDone(Event, frozen=True, kw_only=True):
    """An operator or a researcher did something that others may want to know of. Stream
    ``audit-<year><month><day>``, of the day in UTC."""

    by: str
    """The principal's name."""
    role: Role
    """Its role."""
    token: str
    """The id of its token; empty: somebody at a terminal."""
    deed: str
    """What they did, in a word or a few: ``stop run``, ``issue token``."""
    subject: str = ""
    """To what: an id."""
    address: str = ""
    """From where; empty: a terminal."""


class KeyStoreChosen(Event, frozen=True, kw_only=True):
    """The keys of participants are kept there from here on. Stream ``keys-participants``."""

    id: str
    """A random word that is kept in the key store, too; empty: it is where keys are by default."""
