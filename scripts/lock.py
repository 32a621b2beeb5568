"""Write requirements/app.txt, notebook.txt and dev.txt from pyproject.toml, and peers.txt from
peers.in, every package pinned by hash.

Uses uv, which is installed for the occasion in a temporary environment.
"""

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


def main() -> None:
    """Resolve the application first; the others keep to what that chose."""
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        subprocess.run([f"{place}/bin/pip", "install", "-q", "uv"], check=True)  # noqa: S603
        compile_ = [f"{place}/bin/uv", "pip", "compile", *OPTIONS]
        app, notebook, dev = (f"requirements/{which}.txt" for which in ("app", "notebook", "dev"))
        for more in (
            ["pyproject.toml", "--group", "build", "-o", app],
            [
                "pyproject.toml",
                "--group",
                "build",
                "--extra",
                "notebook",
                "-c",
                app,
                "-o",
                notebook,
            ],
            ["pyproject.toml", "--group", "dev", "-c", notebook, "-o", dev],
            ["requirements/peers.in", "-o", "requirements/peers.txt"],
        ):
            subprocess.run([*compile_, *more], cwd=ROOT, check=True)  # noqa: S603


if __name__ == "__main__":
    main()
