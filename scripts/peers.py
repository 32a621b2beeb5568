"""Install the peers that ``make bench`` compares with in ``.venv-peers``, apart from our own
packages, exactly as ``requirements/peers.txt`` pins them. Standard library only.

Does nothing, and needs no network, when that is done already. Where it cannot be done it says why;
``make bench`` then leaves the peers out and says so.
"""

import hashlib
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-peers"
PYTHON = ENVIRONMENT / "bin" / "python"
LOCK = ROOT / "requirements" / "peers.txt"
STAMP = ENVIRONMENT / ".installed"
OLDEST = (3, 11)


def fingerprint() -> str:
    """What the environment is made from: the lock and the interpreter."""
    return hashlib.sha256(sys.version.encode() + LOCK.read_bytes()).hexdigest()


def install() -> str:
    """Install; the reason why that was not possible, or nothing."""
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    venv.create(ENVIRONMENT, with_pip=True)
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    done = subprocess.run([*pip, "--require-hashes", "-r", str(LOCK)], check=False)  # noqa: S603
    if done.returncode:
        return "pip could not install them (its message is above)"
    # Importing shows what installing does not: a package that is not for this Python.
    probe = [str(PYTHON), "-c", "import sotopia"]
    tried = subprocess.run(probe, capture_output=True, text=True, check=False)  # noqa: S603
    if tried.returncode:
        reason = (tried.stderr.splitlines() or ["no reason given"])[-1]
        return f"sotopia cannot be imported: {reason}"
    return ""


def main() -> None:
    """Install the peers, or say why not."""
    if sys.version_info < OLDEST:
        sys.exit(f"peers: Python {'.'.join(map(str, OLDEST))} or newer is needed")
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text() == fingerprint():
        return
    print(f"Setting up {ENVIRONMENT.name} from {LOCK.relative_to(ROOT)} (once) …", flush=True)
    why = install()
    if why:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        sys.exit(f"peers: not installed: {why}; `make bench` will leave them out")
    STAMP.write_text(fingerprint())


if __name__ == "__main__":
    main()
