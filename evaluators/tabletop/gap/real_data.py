"""Real sessions that virtual game masters are trained on and scored on."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from actors.toml_file import BadFile
from evaluators.tabletop import transcripts
from evaluators.tabletop.calls.cast import check_dm, found_cast, read_cast
from evaluators.tabletop.calls.sample_file import read_all_samples
from evaluators.tabletop.calls.samples import CallSample, samples_of
from evaluators.tabletop.calls.transcripts import read_transcript

OWN: Final = Path(transcripts.__file__).parent
SAMPLES: Final = ".jsonl"
"""How files of samples end that ``troupe tabletop calls`` wrote; others are transcripts."""


class RealData(NamedTuple):
    """Labelled calls of real sessions."""

    name: str
    """What stands in for the paper's logs, in words."""
    samples: tuple[CallSample, ...]


@cache
def own_transcripts() -> RealData:
    """The transcripts that come with Troupe."""
    return RealData("Troupe's own five transcripts, written by hand", _in_transcripts([OWN]))


def read_real(paths: Sequence[Path], cast: Path | None = None) -> RealData:
    """The samples in files: ``.jsonl`` of ``troupe tabletop calls``, transcripts in CRD3's format,
    or folders of transcripts. ``cast``: who plays whom in the transcripts.

    Raises ``BadFile`` and ``BadTranscript``."""
    written = [path for path in paths if path.suffix == SAMPLES]
    others = [path for path in paths if path.suffix != SAMPLES]
    found = read_all_samples(written)
    if others:
        found += _in_transcripts(others, cast)
    if not found:
        raise BadFile(paths[0], "", "has no call for a skill check; name files that have some")
    sessions = len({sample.session for sample in found})
    names = ", ".join(path.name for path in paths[:3]) + (", …" if len(paths) > 3 else "")
    return RealData(f"{names} ({len(found):,} calls of {sessions:,} sessions)", tuple(found))


def _in_transcripts(paths: Sequence[Path], cast: Path | None = None) -> tuple[CallSample, ...]:
    files = [
        file
        for path in paths
        for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])
    ]
    if not files:
        raise BadFile(paths[0], "", "the folder has no .json file; name transcripts")
    beside = files[0].parent / "cast.toml"
    read = [read_transcript(file) for file in files]
    if cast is None and beside.exists():
        cast = beside
    table = read_cast(cast) if cast else found_cast(read)
    if table is None:
        why = "nobody calls for a skill check in it; say who the game master is with --cast"
        raise BadFile(files[0], "", why)
    if cast is not None:
        check_dm(table, read, cast)
    return samples_of(read, table).samples
