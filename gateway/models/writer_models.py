"""Models that write items of catalogs: named in a command, or in a file with their settings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from actors.models.settings import ModelSettings
from actors.toml_file import BadFile, Table, read_toml
from events.minds import ModelSpec
from gateway.errors import BadArgument

ANSWER_TOKENS: Final = 1_000


class WriterFile(ModelSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a model in a file of their own."""

    name: str = ""
    """Not used. It and ``kind`` are allowed so that a plan's or judge's settings can be copied."""
    kind: Literal["model"] = "model"
    temperature: float = 1.0
    max_tokens: int = ANSWER_TOKENS


def spec_from(settings: Mapping[str, object]) -> ModelSpec:
    """The model of what such a file would say. Raises ``BadFile``."""
    read = Table("model", "", dict(settings)).shaped(WriterFile)
    for field, why in read.problems():
        raise BadFile("model", field, why)
    return read.spec()


def spec_of(model: str) -> ModelSpec:
    """The model of a name, or of a TOML file. Raises ``BadFile``, ``BadArgument``."""
    if model.endswith(".toml"):
        settings = read_toml(Path(model), WriterFile)
        for field, why in settings.problems():
            raise BadFile(model, field, why)
        return settings.spec()
    settings = WriterFile(model=model)
    for _, why in settings.problems():
        raise BadArgument("--model", model, why)
    return settings.spec()
