"""What a social episode begins with: scenario, cast, relationships and rules."""

from typing import Any, Final, Literal

from actors.social.catalog_items import Character, RelationshipKind, Scenario
from actors.social.modes import Mode
from actors.social.prompt_names import FIRST
from events import environments
from events.base import Value
from events.episode import EpisodeStarted

NAME: Final = "social"
"""The environment's name."""
ENDINGS: Final = {
    "turn_cap": "the turn cap was reached",
    "left": "fewer than two were left",
    "stale": "nobody did anything any more",
    # A judge reads these words: they must not tell that there was a script.
    "script_over": "nobody did anything any more",
}
"""Why an episode is over, in words."""

TurnOrder = Literal["round_robin", "simultaneous", "random"]
Plain = Literal["unreadable", "speech"]


class SeatRelationship(Value, frozen=True, kw_only=True):
    """The relationship between two seats. Seats without a relationship are strangers."""

    seats: tuple[int, int]
    """Seat numbers, from 0."""
    kind: RelationshipKind
    story: str = ""
    """The background both share, with markup."""


class EpisodeRules(environments.Settings, frozen=True, kw_only=True, tag="social.Rules"):
    """How an episode runs and ends (SOTOPIA, sections 2.2 and 4)."""

    order: TurnOrder = "round_robin"
    """Who acts when: one after the other, all at once, or whom a lot falls on."""
    turn_cap: int = 20
    """The episode ends after this many turns."""
    stale_turns: int = 2
    """The episode ends after this many turns in a row in which nobody did anything; 0: never."""
    seed: int = 0
    """Decides the order of speakers where it is random, and rehearsal minds' choices."""
    stories: bool = True
    """Whether the background stories of relationships are told, to seats and judges. They were in
    all that was recorded before this could be chosen; a plan leaves them out unless it asks for
    them, as SOTOPIA's experiments do (footnote 15)."""
    prompt: str = FIRST
    """The template by which language models are asked to act."""
    plain: Plain = "unreadable"
    """What a model's prose is that holds nothing of the form it was asked for."""
    mode: Mode = "interactive"
    """Who decides for the characters, and what that one knows."""


class SocialSetup(environments.Setup, frozen=True, kw_only=True, tag="social.Setup"):
    """All that a social episode needs to begin."""

    scenario: Scenario
    cast: tuple[Character, ...]
    """One character a seat."""
    relationships: tuple[SeatRelationship, ...] = ()
    """At most one for each two seats."""
    rules: EpisodeRules = EpisodeRules()


def begin(setup: SocialSetup, **fields: Any) -> EpisodeStarted:
    """The first event of an episode with this setup; ``fields`` are its others."""
    return EpisodeStarted(
        environment=NAME,
        setup=setup,
        scenario=setup.scenario.id,
        title=setup.scenario.codename or setup.scenario.id,
        characters=tuple(character.name for character in setup.cast),
        **fields,
    )
