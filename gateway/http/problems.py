"""What went wrong, as ``application/problem+json`` (RFC 9457) says it."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

import msgspec
import structlog
from litestar.exceptions import HTTPException, InternalServerException

from events.base import Value
from events.untrusted.safe_text import shortened
from gateway.process.rate_buckets import TooMuch

log = structlog.get_logger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
AGAIN_S: Final = 2
"""When to ask again what an outage hindered, in seconds."""
CLIENT_GONE: Final = "client disconnected prematurely"
"""What Litestar says where a body breaks off, be it that its framing is wrong."""

OURS: Final = frozenset({"events", "store", "actors", "evaluators", "gateway"})
_STATUS: Final[Mapping[str, int]] = {
    "UnknownId": 404,
    "UnknownStudy": 404,
    "Conflict": 409,
    "KeysNotRead": 409,
    "KeysNotShared": 409,
    "NoKey": 409,
    "WordsInClear": 409,
    "StoreUnavailable": 503,
    "StoreFull": 503,
    "StoreOverloaded": 503,
    "StoreClosed": 503,
    "BusDown": 503,
    "NatsAway": 503,
}
"""Of errors of ours, by class or base class; the others are 400."""


class ProblemBody(Value, frozen=True, kw_only=True):
    """The JSON of a problem."""

    type: str = "about:blank"
    """Always this: ``code`` says what it is."""
    title: str
    """The status in words."""
    status: int
    """The HTTP status."""
    code: str
    """For programs: a word that stays."""
    detail: str
    """For the person: what is wrong, where, and what would be right."""
    errors: tuple[str, ...] = ()
    """What is wrong with each part of what was sent, where there is more than one."""


class Problem(Exception):
    """Raise it in a handler: what the caller is told instead of an answer."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        detail = shortened(detail, 1_000)
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.errors = tuple(errors)
        self.headers = dict(headers or {})

    @property
    def body(self) -> ProblemBody:
        """As JSON says it; texts of others made harmless."""
        return ProblemBody(
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            code=self.code,
            detail=shortened(self.detail, 1_000),
            errors=tuple(shortened(error, 1_000) for error in self.errors),
        )


def problem_of(error: Exception) -> Problem:
    """An error as a problem. What is no error of ours or of the framework's is logged, and told as
    a fault without a word of what it says."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, TooMuch):
        return too_many(error)
    if isinstance(error, HTTPException):
        return _of_framework(error)
    if type(error).__module__.partition(".")[0] in OURS:
        names = [base.__name__ for base in type(error).__mro__]
        status = next((_STATUS[name] for name in names if name in _STATUS), 400)
        headers = {"retry-after": str(AGAIN_S)} if status == 503 else {}
        return Problem(status, _code(type(error).__name__), str(error), headers=headers)
    if isinstance(error, msgspec.MsgspecError) or _too_deep(error):
        return Problem(400, "bad_body", str(error))
    log.error("request_failed", error_type=type(error).__name__, exc_info=error)
    return Problem(500, "fault", "the server met an error of its own; its log says which")


def _too_deep(error: Exception) -> bool:
    """Whether a body is nested more deeply than it could be read."""
    return isinstance(error, RecursionError) and "deserializing" in str(error)


def too_many(error: TooMuch) -> Problem:
    """429 with ``Retry-After``."""
    headers = {"retry-after": str(max(1, round(error.again_s)))}
    return Problem(429, "too_many", str(error), headers=headers)


def _of_framework(error: HTTPException) -> Problem:
    status = error.status_code
    extra = error.extra if isinstance(error.extra, list) else []
    errors = [": ".join(filter(None, (one.get("key"), one.get("message")))) for one in extra]
    phrase = HTTPStatus(status).phrase
    code = {400: "bad_request", 413: "too_large"}.get(status, phrase.lower().replace(" ", "_"))
    detail = {404: "there is no such page", 405: "that method is not for this path"}.get(status)
    if isinstance(error, InternalServerException) and error.detail == CLIENT_GONE:
        log.debug("request_broken_off")
        return Problem(400, "broken_off", "the request ended before its body did")
    if status >= 500:
        log.error("request_failed", error_type=type(error).__name__, exc_info=error)
        errors, detail = [], "the server met an error of its own; its log says which"
    return Problem(status, code, detail or error.detail, errors=errors, headers=error.headers or {})


def _code(name: str) -> str:
    """``UnknownId``: ``unknown_id``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
