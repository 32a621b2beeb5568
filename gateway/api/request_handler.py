"""Handles a request: authorization, parsing, calling the operation, and writing the answer."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import msgspec
import structlog
from litestar import Response
from litestar.background_tasks import BackgroundTask
from litestar.response import Stream
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Receive, Scope, Send

from evaluators.tables.plain_tables import safe_name
from events.ids import digest_of
from events.serialization.codec import to_json
from events.untrusted.safe_text import harmless_json
from gateway.api import request_reader
from gateway.api.operations import Call, File, Operation
from gateway.api.problems import ProblemResponse, Refusal, answer_of, forbidden
from gateway.api.response_cache import Answers, Made, etag_of
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest
from gateway.services.access.audit_log import audit
from gateway.services.access.roles import Principal
from store import idempotency as stored

log = structlog.get_logger(__name__)

JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
PIECE: Final = 1 << 18
"""Bytes of a file that are sent at once."""
RENEW_S: Final = 10.0
"""How often it is said that a request is still being worked on, in seconds."""


class Sent:
    """A response that is an ASGI application of its own: making the framework's response object
    takes longer than everything else, if the answer is already cached."""

    __slots__ = ("body", "head")

    def __init__(
        self, status: int, media_type: str, body: bytes, headers: Mapping[str, str]
    ) -> None:
        raw = [
            (name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()
        ]
        if status != 304:
            charset = "; charset=utf-8" * media_type.startswith("text/")
            raw.append((b"content-type", f"{media_type}{charset}".encode()))
            raw.append((b"content-length", b"%d" % len(body)))
        self.head: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": status,
            "headers": raw,
        }
        self.body: HTTPResponseBodyEvent = {
            "type": "http.response.body",
            "body": body,
            "more_body": False,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        await send(self.head)
        await send(self.body)


async def answer(
    operation: Operation, request: AnyRequest, gateway: Gateway, principal: Principal
) -> Sent | Stream:
    """Do what a request asks for, or say why not."""
    try:
        if principal.role not in operation.roles:
            raise forbidden(principal)
        if operation.method == "GET":
            return await _read(operation, request, gateway, principal)
        return await _changed(operation, request, gateway, principal)
    except Exception as error:  # noqa: BLE001 - every error is answered, and by one function
        return as_response(answer_of(error))


def as_response(told: ProblemResponse) -> Sent:
    """A problem as it is sent."""
    body = harmless_json(to_json(told.problem)).encode()
    headers = {**told.headers, "cache-control": "no-store"}
    return Sent(told.problem.status, PROBLEM, body, headers)


def problem_response(error: Exception) -> Response[bytes]:
    """An error that was met before any operation was."""
    told = answer_of(error)
    body = harmless_json(to_json(told.problem)).encode()
    headers = {**told.headers, "cache-control": "no-store"}
    return Response(body, status_code=told.problem.status, media_type=PROBLEM, headers=headers)


async def _read(
    operation: Operation, request: AnyRequest, gateway: Gateway, principal: Principal
) -> Sent | Stream:
    raw = request.scope["query_string"]
    path = request_reader.path_of(operation, request.path_params)
    query = request_reader.query_of(operation, raw)

    async def make() -> Made:
        call = Call(gateway, principal)
        return _made(call, await _work(operation, call, path, query, None))

    if operation.keeping == "head":
        key = (operation.id, *path.values(), raw, _sight(principal))
        made = await answers_of(gateway).get(key, make)
    else:
        call = Call(gateway, principal)
        value = await _work(operation, call, path, query, None)
        if isinstance(value, File) and isinstance(value.content, Path):
            return _streamed(value)
        made = _made(call, value)
    headers = {"etag": made.etag, "cache-control": "private, no-cache", **dict(made.headers)}
    if _matches(request.headers.get("if-none-match", ""), made.etag):
        return Sent(304, made.media_type, b"", headers)
    return Sent(200, made.media_type, made.body, headers)


def answers_of(gateway: Gateway) -> Answers:
    """What this process has answered of late."""
    if not isinstance(gateway.idempotency, Answers):
        gateway.idempotency = Answers(gateway.store)
    return gateway.idempotency


def _sight(principal: Principal) -> tuple[object, ...]:
    """What decides what somebody is told: those for whom it is the same share answers."""
    if principal.knows_all:
        return ("all", principal.role)
    return (principal.role, principal.episode, principal.seat, principal.study)


def _matches(given: str, etag: str) -> bool:
    tags = [tag.strip().removeprefix("W/") for tag in given.split(",")] if given else []
    return etag in tags or tags == ["*"]


async def _changed(
    operation: Operation, request: AnyRequest, gateway: Gateway, principal: Principal
) -> Sent:
    raw = request.scope["query_string"]
    path = request_reader.path_of(operation, request.path_params)
    query = request_reader.query_of(operation, raw)
    key = request_reader.key_of(request)
    if operation.uploads:
        async with request_reader.upload_of(operation, request) as (upload, sum_):
            asked = digest_of(b"\n".join((_name(request), raw, sum_.encode())))
            async with _once(gateway, principal, key, asked, secret=operation.secret) as turn:
                if turn.before is None:
                    call = Call(gateway, principal, turn.seed)
                    call.uploaded = upload
                    await turn.do(operation, call, path, query, None)
                return turn.response(operation)
    body, sent = await request_reader.body_of(operation, request)
    asked = digest_of(b"\n".join((_name(request), raw, sent)))
    async with _once(gateway, principal, key, asked, secret=operation.secret) as turn:
        if turn.before is None:
            await turn.do(operation, Call(gateway, principal, turn.seed), path, query, body)
        return turn.response(operation)


def _name(request: AnyRequest) -> bytes:
    return f"{request.method} {request.scope['path']}".encode()


class _Turn:
    """One request that changes something: done now, or answered as it was."""

    def __init__(self, seed: str = "", before: stored.StoredResponse | None = None) -> None:
        self.seed, self.before = seed, before
        self.made: Made | None = None
        self.told: ProblemResponse | None = None

    async def do(
        self,
        operation: Operation,
        call: Call,
        path: dict[str, str],
        query: msgspec.Struct | None,
        body: msgspec.Struct | None,
    ) -> None:
        """Do it; what it is refused with is an answer, too."""
        try:
            value = await _work(operation, call, path, query, body)
            if operation.deed and call.principal.knows_all:
                await audit(call.store, call.principal, operation.deed, " ".join(path.values()))
            self.made = _made(call, value)
        except Exception as error:  # noqa: BLE001 - as above
            self.told = answer_of(error)

    def to_keep(self, *, secret: bool) -> stored.StoredResponse | None:
        """What a repeated request is answered; None: it is tried again."""
        if self.told is not None:
            status = self.told.problem.status
            if status >= 500:
                return None
            return stored.StoredResponse(status, PROBLEM, to_json(self.told.problem).encode())
        assert self.made is not None, "it was done"
        return stored.StoredResponse(200, self.made.media_type, None if secret else self.made.body)

    def response(self, operation: Operation) -> Sent:
        """The answer."""
        if self.told is not None:
            return as_response(self.told)
        if self.before is not None:
            status, media_type, body = self.before
            if body is None:
                raise Refusal("answered_once", "it was done; its answer is shown once only")
            headers = {"idempotent-replayed": "true", "cache-control": "no-store"}
            status = operation.status if status == 200 else status
            return Sent(status, media_type, body, headers)
        assert self.made is not None, "it was done"
        headers = {"cache-control": "no-store", **dict(self.made.headers)}
        return Sent(operation.status, self.made.media_type, self.made.body, headers)


@asynccontextmanager
async def _once(
    gateway: Gateway, principal: Principal, key: str, asked: str, *, secret: bool
) -> AsyncIterator[_Turn]:
    """A turn for a request; with a key it is done once, whichever gateway it comes to. ``secret``:
    its answer is kept nowhere."""
    if not key:
        yield _Turn()
        return
    store = gateway.store
    name = digest_of(f"{principal.token}\n{key}".encode())
    match await asyncio.to_thread(stored.claim, store, name, asked):
        case stored.KeyReused():
            why = "this Idempotency-Key was used for another request within a day; take a new one"
            raise Refusal("key_reused", why, "Idempotency-Key")
        case stored.RequestInProgress():
            why = "a request with this Idempotency-Key is still under way; ask again"
            raise Refusal("in_progress", why, "Idempotency-Key", retry_after="1")
        case stored.StoredResponse() as before:
            yield _Turn(before=before)
            return
        case stored.KeyClaimed(seed=seed):
            pass
    turn = _Turn(seed)
    renewing = asyncio.get_running_loop().create_task(_renew(gateway, name))
    try:
        yield turn
    finally:
        renewing.cancel()
        done = turn.made is not None or turn.told is not None
        kept = turn.to_keep(secret=secret) if done else None
        with _logged("answer_not_kept"):
            if kept is not None:
                await asyncio.to_thread(stored.keep, store, name, kept)
            else:
                await asyncio.to_thread(stored.give_up, store, name)


async def _renew(gateway: Gateway, name: str) -> None:
    while True:
        await asyncio.sleep(RENEW_S)
        with _logged("claim_not_renewed"):
            await asyncio.to_thread(stored.still_at_it, gateway.store, name)


@contextmanager
def _logged(what: str) -> Iterator[None]:
    """The answer itself is not lost with what cannot be noted beside it: that is logged."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever the driver says
        log.warning(what, error_type=type(error).__name__)


