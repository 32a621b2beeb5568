"""The section ``[social]`` of a plan file."""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from actors.episodes.port.limits import Limits
from actors.episodes.port.plans import Plans
from actors.social.modes import PROMPT_OF, SCRIPTED, Mode, minds_fault
from actors.social.prompt_names import PromptName, template_of
from actors.social.setup import EpisodeRules, Plain, SocialSetup, TurnOrder
from actors.social.setup_faults import mode_fault
from actors.social.views import Background
from events.minds import MindSpec


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
    mode: Mode = "interactive"
    """Who decides for the characters, and what that one knows."""

    def __post_init__(self) -> None:
        if self.plain == "speech" and self.prompt.startswith("act-paper"):
            raise ValueError(
                f'plain = "speech" goes with our own prompts, not with prompt = "{self.prompt}", '
                "which asks as the published set-up does"
            )
        if self.mode == "interactive":
            return
        if self.prompt != "act":
            raise ValueError(f"mode {self.mode!r} has a prompt of its own: leave prompt out")
        if fault := mode_fault(_rules(self, 0)):
            raise ValueError(fault)


def _rules(section: Section, seed: int) -> EpisodeRules:
    given = msgspec.structs.asdict(section)
    prompt = PROMPT_OF.get(section.mode) or template_of(section.prompt)
    return EpisodeRules(**{**given, "seed": seed, "prompt": prompt})


class SocialPlans(Plans[Section, EpisodeRules]):
    """The rules of episodes."""

    section = Section
    older_sections = ("rules",)

    def settings(self, section: Section, seed: int) -> EpisodeRules:
        """What a run records of the section; each episode gets a seed of its own."""
        return _rules(section, seed)

    def chain_fault(self, settings: EpisodeRules) -> str | None:
        """Who writes for all characters remembers for none."""
        if settings.mode not in SCRIPTED:
            return None
        return (
            f"in mode {settings.mode!r} one mind writes for all seats, and no character remembers "
            "earlier episodes of its own: chains are played in another mode"
        )

    def describe(self, settings: EpisodeRules) -> tuple[tuple[str, str], ...]:
        """Order of turns, and when episodes end."""
        stale = f", or after {settings.stale_turns} turns in which nobody does anything"
        ends = f"after {settings.turn_cap} turns, when fewer than two are left"
        return (
            *([("Mode", settings.mode)] if settings.mode != "interactive" else []),
            ("Order of turns", settings.order.replace("_", " ")),
            ("Ends", ends + (stale if settings.stale_turns else "")),
            ("Background stories", "told" if settings.stories else "not told"),
            ("Prompt", settings.prompt),
            *([("Prose", "taken for speech")] if settings.plain == "speech" else []),
        )


class SocialLimits(Limits[SocialSetup, Background]):
    """Every turn up to the cap."""

    def minds_fault(self, setup: SocialSetup, minds: Sequence[MindSpec]) -> str | None:
        """Who writes for all seats sits in each."""
        return minds_fault(setup.rules.mode, minds)

    def questions(self, setup: SocialSetup, seats: int) -> tuple[int, ...]:
        """How often each seat may act."""
        rules = setup.rules
        if rules.mode == "script":
            return (1, *(seats - 1) * (0,))
        if rules.order == "simultaneous":
            return (rules.turn_cap,) * seats
        # Taking turns, the first seats act once more where the cap does not divide evenly.
        rounds, rest = divmod(rules.turn_cap, seats)
        return tuple(rounds + (seat < rest) for seat in range(seats))


PLANS: Final = SocialPlans()
LIMITS: Final = SocialLimits()
