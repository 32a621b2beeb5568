"""What stands between a process's words and the terminal: nothing that was simulated is obeyed.

Whatever is printed goes through it: results, errors, logs, tracebacks, what libraries say. Only
what writes styles of ours (rich's console, structlog's renderer) goes past, and sees to its own
text.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from events.untrusted.safe_text import harmless


class HarmlessStream:
    """A text stream that makes control characters visible."""

    def __init__(self, stream: TextIO) -> None:
        # The name by which rich finds the stream behind another.
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Write ``text``, with what a terminal would obey made visible."""
        self.rich_proxied_file.write(harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write some texts, one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Let all that is printed meanwhile go through ``HarmlessStream``s."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, HarmlessStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def behind(stream: TextIO) -> TextIO:
    """The stream to which styles are written: behind a ``HarmlessStream``, if it is one."""
    return stream.rich_proxied_file if isinstance(stream, HarmlessStream) else stream
