"""Two episodes beside each other: what they share, and what differs."""

import asyncio

from litestar import Response, get
from litestar.params import FromPath

from evaluators.scores.dimensions import label
from gateway.http.guards import requires
from gateway.http.templates import Visiting
from gateway.services.episodes.episode_diff import episode_diff


@get("/episodes/{episode:str}/compare/{other:str}", guards=[requires("researcher")])
async def compare(visit: Visiting, episode: FromPath[str], other: FromPath[str]) -> Response[bytes]:
    found = await asyncio.to_thread(episode_diff, visit.store, other, episode)
    return visit.page("stage/compare.html", diff=found, dimension_label=label)
