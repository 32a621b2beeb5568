"""The contents of a catalog's files as they were read, and remarks about them, each with its file
and line."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from actors.episodes.catalogs.entries import Grade, Remark
from actors.episodes.port.environment import Environment
from actors.toml_lines import Place, line_of, lines_of
from events.environments import Catalog
from events.untrusted.safe_text import shortened


class Located(NamedTuple):
    """A remark, and where its author finds what it is about."""

    grade: Grade
    file: str
    """Empty: the folder as a whole."""
    line: int
    """From 1; 0: the whole file."""
    entry: str
    """Whose field it is: ``scenario 'two_keys'``; empty: nobody's."""
    field: str
    """``goals, no. 2``; empty: the whole entry."""
    why: str

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        where = [self.file, line, shortened(self.entry), shortened(self.field)]
        why = shortened(self.why, 1_000)
        return ": ".join(filter(None, [", ".join(filter(None, where)), why]))


class DraftEntry(NamedTuple):
    file: str
    number: int
    """Its place among those of its kind in the file."""
    fields: dict[str, Any]


@dataclass
class CatalogDraft:
    """What was read of a folder."""

    files: Mapping[str, str]
    """Their texts by their names."""
    environment: Environment | None = None
    name: str = ""
    """What the folder calls its catalog; empty: nothing."""
    catalog: Catalog | None = None
    """None where an error keeps it from being one."""
    remarks: list[Located] = field(default_factory=list)
    entries: dict[str, list[DraftEntry]] = field(default_factory=lambda: defaultdict(list))
    """By kind, in the order of the catalog's tuples."""
    _ids: dict[tuple[str, str, int], Any] = field(default_factory=dict)
    """What the author gave as the id of an entry, by kind, file and number."""
    _lines: dict[str, Mapping[Place, int]] = field(default_factory=dict)

    @property
    def errors(self) -> list[Located]:
        """What keeps it from being played."""
        return [remark for remark in self.remarks if remark.grade == "error"]

    def remark(self, remark: Remark) -> None:
        """Say of the catalog, where its author wrote that, what its environment says."""
        match remark.place:
            case (str(kind), int(number), *rest) if self.entries[kind]:
                entry = self.entries[kind][number]
                place = (kind, entry.number, *rest)
                self.at(remark.grade, entry.file, place, remark.why)
            case _:
                about = ", ".join(map(str, remark.place))
                self.remarks.append(Located(remark.grade, "", 0, about, "", remark.why))

    def at(self, grade: Grade, file: str, place: Place, why: str) -> None:
        """Say something of a place in a file."""
        entry, inside = "", place
        match place:
            case (str(kind), int(number), *rest):
                entry, inside = self._called(file, kind, number), tuple(rest)
        field_ = ", ".join(f"no. {p + 1}" if isinstance(p, int) else p for p in inside)
        self.remarks.append(Located(grade, file, self.line(file, place), entry, field_, why))

    def line(self, file: str, place: Place) -> int:
        """Where in a file a place is; 0: nobody knows."""
        if file not in self._lines:
            # Only where there is something to say: it takes as long as reading the file.
            try:
                self._lines[file] = lines_of(self.files[file])
            except RecursionError:
                self._lines[file] = {}
        return line_of(self._lines[file], place)

    def take(self, kind: str, file: str, number: int, fields: dict[str, Any]) -> None:
        """One more entry."""
        self.entries[kind].append(DraftEntry(file, number, fields))
        self._ids[kind, file, number] = fields.get("id")

    def _called(self, file: str, kind: str, number: int) -> str:
        id_ = self._ids.get((kind, file, number))
        return f"{kind} {id_!r}" if isinstance(id_, str) and id_ else f"{kind}, no. {number + 1}"
