"""A source of scenarios by its name or its file."""

from pathlib import Path
from typing import Final

from actors.social.sources.entries import VIGNETTES, Source
from actors.social.sources.json_lines import read_json_lines
from actors.social.sources.tables import read_table
from actors.social.sources.vignette_list import OWN_LIST, read_vignettes
from actors.toml_file import BadFile

READERS: Final = {
    ".toml": read_vignettes,
    ".tsv": read_table,
    ".csv": read_table,
    ".jsonl": read_json_lines,
    ".json": read_json_lines,
}
"""By the end of a file's name; which data set it is of shows in the file."""


def read_source(given: str) -> Source:
    """The list of vignettes that comes with Troupe (``vignettes``), or a file, read whole.

    Raises ``BadFile`` and ``SourceRefused``: file, line, and what would be right.
    """
    if given == VIGNETTES:
        return read_vignettes(OWN_LIST, VIGNETTES)
    path = Path(given)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        ends = ", ".join(READERS)
        why = f"is no source: give {VIGNETTES!r}, or a file whose name ends in {ends}"
        raise BadFile(path, "", why)
    return reader(path)
