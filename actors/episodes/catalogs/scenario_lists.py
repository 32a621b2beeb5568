"""Lists of scenarios, each with the seat that counts where one does: files of JSON lines
``{"scenario": ID, "seat": 1}``."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import msgspec

from actors.toml_file import BadFile, read_source
from actors.toml_lines import dotted
from actors.typed_values import faults
from events.base import Value
from events.serialization.struct_types import decodable
from store.files.atomic_files import atomic_write_text

_LINE: Final = 'a line is {"scenario": ID, "seat": 1}, and the seat may be left out'


class ListedScenario(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scenario, or one seat in it."""

    scenario: Annotated[str, msgspec.Meta(min_length=1)]
    """The scenario's id."""
    seat: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """From 1; None: none in particular."""


class ScenarioList(Value, frozen=True, kw_only=True):
    """Scenarios under one name."""

    name: str
    entries: tuple[ListedScenario, ...]

    @property
    def scenarios(self) -> frozenset[str]:
        """Their ids."""
        return frozenset(one.scenario for one in self.entries)


def read_scenario_list(path: Path, seats: int = 0) -> ScenarioList:
    """The list in a file; its name is the file's. ``seats``: how many its scenarios have; 0: it is
    not known. Raises ``BadFile``: file, line, reason."""
    entries = []
    for number, line in enumerate(read_source(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            given = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadFile(path, where, f"{error}; {_LINE}") from None
        for fault in faults(given, ListedScenario):
            place = ", ".join(filter(None, (where, dotted(fault.place))))
            raise BadFile(path, place, f"{fault.why}; {_LINE}")
        entry = msgspec.convert(given, decodable(ListedScenario))
        if seats and entry.seat is not None and entry.seat > seats:
            raise BadFile(path, f"{where}, seat", f"must be from 1 to {seats}, not {entry.seat}")
        entries.append(entry)
    if not entries:
        raise BadFile(path, "", f"lists nothing; {_LINE}")
    return ScenarioList(name=path.stem, entries=tuple(entries))


def write_scenario_list(path: Path, entries: Iterable[ListedScenario]) -> None:
    """The entries as such a file. Raises ``OSError``."""
    atomic_write_text(path, msgspec.json.Encoder().encode_lines(entries).decode())
