"""Vignettes from published tables: Social Chemistry 101 (Forbes et al. 2020, TSV, the column
``situation``) and NormBank (Ziems et al. 2023, CSV, the column ``behavior``)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from actors.csv_file import each_row
from actors.social.sources.entries import NORMBANK, SOCIAL_CHEMISTRY, Source, Vignette
from actors.social.sources.vignette_list import LONGEST
from actors.toml_file import BadFile

COLUMNS: Final[Mapping[str, str]] = {"situation": SOCIAL_CHEMISTRY, "behavior": NORMBANK}
"""The source whose files have a column of that name."""


def read_table(path: Path) -> Source:
    """The situations or behaviours of a table, each once. Raises ``BadFile``."""
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
