"""Which rubrics and judges there are, and which of them fit an environment."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Final

from rapidfuzz import process

from evaluators.plugin import OVERALL, EvaluatorPlugin, Rubric, ask_for_scores
from events.evaluation import JudgeSpec
from events.untrusted.safe_text import shortened

GROUP: Final = "troupe.evaluators"
OWN: Final = "own"
"""The rubric of any environment: each judge declares its own dimensions."""


class BrokenPlugin(ImportError):
    """An installed entry that cannot be used."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"the evaluators of environment {shortened(name)!r} cannot be used: "
            f"{shortened(why, 1_000)}"
        )
        self.environment, self.why = name, why


class UnknownRubric(LookupError):
    """A rubric that is not installed."""

    def __init__(self, given: str) -> None:
        meant = near(given, list(_rubrics()))
        hint = f"did you mean {meant!r}? " if meant else ""
        super().__init__(
            f"there is no rubric {shortened(given)!r}; {hint}there are {', '.join(_rubrics())}"
        )
        self.given = given


class UnfitJudge(ValueError):
    """A judge whose rubric is for episodes of another environment."""

    def __init__(self, judge: JudgeSpec, of: str, environment: str) -> None:
        fit = ", ".join(rubric.name for rubric in rubrics_for(environment))
        super().__init__(
            f"judge {judge.name!r} scores by the rubric {judge.rubric!r}, which is for episodes "
            f"of environment {shortened(of)!r}, not of {shortened(environment)!r}; rubrics for "
            f"these are {fit}"
        )
        self.judge, self.of, self.environment = judge, of, environment


NEUTRAL: Final = EvaluatorPlugin(environment="", rubrics=(Rubric(name=OWN, form=ask_for_scores),))
"""What fits any environment."""


@cache
def judgings() -> Mapping[str, EvaluatorPlugin]:
    """What is installed by environment, ``NEUTRAL`` first. Raises ``BrokenJudging``."""
    found = {NEUTRAL.environment: NEUTRAL}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            judging = entry.load()
        except Exception as error:
            raise BrokenPlugin(entry.name, f"{type(error).__name__}: {error}") from error
        if not isinstance(judging, EvaluatorPlugin):
            raise BrokenPlugin(entry.name, f"it is a {type(judging).__name__}, no Judging")
        if judging.environment != entry.name:
            raise BrokenPlugin(entry.name, f"it says it is for {judging.environment!r}")
        _check(judging, found)
        found[entry.name] = judging
    return found


def judging_of(environment: str) -> EvaluatorPlugin:
    """What an environment brings; nothing where it brings nothing. Raises ``BrokenJudging``."""
    return judgings().get(environment) or EvaluatorPlugin(environment=environment)


def rubric_named(name: str) -> Rubric:
    """The installed rubric of this name. Raises ``UnknownRubric``."""
    found = _rubrics().get(name)
    if found is None:
        raise UnknownRubric(name)
    return found[1]


def rubric_of(judge: JudgeSpec) -> Rubric:
    """The rubric that a judge was made of, in the edition that it was then. Raises
    ``UnknownRubric``."""
    newest = rubric_named(judge.rubric)
    if judge.prompt_version:
        return newest.edition(judge.prompt_version.partition("@")[0])
    scored = {dimension.name for dimension in judge.dimensions}
    for edition in (newest, *newest.editions):
        if scored <= {dimension.name for dimension in edition.dimensions}:
            return edition
    return newest


def rubrics_for(environment: str) -> tuple[Rubric, ...]:
    """The rubrics that fit an environment: its own, and those of any."""
    return (*judging_of(environment).rubrics, *NEUTRAL.rubrics)


def check_fit(judge: JudgeSpec, environment: str) -> None:
    """Raises ``UnfitJudge`` where a judge cannot score episodes of an environment, and
    ``UnknownRubric``."""
    found = _rubrics().get(judge.rubric)
    if found is None:
        raise UnknownRubric(judge.rubric)
    if found[0] not in ("", environment):
        raise UnfitJudge(judge, found[0], environment)


def built_in() -> dict[str, JudgeSpec]:
    """Judges that need no file, by name."""
    return {judge.name: judge for judging in judgings().values() for judge in judging.judges}


def judge_to_try(environment: str, judged: "Sequence[str]" = ()) -> str:
    """A judge that needs no file and no model, for episodes of an environment, other than some;
    empty: there is none."""
    fitting = [judge.name for judge in judging_of(environment).judges]
    return next((name for name in fitting if name not in judged), "")


def abbreviation(dimension: str) -> str:
    """The short name of a dimension: the whole one where nobody has said another."""
    found = (judging.abbreviations.get(dimension) for judging in judgings().values())
    return next((short for short in found if short), dimension)


def near(given: str, known: Sequence[str]) -> str | None:
    """The name that was probably meant."""
    found = process.extractOne(given, known, score_cutoff=50)
    return found[0] if found else None


@cache
def _rubrics() -> Mapping[str, tuple[str, Rubric]]:
    """Each rubric with its environment."""
    return {
        rubric.name: (environment, rubric)
        for environment, judging in judgings().items()
        for rubric in judging.rubrics
    }


def _check(judging: EvaluatorPlugin, others: Mapping[str, EvaluatorPlugin]) -> None:
    """What would make one name mean two things. Raises ``BrokenJudging``."""
    rubrics = {rubric.name for other in others.values() for rubric in other.rubrics}
    judges = {judge.name for other in others.values() for judge in other.judges}
    ranges = {
        dimension.name: (dimension.low, dimension.high)
        for other in others.values()
        for rubric in other.rubrics
        for dimension in rubric.dimensions
    }
    for rubric in judging.rubrics:
        if rubric.name in rubrics:
            raise BrokenPlugin(judging.environment, f"there is a rubric {rubric.name!r} already")
        rubrics.add(rubric.name)
        for dimension in rubric.dimensions:
            if dimension.name == OVERALL:
                raise BrokenPlugin(judging.environment, f"{OVERALL!r} is no dimension's name")
            known = ranges.setdefault(dimension.name, (dimension.low, dimension.high))
            if known != (dimension.low, dimension.high):
                why = f"dimension {dimension.name!r} has another range elsewhere: {known}"
                raise BrokenPlugin(judging.environment, why)
    for judge in judging.judges:
        if judge.name in judges:
            raise BrokenPlugin(judging.environment, f"there is a judge {judge.name!r} already")
        judges.add(judge.name)
