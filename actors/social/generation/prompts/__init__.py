"""The words by which a model is asked for characters, relationships and scenarios.

``actors.templates`` says how templates are kept and what a version is.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from actors.models.answers.copied_phrases import phrases_in
from actors.models.port import Msg
from actors.templates import Templates
from actors.text.quotes import nonce_for, texts_in

SECRET: Final = "secret-1"  # noqa: S105 - a template's name
"""Asks for what a character hides."""
PUBLIC: Final = "public-1"
"""Asks for what others may know of a character."""
RELATIONSHIP: Final = "relationship-1"
"""Asks for the story that two characters share."""
BOTH_SIDES: Final = "both-sides-1"
"""Asks whether a story fits both."""
SCENARIO: Final = "scenario-1"
"""Asks for a scenario from a vignette and an example."""
FLUENT: Final = "fluent-1"
"""Asks for a scenario that code wrote in better words."""

_templates = Templates(__name__)


def version(template: str) -> str:
    """Name and fingerprint of a template, for example ``secret-1:5f0c…`` with 12 hex digits."""
    return _templates.version(template)


@cache
def phrases(template: str) -> frozenset[str]:
    """What stands between the marks of a template: an answer that is one of them was copied."""
    return phrases_in(_templates.source(template))


@cache
def instructions(template: str) -> str:
    """A template as it stands in its file."""
    return _templates.source(template)


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
