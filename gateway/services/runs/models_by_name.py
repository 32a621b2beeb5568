"""Models that a command line names: who they are in a plan, and how they are asked."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from gateway.errors import BadArgument, did_you_mean

REHEARSAL: Final = "rehearsal/"
"""How a rehearsal mind is named among models: ``rehearsal/open``."""


class PlayerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How models are asked."""

    temperature: float = 1.0
    max_tokens: int = 500
    base_url: str = ""
    api_key_env: str = ""


def mind_section(model: str, asking: PlayerSettings) -> Mapping[str, object]:
    """A model's section of ``[minds]`` in a plan."""
    if model.startswith(REHEARSAL):
        return {"kind": "rehearsal", "temper": model.removeprefix(REHEARSAL)}
    given = {field: value for field, value in msgspec.structs.asdict(asking).items() if value != ""}
    return {"kind": "model", "model": model, **given}


def check_tempers(models: Sequence[str], tempers: Sequence[str]) -> None:
    """Raises ``BadArgument`` for a rehearsal mind that there is not, and for a name with nothing
    in it. ``tempers``: those of the environment."""
    for model in models:
        temper = model.removeprefix(REHEARSAL)
        if not model.strip():
            why = f"is empty; write provider/name, or {REHEARSAL}{tempers[0]}"
            raise BadArgument("MODEL", model, why)
        if model.startswith(REHEARSAL) and temper not in tempers:
            why = f"there is no such mind; tempers are {', '.join(tempers)}"
            raise BadArgument("MODEL", model, f"{why}{did_you_mean(temper, tempers)}")


def plan_toml(settings: Mapping[str, object]) -> str:
    """A plan as a person writes it."""
    import tomlkit  # takes its time to load

    return tomlkit.dumps(settings)
