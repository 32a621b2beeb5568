"""What the clients of the API have in common: requests, answers, and when to try again."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import httpx
import tenacity

from events.untrusted.safe_text import shortened

PREFIX: Final = "/api/v1"
TRIES: Final = 6
"""How often a request is sent at most."""
LONGEST_S: Final = 10.0
"""The longest wait between two tries, in seconds."""
AGAIN: Final = frozenset({"try_again", "in_progress", "too_many", "unavailable", "database_away"})
"""Codes of problems that only ask for patience."""

Value = str | int | float | bool | None
Query = Mapping[str, Value | Sequence[Value]]


class ApiProblem(Exception):
    """The server did not do what it was asked."""

    def __init__(self, status: int, code: str, detail: str, field: str = "") -> None:
        super().__init__(f"{shortened(detail, 1_000)} ({status} {shortened(code)})")
        self.status, self.code, self.detail, self.field = status, code, detail, field
        self.after_s = 0.0
        """When to try again, in seconds; 0: nobody said."""


class Wanted(NamedTuple):
    """A request, the same at each try."""

    method: str
    path: str
    query: list[tuple[str, str]]
    json: object = None
    content: bytes | None = None
    headers: Mapping[str, str] = {}

    @property
    def arguments(self) -> dict[str, Any]:
        """As httpx takes it."""
        found: dict[str, Any] = {"params": self.query, "headers": dict(self.headers)}
        if self.content is not None:
            return found | {"content": self.content}
        return found | ({"json": self.json} if self.json is not None else {})


def wanted(
    method: str,
    path: str,
    query: Query | None = None,
    *,
    json: object = None,
    content: bytes | None = None,
    key: str = "",
) -> Wanted:
    """A request. What changes something carries an idempotency key, so that it may be tried again:
    ``key``, or one of its own."""
    headers = {}
    if method != "GET":
        headers["idempotency-key"] = key or uuid.uuid4().hex
    if content is not None:
        headers["content-type"] = "application/octet-stream"
    return Wanted(method, PREFIX + path, _flat(query or {}), json, content, headers)


def _flat(query: Query) -> list[tuple[str, str]]:
    found = []
    for name, value in query.items():
        several = isinstance(value, Sequence) and not isinstance(value, str)
        for one in value if several else (value,):  # type: ignore[union-attr]
            if one is not None:
                found.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return found


def checked(response: httpx.Response) -> httpx.Response:
    """A response that says that it was done. Raises ``ApiProblem``."""
    if response.status_code < 400:
        return response
    try:
        told = response.json()
    except ValueError:
        told = {}
    if not isinstance(told, dict):
        told = {}
    problem = ApiProblem(
        response.status_code,
        str(told.get("code", "")),
        str(told.get("detail", "") or response.reason_phrase),
        str(told.get("field", "")),
    )
    after = response.headers.get("retry-after", "")
    problem.after_s = float(after) if after.isdecimal() else 0.0
    raise problem


def may_pass(error: BaseException) -> bool:
    """Whether the same request may be answered otherwise a little later."""
    if isinstance(error, ApiProblem):
        return error.code in AGAIN or error.status in (502, 504)
    return isinstance(error, httpx.TransportError)


def wait(state: tenacity.RetryCallState) -> float:
    """Seconds until the next try: as the server says, else longer each time."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, ApiProblem) and error.after_s:
        return min(error.after_s, LONGEST_S)
    return float(tenacity.wait_random_exponential(multiplier=0.2, max=LONGEST_S)(state))