async def _work(
    operation: Operation,
    call: Call,
    path: dict[str, str],
    query: msgspec.Struct | None,
    body: msgspec.Struct | None,
) -> object:
    arguments: dict[str, object] = dict(path)
    if operation.query is not None:
        arguments["query"] = query
    if operation.body is not None:
        arguments["body"] = body
    if operation.is_async:
        return await operation.work(call, **arguments)
    return await asyncio.to_thread(operation.work, call, **arguments)


def _offered(file: File) -> tuple[tuple[str, str], ...]:
    """A file is saved, and does nothing where a browser shows it all the same."""
    return (
        ("content-disposition", f'attachment; filename="{safe_name(file.name)}"'),
        ("content-security-policy", "sandbox"),
    )


def _streamed(file: File) -> Stream:
    """A file that is sent as it is read, and then removed."""
    path, folder = file.content, file.folder
    assert isinstance(path, Path), "it is on the disk"

    def remove() -> None:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    async def pieces() -> AsyncIterator[bytes]:
        with path.open("rb") as opened:
            while piece := await asyncio.to_thread(opened.read, PIECE):
                yield piece

    return Stream(
        pieces(),
        media_type=file.media_type,
        headers={"cache-control": "no-store", **dict(_offered(file))},
        background=BackgroundTask(asyncio.to_thread, remove),
    )


def _made(call: Call, value: object) -> Made:
    """An answer as bytes."""
    if isinstance(value, File):
        assert isinstance(value.content, bytes), "what is on the disk is sent from there"
        return Made(value.content, value.media_type, etag_of(value.content), _offered(value))
    body = harmless_json(to_json(value)).encode(errors="replace")
    return Made(body, JSON, etag_of(body), volatile=call.volatile, depends=call.depends)
