"""The recorded budgets, and how a figure compares with its own.

``budgets.toml`` holds one number a figure, ``functions/<figure>.toml`` the largest parts of which
it was made up then.
"""

import tomllib
from pathlib import Path
from platform import python_version_tuple
from typing import Any

import msgspec

from tests.budgets.counting import Figure
from tests.budgets.workloads import NAMES

FOLDER = Path(__file__).parent
BUDGETS = FOLDER / "budgets.toml"
MOST, LEAST = 1.05, 0.85
"""Shares of its budget that a figure may have."""
RECORDED = 80
"""The largest parts are kept, as many as these."""
SHOWN = 12
PYTHON = ".".join(python_version_tuple()[:2])
_HEAD = """\
# What a unit of each workload may take: calls of functions, bytes that Python allocated, modules
# imported. `make budgets-update` writes it; a commit that raises a figure says why in its message
# and in CHANGELOG.md. Other versions of Python make other numbers of calls.
"""


class Budgets(msgspec.Struct):
    """The file."""

    python: str
    """The minor version they were recorded on."""
    figures: dict[str, float]

    @classmethod
    def read(cls) -> "Budgets":
        """As recorded; empty where nothing is."""
        if not BUDGETS.exists():
            return cls(PYTHON, {})
        return msgspec.convert(tomllib.loads(BUDGETS.read_text()), cls)

    def record(self, name: str, found: Figure) -> None:
        """Make what was found the budget."""
        self.python, self.figures[name] = PYTHON, float(rounded(found.value))
        kept = list(found.parts.items())[:RECORDED]
        _write(FOLDER / "functions" / f"{name}.toml", "", dict(kept))

    def write(self) -> None:
        """Write the budgets; of figures that are no more none is kept."""
        kept = {name: self.figures[name] for name in NAMES if name in self.figures}
        _write(BUDGETS, f'{_HEAD}python = "{self.python}"\n\n[figures]\n', kept)


def parts_of(name: str) -> dict[str, float]:
    """The largest parts as recorded."""
    file = FOLDER / "functions" / f"{name}.toml"
    return tomllib.loads(file.read_text()) if file.exists() else {}


def too_dear(name: str, found: Figure, budget: float) -> str:
    """What to say of a figure above its budget; empty where it is not."""
    if found.value <= MOST * budget:
        return ""
    before = parts_of(name)
    # What was not among the largest parts had at most as much as the smallest of them.
    floor = min(before.values(), default=0) if len(before) == RECORDED else 0
    grown = {part: now - before.get(part, floor) for part, now in found.parts.items()}
    worst = sorted(grown, key=lambda part: -grown[part])[:SHOWN]
    lines = [
        f"  {rounded(before[part]) if part in before else 'new':>9} → {rounded(found.parts[part])}"
        f"  {part}"
        for part in worst
        if grown[part] > 0
    ]
    return "\n".join(
        [
            f"{name}: {rounded(found.value)} a unit, {found.value / budget - 1:+.1%} above its "
            f"budget of {rounded(budget)}. What grew most:",
            *lines,
            f"If it has to be so, run `make budgets-update ONLY={name}`, and say why in the "
            "commit's message and in CHANGELOG.md.",
        ]
    )


def too_cheap(name: str, found: Figure, budget: float) -> str:
    """What to say of a figure far below its budget; empty where it is not."""
    if found.value >= LEAST * budget:
        return ""
    return (
        f"{name}: {rounded(found.value)} a unit, {found.value / budget - 1:.1%} below its budget "
        f"of {rounded(budget)}: lower it with `make budgets-update ONLY={name}`."
    )


def faults(name: str, found: Figure, budget: float | None) -> str:
    """What is wrong with a figure; empty where nothing is."""
    if budget is None:
        return f"{name} has no budget: record it with `make budgets-update ONLY={name}`."
    return too_dear(name, found, budget) or too_cheap(name, found, budget)


def rounded(number: float) -> str:
    """With what matters of it."""
    return f"{number:.0f}" if number >= 10_000 else f"{number:.4g}"


def _write(file: Path, head: str, numbers: dict[str, Any]) -> None:
    file.parent.mkdir(exist_ok=True)
    lines = (f"{_key(name)} = {rounded(number)}\n" for name, number in numbers.items())
    file.write_text(head + "".join(lines))


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "").isalnum()
    return name if plain else msgspec.json.encode(name).decode()
