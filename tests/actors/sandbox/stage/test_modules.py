"""The pure modules of the stage piece, by Node: each test is a statement in ``*.test.mjs``."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
STAGE = Path(__file__).parents[4] / "actors" / "sandbox" / "stage"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_pure_modules_do_as_their_statements_say(tmp_path: Path):
    assert NODE is not None
    files = []
    for path in HERE.glob("*.test.mjs"):
        text = path.read_text(encoding="utf-8").replace("./stage/", f"{STAGE.as_uri()}/")
        files.append(tmp_path / path.name)
        files[-1].write_text(text, encoding="utf-8")
    assert files
    done = subprocess.run(
        [NODE, "--test", "--no-warnings", *files],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
