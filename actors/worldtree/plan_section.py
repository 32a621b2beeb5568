"""The section ``[worldtree]`` of a plan file."""

from typing import Annotated, Final, Literal

import msgspec

from actors.worldtree.setup import Settings

PresetName = Literal["paper", "script"]


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """How trees are walked and samples asked, all together."""

    shuffles: int
    prompts: Literal["own", "zh", "en"]
    told: bool
    reasks: int


PRESETS: Final[dict[PresetName, Preset]] = {
    "paper": Preset(shuffles=3, prompts="own", told=True, reasks=2),
    "script": Preset(shuffles=1, prompts="zh", told=False, reasks=0),
}


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How trees are walked and samples asked: as a preset has it, but for what is given here."""

    preset: PresetName = "paper"
    """``paper``: as SocialEval, section 4, says. ``script``: as its published scripts do."""
    shuffles: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None
    """How often each question is asked: an odd number, so that two options find a majority."""
    prompts: Literal["own", "zh", "en"] | None = None
    """The language of the prompts; ``own``: that of the tree."""
    told: bool | None = None
    """Whether the lines that were chosen are told afterwards."""
    reasks: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    """How often an answer that cannot be read is asked for again."""

    def __post_init__(self) -> None:
        if self.shuffles is not None and self.shuffles % 2 == 0:
            raise ValueError(f"shuffles must be odd, so that there is a majority: {self.shuffles}")


def settings_of(section: Section, seed: int) -> Settings:
    """What a run records of the section; each episode gets a seed of its own."""
    preset = PRESETS[section.preset]
    given = {
        name: getattr(preset, name) if (own := getattr(section, name)) is None else own
        for name in preset.__struct_fields__
    }
    return Settings(**given, seed=seed)
