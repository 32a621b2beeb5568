"""Judges: those built in, and the TOML files a person writes (``docs/judge.md``)."""

from math import isfinite
from pathlib import Path
from typing import Literal

import msgspec
from rapidfuzz import process

from actors.models.settings import ModelSettings
from actors.toml_file import BadFile, parse_toml, read_toml
from evaluators import sotopia_eval
from evaluators.judge_prompts import TEMPLATES, prompt_version
from events.evaluation import Dimension, JudgeSpec

TEMPERS = ("strict", "lenient")
"""Tempers of the rehearsal judge."""

BUILT_IN: dict[str, JudgeSpec] = {
    f"rehearsal-{temper}": JudgeSpec(
        name=f"rehearsal-{temper}",
        kind="rehearsal",
        dimensions=sotopia_eval.DIMENSIONS,
        temper=temper,
    )
    for temper in TEMPERS
}
"""Judges that need no file."""


class UnknownJudge(LookupError):
    """Neither a built-in judge nor a judge file."""

    def __init__(self, given: str) -> None:
        near = process.extractOne(given, list(BUILT_IN), score_cutoff=50)
        hint = f"did you mean {near[0]!r}? " if near else ""
        super().__init__(
            f"there is no judge {given!r}; {hint}name a built-in judge "
            f"({', '.join(BUILT_IN)}) or the path of a judge file (.toml)"
        )
        self.given = given
        self.nearest = [near[0]] if near else []


class DimensionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ``[[dimension]]`` section: a dimension of the judge's own, or one of the seven in other
    words (then without ``low`` and ``high``, which stay as they are)."""

    name: str
    description: str
    low: float | None = None
    high: float | None = None


class JudgeFile(ModelSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole judge file. What says how the model is asked has a judge's defaults."""

    name: str = ""
    """How tables call the judge; empty: the file's name."""
    kind: Literal["model", "rehearsal"] = "model"
    temper: str = ""
    seed: int = 0
    prompt: str = "judge-v1"
    dimensions: tuple[str, ...] | None = None
    """Which are scored, in this order; left out: the seven, then the file's own."""
    dimension: tuple[DimensionEntry, ...] = ()
    temperature: float = 0.0
    max_tokens: int = 4000
    timeout_s: float = 180.0


def read_judge(path: Path) -> JudgeSpec:
    """The judge in a TOML file. Raises ``BadFile``: file, field, and what would be right."""
    return _spec(read_toml(path, JudgeFile), path)


def parse_judge(text: str, path: Path | str = "judge.toml") -> JudgeSpec:
    """The judge in TOML text; ``path`` names it in errors. Raises ``BadFile``."""
    return _spec(parse_toml(text, JudgeFile, path), Path(path))


def judge_named(name: str, *, beside: Path | None = None) -> JudgeSpec:
    """A built-in judge by name, or a judge file by path (relative to ``beside`` if given).

    Raises ``UnknownJudge`` or ``BadFile``.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    path = (beside or Path()) / Path(name).expanduser()
    if path.suffix == ".toml" or path.is_file():
        return read_judge(path)
    raise UnknownJudge(name)


def _spec(file: JudgeFile, path: Path) -> JudgeSpec:
    for field, why in _problems(file):
        raise BadFile(path, field, why)
    is_model = file.kind == "model"
    return JudgeSpec(
        name=file.name or path.stem,
        kind=file.kind,
        dimensions=_dimensions(file, path),
        model=file.spec() if is_model else None,
        prompt_version=prompt_version(file.prompt) if is_model else "",
        temper=file.temper,
        seed=file.seed,
    )


def _problems(file: JudgeFile) -> list[tuple[str, str]]:
    if file.kind == "rehearsal":
        return _rehearsal_problems(file)
    found = file.problems()
    if file.temper:
        found.append(("temper", "only a rehearsal judge has one; leave it out"))
    if file.prompt not in TEMPLATES:
        found.append(
            ("prompt", f"there is no prompt {file.prompt!r}; it is one of {', '.join(TEMPLATES)}")
        )
    return found


def _rehearsal_problems(file: JudgeFile) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if file.model:
        found.append(("model", "a rehearsal judge has no model; did you mean kind = 'model'?"))
    if file.temper not in TEMPERS:
        found.append(("temper", f"must be one of {', '.join(TEMPERS)}, is {file.temper!r}"))
    if file.dimension:
        found.append(
            (
                "dimension[0]",
                "a rehearsal judge scores SOTOPIA's seven dimensions only; "
                "a dimension of your own needs kind = 'model'",
            )
        )
    return found


def _dimensions(file: JudgeFile, path: Path) -> tuple[Dimension, ...]:
    known = dict(sotopia_eval.BY_NAME)
    named: set[str] = set()
    for place, entry in enumerate(file.dimension):
        if entry.name in named:
            why = f"{entry.name!r} is declared twice; a name stands for one dimension"
            raise BadFile(path, f"dimension[{place}].name", why)
        named.add(entry.name)
        known[entry.name] = _dimension(entry, place, path)
    wanted = tuple(known) if file.dimensions is None else file.dimensions
    if not wanted:
        raise BadFile(path, "dimensions", "a judge scores at least one; leave it out for all")
    for place, name in enumerate(wanted):
        where = f"dimensions[{place}]"
        if name not in known:
            near = process.extractOne(name, list(known), score_cutoff=50)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise BadFile(path, where, f"there is no dimension {name!r}; {hint}")
        if name in wanted[:place]:
            raise BadFile(path, where, f"{name!r} is named twice; once is enough")
    return tuple(known[name] for name in wanted)


def _dimension(entry: DimensionEntry, place: int, path: Path) -> Dimension:
    """One of the file's dimensions, checked."""

    def bad(field: str, why: str) -> BadFile:
        return BadFile(path, f"dimension[{place}].{field}", why)

    if not entry.name.isidentifier() or entry.name == sotopia_eval.OVERALL:
        why = f"must be a word of letters, digits and _ other than 'overall', is {entry.name!r}"
        raise bad("name", why)
    if not entry.description.strip():
        raise bad("description", "must say what the judge shall look for")
    ours = sotopia_eval.BY_NAME.get(entry.name)
    if ours:
        low, high = entry.low, entry.high
        if low not in (None, ours.low) or high not in (None, ours.high):
            why = (
                f"{entry.name!r} is one of SOTOPIA's seven and its range stays "
                f"{ours.low:g}..{ours.high:g}; leave low and high out, or choose another name"
            )
            raise bad("low" if low not in (None, ours.low) else "high", why)
        return msgspec.structs.replace(ours, description=entry.description.strip())
    for field, end in (("low", entry.low), ("high", entry.high)):
        if end is not None and not isfinite(end):
            raise bad(field, f"must be a finite number, is {end}")
    if entry.low is None or entry.high is None:
        missing = "low" if entry.low is None else "high"
        raise bad(missing, "a dimension of your own needs both ends of its range")
    if not entry.low < entry.high:
        raise bad("high", f"must be more than low ({entry.low:g}), is {entry.high:g}")
    return Dimension(
        name=entry.name, low=entry.low, high=entry.high, description=entry.description.strip()
    )
