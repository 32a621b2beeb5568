"""Items of a catalog that were generated, and what reviewers said of them. Stream
``generation-<name>``; accepted items become those of the catalog of that name.

The calls to models that it took are events of the stream ``find-generate.<name>``.
"""

from typing import Literal

from events.base import Event, Value
from events.environments import Fields

Verdict = Literal["accepted", "edited", "dropped"]


class PromptUsed(Value, frozen=True, kw_only=True):
    """A question whose answer is in a generated item."""

    version: str
    """Name and fingerprint of the prompt's template."""
    request_hash: str
    """The request's, as ``ModelAsked`` has it."""


class GenerationBegan(Event, frozen=True, kw_only=True):
    """Items are to be generated under a name. First event of the stream."""

    environment: str
    """The environment that plays them."""
    base: str = ""
    """The catalog whose items they are added to; empty: none."""


class ItemGenerated(Event, frozen=True, kw_only=True):
    """An item was generated. It is of no catalog until a reviewer accepts it."""

    id: str
    """The item's id in catalogs."""
    kind: str
    """What it is, in the singular: ``scenario``."""
    item: Fields
    """Its fields, as the environment's struct of that kind has them."""
    source: str
    """What it was made from, in words: a list or a file with the place in it, and how."""
    seed: int = 0
    """Of whatever was drawn for it."""
    model: str = ""
    """The model that wrote it; empty: no model was asked."""
    prompts: tuple[PromptUsed, ...] = ()
    """In the order in which they were asked; empty: no model was asked."""


class ItemReviewed(Event, frozen=True, kw_only=True):
    """A reviewer decided on an item. The latest decision holds; before the first one the item
    waits for review."""

    id: str
    """The item's."""
    verdict: Verdict
    """``edited``: accepted as the reviewer wrote it."""
    item: Fields | None = None
    """Its fields as the reviewer wrote them, where it was edited."""
    reason: str = ""
    """Why, in the reviewer's words."""
    by: str = ""
    """Who decided."""
