"""What a planning mind of the town asks models about places, and what they answer."""

from typing import Annotated, Final

from msgspec import Meta

from actors.minds.generative.answers import Line, MindAnswer, Minutes, Short
from actors.minds.generative.questions import PACKAGE, form
from actors.models.response_formats.schemas import sign_schema
from actors.templates import Templates

Sign = Annotated[str, Meta(max_length=20, extra_json_schema=sign_schema())]
"""An emoji or two."""
Address = Annotated[str, Meta(max_length=300)]


class PlacedStep(MindAnswer, frozen=True, kw_only=True):
    """An action of a block, where, and a sign for it."""

    text: Line
    minutes: Minutes
    address: Address
    emoji: Sign


class PlacedSteps(MindAnswer, frozen=True, kw_only=True):
    """A block as actions that say where they are done."""

    actions: Annotated[
        tuple[PlacedStep, ...],
        Meta(min_length=1, max_length=60, extra_json_schema={"maxItems": 12}),
    ]


class Where(MindAnswer, frozen=True, kw_only=True):
    """Where something is done, and a sign for it."""

    address: Address
    emoji: Sign


class Emoji(MindAnswer, frozen=True, kw_only=True):
    """A sign for something."""

    emoji: Sign


templates: Final = Templates("actors.sandbox.placement.prompts", PACKAGE)

PLACED_STEPS: Final = form("placed-steps-1", "plan", PlacedSteps, tokens=2_500, templates=templates)
WHERE: Final = form("where-1", "act", Where, templates=templates)
SECTOR: Final = form("sector-2", "act", Short, coached="sector-1", templates=templates)
ARENA: Final = form("arena-2", "act", Short, coached="arena-1", templates=templates)
OBJECT: Final = form("object-1", "act", Short, templates=templates)
EMOJI: Final = form("emoji-1", "act", Emoji, templates=templates)
CONDITION: Final = form("condition-1", "act", Short, templates=templates)
