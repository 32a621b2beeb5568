"""Files that commands write, which are none of those that they read."""

from collections.abc import Iterable
from pathlib import Path

from gateway.errors import BadArgument


def check_output(option: str, out: Path | None, others: Iterable[Path]) -> None:
    """Raises ``BadArgument`` where ``out`` is one of the other files of a command. Call it before
    any of them is read."""
    if out is not None and any(_same(out, one) for one in others):
        raise BadArgument(option, str(out), "is another file of this command; name a new one")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return one.absolute() == other.absolute()
