"""The section ``[worldtree]`` of a plan file."""

from typing import Annotated, Final, Literal

import msgspec

from actors.worldtree.setup import Settings
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


def settings_of(section: Section, seed: int) -> Settings:
    """What a run records of the section; each episode gets a seed of its own."""
    own = msgspec.structs.asdict(section)
    preset = PRESETS[own.pop("preset")]
    given = {name: value for name, value in own.items() if value is not None}
    return replace(preset, **given, seed=seed)  # type: ignore[no-any-return]
