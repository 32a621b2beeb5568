"""Who a client of the gateway is, and what its role permits."""

from typing import Final

from events.access import Role
from events.base import Value

__all__ = ["KNOW_ALL", "Principal", "Role"]

KNOW_ALL: Final[frozenset[Role]] = frozenset({"operator", "researcher"})
"""Who may see what only a narrator knows."""


class Principal(Value, frozen=True, kw_only=True):
    """Whoever a request or a socket comes from, by the token that it came with."""

    token: str
    """The token's id; not the token."""
    role: Role
    """What they may do."""
    name: str
    """How logs and events call them: ``by`` of what they do. A participant's is the pseudonym."""
    expires: int
    """When the token does, in microseconds since 1970-01-01 UTC."""
    episode: str = ""
    """The one episode that they may see; empty: as the role says."""
    seat: int | None = None
    """The one seat of it that is theirs, from 0."""
    study: str = ""
    """The one study that they take part in, or annotate for; empty: none."""

    @property
    def knows_all(self) -> bool:
        """Whether nothing that is stored is hidden from them."""
        return self.role in KNOW_ALL

    def may_watch(self, episode: str) -> bool:
        """Whether they may see anything of an episode (id in full)."""
        return self.knows_all or (bool(self.episode) and self.episode == episode)

    def may_sit(self, episode: str, seat: int) -> bool:
        """Whether they may act for a seat of an episode (id in full)."""
        if self.knows_all:
            return True
        return self.role == "participant" and self.episode == episode and self.seat == seat
