"""Set up ``.venv`` with exactly the packages that ``requirements/lock.txt`` names.

    python3 scripts/setup.py SET

SET: app, dev, docs, gym, inside, inside-cuda, inspect, local, lora, notebook, otel, peers
or trainers.

Standard library only; uv installs. Where there is none, it is installed into ``.uv``, pinned by
hash. What was set up before stays: ``dev`` after ``local`` has both. Safe to run twice at once: the
second waits for the first. Does nothing, and needs no network, when all is there already.

``peers`` is what ``make bench`` compares with, in an environment of its own.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
LOCK = REQUIREMENTS / "lock.txt"
PYTORCH_CPU = REQUIREMENTS / "torch-cpu.txt"
OLDEST = (3, 11)
EXAMPLES = sorted((ROOT / "tests" / "examples").glob("*/pyproject.toml"))
"""Packages that are installed as anybody's would be, for the tests."""
SETS = {
    "app": ("--extra", "tabletop"),
    "notebook": ("--extra", "notebook"),
    "otel": ("--extra", "otel"),
    "local": ("--extra", "local"),
    "dev": ("--group", "dev"),
    "docs": ("--group", "docs"),
    "gym": ("--extra", "gym"),
    "inspect": ("--extra", "inspect"),
    "inside": ("--extra", "inside"),
    "inside-cuda": ("--extra", "inside"),
    "lora": ("--extra", "lora"),
    "trainers": ("--extra", "trainers"),
    "peers": (),
}
"""What can be set up, and what it adds to the application, which is in all of them."""
PYTORCH = frozenset({"inside", "inside-cuda"})
"""The same with another build of PyTorch: one of them at a time."""
FAILED = "setup: the locked packages could not be installed (the message is above)"
NO_CPU_BUILD = """
On Linux this takes PyTorch's build for the processor alone (200 MB), which is in no package
registry. If that is what was not found, say where it is (PyTorch's own page of how to install it
names the index of its CPU builds), and try again:
    PIP_EXTRA_INDEX_URL=INDEX make inside
Or take the registry's, which comes with CUDA (some 3 GB):
    make inside-cuda"""


def run(*command: str | Path, hint: str = "", **environment: str) -> None:
    """Run a command, or end with a sentence."""
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=False)  # noqa: S603
    if done.returncode:
        sys.exit(FAILED + hint)


def uv() -> str:
    """The command: the one on the path, or our own."""
    own = ROOT / ".uv" / "bin" / "uv"
    if not own.exists():
        if found := shutil.which("uv"):
            return found
        print("  uv, which installs the others", flush=True)
        shutil.rmtree(ROOT / ".uv", ignore_errors=True)
        venv.create(ROOT / ".uv", with_pip=True)
        pip = (ROOT / ".uv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check")
        run(*pip, "install", "-q", "--require-hashes", "-r", REQUIREMENTS / "uv.txt")
    return str(own)


class Environment:
    """A virtual environment, and the sets that were installed in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.state = folder / ".installed.json"

    def installed(self) -> set[str]:
        """The sets that are in it; none if it was made from other files or another Python."""
        if not self.python.exists() or not self.state.exists():
            return set()
        state = json.loads(self.state.read_text())
        return set(state["sets"]) if state["made_from"] == fingerprint() else set()

    def recorded(self) -> set[str]:
        """The sets that somebody wanted in it, up to date or not."""
        return set(json.loads(self.state.read_text())["sets"]) if self.state.exists() else set()

    def record(self, sets: set[str], made_from: str = "") -> None:
        """Note what is in it, or is to be; ``made_from``: the fingerprint, once it is."""
        self.state.write_text(json.dumps({"sets": sorted(sets), "made_from": made_from}))

    def install(self, *arguments: str | Path, hint: str = "") -> None:
        """Have uv install packages."""
        run(uv(), "pip", "install", "-q", *arguments, hint=hint, VIRTUAL_ENV=str(self.folder))


def fingerprint() -> str:
    """What environments are made from: the locks, the project files, and the interpreter."""
    digest = hashlib.sha256(sys.version.encode())
    for path in (*sorted(REQUIREMENTS.glob("*.txt")), ROOT / "pyproject.toml", *EXAMPLES):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def wanted(which: str, before: set[str]) -> set[str]:
    """The sets that are to be there: those that were, and one more."""
    if which in ("lora", "trainers") and not before & PYTORCH:
        return before | {which, "inside"}
    return (before - PYTORCH if which in PYTORCH else before) | {which}


def set_up(environment: Environment, sets: set[str]) -> None:
    """Install exactly these sets, and this checkout on top."""
    if not environment.python.exists():
        venv.create(environment.folder, with_pip=False)
    environment.record(sets)
    chosen = [argument for name in sorted(sets | {"app"}) for argument in SETS[name]]
    locked: list[str | Path] = ["--require-hashes", "-c", LOCK, "--exact"]
    if "inside" in sets and sys.platform == "linux":
        install_pytorch(environment)
        locked += ["-c", PYTORCH_CPU]
    project = ("-r", ROOT / "pyproject.toml", "--group", "build")
    environment.install(*locked, *project, *chosen)
    packages = [ROOT, *(path.parent for path in EXAMPLES if "dev" in sets)]
    editable = [argument for package in packages for argument in ("-e", package)]
    environment.install("--no-deps", "--no-build-isolation", *editable)


def install_pytorch(environment: Environment) -> None:
    """PyTorch's build for the processor. uv leaves it, as it is of the version that is locked; pip
    finds it wherever this machine's settings of pip say."""
    folder = ROOT / ".uv" / "pip"
    if not folder.exists():
        venv.create(folder, with_pip=True)
    pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check")
    into = ("--python", environment.python, "install", "-q", "--no-deps", "--require-hashes")
    run(*pip, *into, "-r", PYTORCH_CPU, hint=NO_CPU_BUILD)


def set_up_peers(environment: Environment) -> None:
    """Install what ``make bench`` compares with."""
    venv.create(environment.folder, with_pip=False, clear=True)
    environment.install("--require-hashes", "-r", REQUIREMENTS / "peers.txt")
    # An import shows what an installation does not: a package that is not for this Python.
    run(environment.python, "-c", "import sotopia")


def main() -> None:
    """Install the named set."""
    if len(sys.argv) != 2 or sys.argv[1] not in SETS:
        sys.exit(f"usage: python3 scripts/setup.py {'|'.join(SETS)}")
    if sys.version_info < OLDEST:
        sys.exit(
            f"setup: Python {'.'.join(map(str, OLDEST))} or newer is needed, "
            f"this is {sys.version.split()[0]}; set PYTHON=/path/to/python3 for make"
        )
    which = sys.argv[1]
    environment = Environment(ROOT / (".venv-peers" if which == "peers" else ".venv"))
    with (ROOT / ".setup-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if which in (there := environment.installed()) or (which == "app" and there):
            return
        begun = time.monotonic()
        print(f"Setting up {environment.folder.name} with what {which} needs, once:", flush=True)
        os.environ.pop("PYTHONPATH", None)
        before = environment.recorded()
        sets = wanted(which, before)
        try:
            if which == "peers":
                set_up_peers(environment)
            else:
                set_up(environment, sets)
        except SystemExit:
            # What cannot be installed must not be tried again with the next set.
            environment.record(before)
            raise
        environment.record(sets, fingerprint())
        print(f"Set up in {time.monotonic() - begun:.0f} s.", flush=True)


if __name__ == "__main__":
    main()
