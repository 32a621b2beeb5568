"""Texts go through a model, some at a time, and of each a little is kept."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluators.worldtree.internals.attention import Attended, attended
from evaluators.worldtree.internals.errors import CannotRun, in_one_line
from evaluators.worldtree.internals.importance import BLOCK
from evaluators.worldtree.internals.model_blocks import Places
from evaluators.worldtree.internals.model_loader import Loaded, Source
from evaluators.worldtree.internals.text_samples import Text

Floats = NDArray[np.float32]
Norm = Literal["last", "all"]
"""What stands for |h_j| of a text: its last token's, or the Euclidean norm over all its tokens, as
Wanda has it over all that it is calibrated with."""


class TextActivations(NamedTuple):
    """What is kept of a text."""

    hidden: Floats
    """The last token's state behind the last block, as the model's head is given it."""
    inputs: Floats
    """|h_j| of the layer that is looked at."""
    words: tuple[Attended, ...] | None
    """What the last token attends to. None: the model does not say, or its tokeniser does not say
    where tokens stand."""
    tokens: int
    """How many were read; 0: nothing was, for the text is longer than what the model can read."""

    @property
    def sound(self) -> bool:
        """Whether all of it are numbers."""
        return bool(np.isfinite(self.hidden).all() and np.isfinite(self.inputs).all())


class Encoded(NamedTuple):
    """A text as tokens, without those that a tokeniser puts behind it."""

    ids: list[int]
    spans: list[tuple[int, int]] | None


def encode(tokeniser: Any, text: str) -> Encoded:
    """As the tokeniser does it for any text, with its mark of the beginning where it has one; what
    it adds behind the text is taken off, so that the last token is the text's own."""
    fast = bool(getattr(tokeniser, "is_fast", False))
    given = tokeniser(text, return_special_tokens_mask=True, return_offsets_mapping=fast)
    ids, special = list(given["input_ids"]), list(given["special_tokens_mask"])
    end = max((at + 1 for at, flag in enumerate(special) if not flag), default=0)
    if not fast:
        return Encoded(ids[:end], None)
    spans = [
        (0, 0) if flag else (int(start), int(stop))
        for (start, stop), flag in zip(given["offset_mapping"], special, strict=True)
    ]
    return Encoded(ids[:end], spans[:end])


def read(
    loaded: Loaded, places: Places, texts: Sequence[Text], norm: Norm, source: Source
) -> list[TextActivations]:
    """Read these texts at once. Raises ``CannotRun``."""
    encoded = [encode(loaded.tokeniser, text.text) for text in texts]
    longest = getattr(loaded.model.config, "max_position_embeddings", None) or 2**31
    fits = [at for at, one in enumerate(encoded) if 0 < len(one.ids) <= longest]
    nothing = TextActivations(np.zeros(0, np.float32), np.zeros(0, np.float32), None, 0)
    found = [nothing] * len(texts)
    if fits:
        try:
            seen = _run(loaded, places, [encoded[at] for at in fits], norm)
        except (RuntimeError, ValueError, IndexError) as error:
            raise CannotRun(source.device, source.dtype, in_one_line(error)) from error
        for at, (hidden, inputs, weights) in zip(fits, seen, strict=True):
            spans = encoded[at].spans
            words = (
                attended(texts[at].text, spans, weights)
                if weights is not None and spans is not None
                else None
            )
            found[at] = TextActivations(hidden, inputs, words, len(encoded[at].ids))
    return found


def _run(
    loaded: Loaded, places: Places, encoded: Sequence[Encoded], norm: Norm
) -> list[tuple[Floats, Floats, list[float] | None]]:
    import torch

    model = loaded.model
    sizes = [len(one.ids) for one in encoded]
    # Behind the text: what follows a token does not change what a causal model makes of it.
    ids = torch.zeros((len(encoded), max(sizes)), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, one in enumerate(encoded):
        ids[row, : sizes[row]] = torch.tensor(one.ids)
        mask[row, : sizes[row]] = 1
    ids, mask = ids.to(model.device), mask.to(model.device)
    rows, last = torch.arange(len(encoded)), torch.tensor(sizes) - 1
    kept: dict[str, Any] = {"attention": 0.0, "layers": 0}

    def keep_input(_module: Any, given: tuple[Any, ...]) -> None:
        inputs = given[0].detach().reshape(len(encoded), ids.shape[1], -1)
        if norm == "last":
            kept["inputs"] = inputs[rows, last].float().abs()
        else:
            real = inputs.float() * mask[:, :, None]
            kept["inputs"] = real.square().sum(dim=1).sqrt()

    def keep_attention(_module: Any, _given: Any, output: Any) -> None:
        weights = output[1] if isinstance(output, tuple) and len(output) > 1 else None
        if weights is None or weights.ndim != 4:
            return
        kept["attention"] = kept["attention"] + weights[rows, :, last].float().mean(dim=1)
        kept["layers"] += 1

    with ExitStack() as hooks, torch.inference_mode():
        hooks.callback(places.layer.register_forward_pre_hook(keep_input).remove)
        for one in places.attention:
            hooks.callback(one.register_forward_hook(keep_attention).remove)
        output = model.base_model(input_ids=ids, attention_mask=mask, use_cache=False)
    hidden = output.last_hidden_state[rows, last].float().cpu().numpy()
    inputs = kept["inputs"].cpu().numpy()
    all_said = kept["layers"] and kept["layers"] == len(places.attention)
    attention = (kept["attention"] / kept["layers"]).cpu().tolist() if all_said else None
    return [
        (hidden[row], inputs[row], attention[row][: sizes[row]] if attention else None)
        for row in range(len(encoded))
    ]


def rows_of(places: Places, block: int = BLOCK) -> Iterator[NDArray[np.float64]]:
    """The layer's weights, outputs × inputs, so many rows at a time."""
    weight = places.layer.weight.detach()
    if not weight.is_floating_point():
        raise CannotRun("this machine", str(weight.dtype), f"{places.name} is quantised")
    if places.transposed:
        weight = weight.T
    for start in range(0, weight.shape[0], block):
        yield weight[start : start + block].double().cpu().numpy()
