"""Files of labelled samples, one a line, as ``troupe tabletop calls`` writes them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from actors.toml_file import BadFile
from evaluators.tabletop.calls.samples import CallSample
from evaluators.tabletop.calls.transcripts import is_text
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

MOST_BYTES: Final = 1024 * 1024 * 1024
"""Of a file that is read."""
_HINT: Final = "`troupe tabletop calls FILES -o calls.jsonl` writes such a file from transcripts"


def read_samples(path: Path) -> list[CallSample]:
    """The samples in a file. Raises ``BadFile``: the line, and what is wrong with it."""
    decoder = msgspec.json.Decoder(decodable(CallSample))
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadFile(path, "", f"is larger than {MOST_BYTES // 2**20} MiB; split it")
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error
    found: list[CallSample] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            sample = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            if not is_text(line):
                raise BadFile(
                    path, f"line {number}", f"is not a text file in UTF-8; {_HINT}"
                ) from error
            why = f"is no labelled sample ({shortened(str(error))}); {_HINT}"
            raise BadFile(path, f"line {number}", why) from error
        if why := _fault(sample):
            raise BadFile(path, f"line {number}", why)
        found.append(sample)
    if not found:
        raise BadFile(path, "", f"is empty; {_HINT}")
    return found


def read_all_samples(paths: Iterable[Path]) -> list[CallSample]:
    """Those of several files. Raises ``BadFile`` also where a sample stands in them twice."""
    found: dict[CallSample, Path] = {}
    for path in paths:
        for sample in read_samples(path):
            if sample in found:
                where = f"turn {sample.turn} of {shortened(sample.session)}"
                why = f"has a sample that was read before ({where}); give each once"
                raise BadFile(path, "", why)
            found[sample] = path
    return list(found)


def _fault(sample: CallSample) -> str:
    """What is wrong with a sample that has the right shape; empty: nothing."""
    if not sample.session:
        return "has no session; samples are divided by it, so it must have a name"
    if not sample.lines:
        return "has no lines; what was said before the call is what is learned from"
    stranger = next((one.who for one in sample.labels if one.who not in sample.cast), None)
    if stranger is not None:
        return f"has a label for {shortened(stranger)!r}, who is none of its cast"
    return ""
