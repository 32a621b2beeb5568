"""The prompts by which a plan can have its language models asked, and what an episode records.

A plan names a prompt, an episode the template: stored runs keep theirs when a better one comes.
"""

from typing import Final, Literal

PromptName = Literal[
    "act",
    "act-paper",
    "act-5",
    "act-4",
    "act-paper-3",
    "act-paper-2",
    "act-3",
    "act-paper-1",
    "act-1",
]
"""What a plan may say: ``act`` and ``act-paper`` are the newest templates of that name."""

NEWEST: Final = {"act": "act-5", "act-paper": "act-paper-3"}
UNQUOTED: Final = frozenset({"act-1", "act-2", "act-3", "act-paper-1"})
"""Templates that show what was said as it was said, line breaks and all."""
FIRST: Final = "act-1"
"""What episodes were played with that record no prompt. Two templates make it: who remembers
something was asked by act-2, which is put around act-1."""
TEMPLATES: Final = (FIRST, "act-3", "act-paper-1", "act-paper-2", "act-4", *NEWEST.values())
"""What an episode can record."""

NOT_TOLD: Final = {
    "act-paper-3": frozenset({"big_five", "moral_values", "schwartz_values", "decision_style"})
}
"""By template, the fields of a character that it tells nobody."""


def template_of(name: str) -> str:
    """The template that a plan's prompt means."""
    return NEWEST.get(name, name)


def first_number(template: str) -> int:
    """The number of the first seat, as prompt and answer have it."""
    return 0 if template == FIRST else 1
