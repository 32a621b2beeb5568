"""A source of scenarios by its name or its file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from actors.csv_file import each_row
from actors.social.sources.entries import NORMBANK, SOCIAL_CHEMISTRY, VIGNETTES, Source, Vignette
from actors.social.sources.json_lines import read_json_lines
from actors.social.sources.vignette_list import LONGEST, OWN_LIST, read_vignettes
from actors.toml_file import BadFile

COLUMNS: Final[Mapping[str, str]] = {"situation": SOCIAL_CHEMISTRY, "behavior": NORMBANK}
"""The source whose files have a column of that name."""


def read_table(path: Path) -> Source:
    """The situations or behaviours of a published table, each once: Social Chemistry 101 (Forbes et
    al. 2020, TSV, the column ``situation``) or NormBank (Ziems et al. 2023, CSV, the column
    ``behavior``). Raises ``BadFile``."""
    column = ""
    found: dict[str, Vignette] = {}
    for row in each_row(path, ()):
        if not column:
            column = next((name for name in COLUMNS if name in row.fields), "")
            if not column:
                named = " or ".join(f"{name!r} ({source})" for name, source in COLUMNS.items())
                raise BadFile(path, "line 1", f"has no column {named}")
        text = " ".join(row.fields[column].split())
        if not any(map(str.isalpha, text)):
            raise BadFile(path, row.where, f"{column!r} says nothing")
        if len(text) > LONGEST:
            why = f"{column!r} has {len(text):,} characters; at most {LONGEST:,}"
            raise BadFile(path, row.where, why)
        found.setdefault(text, Vignette(row.where, text))
    if not found:
        raise BadFile(path, "", f"has no rows under a first line with {' or '.join(COLUMNS)}")
    name = COLUMNS[column]
    return Source(name, f"{name}, {path.name}", tuple(found.values()))


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
