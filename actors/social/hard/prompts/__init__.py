"""The words by which a model is asked to find facts, and to write scenarios that need them.

``actors.templates`` says how templates are kept and what a version is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from actors.models.port import Msg
from actors.templates import Templates

FIND = "find-2"
"""The template that asks for the facts in what was said in an episode."""
WRITE = "write-1"
"""The template that asks for a scenario that needs some of them."""

_templates = Templates(__name__)


def version(template: str) -> str:
    """Name and fingerprint of a template, for example ``find-2:5f0c…`` with 12 hex digits."""
    return _templates.version(template)


def templates() -> list[str]:
    """The templates there are, old ones included."""
    return _templates.names()


def question(template: str, words: Mapping[str, Any]) -> tuple[Msg, ...]:
    """What a model is asked."""
    return (
        Msg("system", _templates.block(template, "system", dict(words))),
        Msg("user", _templates.block(template, "question", dict(words))),
    )


def again(template: str, problems: Sequence[str]) -> str:
    """The request to mend an answer."""
    return _templates.block(template, "again", {"problems": problems})
