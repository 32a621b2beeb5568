"""Server-rendered pages.

A page is a template in ``gateway/templates/<part>/`` that extends ``base.html`` and fills its
blocks: ``title``; ``head`` (``<script type="module" src="{{ static('runs/list.js') }}">``);
``main``. ``bare = true`` leaves the navigation out, for participants' and annotators' pages.
Everything is escaped; there is no inline script or style (the content security policy refuses
them). Data for a module stands in the page as JSON: ``{{ data("rows", rows) }}`` gives
``<script type="application/json" id="rows">``.

Filters: ``when`` (microseconds since 1970 as a ``<time>`` that a module shows in the reader's
zone), ``sentence`` (a capital first, a full stop last), ``figure`` (a number, a dash where there is
none). ``events.untrusted.safe_text`` is applied to every
text.

``gateway/static/shared/base.css`` says which classes there are.
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import MediaType, Response
from litestar.di import NamedDependency
from litestar.response import Redirect
from markupsafe import Markup

from actors.text.amounts import many, sizes
from events.untrusted.safe_text import harmless
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest
from gateway.http.static_files import STATIC
from gateway.services.access.roles import Principal, Role
from store.log.event_store import EventStore

PageOrRedirect = Response[bytes] | Redirect
"""What a form's handler answers: the page again, or where to go on."""

FOLDER: Final = Path(__file__).parent.parent / "templates"
WORTH_COMPRESSING: Final = 1_000
"""Bytes; smaller pages fit into one packet anyway."""

_RESEARCH: Final[frozenset[Role]] = frozenset({"operator", "researcher"})
NAVIGATION: Final[tuple[tuple[str, str, frozenset[Role]], ...]] = (
    ("/runs", "Runs", _RESEARCH),
    ("/new", "New run", _RESEARCH),
    ("/chains", "Chains", _RESEARCH),
    ("/judges", "Judges", _RESEARCH),
    ("/catalogs", "Catalogs", _RESEARCH),
    ("/studies", "Studies", _RESEARCH),
    ("/annotate", "Annotate", frozenset({"operator", "researcher", "annotator"})),
    ("/api/docs", "API", _RESEARCH),
)
"""Path, label and whom it is shown to; those that this process serves."""


@cache
def templates() -> Environment:
    """The templates of all parts."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
        auto_reload=False,
    )
    environment.globals |= {"static": STATIC.url, "data": json_for}
    environment.filters |= {
        "when": when,
        "sentence": sentence,
        "figure": figure,
        "many": many,
        "sizes": sizes,
    }
    return environment


def _finalize(value: object) -> object:
    """What a template puts out: texts of others without what a browser obeys."""
    return harmless(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def page(
    request: AnyRequest,
    template: str,
    *,
    principal: Principal | None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **context: object,
) -> Response[bytes]:
    """A template as the answer; ``principal`` is who reads it, None: nobody is signed in."""
    here = request.url.path
    html = (
        templates()
        .get_template(template)
        .render(
            principal=principal, here=here, navigation=_navigation(request, principal), **context
        )
    )
    body = html.encode("utf-8", "replace")
    given = dict(headers or {})
    if len(body) > WORTH_COMPRESSING and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 5, mtime=0)
        given |= {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(body, status_code=status, headers=given, media_type=MediaType.HTML)


@dataclass(frozen=True, slots=True)
class PageVisit:
    """A request for a page and who sent it: handlers get it as ``visit: Visiting`` (401 where
    nobody is signed in)."""

    request: AnyRequest
    gateway: Gateway
    principal: Principal

    @property
    def store(self) -> EventStore:
        """The gateway's."""
        return self.gateway.store

    def page(
        self,
        template: str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        **context: object,
    ) -> Response[bytes]:
        """A template as the answer."""
        return page(
            self.request,
            template,
            principal=self.principal,
            status=status,
            headers=headers,
            **context,
        )


Visiting = NamedDependency[PageVisit]


def json_for(id_: str, value: object) -> Markup:
    """A value for a module of the page: a script element that holds JSON."""
    text = msgspec.json.encode(value).decode()
    # Within a script element only these begin anything.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    element = Markup('<script type="application/json" id="{}">{}</script>')
    return element.format(id_, Markup(text))  # noqa: S704 - just made safe


def when(at: int | None) -> Markup:
    """A time in microseconds since 1970-01-01 UTC; empty for None."""
    if at is None:
        return Markup("")
    moment = datetime.fromtimestamp(at / 1_000_000, UTC)
    return Markup('<time datetime="{}">{}</time>').format(
        moment.isoformat(timespec="seconds"), moment.strftime("%Y-%m-%d %H:%M UTC")
    )


def sentence(text: str) -> str:
    """Half a sentence as a whole one."""
    return text[:1].upper() + text[1:] + "." * (text[-1:] not in ".!?")


def figure(value: float | None) -> str:
    """A number as people write it; a dash for None."""
    return "–" if value is None else f"{round(value, 2):g}".replace("-", "−")


def _navigation(request: AnyRequest, principal: Principal | None) -> list[tuple[str, str, bool]]:
    if principal is None:
        return []
    served = request.app.state.paths
    here = request.url.path
    return [
        (path, label, here == path or here.startswith(f"{path}/"))
        for path, label, roles in NAVIGATION
        if principal.role in roles and path in served
    ]
