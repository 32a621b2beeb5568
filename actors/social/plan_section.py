"""The section ``[social]`` of a plan file."""

from typing import Annotated, Final

import msgspec

from actors.episodes.port.limits import Limits
from actors.episodes.port.plans import Plans
from actors.social.prompt_names import PromptName, template_of
from actors.social.setup import EpisodeRules, Plain, SocialSetup, TurnOrder
from actors.social.views import Background


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the episodes run and end."""

    order: TurnOrder = "round_robin"
    turn_cap: Annotated[int, msgspec.Meta(ge=1)] = 20
    stale_turns: Annotated[int, msgspec.Meta(ge=0)] = 2
    stories: bool = False
    """Whether the background stories of relationships are told."""
    prompt: PromptName = "act"
    """By which language models are asked to act."""
    plain: Plain = "unreadable"
    """What prose of a model is that holds nothing of the form it was asked for: ``unreadable``, so
    that it is asked again, or ``speech``."""

    def __post_init__(self) -> None:
        if self.plain == "speech" and self.prompt.startswith("act-paper"):
            raise ValueError(
                f'plain = "speech" goes with our own prompts, not with prompt = "{self.prompt}", '
                "which asks as the published set-up does"
            )


class SocialPlans(Plans[Section, EpisodeRules]):
    """The rules of episodes."""

    section = Section
    older_sections = ("rules",)

    def settings(self, section: Section, seed: int) -> EpisodeRules:
        """What a run records of the section; each episode gets a seed of its own."""
        given = msgspec.structs.asdict(section)
        return EpisodeRules(**{**given, "seed": seed, "prompt": template_of(section.prompt)})

    def describe(self, settings: EpisodeRules) -> tuple[tuple[str, str], ...]:
        """Order of turns, and when episodes end."""
        stale = f", or after {settings.stale_turns} turns in which nobody does anything"
        ends = f"after {settings.turn_cap} turns, when fewer than two are left"
        return (
            ("Order of turns", settings.order.replace("_", " ")),
            ("Ends", ends + (stale if settings.stale_turns else "")),
            ("Background stories", "told" if settings.stories else "not told"),
            ("Prompt", settings.prompt),
            *([("Prose", "taken for speech")] if settings.plain == "speech" else []),
        )


class SocialLimits(Limits[SocialSetup, Background]):
    """Every turn up to the cap."""

    def questions(self, setup: SocialSetup, seats: int) -> tuple[int, ...]:
        """How often each seat may act."""
        rules = setup.rules
        if rules.order == "simultaneous":
            return (rules.turn_cap,) * seats
        # Taking turns, the first seats act once more where the cap does not divide evenly.
        rounds, rest = divmod(rules.turn_cap, seats)
        return tuple(rounds + (seat < rest) for seat in range(seats))


PLANS: Final = SocialPlans()
LIMITS: Final = SocialLimits()
