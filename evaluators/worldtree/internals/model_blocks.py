"""Where a model keeps its blocks, the layer that leads out of each block's perceptron, and its
attention: by name, for architectures name them differently.

| architectures | blocks | way out | attention |
|---|---|---|---|
| Llama, Mistral, Qwen, GLM, Gemma, Phi-3 | ``model.layers`` | ``mlp.down_proj`` | ``self_attn`` |
| GPT-2 (weights transposed) | ``transformer.h`` | ``mlp.c_proj`` | ``attn`` |
| GPT-NeoX, Pythia | ``gpt_neox.layers`` | ``mlp.dense_4h_to_h`` | ``attention`` |
| BLOOM, Falcon | ``transformer.h`` | ``mlp.dense_4h_to_h`` | ``self_attention`` |
| GPT-J | ``transformer.h`` | ``mlp.fc_out`` | ``attn`` |
| OPT | ``model.decoder.layers`` | ``fc2`` | ``self_attn`` |
| Phi | ``model.layers`` | ``mlp.fc2`` | ``self_attn`` |
"""

from typing import Any, Final, NamedTuple

from evaluators.worldtree.internals.errors import NoSuchBlock, UnknownModule

BLOCKS: Final = (
    "model.layers",
    "transformer.h",
    "gpt_neox.layers",
    "model.decoder.layers",
    "model.language_model.layers",
)
WAYS_OUT: Final = (
    "mlp.down_proj",
    "mlp.c_proj",
    "mlp.dense_4h_to_h",
    "mlp.fc_out",
    "mlp.fc2",
    "fc2",
)
ATTENTION: Final = ("self_attn", "attn", "attention", "self_attention")
LAST_LAYERS: Final = 20
"""So many of the last blocks' attention is looked at (SocialEval, Figure 9)."""


class Places(NamedTuple):
    """What is looked at. The modules are torch's."""

    name: str
    """The layer's, in the whole model."""
    layer: Any
    transposed: bool
    """Its weights are stored as inputs × outputs."""
    attention: tuple[Any, ...]
    """Of the last blocks, the first of them first; empty: it was not found."""


def find(model: Any, layer: int = -1, module: str = "") -> Places:
    """The layer ``module``, or the way out of the perceptron of block ``layer``; and the attention
    of the last blocks. Raises ``UnknownModule``, ``NoSuchBlock``."""
    named = dict(model.named_modules())
    prefix = next((one for one in BLOCKS if one in named), "")
    blocks = list(named[prefix]) if prefix else []
    name = module or _way_out(model, named, prefix, blocks, layer)
    found = named.get(name)
    if found is None or not _is_linear(found):
        raise UnknownModule(f"a linear layer {name}", _called(model), _linear_in_last(named))
    attention = [
        getattr(block, one)
        for block in blocks[-LAST_LAYERS:]
        for one in ATTENTION
        if hasattr(block, one)
    ]
    return Places(name, found, type(found).__name__ == "Conv1D", tuple(attention))


def _way_out(model: Any, named: dict[str, Any], prefix: str, blocks: list[Any], layer: int) -> str:
    if not blocks:
        raise UnknownModule(
            "a list of blocks by one of the known names", _called(model), _linear_in_last(named)
        )
    if not -len(blocks) <= layer < len(blocks):
        raise NoSuchBlock(layer, len(blocks))
    inside = f"{prefix}.{layer % len(blocks)}"
    for one in WAYS_OUT:
        if f"{inside}.{one}" in named:
            return f"{inside}.{one}"
    raise UnknownModule(f"{inside}.{WAYS_OUT[0]}", _called(model), _linear_in_last(named))


def _is_linear(module: Any) -> bool:
    weight = getattr(module, "weight", None)
    return weight is not None and getattr(weight, "ndim", 0) == 2


def _linear_in_last(named: dict[str, Any]) -> list[str]:
    """Names of the linear layers that share the longest beginning with the last one that is within
    a numbered block."""
    linear = [name for name, module in named.items() if _is_linear(module)]
    numbered = [name for name in linear if any(part.isdigit() for part in name.split("."))]
    if not numbered:
        return linear[-8:]
    parts = numbered[-1].split(".")
    block = ".".join(parts[: 1 + next(at for at, part in enumerate(parts) if part.isdigit())])
    return [name for name in numbered if name.startswith(f"{block}.")][-8:]


def _called(model: Any) -> str:
    return type(model).__name__
