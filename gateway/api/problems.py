"""Errors as the API tells them: RFC 9457, from the errors of the whole of Troupe, in one place."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import structlog
from litestar.exceptions import HTTPException
from sqlalchemy.exc import DBAPIError

from actors.runtime.bus.errors import BusError
from actors.runtime.errors import CommandRefused
from actors.toml_file import BadFile
from events.base import Value
from events.untrusted.safe_text import shortened
from events.wire.messages import Posed
from gateway.errors import BadArgument, BadSetting, NatsAway
from gateway.http.problems import CLIENT_GONE
from gateway.models.probe_models import ModelsUnavailable
from gateway.process.discovery import NothingAlive
from gateway.services.access.roles import Principal
from gateway.services.participants.erase_words import WordsInClear
from gateway.services.runs.confirm_destinations import NotAgreed
from store.database.transient_errors import is_transient
from store.errors import Conflict, KeysNotRead, KeysNotShared, NoKey, StoreClosed, StoreUnavailable
from store.id_lookup import AmbiguousId, RunTakenOut, UnknownId
from store.read_model.episode_history import NoSuchEvent

log = structlog.get_logger(__name__)

OURS: Final = ("events", "store", "actors", "evaluators", "gateway")
"""All errors that these packages declare are sentences made for a person."""


class ProblemDetails(Value, frozen=True, kw_only=True):
    """Why a request was not done; nothing was changed, unless ``detail`` says so."""

    type: str
    """Where the code is explained: on the page of this documentation."""
    title: str
    """What kind of problem it is; the same for all of a code."""
    status: int
    """The HTTP status."""
    code: str
    """For programs; never changes."""
    detail: str
    """What is wrong and what would be right, in a sentence."""
    field: str = ""
    """The parameter, or the field of the body, that is wrong; empty: none is."""


class ProblemResponse(NamedTuple):
    """An error as it is answered."""

    problem: ProblemDetails
    headers: Mapping[str, str] = {}


CODES: Final[dict[str, tuple[int, str]]] = {
    "bad_request": (400, "The request cannot be read"),
    "bad_json": (400, "The body is no JSON"),
    "ambiguous_id": (400, "Several ids begin like this"),
    "not_signed_in": (401, "No token that is valid"),
    "forbidden": (403, "The token does not let its holder do that"),
    "other_site": (403, "A page of another site wants to change something"),
    "not_found": (404, "There is nothing at this address"),
    "unknown_id": (404, "There is nothing with this id"),
    "no_such_event": (404, "The episode has no such event"),
    "unknown_name": (404, "There is nothing with this name"),
    "method_not_allowed": (405, "The address takes other methods"),
    "conflict": (409, "Somebody else changed it meanwhile"),
    "in_progress": (409, "The same request is still under way"),
    "answered_once": (409, "It was done, and its answer is shown once"),
    "consent_needed": (409, "Somebody has to agree to what would be sent where"),
    "not_possible": (409, "It cannot be done as things stand"),
    "archived": (410, "It was taken out of the store"),
    "too_large": (413, "The body is too large"),
    "unsupported_media_type": (415, "The body is of another type"),
    "bad_argument": (422, "An argument cannot be used"),
    "bad_file": (422, "A text or a file cannot be used"),
    "invalid": (422, "A value is missing, unknown, or not of its type"),
    "key_reused": (422, "The idempotency key was used for another request"),
    "refused": (422, "It was refused"),
    "too_many": (429, "Too many requests"),
    "fault": (500, "Something went wrong here"),
    "database_away": (503, "The database does not answer"),
    "model_unavailable": (503, "A model cannot be asked"),
    "nobody_there": (503, "No process does that at present"),
    "unavailable": (503, "The database or NATS does not answer"),
    "try_again": (503, "The same may be taken a little later"),
}
"""What can be answered: the status, and what the code means. Those with which an episode refuses
a command are in ``REFUSALS``."""

REFUSALS: Final[dict[str, tuple[int, str]]] = {
    "unreadable": (422, "The episode cannot read the command"),
    "bad_action": (422, "The action is no answer to its question"),
    "no_such_seat": (422, "The episode has no such seat"),
    "not_asked": (409, "The seat is not asked that now"),
    "episode_over": (409, "The episode is over"),
    "not_playing": (409, "Nobody plays the episode at present"),
    "unknown_episode": (404, "There is no such episode"),
    "not_yours": (409, "Somebody else sits there"),
    "seat_taken": (409, "A person sits there already"),
    "not_paused": (409, "The episode is not paused"),
    "no_narrator": (409, "The environment has no words for a narrator"),
    "try_again": (503, "The same may be taken a little later"),
    "refused": (409, "The episode refused it"),
}
"""By ``events.wire.messages.RefusalCode``: the status, and what it means."""

LATER: Final = {"retry-after": "1"}
_BY_ERROR: Final[Mapping[type, str]] = {
    AmbiguousId: "ambiguous_id",
    Conflict: "conflict",
    KeysNotRead: "not_possible",
    KeysNotShared: "not_possible",
    ModelsUnavailable: "model_unavailable",
    NoKey: "not_possible",
    NoSuchEvent: "no_such_event",
    NotAgreed: "consent_needed",
    NothingAlive: "nobody_there",
    RunTakenOut: "archived",
    WordsInClear: "not_possible",
}
"""The codes of errors that say all there is to say themselves."""
_OF_FRAMEWORK: Final[Mapping[int, tuple[str, str]]] = {
    401: ("not_signed_in", ""),
    403: ("forbidden", ""),
    404: ("not_found", "there is nothing at this address; see /api/docs"),
    405: ("method_not_allowed", "this address takes other methods"),
    413: ("too_large", "the body is larger than this address takes"),
    415: ("unsupported_media_type", ""),
    429: ("too_many", ""),
}
"""By status: the code, and what is said instead of the framework's own words."""


