"""Cases as a file: JSON, a line each, after a line that says what it is and which tasks were
looked through."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec

from actors.sandbox.catalog_items import Case, FrozenTask
from actors.sandbox.setup_faults import case_fault
from evaluators.sandbox.language.extract_cases import Frozen
from events.base import Value
from events.serialization.struct_types import decodable
from events.untrusted.json_values import NotJson, value_of
from events.untrusted.safe_text import shortened

T = TypeVar("T")
FILE: Final = "troupe-sandbox-cases"
VERSION: Final = 1
_LONGEST: Final = 200


class Heading(Value, frozen=True, kw_only=True):
    """A case file's first line."""

    file: Literal["troupe-sandbox-cases"]
    version: int
    run: str = ""
    """The run that they were cut from."""
    tasks: tuple[FrozenTask, ...] = ()


class BadCases(ValueError):
    """A file that is not one of cases."""

    def __init__(self, path: Path | str, line: int, why: str) -> None:
        super().__init__(f"{shortened(str(path))}, line {line}: {shortened(why, _LONGEST)}")
        self.path, self.line, self.why = path, line, why


def written(frozen: Frozen, run: str) -> str:
    """The file's text: the same cases, the same text."""
    lines = [msgspec.json.encode(Heading(file=FILE, version=VERSION, run=run, tasks=frozen.tasks))]
    lines += [msgspec.json.encode(case) for case in frozen.cases]
    return "".join(f"{line.decode()}\n" for line in lines)


def parse_cases(lines: Sequence[str], path: Path | str) -> Frozen:
    """The cases of a file's lines; ``path`` names them in errors. Raises ``BadCases``."""
    if not any(lines):
        raise BadCases(path, 1, "it is empty; `troupe town freeze RUN` writes such files")
    try:
        heading = msgspec.convert(value_of(lines[0]), decodable(Heading))
    except (msgspec.ValidationError, NotJson) as error:
        why = f"it is no file of cases, such as `troupe town freeze RUN` writes ({error})"
        raise BadCases(path, 1, why) from error
    if heading.version != VERSION:
        why = f"it is of version {heading.version}; this one reads version {VERSION}"
        raise BadCases(path, 1, why)
    cases: list[Case] = []
    known: dict[str, int] = {}
    tasks = {task.id for task in heading.tasks}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        case = _decoded(line, Case, path, number)
        if case.id in known:
            why = f"the case {shortened(case.id)!r} stands in line {known[case.id]} already"
            raise BadCases(path, number, why)
        if case.task.id not in tasks:
            why = f"the first line has no task {shortened(case.task.id)!r}"
            raise BadCases(path, number, why)
        if not case.task.goals:
            raise BadCases(path, number, "its task has no goals")
        if not all(goal.keyword.strip() for goal in case.task.goals):
            why = "a goal has no keyword; it is what must be spoken of to count"
            raise BadCases(path, number, why)
        if fault := case_fault(case, 2):
            raise BadCases(path, number, fault)
        known[case.id] = number
        cases.append(case)
    return Frozen(tasks=heading.tasks, cases=tuple(cases))


def _decoded(line: str, kind: type[T], path: Path | str, number: int) -> T:
    try:
        return msgspec.convert(value_of(line), decodable(kind))
    except (msgspec.ValidationError, NotJson) as error:
        raise BadCases(path, number, str(error)) from error
