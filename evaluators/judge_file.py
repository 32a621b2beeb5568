"""Judges: those built in, and the TOML files a person writes (``docs/judge.md``)."""

from math import isfinite
from pathlib import Path
from typing import Literal

import msgspec
from rapidfuzz import process

from actors.models.settings import AtLeastOne, ModelSettings, NotNegative, Seconds, Temperature
from actors.toml_file import BadFile, parse_toml, read_toml
from evaluators import sotopia_eval
from evaluators.believability import rubric, rule_rubric
from evaluators.facts_rubric import FACTS_JUDGE
from evaluators.judge_prompts import TEMPLATES, prompt_version
from events.evaluation import Dimension, JudgeSpec

TEMPERS = ("strict", "lenient")
"""Tempers of the rehearsal judge."""
PROMPTS = {"sotopia": "judge-v1", "believability": "believability-v1"}
"""The prompt of each rubric that a model can be asked by, where the file names none."""
PAST_TOKENS = 32_000
"""Tokens of earlier episodes that a model is shown at most, where the file does not say."""

BUILT_IN: dict[str, JudgeSpec] = {
    f"rehearsal-{temper}": JudgeSpec(
        name=f"rehearsal-{temper}",
        kind="rehearsal",
        dimensions=sotopia_eval.DIMENSIONS,
        temper=temper,
    )
    for temper in TEMPERS
} | {
    "belext-rehearsal": JudgeSpec(
        name="belext-rehearsal",
        kind="rehearsal",
        dimensions=rubric.DIMENSIONS,
        temper="strict",
        rubric="believability",
    ),
    "belext-rule": JudgeSpec(
        name="belext-rule",
        kind="rule",
        dimensions=rule_rubric.DIMENSIONS,
        rubric="believability",
    ),
    FACTS_JUDGE.name: FACTS_JUDGE,
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
    rubric: Literal["sotopia", "believability"] = "sotopia"
    temper: str = ""
    seed: int = 0
    prompt: str = ""
    """Empty: the newest of the rubric's."""
    past_tokens: NotNegative | None = None
    """For ``believability``: as in ``JudgeSpec``; left out: ``PAST_TOKENS``."""
    dimensions: tuple[str, ...] | None = None
    """Which are scored, in this order; left out: all of the rubric, then the file's own."""
    dimension: tuple[DimensionEntry, ...] = ()
    temperature: Temperature = 0.0
    max_tokens: AtLeastOne = 4000
    timeout_s: Seconds = 180.0


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
    believability = file.rubric == "believability"
    looks_back = is_model and believability
    past_tokens = PAST_TOKENS if file.past_tokens is None else file.past_tokens
    return JudgeSpec(
        name=file.name or path.stem,
        kind=file.kind,
        dimensions=rubric.DIMENSIONS if believability else _dimensions(file, path),
        model=file.spec() if is_model else None,
        prompt_version=prompt_version(file.prompt or PROMPTS[file.rubric]) if is_model else "",
        temper=file.temper,
        seed=file.seed,
        rubric=file.rubric,
        past_tokens=past_tokens if looks_back else 0,
    )


def _problems(file: JudgeFile) -> list[tuple[str, str]]:
    found = _rehearsal_problems(file) if file.kind == "rehearsal" else _model_problems(file)
    if file.rubric == "believability" and (file.dimension or file.dimensions is not None):
        field = "dimension[0]" if file.dimension else "dimensions"
        why = "the believability rubric is scored as a whole and has no others; leave it out"
        found.append((field, why))
    return found


def _model_problems(file: JudgeFile) -> list[tuple[str, str]]:
    found = file.problems()
    if file.temper:
        found.append(("temper", "only a rehearsal judge has one; leave it out"))
    fit = [name for name in TEMPLATES if name.startswith(PROMPTS[file.rubric].partition("-")[0])]
    if file.prompt and file.prompt not in fit:
        why = f"there is no prompt {file.prompt!r} of the rubric {file.rubric}; it is one of "
        found.append(("prompt", why + ", ".join(fit)))
    if file.past_tokens is not None and file.rubric != "believability":
        found.append(("past_tokens", "this rubric does not look back; leave it out"))
    return found


def _rehearsal_problems(file: JudgeFile) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if file.model:
        found.append(("model", "a rehearsal judge has no model; did you mean kind = 'model'?"))
    if file.temper not in TEMPERS:
        found.append(("temper", f"must be one of {', '.join(TEMPERS)}, is {file.temper!r}"))
    if file.past_tokens is not None:
        found.append(("past_tokens", "only a model is shown the past in tokens; leave it out"))
    if file.dimension and file.rubric == "sotopia":
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
