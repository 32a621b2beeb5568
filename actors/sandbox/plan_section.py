"""The section ``[sandbox]`` of a plan file."""

import msgspec

from actors.sandbox.prompt_names import PromptName, template_of
from actors.sandbox.setup import Settings


class Section(Settings, frozen=True, kw_only=True, tag=Settings.__struct_config__.tag):
    """How long a town lives, how its inhabitants perceive, and how plain models are asked."""

    prompt: PromptName = "say"


def settings_of(section: Section) -> Settings:
    """What a run records of the section."""
    given = {name: getattr(section, name) for name in Settings.__struct_fields__}
    return msgspec.convert(given | {"prompt": template_of(section.prompt)}, Settings)
