"""The prompts by which a plan can have plain models asked in a town, and what an episode records.

A plan names a prompt, an episode the templates: stored runs keep theirs when better ones come.
"""

from typing import Final, Literal

PromptName = Literal["say", "say-2", "say-coached"]
"""What a plan may say. ``say-2`` is what ``say`` meant before. ``say-coached`` has a model name
day, time and place where it agrees on something, and to keep it; no published prompt does."""
FIRST: Final = "say-1"
"""What episodes were played with that record no prompt."""
UNSTEADY: Final = frozenset({FIRST, "say-2"})
"""Templates whose prompts of two turns need not begin alike."""
_TEMPLATES: Final[dict[PromptName, str]] = {"say": "say-3", "say-2": "say-2", "say-coached": FIRST}
TEMPLATES: Final = tuple(_TEMPLATES.values())
"""What an episode can record. Its number is that of the templates for what is done and what came of
a talk, too."""


def template_of(name: PromptName) -> str:
    """The template that a plan's prompt means."""
    return _TEMPLATES[name]