class Refusal(Exception):
    """A request that is refused by the API itself."""

    def __init__(self, code: str, detail: str, field: str = "", **headers: str) -> None:
        """``headers``: with ``_`` for ``-``."""
        detail = shortened(detail, 1_000)
        super().__init__(detail)
        self.code, self.detail, self.field = code, detail, field
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def forbidden(principal: Principal) -> Refusal:
    """What somebody may not do."""
    return Refusal("forbidden", f"the role {principal.role!r} does not do that")


def answer_of(error: BaseException) -> ProblemResponse:
    """An error as it is answered. What nobody has foreseen is logged, and nothing of it is told."""
    if isinstance(error, BaseExceptionGroup) and error.exceptions:
        return answer_of(error.exceptions[0])
    match error:
        case Refusal():
            return _answer(error.code, error.detail, error.field, error.headers)
        case CommandRefused():
            status, title = REFUSALS[error.code]
            return _told(status, error.code, title, _sentence(str(error)), "", {})
        case BadArgument():
            field = error.what.lstrip("-").replace("-", "_")
            given = f"{field} {shortened(error.given)!r}" if error.given else field
            return _answer("bad_argument", f"{given}: {shortened(error.why, 1_000)}", field)
        case BadFile():
            return _answer("bad_file", str(error), error.where)
        case UnknownId():
            return _answer("unknown_id", str(error), error.kind)
        case StoreUnavailable() | StoreClosed() | BusError() | NatsAway():
            return _answer("unavailable", _without_address(error), "", LATER)
        case HTTPException():
            return _of_http(error)
    code = next((_BY_ERROR[kind] for kind in type(error).__mro__ if kind in _BY_ERROR), "")
    return _answer(code, str(error)) if code else _other(error)


def _other(error: BaseException) -> ProblemResponse:
    package = type(error).__module__.partition(".")[0]
    code = getattr(error, "code", "")
    status = getattr(error, "status", getattr(error, "status_code", 0))
    if package in OURS and isinstance(code, str) and code in CODES:
        # An error that knows how it is answered.
        detail = str(getattr(error, "detail", "") or error)
        return _answer(code, detail, "", getattr(error, "headers", None) or {})
    if package in OURS and isinstance(code, str) and code and isinstance(status, int) and status:
        detail = str(getattr(error, "detail", "") or error)
        return _told(status, code, code, detail, "", getattr(error, "headers", None) or {})
    if package in OURS and not isinstance(error, BadSetting | AssertionError):
        if isinstance(error, LookupError):
            return _answer("unknown_name", str(error))
        if isinstance(error, Exception):
            return _answer("refused", str(error))
    if isinstance(error, DBAPIError) and is_transient(error):
        return _answer("unavailable", "the database does not answer", "", LATER)
    return _fault(error)


def _of_http(error: HTTPException) -> ProblemResponse:
    """What the framework says no to."""
    if known := _OF_FRAMEWORK.get(error.status_code):
        code, detail = known
        return _answer(code, detail or error.detail, "", error.headers)
    if 400 <= error.status_code < 500:
        return _answer("bad_request", _sentence(error.detail))
    if error.detail == CLIENT_GONE:
        log.debug("request_broken_off")
        return _answer("bad_request", "the request ended before its body did")
    return _fault(error)


def _fault(error: BaseException) -> ProblemResponse:
    log.error("request_failed", error_type=type(error).__name__, exc_info=error)
    return _answer("fault", "something went wrong here; the server's log says what")


def _answer(
    code: str, detail: str, field: str = "", headers: Mapping[str, str] | None = None
) -> ProblemResponse:
    status, title = CODES[code]
    return _told(status, code, title, detail, field, headers or {})


def _told(
    status: int, code: str, title: str, detail: str, field: str, headers: Mapping[str, str]
) -> ProblemResponse:
    problem = ProblemDetails(
        type=f"/api/docs#problem-{code}",
        title=title,
        status=status,
        code=code,
        detail=_sentence(detail),
        field=field,
    )
    return ProblemResponse(problem, dict(headers))


def _without_address(error: BaseException) -> str:
    """What is away, without where it is."""
    if isinstance(error, StoreUnavailable | StoreClosed):
        return "the database does not answer, or has no room; try again"
    return "the NATS server does not answer; try again"


def _sentence(text: str) -> str:
    return shortened(text, 2_000)


def refusal(code: str, reason: str, questions: tuple[Posed, ...] = ()) -> CommandRefused:
    """An episode's refusal, to be raised."""
    known = code if code in REFUSALS else "refused"
    return CommandRefused(reason, known, questions)  # type: ignore[arg-type]
