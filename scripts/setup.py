"""Set up ``.venv`` with exactly the packages a lock file names. Standard library only.

    python3 scripts/setup.py app|notebook|dev

Safe to run twice at once: the second waits for the first. Does nothing, and needs no network,
when the environment already matches the lock files.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
OLDEST = (3, 11)
EXAMPLES = sorted((ROOT / "tests" / "examples").glob("*/pyproject.toml"))
"""Packages that are installed as anybody's would be, for the tests."""
SETS = ("app", "notebook", "dev")
"""What can be set up; each holds all of those before it."""


def fingerprint(lock: Path) -> str:
    """What an environment was made from: the lock, the project file, and the interpreter."""
    digest = hashlib.sha256(sys.version.encode())
    examples = EXAMPLES if lock.stem == "dev" else []
    for path in (lock, ROOT / "pyproject.toml", *examples):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def ready(which: str) -> bool:
    """Whether ``which`` (or more) is installed as its lock says."""
    for name in SETS[SETS.index(which) :]:
        stamp = ENVIRONMENT / f".{name}-installed"
        lock = ROOT / "requirements" / f"{name}.txt"
        if PYTHON.exists() and stamp.exists() and stamp.read_text() == fingerprint(lock):
            return True
    return False


def pip(*arguments: str) -> None:
    """Run the environment's pip; its own words are enough when it fails."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    if subprocess.run([*command, *arguments], check=False).returncode:  # noqa: S603
        sys.exit("setup: pip could not install the locked packages (its message is above)")


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
            return
        print(f"Setting up {ENVIRONMENT.name} from requirements/{which}.txt (once) …", flush=True)
        if not PYTHON.exists():
            venv.create(ENVIRONMENT, with_pip=True)
        os.environ.pop("PYTHONPATH", None)
        pip("--require-hashes", "-r", str(ROOT / "requirements" / f"{which}.txt"))
        local = [ROOT, *(path.parent for path in EXAMPLES if which == "dev")]
        for package in local:
            pip("--no-deps", "--no-build-isolation", "-e", str(package))
        stamp = ENVIRONMENT / f".{which}-installed"
        stamp.write_text(fingerprint(ROOT / "requirements" / f"{which}.txt"))


if __name__ == "__main__":
    main()
