"""Judges: those built in, and the TOML files a person writes (``docs/reference/judge.md``)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from actors.models.settings import AtLeastOne, ModelSettings, NotNegative, Seconds, Temperature
from actors.toml_file import BadFile, Table, parse_toml, read_toml
from evaluators.judges.judge_prompts import prompt_names, prompt_version
from evaluators.plugin import OVERALL, Rubric
from evaluators.registry import UnknownRubric, built_in, near, rubric_named
from events.evaluation import DEFAULT_RUBRIC, Dimension, JudgeSpec
from events.untrusted.safe_text import shortened

PAST_TOKENS = 32_000
"""Tokens of earlier episodes that a model is shown at most, where the file does not say."""


class UnknownJudge(LookupError):
    """Neither a built-in judge nor a judge file."""

    def __init__(self, given: str) -> None:
        known = list(built_in())
        meant = near(given, known)
        hint = f"did you mean {meant!r}? " if meant else ""
        super().__init__(
            f"there is no judge {shortened(given)!r}; {hint}name a built-in judge "
            f"({', '.join(known)}) or the path of a judge file (.toml)"
        )
        self.given = given
        self.nearest = [meant] if meant else []


class NoJudgeFile(LookupError):
    """There is no file at the path of a judge."""

    def __init__(self, given: str, path: Path) -> None:
        place = "" if str(path) == given else f" (looked for as {shortened(str(path))})"
        known = path.stem in built_in()
        hint = f"; the built-in judge {path.stem!r} is named without .toml" if known else ""
        super().__init__(f"there is no judge file {shortened(given)!r}{place}{hint}")
        self.given, self.path = given, path


class DimensionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ``[[dimension]]`` section: a dimension of the judge's own, or one of the rubric's in
    other words (then without ``low``, ``high`` and ``integer``, which stay as they are)."""

    name: str
    description: str
    low: float | None = None
    high: float | None = None
    integer: bool | None = None


