"""What a reviewer asks of generated items before they are played (SOTOPIA, appendix E.2), in our
words."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CRITERIA: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "character": (
            "Age, occupation, traits and texts are of one person who could exist.",
            "The secret is something to lose, and nothing else tells it.",
            "Nothing in it rests on a stereotype of an origin, a gender or an age.",
        ),
        "relationship": (
            "The story is of the kind that is named, and ages and occupations allow it.",
            "It is as true for the one as for the other, and neither's secret is in it.",
            "It contradicts no other relationship of the two.",
        ),
        "scenario": (
            "The situation is plausible, and whoever is cast can be in it: it names nobody and "
            "says nothing of anybody's gender.",
            "Each goal can be understood by itself, differs from the other, and could be reached; "
            "neither can be had by force.",
            "The two want something that only both can settle, so that there is something to say.",
            "The relationships, ages and occupations it asks for are those of the situation.",
            "Five pairs at least can play it; with fewer, drop it.",
        ),
    }
)
"""By kind."""
