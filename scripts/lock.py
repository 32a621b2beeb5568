"""Write requirements/app.txt, notebook.txt, otel.txt, local.txt, dev.txt, inside.txt and
inside-cuda.txt from pyproject.toml, and peers.txt from peers.in, every package pinned by hash.

Uses uv, which is installed for the occasion in a temporary environment.

``inside-cuda.txt`` has torch as the registry has it, on Linux with gigabytes of CUDA;
``inside.txt`` has on Linux PyTorch's own build for the processor alone, which is in no registry:
its version and hashes are those of ``torch-cpu.sha256``, as sha256sum writes them. Another version
of torch is another list there.
"""

import re
import subprocess
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = [
    "--universal",
    "--python-version",
    "3.11",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-annotate",
    "--no-header",
    "--upgrade",
    "-q",
]
CPU_BUILDS = ROOT / "requirements" / "torch-cpu.sha256"
CUDA = re.compile(r"(?:cuda|nvidia)-|triton$")
"""Packages that torch needs with CUDA alone, by the beginning of their names."""


def main() -> None:
    """Resolve the application first; the others keep to what that chose."""
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        subprocess.run([f"{place}/bin/pip", "install", "-q", "uv"], check=True)  # noqa: S603
        compile_ = [f"{place}/bin/uv", "pip", "compile", *OPTIONS]
        app, dev = "requirements/app.txt", "requirements/dev.txt"
        extras = {extra: f"requirements/{extra}.txt" for extra in ("notebook", "otel", "local")}
        built = ["pyproject.toml", "--group", "build"]
        kept = [part for lock in extras.values() for part in ("-c", lock)]
        for more in (
            [*built, "-o", app],
            *([*built, "--extra", extra, "-c", app, "-o", to] for extra, to in extras.items()),
            ["pyproject.toml", "--group", "dev", *kept, "-o", dev],
            ["requirements/peers.in", "-o", "requirements/peers.txt"],
        ):
            subprocess.run([*compile_, *more], cwd=ROOT, check=True)  # noqa: S603
        lock_inside(compile_, Path(place) / "torch.in")


def lock_inside(compile_: list[str], pin: Path) -> None:
    """What looks into models, in both builds, at the versions that the tests run with."""
    version, digests = cpu_builds()
    pin.write_text(f"torch=={version}\n")
    cuda = ROOT / "requirements" / "inside-cuda.txt"
    inside = ["pyproject.toml", "--group", "build", "--extra", "inside", "-c", str(pin)]
    more = ["-c", "requirements/dev.txt", "-o", str(cuda)]
    subprocess.run([*compile_, *inside, *more], cwd=ROOT, check=True)  # noqa: S603
    text = without_cuda(cuda.read_text(encoding="utf-8"), version, digests)
    cuda.with_name("inside.txt").write_text(text, encoding="utf-8")


def cpu_builds() -> tuple[str, list[str]]:
    """Version and hashes of PyTorch's builds for the processor alone."""
    lines = [line.split() for line in CPU_BUILDS.read_text(encoding="utf-8").splitlines()]
    (version,) = {name.split("-")[1].removesuffix("+cpu") for _, name in lines}
    return version, [digest for digest, _ in lines]


def without_cuda(lock: str, version: str, digests: list[str]) -> str:
    """The same lock with PyTorch's build for the processor on Linux, and without what only the
    other needs."""
    entries = re.split(r"^(?=\S)", lock, flags=re.MULTILINE)
    hashes = " \\\n".join(f"    --hash=sha256:{digest}" for digest in digests)
    kept = []
    for entry in filter(None, entries):
        name = entry.partition("==")[0]
        if name == "torch":
            head = f"torch=={version}"
            kept.append(f"{head}+cpu ; sys_platform == 'linux' \\\n{hashes}\n")
            entry = entry.replace(head, f"{head} ; sys_platform != 'linux'", 1)
        if not CUDA.match(name):
            kept.append(entry)
    return "".join(kept)


if __name__ == "__main__":
    main()
