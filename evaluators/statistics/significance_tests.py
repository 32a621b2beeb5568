"""The tests that papers print, over the scores of a run: between minds, between memories, standard
scenarios against hard ones, slope against slope. All tests of one question by one judge are a
family, whose p are corrected together (``contrasts.holm``)."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import msgspec
import numpy as np

from evaluators.scores.questions import QUESTIONS, Part, Question
from evaluators.scores.scales import ENDLESS, scale_of
from evaluators.scores.score_columns import Mask, ScoreColumns
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.cluster_means import Codes
from evaluators.statistics.clusters import clusters_of, usual
from evaluators.statistics.contrasts import Contrast, Group, contrast, holm
from evaluators.statistics.curves import chain_slopes
from evaluators.statistics.populations import Population
from store.read_model.records import ChainRow


class Tested(msgspec.Struct, frozen=True, kw_only=True):
    """One test of a family."""

    dimension: str
    of: str
    """What is the same on both sides: a mind, a memory, both, or nothing (empty)."""
    contrast: Contrast


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """All tests of one question by one judge."""

    judge: Judged
    between: Question
    part: Part
    """The scenarios of chains that the scores are of; ``all`` where the question is of parts."""
    population: Population
    tests: tuple[Tested, ...]
    unclean: int = 0
    """Episodes that are left out because an action failed in them."""

    @property
    def title(self) -> str:
        """What the table shows."""
        part = "" if self.part == "all" else f", {self.part} scenarios"
        name = QUESTIONS[self.between]
        return f"{name[0].upper()}{name[1:]}{part}, judged by {self.judge.label}"


def families(
    columns: ScoreColumns,
    chains: Sequence[ChainRow] = (),
    *,
    judges: Sequence[Judged] = (),
    dimensions: Sequence[str] = (),
    between: Sequence[Question] = (),
    part: Part = "all",
    unclean: bool = False,
) -> list[Family]:
    """A family for each judge and question, where there is anything to test. Episodes in which an
    action failed are left out, but with ``unclean``.

    ``judges``, ``dimensions``, ``between``: only these; none: all. ``part``: only scores of these
    scenarios of chains; slopes are always of the standard ones.

    Where there are chains, a unit is what one cast lived through once: groups that played the same
    cast are paired by it, repeats in order. Elsewhere it is a scenario.
    """
    units = _units(columns, chains)
    population = usual(columns)
    found = []
    for judge in judges or columns.judges:
        of_judge = columns.of(judge.hash)
        left_out = 0 if unclean else of_judge.episode[~of_judge.clean].different
        if left_out:
            of_judge = of_judge.where(of_judge.clean)
        of_judge = of_judge.where(~of_judge.shared)
        names = [d for d in of_judge.dimensions() if not dimensions or d in dimensions]
        for question in between or tuple(QUESTIONS):
            of = "all" if question == "parts" else "standard" if question == "slopes" else part
            tests = []
            for name in sorted(names, key=lambda d: _place(d, dimensions)):
                rows = of_judge.where(of_judge.dimension.among(name) & of_judge.scored)
                rows = rows.where(_of_part(rows, of))
                scale = ENDLESS if question == "slopes" else scale_of(rows, name)
                tests += [
                    Tested(
                        dimension=name,
                        of=same,
                        contrast=contrast(a, b, _unit(question, population), scale),
                    )
                    for same, a, b in _PAIRS[question](rows, units)
                ]
            if tests:
                corrected = holm([test.contrast for test in tests])
                found.append(
                    Family(
                        judge=judge,
                        between=question,
                        part=of,
                        population=_unit(question, population),
                        unclean=left_out,
                        tests=tuple(
                            msgspec.structs.replace(test, contrast=one)
                            for test, one in zip(tests, corrected, strict=True)
                        ),
                    )
                )
    return found


Units = Codes
"""For the code of each chain a number for what one cast lived through once; -1 where it is none."""
Pairs = Iterator[tuple[str, Group, Group]]
"""What is the same on both sides, and the sides."""


def _minds(rows: ScoreColumns, units: Units) -> Pairs:
    for memory in rows.memory.there():
        of_memory = rows.where(rows.memory.among(memory))
        for one, other in combinations(of_memory.mind.there(), 2):
            yield (
                memory,
                _group(one, of_memory.where(of_memory.mind.among(one)), units),
                _group(other, of_memory.where(of_memory.mind.among(other)), units),
            )


def _memories(rows: ScoreColumns, units: Units) -> Pairs:
    for mind in rows.mind.there():
        of_mind = rows.where(rows.mind.among(mind) & ~rows.chain.among(""))
        for one, other in combinations(of_mind.memory.there(), 2):
            yield (
                mind,
                _group(one, of_mind.where(of_mind.memory.among(one)), units),
                _group(other, of_mind.where(of_mind.memory.among(other)), units),
            )


def _parts(rows: ScoreColumns, units: Units) -> Pairs:
    for mind, memory, mine in _curves(rows):
        if mine.hard.any() and not mine.hard.all():
            yield (
                _named(mind, memory),
                _group("standard", mine.where(~mine.hard), units),
                _group("hard", mine.where(mine.hard), units),
            )


def _slopes(rows: ScoreColumns, units: Units) -> Pairs:
    """Between curves that differ in one thing, mind or memory."""
    found = {
        (mind, memory): _slope_group(mine, units)
        for mind, memory, mine in _curves(rows.where(~rows.chain.among("")))
    }
    for (mind, memory), (other, with_other) in combinations(found, 2):
        if mind != other and memory != with_other:
            continue
        a, b = found[mind, memory], found[other, with_other]
        if len(a.values) and len(b.values):
            same = mind if mind == other else memory
            labels = (memory, with_other) if mind == other else (mind, other)
            yield (
                same,
                msgspec.structs.replace(a, label=labels[0]),
                msgspec.structs.replace(b, label=labels[1]),
            )


_PAIRS: Final[Mapping[Question, Callable[[ScoreColumns, Units], Pairs]]] = {
    "minds": _minds,
    "memories": _memories,
    "parts": _parts,
    "slopes": _slopes,
}


def _curves(rows: ScoreColumns) -> Iterator[tuple[str, str, ScoreColumns]]:
    """The scores of each mind with each memory."""
    for mind in rows.mind.there():
        of_mind = rows.where(rows.mind.among(mind))
        for memory in of_mind.memory.there():
            yield mind, memory, of_mind.where(of_mind.memory.among(memory))


def _group(label: str, rows: ScoreColumns, units: Units) -> Group:
    scenarios = len(units) + rows.scenario.codes.astype(np.intp)
    of_chain = units[rows.chain.codes]
    return Group(
        label=label,
        values=rows.value,
        units=np.where(of_chain < 0, scenarios, of_chain),
        clusters=clusters_of(rows, "chains"),
    )


def _slope_group(rows: ScoreColumns, units: Units) -> Group:
    found = chain_slopes(rows.chain.codes, rows.index, rows.value)
    return Group(
        label="",
        values=np.array(list(found.values())),
        units=np.array([units[chain] for chain in found], dtype=np.intp),
    )


def _units(columns: ScoreColumns, chains: Iterable[ChainRow]) -> Units:
    codes = {name: code for code, name in enumerate(columns.chain.names) if name}
    found: dict[int, Hashable] = {code: name for name, code in codes.items()}
    repeats: Counter[Hashable] = Counter()
    for chain in chains:
        alike = (chain.characters, chain.minds, chain.memory)
        if chain.id in codes:
            found[codes[chain.id]] = (chain.characters, repeats[alike])
        repeats[alike] += 1
    known = {unit: place for place, unit in enumerate(dict.fromkeys(found.values()))}
    numbers = np.full(max(1, len(columns.chain.names)), -1, dtype=np.intp)
    for code, unit in found.items():
        numbers[code] = known[unit]
    return numbers


def _of_part(rows: ScoreColumns, part: Part) -> Mask:
    if part == "all":
        return np.ones(len(rows), dtype=np.bool_)
    return rows.hard if part == "hard" else ~rows.hard


def _unit(question: Question, population: Population) -> Population:
    return "chains" if question in ("memories", "slopes") else population


def _named(mind: str, memory: str) -> str:
    return f"{mind}, {memory}" if memory else mind


def _place(dimension: str, wanted: Sequence[str]) -> int:
    return wanted.index(dimension) if dimension in wanted else 0
