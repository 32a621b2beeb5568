"""Set up ``.venv`` with exactly the packages a lock file names. Standard library only.

    python3 scripts/setup.py app|notebook|otel|local|dev|inside|inside-cuda

Safe to run twice at once: the second waits for the first. Does nothing, and needs no network,
when the environment already matches the lock files.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import venv
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
TOOLS = ("pip", "setuptools")
"""What installs packages, and is needed for nothing else. Those that Python comes with are old and
have known faults: they are used from a place of their own, and left nowhere."""
FAILED = "setup: pip could not install the locked packages (its message is above)"
OLDEST = (3, 11)
EXAMPLES = sorted((ROOT / "tests" / "examples").glob("*/pyproject.toml"))
"""Packages that are installed as anybody's would be, for the tests."""
SETS = {
    "app": ("app", "notebook", "otel", "local", "dev", "inside", "inside-cuda"),
    "notebook": ("notebook", "dev"),
    "otel": ("otel", "dev"),
    "local": ("local",),
    "dev": ("dev",),
    "inside": ("inside", "inside-cuda"),
    "inside-cuda": ("inside-cuda",),
}
"""What can be set up, and which others hold it."""
NO_CPU_BUILD = """
On Linux this takes PyTorch's build for the processor alone (200 MB), which is in no package
registry. If that is what pip did not find, say where it is (PyTorch's own page of how to install it
names the index of its CPU builds), and try again:
    PIP_EXTRA_INDEX_URL=INDEX make inside
Or take the registry's, which comes with CUDA (some 3 GB):
    make inside-cuda"""


def fingerprint(lock: Path) -> str:
    """What an environment was made from: the lock, the project file, and the interpreter."""
    digest = hashlib.sha256(sys.version.encode())
    examples = EXAMPLES if lock.stem == "dev" else []
    for path in (lock, ROOT / "pyproject.toml", *examples):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def ready(which: str) -> bool:
    """Whether ``which`` (or more) is installed as its lock says."""
    for name in SETS[which]:
        stamp, lock = stamp_of(name), lock_of(name)
        if PYTHON.exists() and stamp.exists() and stamp.read_text() == fingerprint(lock):
            return True
    return False


def lock_of(which: str) -> Path:
    """What is to be installed."""
    return ROOT / "requirements" / f"{which}.txt"


def stamp_of(which: str) -> Path:
    """What says that it was."""
    return ENVIRONMENT / f".{which}-installed"


