"""The example that ``troupe study new`` writes: a whole small study."""

from importlib.resources import files
from typing import Final

TEMPLATE: Final = (
    files("gateway.services.studies").joinpath("example.toml").read_text(encoding="utf-8")
)
