"""The operations of the API: functions with the types of their input and output.

Routes, the OpenAPI document, its page and the tests are all made of this one list.
"""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar, get_type_hints

import msgspec

from events.ids import derived_id, new_id
from gateway.http.context import Gateway
from gateway.services.access.roles import Principal, Role
from gateway.settings import Settings
from store.log.event_store import EventStore

Method = Literal["GET", "POST", "DELETE"]
Keeping = Literal["no", "head"]
"""Whether an answer is kept: not at all, or for as long as nothing is appended to the log."""

PREFIX: Final = "/api/v1"
RESEARCH: Final[tuple[Role, ...]] = ("researcher", "operator")
OPERATE: Final[tuple[Role, ...]] = ("operator",)
WATCH: Final[tuple[Role, ...]] = ("researcher", "operator", "participant", "spectator")
SMALL: Final = 1 << 20
"""Bytes of a body, where nothing else is said."""

_PARAMETER = re.compile(r"{(\w+)}")
F = TypeVar("F", bound=Callable[..., object])


class Call:
    """One request, as an operation sees it."""

    def __init__(self, gateway: Gateway, principal: Principal, seed: str = "") -> None:
        """``seed``: the same for all tries of one request; empty: it has no tries."""
        self.gateway, self.principal = gateway, principal
        self._seed = seed
        self.volatile = False
        """Whether the answer depends on more than the log: it is kept for a moment at most."""
        self.depends: tuple[str, ...] = ()
        """The tags of all events that can change the answer; empty: any may."""
        self.uploaded: Upload | None = None
        """The body of an operation that takes a file."""

    @property
    def store(self) -> EventStore:
        """Where everything is."""
        return self.gateway.store

    @property
    def settings(self) -> Settings:
        """How the gateway is set up."""
        return self.gateway.settings

    def new_id(self, prefix: str, place: int = 0) -> str:
        """An id for something new: the same at each try of the request."""
        return derived_id(prefix, self._seed, str(place)) if self._seed else new_id(prefix)


class Upload(NamedTuple):
    """A file that came as a body."""

    path: Path
    """Where it is for as long as the request lasts."""
    size: int
    """In bytes."""


class File(NamedTuple):
    """An answer that is a file."""

    content: bytes | Path
    """What is in it, or where it is."""
    name: str
    """As it is offered for saving."""
    media_type: str
    folder: Path | None = None
    """To be removed once the file was sent."""


class Operation(NamedTuple):
    """One thing the API does."""

    id: str
    """The function's name: what clients call it."""
    method: Method
    path: str
    """Behind ``/api/v1``; parameters in braces."""
    tag: str
    """The group that it stands in."""
    roles: tuple[Role, ...]
    """Who may."""
    work: Callable[..., Any]
    """Called in a thread, unless it is a coroutine function."""
    summary: str
    description: str
    query: type[msgspec.Struct] | None
    body: type[msgspec.Struct] | None
    answer: object
    """The type of what comes back; ``File``: bytes."""
    status: int
    """Of an answer."""
    keeping: Keeping
    most_bytes: int
    """Of a body."""
    media_type: str
    """Of a body, or of a file that comes back; empty: JSON."""
    uploads: bool
    """Whether the body is a file."""
    secret: bool
    """The answer is not kept for a repeated request: it is shown once."""
    deed: str
    """How the audit calls it, where it changes something; empty: it does not."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names in the path, in their order."""
        return tuple(_PARAMETER.findall(self.path))

    @property
    def is_async(self) -> bool:
        """Whether it is awaited."""
        return inspect.iscoroutinefunction(self.work)


OPERATIONS: Final[dict[str, Operation]] = {}
"""All there are, by id, in the order of the document."""


def operation(
    method: Method,
    path: str,
    *,
    tag: str,
    roles: tuple[Role, ...] = RESEARCH,
    status: int = 200,
    keeping: Keeping = "no",
    most_bytes: int = SMALL,
    media_type: str = "",
    uploads: bool = False,
    secret: bool = False,
    changes: bool = True,
) -> Callable[[F], F]:
    """Declare a function as an operation.

    It is called with ``call: Call``, each parameter of the path as text, ``query`` and ``body``
    where it names them. The first line of its docstring is the summary. ``changes``: what is no
    ``GET`` changes something, and is audited.
    """

    def declare(work: F) -> F:
        hints = get_type_hints(work)
        summary, _, description = inspect.cleandoc(work.__doc__ or "").partition("\n\n")
        found = Operation(
            id=work.__name__,
            method=method,
            path=path,
            tag=tag,
            roles=roles,
            work=work,
            summary=" ".join(summary.split()),
            description=description,
            query=hints.get("query"),
            body=hints.get("body"),
            answer=hints.get("return"),
            status=status,
            keeping=keeping,
            most_bytes=most_bytes,
            media_type=media_type,
            uploads=uploads,
            secret=secret,
            deed=work.__name__.replace("_", " ") if changes and method != "GET" else "",
        )
        if found.id in OPERATIONS:
            raise ValueError(f"two operations are called {found.id}")
        OPERATIONS[found.id] = found
        return work

    return declare
