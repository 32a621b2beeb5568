"""What is answered instead, where a request meets an error: a page, or JSON for programs."""

from typing import Final
from urllib.parse import quote

import msgspec
from litestar import Response
from litestar.response import Redirect

from gateway.api.request_handler import problem_response
from gateway.http.guards import AnyRequest
from gateway.http.problems import MEDIA_TYPE, problem_of
from gateway.http.templates import PageOrRedirect, page

API: Final = "/api/v1/"
"""Paths under which problems are those of the API (``gateway.api.problems``)."""
SIGN_IN: Final = "/enter"
PROGRAMS: Final = ("/api/", "/metrics", "/ws")
"""Paths under which errors are always JSON, for every client."""


def answer(request: AnyRequest, error: Exception) -> PageOrRedirect:
    """The exception handler of the whole application."""
    if request.url.path.startswith(API):
        return problem_response(error)
    problem = problem_of(error)
    if request.url.path.startswith(PROGRAMS) or not _reads_pages(request):
        body = msgspec.json.encode(problem.body)
        return Response(
            body, status_code=problem.status, media_type=MEDIA_TYPE, headers=problem.headers
        )
    if problem.code == "not_signed_in" and request.method in ("GET", "HEAD"):
        query = f"?{request.url.query}" if request.url.query else ""
        return Redirect(
            f"{SIGN_IN}?to={quote(request.url.path + query, safe='/')}", status_code=303
        )
    return page(
        request,
        "access/problem.html",
        principal=request.scope.get("user"),
        status=problem.status,
        headers=problem.headers,
        problem=problem.body,
    )


def _reads_pages(request: AnyRequest) -> bool:
    return "text/html" in request.headers.get("accept", "")
