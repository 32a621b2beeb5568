"""The section ``[worldtree]`` of a plan file."""

from typing import Annotated, Final, Literal

import msgspec

from actors.episodes.port.limits import Limits
from actors.episodes.port.plans import Plans
from actors.worldtree.setup import Inquiry, Settings, Walk
from actors.worldtree.trees.plot import plot_of
from actors.worldtree.views import ChoiceBackground
from events.base import replace

PresetName = Literal["paper", "script"]


PRESETS: Final[dict[PresetName, Settings]] = {
    "paper": Settings(prompt="2"),
    "script": Settings(shuffles=1, prompts="zh", told=False, reasks=0, prompt="2"),
}


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How trees are walked and samples asked: as a preset has it, but for what is given here."""

    preset: PresetName = "paper"
    """``paper``: as SocialEval, section 4, says. ``script``: as its published scripts do."""
    shuffles: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None
    """How often each question is asked: an odd number, so that two options find a majority."""
    prompts: Literal["own", "zh", "en"] | None = None
    """The language of the prompts; ``own``: that of the tree."""
    prompt: Literal["1", "2"] | None = None
    """The templates by which language models are asked."""
    told: bool | None = None
    """Whether the lines that were chosen are told afterwards."""
    reasks: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    """How often an answer that cannot be read is asked for again."""

    def __post_init__(self) -> None:
        if self.shuffles is not None and self.shuffles % 2 == 0:
            raise ValueError(f"shuffles must be odd, so that there is a majority: {self.shuffles}")


class TreePlans(Plans[Section, Settings]):
    """The preset, filled in."""

    section = Section

    def settings(self, section: Section, seed: int) -> Settings:
        """What a run records of the section; each episode gets a seed of its own."""
        own = msgspec.structs.asdict(section)
        preset = PRESETS[own.pop("preset")]
        given = {name: value for name, value in own.items() if value is not None}
        return replace(preset, **given, seed=seed)

    def describe(self, settings: Settings) -> tuple[tuple[str, str], ...]:
        asked = (
            "once"
            if settings.shuffles == 1
            else f"{settings.shuffles} times, in other orders; majority"
        )
        prompts = {"own": "the tree's", "zh": "Chinese", "en": "English"}[settings.prompts]
        return (
            ("Each question", f"asked {asked}"),
            ("Language of the prompts", prompts),
            (
                "Unreadable answers",
                f"asked for again, {settings.reasks} times at most"
                if settings.reasks
                else "not asked for again",
            ),
            ("Chosen lines", "told afterwards" if settings.told else "not told afterwards"),
        )


class ChoiceLimits(Limits[Walk | Inquiry, ChoiceBackground]):
    """What was asked in vain is asked again."""

    def questions(self, setup: Walk | Inquiry, seats: int) -> tuple[int, ...]:
        """Those at every node of the longest path."""
        steps = plot_of(setup.tree, setup.digest).longest if isinstance(setup, Walk) else 1
        return (steps * setup.settings.shuffles,)

    def told(self, setup: Walk | Inquiry, seat: int) -> str:
        """What is told on the way with the most words; before an inquiry's question all has been
        told."""
        if isinstance(setup, Inquiry):
            return ""
        return "\n".join(plot_of(setup.tree, setup.digest).wordiest)

    def reasks(self, background: ChoiceBackground) -> int:
        """As the settings say: the published scripts do not ask again."""
        return background.reasks


PLANS: Final = TreePlans()
LIMITS: Final = ChoiceLimits()
