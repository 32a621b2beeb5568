"""``troupe …`` in this process, for many cases: without a fixture, and with any environment."""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from gateway.cli.main import main
from tests.fuzz.oracle import check_said


def troupe(arguments: Sequence[str], environ: Mapping[str, str]) -> tuple[int, str, str]:
    """Run a command as the installed one runs it, and check how it speaks and ends."""
    out, err = io.StringIO(), io.StringIO()
    usual = {
        name: value
        for name, value in os.environ.items()
        if name == "TROUPE_LOG" or not name.startswith("TROUPE_")
    }
    code = 0
    with (
        patch.dict(os.environ, {**usual, **environ}, clear=True),
        patch.object(sys, "argv", ["troupe", *arguments]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    check_said(code, out.getvalue(), err.getvalue())
    return code, out.getvalue(), err.getvalue()
