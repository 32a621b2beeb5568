"""Write requirements/lock.txt from pyproject.toml, peers.txt from peers.in and uv.txt from uv.in:
every package pinned by hash, for all systems, without the address of any registry.

PyTorch keeps to the version of ``torch-cpu.txt``, its build for the processor alone, which is in no
registry: another version is another list of hashes there.
"""

import re
import subprocess
import tempfile

from setup import REQUIREMENTS, ROOT, uv

OPTIONS = ("--universal", "--python-version=3.11", "--generate-hashes", "--no-emit-index-url")
QUIET = ("--no-annotate", "--no-header", "--upgrade", "-q")
EVERYTHING = ("pyproject.toml", "--all-extras", "--group=build", "--group=dev", "--group=docs")


def compile_lock(name: str, *sources: str) -> None:
    """Resolve and write one file."""
    command = (uv(), "pip", "compile", *OPTIONS, *QUIET, *sources, "-o", f"requirements/{name}")
    subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603


def main() -> None:
    """Write all three."""
    pinned = re.search(r"torch==[\d.]+", (REQUIREMENTS / "torch-cpu.txt").read_text())
    assert pinned is not None
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as torch:
        torch.write(pinned[0])
        torch.flush()
        compile_lock("lock.txt", *EVERYTHING, "-c", torch.name)
    compile_lock("peers.txt", "requirements/peers.in")
    compile_lock("uv.txt", "requirements/uv.in")


if __name__ == "__main__":
    main()
