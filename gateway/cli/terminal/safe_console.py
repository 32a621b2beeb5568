"""The rich console: styles of the program are applied, markup and control characters in texts are
not."""

from collections.abc import Iterable
from typing import IO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from events.untrusted.safe_text import harmless


class HarmlessConsole(Console):
    """A console in whose text control characters are made visible, also where nobody escaped it.

    What has been escaped is laid out as it is shown; text that was not may be cut off instead.
    """

    @property
    def file(self) -> IO[str]:
        """The stream behind all that stands in front of it: progress bars put one there, too."""
        found = self._file or super().file
        while (inner := getattr(found, "rich_proxied_file", None)) is not None:
            found = inner
        return found

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What a renderable consists of; codes that move the cursor are segments of their own."""
        for segment in super().render(renderable, options):
            if segment.control is None and not segment.text.isprintable():
                yield Segment(harmless(segment.text), segment.style)
            else:
                yield segment
