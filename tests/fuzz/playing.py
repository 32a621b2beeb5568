"""Playing cases, and making the findings small."""

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import ClassVar, NamedTuple

from events.untrusted.safe_text import harmless
from tests.fuzz.oracle import Hang, watch_dog


class Kind:
    """One kind of input. Made in a folder of its own, used as ``with``."""

    name: ClassVar[str]
    share: ClassVar[float] = 1.0
    """Of the time, beside the other kinds."""
    samples: int = 1
    """Valid inputs there are to spoil."""

    def __init__(self, folder: Path) -> None:
        """``folder``: empty, its own."""

    def __enter__(self) -> "Kind":
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of what was opened."""

    def play(self, sample: int, steps: Sequence[int]) -> None:
        """Spoil a sample, let it in, and look. Whatever is raised is a finding."""
        raise NotImplementedError

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        """The input itself, for whoever mends a finding."""
        raise NotImplementedError

    def check_end(self) -> None:
        """What must hold after all cases."""


class Case(NamedTuple):
    """One input: everything about it follows from seed, kind and number."""

    number: int
    sample: int
    steps: tuple[int, ...]

    @classmethod
    def of(cls, kind: Kind, seed: int, number: int) -> "Case":
        """The case of a number. Most are spoiled once or twice: more is refused too soon."""
        random = Random(f"{seed} {kind.name} {number}")
        count = random.choices((0, 1, 2, 3, 6), (1, 40, 25, 15, 5))[0]
        steps = tuple(random.getrandbits(32) for _ in range(count))
        return cls(number, random.randrange(kind.samples), steps)


class Finding(NamedTuple):
    """Something that must not be, with what leads to it."""

    kind: str
    seed: int
    number: int
    what: str
    """The last line of the trace."""
    trace: str
    shown: str
    """The smallest input that leads to it."""

    def __str__(self) -> str:
        again = f"python -m tests.fuzz --kinds {self.kind} --seed {self.seed} --case {self.number}"
        said = f"{self.kind} {self.number}: {self.what}\n  again: {again}\n  with: {self.shown}"
        return harmless(said)


@dataclass
class Played:
    """What came of the cases of one kind."""

    cases: int = 0
    seconds: float = 0.0
    cpu_s: float = 0.0
    """Processor time of this process."""
    findings: dict[str, Finding] = field(default_factory=dict)
    """One of each sort, by where it was raised."""
    sorts: dict[str, int] = field(default_factory=dict)
    """How often each was found."""


def play(kind: Kind, seed: int, number: int, into: Played) -> None:
    """Play a case and count what comes of it."""
    case = Case.of(kind, seed, number)
    begin, cpu = monotonic(), process_time()
    error = fault_of(kind, case.sample, case.steps)
    into.cases += 1
    into.seconds += monotonic() - begin
    into.cpu_s += process_time() - cpu
    if error is None:
        return
    sort = _sort(error)
    into.sorts[sort] = into.sorts.get(sort, 0) + 1
    if sort not in into.findings:
        steps = smallest(kind, case, sort)
        into.findings[sort] = Finding(
            kind=kind.name,
            seed=seed,
            number=number,
            what=_last_line(error),
            trace="".join(traceback.format_exception(error)),
            shown=_shown(kind, case.sample, steps),
        )


def fault_of(kind: Kind, sample: int, steps: Sequence[int]) -> BaseException | None:
    """What is wrong with how a spoiled sample was met; None: nothing."""
    try:
        with watch_dog():
            kind.play(sample, steps)
    except (Exception, Hang) as error:  # noqa: BLE001 - that is what is looked for
        return error
    return None


def smallest(kind: Kind, case: Case, sort: str) -> tuple[int, ...]:
    """The fewest steps of a case that still lead to a finding of that sort."""
    steps = list(case.steps)
    for place in reversed(range(len(steps))):
        fewer = steps[:place] + steps[place + 1 :]
        error = fault_of(kind, case.sample, fewer)
        if error is not None and _sort(error) == sort:
            steps = fewer
    return tuple(steps)


def numbers(first: int, count: int | None) -> Iterator[int]:
    """The numbers of cases to play."""
    number = first
    while count is None or number < first + count:
        yield number
        number += 1


def _sort(error: BaseException) -> str:
    """What kind of finding it is: the class, and the deepest place of ours in the trace."""
    places = [
        f"{frame.filename}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if ".venv" not in frame.filename and "/lib/python" not in frame.filename
    ]
    return f"{type(error).__name__} at {places[-1] if places else '?'}"


def _last_line(error: BaseException) -> str:
    text = " ".join("".join(traceback.format_exception_only(error)).split())
    return f"{text[:400]} [{_sort(error)}]"


def _shown(kind: Kind, sample: int, steps: Sequence[int]) -> str:
    try:
        text = kind.shown(sample, steps)
    except Exception as error:  # noqa: BLE001 - the finding counts
        return f"sample {sample}, steps {list(steps)} ({error!r})"
    return text if len(text) <= 1_500 else f"{text[:1_000]} … {text[-400:]}"
