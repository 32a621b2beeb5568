"""The words of the town, from their file."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.traits import Traits

_FILE: Final = Path(__file__).parent / "phrases.toml"


@cache
def phrases() -> dict[str, dict[str, tuple[str, ...]]]:
    """By what they do and by how they are put."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {act: {mood: tuple(lines) for mood, lines in one.items()} for act, one in data.items()}


def mood_of(traits: Traits) -> str:
    """How somebody puts things: ``warm``, ``plain`` or ``gruff``."""
    return "gruff" if traits.gruff else "warm" if traits.warm else "plain"


def line(
    act: str, mood: str, lots: Lots, of: tuple[object, ...], said: str, /, **slots: str
) -> str:
    """One of the lines for what is done, filled in; if there is one, one that does not begin as
    anything ``said`` before."""
    moods = phrases()[act]
    pool = moods.get(mood) or moods.get("plain") or moods["any"]
    start = lots.number(act, *of)
    turns = (pool[(start + turn) % len(pool)] for turn in range(len(pool)))
    text = next((one for one in turns if _core(one) not in said), pool[start % len(pool)])
    for name, value in slots.items():
        text = text.replace(f"{{{name}}}", value)
    return " ".join(text.split())


@cache
def _core(template: str) -> str:
    """By what a line is known, whatever is filled in."""
    return max(template.replace("}", "{").split("{")[::2], key=len).strip()
