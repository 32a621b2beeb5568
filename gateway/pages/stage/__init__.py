"""The page *Stage*: an episode as it is played, or was."""

from collections.abc import Sequence

from litestar.types import ControllerRouterHandler


def routes() -> Sequence[ControllerRouterHandler]:
    from gateway.pages.stage.handlers import HANDLERS, serve_pieces

    serve_pieces()
    return HANDLERS
