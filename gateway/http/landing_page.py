"""The first page after signing in, by role."""

from typing import Final

from gateway.services.access.roles import Principal

HOMES: Final = {"operator": "/runs", "researcher": "/runs", "annotator": "/annotate"}


def home_of(principal: Principal) -> str:
    """The path of a principal's first page."""
    if principal.role == "spectator" and principal.episode:
        return f"/episodes/{principal.episode}"
    if principal.episode and principal.seat is not None:
        return f"/seat/{principal.episode}/{principal.seat + 1}"
    if principal.study:
        return f"/{'annotate' if principal.role == 'annotator' else 'join'}/{principal.study}"
    return HOMES.get(principal.role, "/")
