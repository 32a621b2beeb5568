"""Files that list scenarios and seats: JSON lines of ``{"scenario": …, "seat": 1}``."""

from pathlib import Path

import msgspec

from actors.social.scenario_list import ListedScenario, ScenarioList
from events.untrusted.safe_text import shortened
from gateway.errors import BadArgument
from store.files.atomic_files import atomic_write_text


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    scenario: str
    seat: int | None = None
    """From 1."""


def read_scenario_list(path: Path, option: str = "--hard") -> ScenarioList:
    """The list in a file; its name is the file's. Raises ``BadArgument`` with the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadArgument(option, str(path), f"is not UTF-8: {error.reason}") from None
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
        raise BadArgument(option, str(path), f"cannot be read: {why}") from None
    entries = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            read = msgspec.json.decode(line, type=_Line)
        except msgspec.DecodeError as error:
            raise _refused(option, path, number, str(error)) from None
        if not read.scenario:
            raise _refused(option, path, number, "scenario is empty: it is a scenario's id")
        if read.seat not in (None, 1, 2):
            raise _refused(option, path, number, f"seat is 1 or 2, not {read.seat}")
        seat = None if read.seat is None else read.seat - 1
        entries.append(ListedScenario(scenario=read.scenario, seat=seat))
    if not entries:
        raise BadArgument(option, str(path), 'lists nothing: a line is {"scenario": ID, "seat": 1}')
    return ScenarioList(name=path.stem, entries=tuple(entries))


def write_scenario_list(path: Path, listed: ScenarioList) -> None:
    """The list as such a file. Raises ``BadArgument``."""
    lines = [
        msgspec.json.encode(
            {"scenario": one.scenario} | ({} if one.seat is None else {"seat": one.seat + 1})
        ).decode()
        for one in listed.entries
    ]
    try:
        atomic_write_text(path, "".join(f"{line}\n" for line in lines))
    except OSError as error:
        why = (error.strerror or "it cannot be written").lower()
        raise BadArgument("--out", str(path), f"cannot be written: {why}") from None


def _refused(option: str, path: Path, line: int, why: str) -> BadArgument:
    return BadArgument(option, str(path), f"line {line}: {shortened(why)}")
