"""The HTTP transport of LiteLLM and its providers' clients: it restricts the servers they ask and
how much of a reply they read.

LiteLLM asks nearly all providers through httpx, with clients that it, or a provider's own library,
makes for itself. So the bounds are applied where all these clients get the transport of a request
from, and only to requests made inside ``bounded``: other code of the process that uses httpx is not
affected.

Not bounded are what asks in another way: ``boto3`` and ``google-auth`` where they fetch
credentials from their clouds, and providers that are called through a library of their own which
does not use httpx (``docs/explanation/faults.md`` names them).
"""

import functools
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

import httpx

from actors.models.http.reply_bytes import AS_IT_IS, ReplyBytes, ReplyLimits
from actors.models.server_addresses import Server

Client = TypeVar("Client")
Transport = TypeVar("Transport")
CheckServer = Callable[[Server], None]
"""Raises ``ModelError`` where a server is not to be asked."""


class _Bounds(NamedTuple):
    limits: ReplyLimits
    check: CheckServer | None


_BOUNDS: ContextVar[_Bounds | None] = ContextVar("bounds", default=None)
_REPLACED = frozenset(("content-encoding", "content-length", "transfer-encoding"))
"""Headers that do not say any more what the body is."""
_SAYS_NOTHING = frozenset(
    (*("accept", "accept-encoding", "connection", "host", "user-agent"), "content-length")
)
"""Headers that hold neither a key nor a prompt."""


@contextmanager
def bounded(limits: ReplyLimits, check: CheckServer | None = None) -> Iterator[None]:
    """Replies to what is asked meanwhile, in this context, are bounded; and with each request that
    may hold a key or a prompt ``check`` is asked first, with the server that it would go to."""
    token = _BOUNDS.set(_Bounds(limits, check))
    try:
        yield
    finally:
        _BOUNDS.reset(token)


@functools.cache
def bound_httpx() -> None:
    """Have httpx's clients look whether requests are bounded."""
    # Private, for want of another place that every client goes through; a test holds the name.
    client, sync_client = httpx.AsyncClient, httpx.Client
    client._transport_for_url = _wrapping(client._transport_for_url, _Later)  # type: ignore
    sync_client._transport_for_url = _wrapping(sync_client._transport_for_url, _AtOnce)  # type: ignore


def _wrapping(
    original: Callable[[Client, httpx.URL], Transport],
    wrapper: Callable[[Transport, _Bounds], Transport],
) -> Callable[[Client, httpx.URL], Transport]:
    @functools.wraps(original)
    def transport_for_url(client: Client, url: httpx.URL) -> Transport:
        transport, bounds = original(client, url), _BOUNDS.get()
        return transport if bounds is None else wrapper(transport, bounds)

    return transport_for_url


class _Later(httpx.AsyncBaseTransport):
    """For a request of an asynchronous client."""

    def __init__(self, transport: httpx.AsyncBaseTransport, bounds: _Bounds) -> None:
        self._transport, self._bounds = transport, bounds

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The reply, bounded."""
        _look_at(request, self._bounds.check)
        request.headers["Accept-Encoding"] = AS_IT_IS
        response = await self._transport.handle_async_request(request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        stream = _LaterStream(response.stream, response, self._bounds.limits)
        reply = _with(response, stream)
        stream.of = weakref.ref(reply)
        return reply


class _AtOnce(httpx.BaseTransport):
    """For a request of a synchronous client."""

    def __init__(self, transport: httpx.BaseTransport, bounds: _Bounds) -> None:
        self._transport, self._bounds = transport, bounds

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The reply, bounded."""
        _look_at(request, self._bounds.check)
        request.headers["Accept-Encoding"] = AS_IT_IS
        response = self._transport.handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        return _with(response, _AtOnceStream(response.stream, response, self._bounds.limits))


class _LaterStream(httpx.AsyncByteStream):
    def __init__(
        self, stream: httpx.AsyncByteStream, response: httpx.Response, limits: ReplyLimits
    ) -> None:
        self._stream = stream
        self._body = _body_of(response, limits)
        self.of: Callable[[], httpx.Response | None] = lambda: None
        """The reply that the client has."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        body = self._body()
        async for piece in self._stream:
            yield body.take(piece)
            if body.full:
                return

    async def aclose(self) -> None:
        await self._stream.aclose()
        if (reply := self.of()) is not None:
            # The client has wrapped us in what holds the reply, too. Parted, reply and body are
            # freed when nobody needs them, and need not wait for the garbage collector.
            reply.stream = httpx.ByteStream(b"")


class _AtOnceStream(httpx.SyncByteStream):
    def __init__(
        self, stream: httpx.SyncByteStream, response: httpx.Response, limits: ReplyLimits
    ) -> None:
        self._stream = stream
        self._body = _body_of(response, limits)

    def __iter__(self) -> Iterator[bytes]:
        body = self._body()
        for piece in self._stream:
            yield body.take(piece)
            if body.full:
                return

    def close(self) -> None:
        self._stream.close()


def _look_at(request: httpx.Request, check: CheckServer | None) -> None:
    if check is None or _says_nothing(request):
        return
    url = request.url
    secure = url.scheme == "https"
    check(Server(url.host.lower(), url.port or (443 if secure else 80), secure))


def _says_nothing(request: httpx.Request) -> bool:
    """Whether a request holds neither a key nor a prompt: some parts of LiteLLM fetch the form of a
    model's prompts from where these are kept."""
    return (
        request.method == "GET"
        and not request.url.query
        and not request.url.userinfo
        and _SAYS_NOTHING.issuperset(request.headers)
    )


def _body_of(response: httpx.Response, limits: ReplyLimits) -> Callable[[], ReplyBytes]:
    """Made when it is read, where what it raises has the connection closed."""
    encoding = response.headers.get("Content-Encoding", "")
    return functools.partial(limits.body, response.status_code, encoding)


def _with(
    response: httpx.Response, stream: httpx.SyncByteStream | httpx.AsyncByteStream
) -> httpx.Response:
    """A reply with another body, inflated already."""
    kept = [(name, value) for name, value in response.headers.raw if _name(name) not in _REPLACED]
    return httpx.Response(
        response.status_code, headers=kept, stream=stream, extensions=response.extensions
    )


def _name(raw: bytes) -> str:
    return raw.decode("latin-1").lower()
