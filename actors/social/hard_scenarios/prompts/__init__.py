"""The words by which a model is asked to find facts, and to write scenarios that need them.

``actors.templates`` says how templates are kept and what a version is.
"""

from collections.abc import Mapping

from actors.models.port import Msg
from actors.templates import Templates
from actors.text.quotes import nonce_for, texts_in

FIND = "find-3"
"""The template that asks for the facts in what was said in an episode."""
WRITE = "write-2"
"""The template that asks for a scenario that needs some of them."""

_templates = Templates(__name__)


def version(template: str) -> str:
    """Name and fingerprint of a template, for example ``find-2:5f0c…`` with 12 hex digits."""
    return _templates.version(template)


def templates() -> list[str]:
    """The templates there are, old ones included."""
    return _templates.names()


def question(template: str, words: Mapping[str, object]) -> tuple[Msg, ...]:
    """What a model is asked."""
    told = {**words, "nonce": nonce_for(*texts_in(words))}
    return (
        Msg("system", _templates.block(template, "system", told)),
        Msg("user", _templates.block(template, "question", told)),
    )