class JudgeFile(ModelSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole judge file. What says how the model is asked has a judge's defaults."""

    name: str = ""
    """How tables call the judge; empty: the file's name."""
    kind: Literal["model", "rehearsal"] = "model"
    rubric: str = DEFAULT_RUBRIC
    temper: str = ""
    prompt: str = ""
    """Empty: the newest of the rubric's."""
    past_tokens: NotNegative | None = None
    """As in ``JudgeSpec``, where the rubric looks back; left out: ``PAST_TOKENS``."""
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


def judge_from(settings: Mapping[str, Any], name: str) -> JudgeSpec:
    """The judge of which a file would say this; ``name`` names it in errors, and where it says
    none. Raises ``BadFile``."""
    return _spec(Table(name, "", dict(settings)).shaped(JudgeFile), Path(name))


def judge_named(name: str, *, beside: Path | None = None) -> JudgeSpec:
    """A built-in judge by name, or a judge file by path (relative to ``beside`` if given).

    Raises ``UnknownJudge``, ``NoJudgeFile`` or ``BadFile``.
    """
    known = built_in()
    if name in known:
        return known[name]
    path = (beside or Path()) / Path(name).expanduser()
    if path.is_file():
        return read_judge(path)
    if path.suffix == ".toml":
        raise NoJudgeFile(name, path)
    raise UnknownJudge(name)


def judge_among(judges: Mapping[str, JudgeSpec]) -> Callable[[str], JudgeSpec]:
    """Judges by the names that ``judges`` gives them, and built-in ones. What comes back reads no
    file, and raises ``UnknownJudge``."""

    def judge(name: str) -> JudgeSpec:
        if found := judges.get(name) or built_in().get(name):
            return found
        raise UnknownJudge(name)

    return judge


def _spec(file: JudgeFile, path: Path) -> JudgeSpec:
    rubric = _rubric(file, path)
    for field, why in _problems(file, rubric):
        raise BadFile(path, field, why)
    is_model = file.kind == "model"
    past_tokens = PAST_TOKENS if file.past_tokens is None else file.past_tokens
    return JudgeSpec(
        name=file.name or path.stem,
        kind=file.kind,
        dimensions=_dimensions(file, rubric, path),
        model=file.spec() if is_model else None,
        prompt_version=prompt_version(rubric, file.prompt) if is_model else "",
        temper=file.temper,
        seed=0 if is_model else file.seed or 0,
        rubric=file.rubric,
        past_tokens=past_tokens if is_model and rubric.looks_back else 0,
    )


def _rubric(file: JudgeFile, path: Path) -> Rubric:
    """The rubric that is named, in the edition that the prompt is of, if there is a judge of this
    kind by it."""
    try:
        rubric = rubric_named(file.rubric).edition(file.prompt)
    except UnknownRubric as error:
        raise BadFile(path, "rubric", str(error)) from error
    if not (rubric.asks_models if file.kind == "model" else rubric.rehearsal):
        why = f"the rubric {rubric.name} has no judge of kind {file.kind!r}"
        raise BadFile(path, "rubric", why)
    return rubric


def _problems(file: JudgeFile, rubric: Rubric) -> list[tuple[str, str]]:
    problems = _rehearsal_problems if file.kind == "rehearsal" else _model_problems
    found = problems(file, rubric)
    if rubric.whole and (file.dimension or file.dimensions is not None):
        field = "dimension[0]" if file.dimension else "dimensions"
        why = f"the {rubric.name} rubric is scored as a whole and has no others; leave it out"
        found.append((field, why))
    return found


def _model_problems(file: JudgeFile, rubric: Rubric) -> list[tuple[str, str]]:
    found = file.problems()
    if file.temper:
        found.append(("temper", "only a rehearsal judge has one; leave it out"))
    fit = prompt_names(rubric_named(file.rubric))
    if file.prompt and file.prompt not in fit:
        why = f"there is no prompt {file.prompt!r} of the rubric {rubric.name}; it is one of "
        found.append(("prompt", why + ", ".join(fit)))
    if file.past_tokens is not None:
        if not rubric.looks_back:
            found.append(("past_tokens", "this rubric does not look back; leave it out"))
        elif file.past_tokens < 0:
            found.append(("past_tokens", f"must be 0 or more, is {file.past_tokens}"))
    return found


def _rehearsal_problems(file: JudgeFile, rubric: Rubric) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if file.model:
        found.append(("model", "a rehearsal judge has no model; did you mean kind = 'model'?"))
    if file.temper not in rubric.tempers:
        known = ", ".join(rubric.tempers)
        found.append(("temper", f"must be one of {known}, is {file.temper!r}"))
    if file.past_tokens is not None:
        found.append(("past_tokens", "only a model is shown the past in tokens; leave it out"))
    if file.dimension and not rubric.whole:
        found.append(
            (
                "dimension[0]",
                f"a rehearsal judge scores the dimensions of {rubric.name} only; "
                "a dimension of your own needs kind = 'model'",
            )
        )
    return found


def _dimensions(file: JudgeFile, rubric: Rubric, path: Path) -> tuple[Dimension, ...]:
    if rubric.whole:
        return rubric.dimensions
    theirs = {dimension.name: dimension for dimension in rubric.dimensions}
    known = dict(theirs)
    named: set[str] = set()
    for place, entry in enumerate(file.dimension):
        if entry.name in named:
            why = f"{entry.name!r} is declared twice; a name stands for one dimension"
            raise BadFile(path, f"dimension[{place}].name", why)
        named.add(entry.name)
        known[entry.name] = _dimension(entry, place, theirs.get(entry.name), path)
    if not known:
        why = f"the rubric {rubric.name} has no dimensions of its own; declare one at least"
        raise BadFile(path, "dimension", why)
    wanted = tuple(known) if file.dimensions is None else file.dimensions
    if not wanted:
        raise BadFile(path, "dimensions", "a judge scores at least one; leave it out for all")
    for place, name in enumerate(wanted):
        where = f"dimensions[{place}]"
        if name not in known:
            meant = near(name, list(known))
            hint = f"did you mean {meant!r}?" if meant else f"there are {', '.join(known)}"
            raise BadFile(path, where, f"there is no dimension {name!r}; {hint}")
        if name in wanted[:place]:
            raise BadFile(path, where, f"{name!r} is named twice; once is enough")
    return tuple(known[name] for name in wanted)


def _dimension(entry: DimensionEntry, place: int, ours: Dimension | None, path: Path) -> Dimension:
    """One of the file's dimensions, checked; ``ours``: the rubric's of that name."""

    def bad(field: str, why: str) -> BadFile:
        return BadFile(path, f"dimension[{place}].{field}", why)

    if not entry.name.isidentifier() or entry.name == OVERALL:
        why = f"must be a word of letters, digits and _ other than {OVERALL!r}, is {entry.name!r}"
        raise bad("name", why)
    if not entry.description.strip():
        raise bad("description", "must say what the judge shall look for")
    if ours:
        low, high = entry.low, entry.high
        if low not in (None, ours.low) or high not in (None, ours.high):
            why = (
                f"{entry.name!r} is one of the rubric's own and its range stays "
                f"{ours.low:g}..{ours.high:g}; leave low and high out, or choose another name"
            )
            raise bad("low" if low not in (None, ours.low) else "high", why)
        if entry.integer not in (None, ours.integer):
            why = f"{entry.name!r} is one of the rubric's own; whether it is whole stays as it is"
            raise bad("integer", why)
        return msgspec.structs.replace(ours, description=entry.description.strip())
    if entry.low is None or entry.high is None:
        missing = "low" if entry.low is None else "high"
        raise bad(missing, "a dimension of your own needs both ends of its range")
    if not entry.low < entry.high:
        raise bad("high", f"must be more than low ({entry.low:g}), is {entry.high:g}")
    return Dimension(
        name=entry.name,
        low=entry.low,
        high=entry.high,
        description=entry.description.strip(),
        integer=bool(entry.integer),
    )
