"""Lists of scenarios that are for testing, and so are left out of what is for training."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from actors.toml_file import BadFile
from events.untrusted.safe_text import shortened


class ListedScenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line."""

    scenario: str
    """The scenario's id."""
    seat: int | None = None
    """From 1; a scenario is left out whole, whichever seat is listed."""


class ScenarioList(NamedTuple):
    """Scenarios under one name."""

    name: str
    scenarios: frozenset[str]
    """Ids."""


def read_scenario_list(path: Path) -> ScenarioList:
    """The list in a file of JSON lines ``{"scenario": ID, "seat": 1}``, the seat if any. Raises
    ``BadFile``: file, line, reason."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(path, "", f"is not UTF-8: {error.reason}") from error
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error
    decoder = msgspec.json.Decoder(ListedScenario)
    found: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            one = decoder.decode(line)
        except (msgspec.MsgspecError, RecursionError) as error:
            why = f'{shortened(str(error))}; a line is {{"scenario": ID}}, with "seat" if any'
            raise BadFile(path, f"line {number}", why) from error
        if not one.scenario:
            raise BadFile(path, f"line {number}", "scenario is empty; it is a scenario's id")
        if one.seat is not None and one.seat < 1:
            raise BadFile(path, f"line {number}", f"seats are counted from 1, this is {one.seat}")
        found.add(one.scenario)
    if not found:
        raise BadFile(path, "", 'lists nothing; a line is {"scenario": ID}, with "seat" if any')
    return ScenarioList(path.stem, frozenset(found))


def hard_lists() -> Sequence[ScenarioList]:
    """Our own lists of hard scenarios, which are left out where nobody asks for them."""
    folder = Path(__file__).parent / "hard"
    return [read_scenario_list(path) for path in sorted(folder.glob("*.jsonl"))]
