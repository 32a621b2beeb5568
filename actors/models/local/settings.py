"""How local models run in the processes of a data folder."""

import os
from pathlib import Path
from typing import Final

import msgspec

from events.base import replace
from events.minds import ModelSpec

SLOTS: Final = 2
CONTEXT: Final = 4096
"""Tokens of a prompt and its answer: prompts of judges came to 3,800."""
PATIENCE_S: Final = 600.0
"""The least that an answer may take, in seconds: a long prompt on a busy machine takes minutes."""


class LocalSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how."""

    home: Path
    """For servers' locks and logs; processes that have it in common share servers."""
    weights: Path
    """The folder of weights that were fetched."""
    slots: int = SLOTS
    """Questions that a model answers at once."""
    context: int = CONTEXT
    """Tokens that a prompt and its answer may have, each question's. A model that was trained with
    fewer takes no more than those."""
    threads: int = 0
    """Of a server; 0: one less than there are cores, since as many as cores come to a standstill
    where anything else runs."""

    @property
    def used_threads(self) -> int:
        """Threads of a server, 1 at least."""
        return self.threads or max(1, cores() - 1)

    def asked(self, spec: ModelSpec) -> ModelSpec:
        """A local model's specification as it is asked: no more at once than it has slots, and
        with time enough."""
        return replace(
            spec,
            max_concurrency=min(spec.max_concurrency, self.slots),
            timeout_s=max(spec.timeout_s, PATIENCE_S),
        )


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
