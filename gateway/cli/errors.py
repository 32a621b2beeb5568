"""Errors as people meet them: one sentence on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def told() -> Iterator[None]:
    """Turn the errors a person can act on into a sentence and exit code 1."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("troupe: stopped\n")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        if not _for_people(error):
            raise
        sys.stderr.write(f"troupe: {error}\n")
        sys.exit(1)


OURS = ("events", "store", "actors", "evaluators", "gateway")


def _for_people(error: Exception) -> bool:
    """Whether the error's text is a sentence made for the person at the keyboard: all errors
    that this project declares are."""
    return type(error).__module__.partition(".")[0] in OURS
