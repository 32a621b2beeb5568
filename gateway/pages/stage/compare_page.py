"""Two episodes beside each other: what they share, and what differs."""

import asyncio

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from evaluators.scores.dimensions import label
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest, requires
from gateway.http.templates import page
from gateway.services.access.roles import Principal
from gateway.services.episodes.episode_diff import episode_diff


@get("/episodes/{episode:str}/compare/{other:str}", guards=[requires("researcher")])
async def compare(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    episode: FromPath[str],
    other: FromPath[str],
) -> Response[bytes]:
    """The page."""
    found = await asyncio.to_thread(episode_diff, gateway.store, other, episode)
    return page(
        request, "stage/compare.html", principal=principal, diff=found, dimension_label=label
    )
