"""The stage's pure modules, by Node: each test is a statement in ``js/*.test.mjs``."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_pure_modules_do_as_their_statements_say():
    assert NODE is not None
    files = sorted((HERE / "js").glob("*.test.mjs"))
    assert files
    done = subprocess.run(
        [NODE, "--test", "--no-warnings", *files],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
