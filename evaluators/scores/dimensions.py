"""The dimensions that installed rubrics declare: how they are called, in which order tables show
them, and which are checkpoints. A judge may have others of its own."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from evaluators.plugin import OVERALL, Overall, Rubric
from evaluators.registry import judgings
from events.evaluation import Dimension


@cache
def known() -> Mapping[str, Dimension]:
    """By name, environment by environment, in the order in which tables show them."""
    found: dict[str, Dimension] = {}
    for rubric in _rubrics():
        for dimension in rubric.dimensions:
            found.setdefault(dimension.name, dimension)
    return found


def _rubrics() -> Iterator[Rubric]:
    for judging in judgings().values():
        yield from judging.rubrics


@cache
def _checkpoints() -> frozenset[str]:
    return frozenset().union(*(rubric.checkpoints for rubric in _rubrics()))


@cache
def kept() -> frozenset[str]:
    """Those that are stored and exported but in no table or curve, unless they are asked for."""
    return frozenset().union(*(rubric.kept for rubric in _rubrics()))


@cache
def optional() -> frozenset[str]:
    """Those that concern only some seats: of the others nothing was needed, and nothing is missing
    (``Rubric.optional``)."""
    return frozenset().union(*(rubric.optional for rubric in _rubrics()))


@cache
def worked_out() -> frozenset[str]:
    """Those that no judge gives: they follow from others (``Rubric.worked_out``)."""
    return frozenset(one.name for rubric in _rubrics() for one in rubric.worked_out)


def label(name: str) -> str:
    """How people read a dimension's name: ``fair_play`` is "Fair play"."""
    return name.replace("_", " ").capitalize()


def in_order(names: Iterable[str]) -> list[str]:
    """Names of dimensions as tables show them: those known here first, then others by name,
    ``overall`` last."""
    places = {name: place for place, name in enumerate(known())}

    def place(name: str) -> tuple[bool, int, str]:
        return name == OVERALL, places.get(name, len(places)), name

    return sorted(set(names), key=place)


def shown(names: Iterable[str]) -> list[str]:
    """``in_order`` without those that are kept but not shown (``Rubric.kept``)."""
    return [name for name in in_order(names) if name not in kept()]


def is_checkpoint(name: str, values: Iterable[float]) -> bool:
    """Whether a dimension is passed or failed, going by its name and all its values: a judge may
    have had a scale of its own under the same name."""
    return name in _checkpoints() and all(value in (0, 1) for value in values)


def overall_of(asked: Collection[str]) -> Overall | None:
    """The score that is worked out where these dimensions are judged; None where none is."""
    return next(
        (
            judging.overall
            for judging in judgings().values()
            if judging.overall is not None and judging.overall.fits(asked)
        ),
        None,
    )
