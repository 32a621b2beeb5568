"""The section ``[sandbox]`` of a plan file."""

from typing import Final

import msgspec

from actors.episodes.port.limits import Limits
from actors.episodes.port.plans import Plans
from actors.sandbox.clock import clock_of
from actors.sandbox.prompt_names import PromptName, template_of
from actors.sandbox.setup import Case, Settings, Town
from actors.sandbox.times_and_places import long
from actors.sandbox.views import Resident, Speaker
from events.serialization.struct_types import decodable


class Section(Settings, frozen=True, kw_only=True, tag=Settings.__struct_config__.tag):
    """How long a town lives, how its inhabitants perceive, and how plain models are asked."""

    prompt: PromptName = "say"


class SandboxPlans(Plans[Section, Settings]):
    """Each episode gets a seed of its own."""

    section = Section

    def settings(self, section: Section, seed: int) -> Settings:
        """What a run records of the section."""
        given = {name: getattr(section, name) for name in Settings.__struct_fields__}
        return msgspec.convert(given | {"prompt": template_of(section.prompt)}, decodable(Settings))

    def describe(self, settings: Settings) -> tuple[tuple[str, str], ...]:
        """A plan's section in words."""
        clock = clock_of(settings)
        end = clock.moment(settings.steps)
        gap = settings.talk_gap
        knows = "their home and what is nobody's" if settings.know == "own" else "all places"
        return (
            ("Time", f"{long(clock.start)}, to {long(end)}; {settings.step_s} s a step"),
            ("Perception", f"{settings.radius} tiles; the {settings.attention} nearest"),
            ("A talk", f"{settings.rounds} utterances each, at most; again after {gap} steps"),
            ("Known at first", knows),
            ("Prompt", settings.prompt),
        )


class TownLimits(Limits[Town, Resident]):
    """A town may ask as often as somebody does something else."""

    def days(self, setup: Town) -> float:
        """As its steps say."""
        return setup.settings.steps * setup.settings.step_s / 86_400


class CaseLimits(Limits[Case, Speaker]):
    """A talk has rounds; the target tells of it afterwards."""

    def questions(self, setup: Case, seats: int) -> tuple[int, ...]:
        """Each round, and once more."""
        return (setup.rounds, setup.rounds + 1)


PLANS: Final = SandboxPlans()
TOWN_LIMITS: Final = TownLimits()
CASE_LIMITS: Final = CaseLimits()
