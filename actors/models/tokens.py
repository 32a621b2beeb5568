"""Counts the tokens of a text, offline.

The encoding is ``cl100k_base`` of OpenAI's tiktoken, read from the file that LiteLLM ships, so
nothing is downloaded. For models with another tokenizer the count is an estimate that is off by
some percent for English; callers with a hard limit leave a margin.
"""

import asyncio
import functools
import hashlib
import importlib.util
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog
import tiktoken

from events.untrusted.safe_text import shortened

log = structlog.get_logger(__name__)

ENCODING = "cl100k_base"
_FILE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""What tiktoken calls the encoding's file in a cache: the SHA-1 of its address."""
_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""Of its content. tiktoken deletes a file that differs and fetches another, so it is looked at
here first."""
_CACHE_DIR = "TIKTOKEN_CACHE_DIR"
BYTES_A_TOKEN = 3
"""Where the encoding is missing. English has four and more, so that it is never undercounted."""


class NoEncoding(LookupError):
    """The encoding's file is not there or not what it was."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"the encoding {ENCODING} cannot be read from {shortened(str(path))}: "
            f"{shortened(why, 1_000)}"
        )
        self.path, self.why = path, why


def count(text: str) -> int:
    """Tokens of a text. The first call reads the encoding, which takes about half a second: call
    ``ready`` before, where that would hold others up."""
    return _counter()(text)


def count_by_line(text: str) -> int:
    """``count``, line by line: prompts have most lines of one another, and what was counted lately
    is not counted again."""
    *lines, last = _ENDS.split(text)
    return sum(map(_count_line, lines)) + _count_last(last)


_ENDS: Final = re.compile(r"\n(?=\S)")
"""No token goes over the end of a line, unless the next line begins with a blank."""


@functools.lru_cache(maxsize=4096)
def _count_line(text: str) -> int:
    return count(f"{text}\n")


_count_last = functools.lru_cache(maxsize=512)(count)


async def ready() -> None:
    """Read the encoding, if it was not yet, in a thread."""
    if not _counter.cache_info().currsize:
        await asyncio.to_thread(_counter)


def shipped() -> Path:
    """Where LiteLLM's copy of the encoding lies. LiteLLM itself is not imported for it: that takes
    seconds."""
    litellm = importlib.util.find_spec("litellm")
    home = Path(litellm.origin or "").parent if litellm else Path("litellm")
    return home / "litellm_core_utils" / "tokenizers" / _FILE


def counter_from(path: Path) -> Callable[[str], int]:
    """What counts with the encoding at ``path``. Raises ``NoEncoding``."""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise NoEncoding(path, error.strerror or str(error)) from error
    if digest != _SHA256:
        raise NoEncoding(path, f"its SHA-256 is {digest}, not {_SHA256}")
    before = os.environ.get(_CACHE_DIR)
    os.environ[_CACHE_DIR] = str(path.parent)
    try:
        encoding = tiktoken.get_encoding(ENCODING)
    finally:
        if before is None:
            del os.environ[_CACHE_DIR]
        else:
            os.environ[_CACHE_DIR] = before
    return lambda text: len(encoding.encode_ordinary(text))


def estimate(text: str) -> int:
    """Tokens of a text without an encoding: rather too many than too few."""
    return -(-len(text.encode()) // BYTES_A_TOKEN)


@functools.cache
def _counter() -> Callable[[str], int]:
    try:
        return counter_from(shipped())
    except NoEncoding as error:
        # Memories are kept shorter than they could be, which is better than none.
        log.warning("tokens_are_estimated", reason=str(error), bytes_a_token=BYTES_A_TOKEN)
        return estimate
