"""Lists of vignettes as TOML: the one that comes with Troupe, and lists of one's own."""

from pathlib import Path
from typing import Annotated, Final

import msgspec

from actors.social.sources.entries import VIGNETTES, Source, Vignette
from actors.toml_file import BadFile, parse_table, read_source
from actors.toml_lines import Place, line_of, lines_of
from actors.typed_values import faults

OWN_LIST: Final = Path(__file__).parent / "vignettes.toml"
LONGEST: Final = 1_000
"""Characters of a vignette."""


class VignetteTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``[[vignette]]``."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    kind: Annotated[str, msgspec.Meta(max_length=64)] = ""


class VignetteTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole file."""

    vignette: tuple[VignetteTable, ...] = ()


def read_vignettes(path: Path, label: str = "") -> Source:
    """The vignettes of a file. Raises ``BadFile``: the line, and what would be right."""
    text = read_source(path)
    table = parse_table(text, path)
    lines = lines_of(text)

    def bad(place: Place, why: str) -> BadFile:
        line = line_of(lines, place)
        return BadFile(path, f"line {line}" if line else "", why)

    for fault in faults(table.data, VignetteTables):
        raise bad(fault.place, fault.why)
    given = table.shaped(VignetteTables).vignette
    if not given:
        raise bad((), "has no vignettes; each begins with [[vignette]] and has an id and a text")
    ids: set[str] = set()
    texts: set[str] = set()
    for number, one in enumerate(given):
        if not any(map(str.isalpha, one.text)):
            raise bad(("vignette", number, "text"), f"the text of vignette {one.id!r} says nothing")
        for name, word in (("id", one.id), ("kind", one.kind)):
            if not word.isprintable():
                raise bad(("vignette", number, name), f"{name} {word!r} is not on one line")
        if one.id in ids:
            raise bad(("vignette", number, "id"), f"the id {one.id!r} is there twice")
        if one.text in texts:
            raise bad(("vignette", number, "text"), f"vignette {one.id!r} is there twice")
        ids.add(one.id)
        texts.add(one.text)
    found = tuple(Vignette(one.id, " ".join(one.text.split()), one.kind) for one in given)
    return Source(VIGNETTES, label or f"{VIGNETTES}, {path.name}", found)
