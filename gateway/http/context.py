"""The objects that every handler works with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from actors.runtime.bus.nats_bus import Bus
from events.base import Value
from gateway.http.authentication import Access
from gateway.http.rate_limits import RateLimits
from gateway.process.worker_node import WorkerNode
from gateway.settings import Settings
from store.log.event_store import EventStore


class Readiness(Value, frozen=True, kw_only=True):
    """Whether work can be taken now, and what is missing if not."""

    ready: bool
    missing: tuple[str, ...] = ()


class About(Value, frozen=True, kw_only=True):
    """What a process is."""

    command: str
    """``serve``, ``gateway`` or ``worker``."""
    version: str
    """Of Troupe."""
    pid: int
    runs: int
    """Runs that it carries out now."""
    episodes: int
    """Episodes that it has in hand."""
    evaluations: int
    """Evaluations that it has in hand."""


@dataclass(kw_only=True)
class Gateway:
    """One gateway: handlers of pages get it in ``visit: Visiting`` (``gateway.http.templates``),
    others as ``gateway: NamedDependency[Gateway]`` (``litestar.di``), and whoever sent the request
    as ``principal: NamedDependency[Principal]`` (401 where nobody did) or ``visitor:
    NamedDependency[Principal | None]``.

    What a part keeps for as long as the process lives goes into a field here, made in the part's
    ``running`` (see ``gateway.http.route_modules``).
    """

    settings: Settings
    store: EventStore
    bus: Bus
    access: Access
    readiness: Callable[[], Awaitable[Readiness]]
    """Asked at each ``/readyz``."""
    about: Callable[[], About]
    node: WorkerNode | None = None
    """What plays in this process; None: it only serves (``troupe gateway``)."""
    limits: RateLimits = field(init=False)
    """How much one token and one address may ask for."""
    live: Any = None
    """Episodes as they are watched live; of the part ``live``."""
    idempotency: Any = None
    """What commands with a key were answered; of the part ``api``."""
    runs: Any = None
    """What the pages of runs have worked out; of the part ``pages.runs``."""
    studies: Any = None
    """Studies as they are looked after; of the part ``studies``."""

    def __post_init__(self) -> None:
        self.limits = RateLimits(self.settings.tuning)

    catalogs: Any = None
    """Scores over the runs of a catalog; of the part ``catalogs``."""
    judges: Any = None
    """Comparisons of judges that were worked out; of the part ``judges``."""

    @property
    def space(self) -> str:
        """Part of every subject."""
        return self.settings.space
