"""Errors as people meet them: one sentence on standard error, never a traceback for a mistake."""

import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

OK, REFUSED, USAGE, PAUSED, NOTHING, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes: done; refused with a sentence; the command line itself is wrong (typer's own);
something waits for a larger budget or for a model that cannot be asked; done, and nothing came of
it: every episode was given up or every score is missing; stopped by Ctrl-C or SIGTERM."""


@contextmanager
def report_errors() -> Iterator[None]:
    """Turn the errors a person can act on into a sentence and an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        _say_stopped()
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has seen enough (`troupe runs | head`).
        sys.stderr.close()
        sys.exit(OK)
    except SystemExit as leaving:
        # Typer has met the same, which is no failure to us.
        if isinstance(leaving.__context__, BrokenPipeError):
            sys.exit(OK)
        # Nor is Ctrl-C, of which it says nothing; a command that met it itself has said so.
        if isinstance(getattr(leaving.__context__, "__cause__", None), KeyboardInterrupt):
            _say_stopped()
        raise
    except Exception as error:
        # What is needed to explain an error takes longer to load than `troupe --help` takes.
        from gateway.error_sentences import is_for_later, sentence_of

        sentence = sentence_of(error)
        if sentence is None:
            raise
        sys.stderr.write(f"{_in_lines(f'troupe: {sentence}')}\n")
        sys.exit(PAUSED if is_for_later(error) else REFUSED)


def _say_stopped() -> None:
    sys.stderr.write("troupe: stopped\n")


def _in_lines(text: str) -> str:
    """Broken between words where somebody reads it on a terminal; whole for whatever else does."""
    if not sys.stderr.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in text.splitlines()
    )