class Progress:
    """What pip is at: on a terminal one line that is written over, elsewhere a few lines."""

    def __init__(self, packages: int) -> None:
        self.packages, self.found, self.at = packages, 0, "looking what there is"
        self.begun = time.monotonic()
        self.tail: deque[str] = deque(maxlen=40)
        """pip's last words, which say what failed."""
        self.on_terminal = sys.stdout.isatty()

    @property
    def seconds(self) -> str:
        """Since it began."""
        return f"{time.monotonic() - self.begun:.0f} s"

    def read(self, lines: Iterable[str]) -> None:
        """Follow what pip says."""
        for line in lines:
            self.tail.append(line.rstrip())
            verb, _, what = line.strip().partition(" ")
            if verb in ("Collecting", "Requirement"):
                self.found += 1
                name = re.split(r"[=<>;\s]", what.removeprefix("already satisfied: "))[0]
                self.at = f"package {self.found} of {self.packages}: {name}"
                if not self.on_terminal and self.found % 40 == 0:
                    print(f"  {self.at} ({self.seconds})", flush=True)
            elif verb == "Installing":
                self.at = f"installing {self.packages} packages"
                if not self.on_terminal:
                    print(f"  {self.at} ({self.seconds})", flush=True)

    def draw(self) -> None:
        """Write the line, on a terminal."""
        if self.on_terminal:
            line = f"  {self.at} ({self.seconds})"[: shutil.get_terminal_size().columns - 1]
            print(f"\r\x1b[K{line}", end="", flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self.on_terminal:
            print("\r\x1b[K", end="", flush=True)


def pip_in(place: str) -> tuple[str, ...]:
    """The command that changes the environment; pip itself is put into ``place``."""
    venv.create(place, with_pip=True)
    own = Path(place) / "bin" / "python"
    return (str(own), "-m", "pip", "--disable-pip-version-check", "--python", str(PYTHON))


def leave_no_tools() -> None:
    """Take out what installs packages, unless a lock file has it. Needs no network, and does
    nothing where there is none."""
    locks = "".join(lock_of(name).read_text() for name in SETS if stamp_of(name).exists())
    packages = ENVIRONMENT / "lib"
    there = [
        tool
        for tool in TOOLS
        if any(packages.glob(f"python*/site-packages/{tool}-*.dist-info"))
        and not re.search(rf"^{tool}==", locks, re.MULTILINE)
    ]
    if there:
        with tempfile.TemporaryDirectory() as place:
            command = [*pip_in(place), "uninstall", "-q", "-y", *there]
            subprocess.run(command, check=False)  # noqa: S603 - it says itself what it could not


def install(pip: Sequence[str], lock: Path) -> None:
    """Install exactly what a lock file names, and say how far it is meanwhile."""
    packages = sum("==" in line for line in lock.read_text(encoding="utf-8").splitlines())
    progress = Progress(packages)
    arguments = ("--no-input", "--require-hashes", "-r", str(lock))
    running = subprocess.Popen(  # noqa: S603
        [*pip, "install", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert running.stdout is not None
    reader = threading.Thread(target=progress.read, args=(running.stdout,), daemon=True)
    reader.start()
    try:
        while running.poll() is None:
            progress.draw()
            time.sleep(0.2)
    finally:
        progress.clear()
    reader.join()
    if running.returncode:
        print("\n".join(progress.tail), file=sys.stderr)
        sys.exit(FAILED + (NO_CPU_BUILD if lock == lock_of("inside") else ""))


def make_room(pip: Sequence[str]) -> None:
    """Take out a torch of the other build, which pip would take for the one that is wanted."""
    if any((ENVIRONMENT / "lib").glob("python*/site-packages/torch-*.dist-info")):
        subprocess.run([*pip, "uninstall", "-q", "-y", "torch"], check=True)  # noqa: S603
    for which in SETS["inside"]:
        stamp_of(which).unlink(missing_ok=True)


def install_local(pip: Sequence[str], package: Path) -> None:
    """Install a package of this checkout, so that its sources are what runs."""
    command = [*pip, "install", "-q", "--no-deps", "--no-build-isolation", "-e", str(package)]
    if subprocess.run(command, check=False).returncode:  # noqa: S603
        sys.exit(FAILED)


def main() -> None:
    """Install what the named lock file lists, and this checkout on top."""
    if len(sys.argv) != 2 or sys.argv[1] not in SETS:
        sys.exit(f"usage: python3 scripts/setup.py {'|'.join(SETS)}")
    if sys.version_info < OLDEST:
        sys.exit(
            f"setup: Python {'.'.join(map(str, OLDEST))} or newer is needed, "
            f"this is {sys.version.split()[0]}; set PYTHON=/path/to/python3 for make"
        )
    which = sys.argv[1]
    with (ROOT / ".setup-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if ready(which):
            leave_no_tools()  # which an earlier set-up did not
            return
        begun = time.monotonic()
        print(f"Setting up {ENVIRONMENT.name} from requirements/{which}.txt, once:", flush=True)
        if not PYTHON.exists():
            print("  making the environment", flush=True)
            venv.create(ENVIRONMENT, with_pip=False)
        os.environ.pop("PYTHONPATH", None)
        os.environ["PIP_ROOT_USER_ACTION"] = "ignore"  # the environment is root's own, if so
        with tempfile.TemporaryDirectory() as place:
            pip = pip_in(place)
            if which == "inside-cuda":
                make_room(pip)
            install(pip, lock_of(which))
            for package in (ROOT, *(path.parent for path in EXAMPLES if which == "dev")):
                install_local(pip, package)
        stamp_of(which).write_text(fingerprint(lock_of(which)))
        leave_no_tools()
        print(f"Set up in {time.monotonic() - begun:.0f} s.", flush=True)


if __name__ == "__main__":
    main()
