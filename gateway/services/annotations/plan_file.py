"""The file that an annotation study is planned by (``docs/how-to/annotating.md``)."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from actors.models.settings import AtLeastOne, NotNegative, Seed
from actors.toml_file import parse_toml, read_toml

Part = Annotated[float, Meta(ge=0, le=1)]
Hours = Annotated[float, Meta(gt=0, le=10_000)]


class KnownEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is right to say of a seat in one dimension: anything from ``low`` to ``high``."""

    seat: AtLeastOne
    dimension: str
    low: float
    high: float


class QualificationEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ``[[qualification]]`` section: an episode that every annotator begins with."""

    episode: str
    answers: tuple[KnownEntry, ...]


class AnnotationFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    name: str = ""
    runs: tuple[str, ...] = ()
    """Runs whose episodes are annotated, all that have ended."""
    episodes: tuple[str, ...] = ()
    """Single episodes beside those."""
    judge: str = ""
    """A built-in judge or a judge file, in whose dimensions and words people judge. Empty: by
    ``rubric``."""
    rubric: str = ""
    """Empty: the first of the environment's that has dimensions."""
    dimensions: tuple[str, ...] = ()
    """Only these; none: all."""
    unit: Literal["episode", "seat"] = "episode"
    annotators: AtLeastOne = 1
    """So many for an item."""
    overlap: Part = 1.0
    """Share of items that so many annotate; the others have one annotator each."""
    sample: NotNegative = 0
    """So many episodes, drawn; 0: all."""
    instructions: str = ""
    attention: Part = 0.0
    attention_mark: Part = 0.5
    qualification_mark: Part = 0.75
    lapse_h: Hours = 24.0
    seed: Seed = 0
    qualification: tuple[QualificationEntry, ...] = ()


def read_plan(path: Path) -> AnnotationFile:
    """The plan in a file. Raises ``BadFile``: where, and what would be right."""
    return read_toml(path, AnnotationFile)


def parse_plan(text: str) -> AnnotationFile:
    """A plan that came as text. Raises ``BadFile``."""
    return parse_toml(text, AnnotationFile, "plan")
