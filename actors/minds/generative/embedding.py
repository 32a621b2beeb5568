"""The sources of a mind's vectors: hashed n-grams, or an embedding model."""

import base64
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from actors.minds.generative.decision import DecisionProcess, Embedder, Unconcluded
from actors.minds.generative.hashed_vectors import Vectors, hashed, scaled
from actors.models.errors import REQUEST_FAULTS, CallFailed
from actors.models.port import ModelRequest, Msg
from actors.models.recording.recorded_call import recorded_call
from actors.models.remedies import unavailable
from events.episode import ActionFailure
from events.minds import MindSpec, ModelSpec

BATCH: Final = 64
"""Texts that are embedded in one call."""
LONGEST: Final = 2_000
"""Characters of a text that are embedded."""


class HashedEmbedder:
    """Hashed n-grams: at no cost, and always the same."""

    recorded = False
    embed: Callable[[Sequence[str]], Vectors] | None = staticmethod(hashed)

    async def vectors(self, thinking: DecisionProcess, texts: Sequence[str]) -> Vectors:
        """A row a text."""
        return hashed(texts)


class ModelEmbedder:
    """An embedding model, asked through the same limits, retries, budget and record as any other:
    its answer is recorded as the vectors in base64, so that none is paid for twice."""

    recorded = True
    embed: Callable[[Sequence[str]], Vectors] | None = None

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec

    async def vectors(self, thinking: DecisionProcess, texts: Sequence[str]) -> Vectors:
        """A row a text. Raises ``Unconcluded`` and what calls raise."""
        parts = [
            await self._batch(thinking, [text[:LONGEST] for text in texts[start : start + BATCH]])
            for start in range(0, len(texts), BATCH)
        ]
        return scaled(np.concatenate(parts))

    async def _batch(self, thinking: DecisionProcess, texts: Sequence[str]) -> Vectors:
        request = ModelRequest(
            messages=tuple(Msg("user", text) for text in texts),
            temperature=0.0,
            max_tokens=0,
            embeds=True,
        )
        try:
            answer = await recorded_call(
                thinking.means.caller,
                thinking.calls,
                turn=thinking.turn,
                attempt=thinking.reserve(1),
                purpose="embed",
                spec=self.spec,
                request=request,
                budget=thinking.means.budget,
            )
        except CallFailed as failure:
            if failure.reason not in REQUEST_FAULTS:
                raise unavailable(self.spec, failure, lasting=failure.lasting) from failure
            why = ActionFailure(reason="refused", detail=failure.detail)
            raise Unconcluded(why) from failure
        try:
            data = np.frombuffer(base64.b64decode(answer.text, validate=True), "<f4")
            if not data.size:
                raise ValueError("it is empty")
            vectors = data.reshape(len(texts), -1).astype(np.float32)
        except ValueError as error:
            raise Unconcluded(
                ActionFailure(
                    reason="unreadable",
                    detail=f"the answer holds no vectors for {len(texts)} texts: {error}",
                )
            ) from error
        return vectors


def embedder_of(mind: MindSpec) -> Embedder:
    """What a mind's specification names."""
    asked = mind.embedding_model
    return HashedEmbedder() if asked is None else ModelEmbedder(asked)
