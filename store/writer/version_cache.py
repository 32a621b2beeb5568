"""A cache of streams' last versions."""

from collections.abc import Mapping

_MOST = 40_000
"""Ten thousand live episodes with two agents each are 30,000 streams. Each takes 200 bytes here."""


class LastVersions(dict[str, int]):
    """The last versions seen of the streams written to lately.

    Another process may have gone further: a version here is never too high, but it may be too
    low. The log's unique keys then refuse the append.
    """

    def __init__(self, most: int = _MOST) -> None:
        super().__init__()
        self._most = most

    def learn(self, versions: Mapping[str, int]) -> None:
        """Keep versions that are committed; drop the streams not written to for longest."""
        for stream, version in versions.items():
            self.pop(stream, None)
            self[stream] = version
        while len(self) > self._most:
            del self[next(iter(self))]

    def forget(self, stream: str) -> None:
        """Drop what may be wrong."""
        self.pop(stream, None)
