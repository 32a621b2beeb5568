"""The whole of it: from samples and a model to figures as plain values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from actors.worldtree.trees.abilities import ASPECTS
from evaluators.worldtree.internals import (
    activation_cache,
    clusters,
    forward_passes,
    importance,
    model_blocks,
    model_loader,
)
from evaluators.worldtree.internals.activation_cache import Layer
from evaluators.worldtree.internals.attention import Attended, AttentionSample, Marked, intersect
from evaluators.worldtree.internals.clusters import ClusterCohesion
from evaluators.worldtree.internals.errors import NothingToRead, ensure_installed
from evaluators.worldtree.internals.forward_passes import Norm, TextActivations
from evaluators.worldtree.internals.importance import BLOCK, Difference
from evaluators.worldtree.internals.model_blocks import Places
from evaluators.worldtree.internals.model_loader import Loaded, Source
from evaluators.worldtree.internals.text_samples import Material, Text

CACHE = "activations"
"""The folder for what was read, in that of the figures."""


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What the paper leaves open, and how much is done at once."""

    layer: int = -1
    """The block whose perceptron's way out is looked at; negative: from the last."""
    module: str = ""
    """The layer by its whole name instead, in models that are built in another way."""
    norm: Norm = "last"
    top: float = 0.05
    """The share of blocks that are important for an aspect."""
    block: int = BLOCK
    seed: int | None = None
    """Of t-SNE's first places; None: it begins with principal components."""
    batch: int = 8
    """Texts that go through the model at once."""


class Aspect(NamedTuple):
    """What an aspect leans on."""

    samples: int
    means: NDArray[np.float64]
    """Of the importance, a block a cell."""
    important: frozenset[tuple[int, int]]


class ModelAnalysis(NamedTuple):
    """What was seen in a model."""

    source: Source
    choices: Choices
    layer: Layer
    material: Material
    texts: tuple[Text, ...]
    """Those that all figures are of."""
    tokens: tuple[int, ...]
    """Of each, how many the model read."""
    words: tuple[tuple[Attended, ...], ...]
    """Of each, what the model attends to; empty: none of them, for the model does not say."""
    plane: NDArray[np.float32] | None
    """Of each, its place by t-SNE."""
    together: tuple[tuple[str, str, ClusterCohesion], ...]
    """Each ``hidden states`` or ``t-SNE``; ``aspect``, ``ability`` or ``language``; and figures."""
    aspects: Mapping[str, Aspect]
    differences: tuple[Difference, ...]
    agreement: Mapping[str, AttentionSample]
    """By sample, where annotators marked keywords."""
    notes: tuple[str, ...]
    """What was left out, and why; a sentence each."""


class Model:
    """The model, loaded when the first of it is needed."""

    def __init__(self, source: Source, choices: Choices) -> None:
        self.source, self.choices = source, choices

    @cached_property
    def _loaded(self) -> tuple[Loaded, Places]:
        loaded = model_loader.load(self.source)
        return loaded, model_blocks.find(loaded.model, self.choices.layer, self.choices.module)

    def layer(self) -> Layer:
        """What is needed of its weights."""
        loaded, places = self._loaded
        sums = importance.row_sums(forward_passes.rows_of(places, self.choices.block))
        outputs = places.layer.weight.shape[1 if places.transposed else 0]
        name = type(loaded.model).__name__
        return Layer(places.name, name, int(outputs), sums, len(places.attention))

    def read(self, texts: Sequence[Text]) -> list[TextActivations]:
        """What is kept of texts."""
        found = []
        for start in range(0, len(texts), self.choices.batch):
            some = texts[start : start + self.choices.batch]
            found += forward_passes.read(*self._loaded, some, self.choices.norm, self.source)
        return found


class ModelReadings(NamedTuple):
    source: Source
    choices: Choices
    layer: Layer
    material: Material
    texts: tuple[Text, ...]
    """Those that could be read, and gave numbers."""
    hidden: NDArray[np.float32]
    """Of each, the last token's state behind the last block."""
    tokens: tuple[int, ...]
    words: tuple[tuple[Attended, ...], ...]
    inputs: Mapping[str, NDArray[np.float64]]
    """By aspect, the sum over its samples of |h_j| of the layer."""
    too_long: int
    unsound: int


def gather(
    material: Material,
    source: Source,
    choices: Choices,
    folder: Path,
    progress: Callable[[int, int], None],
) -> ModelReadings:
    """Read all texts, or what was kept of them under ``folder``.

    Memory: the model, a part's activations, and of each sample its hidden state and words. Raises
    ``NotInstalled``, ``NotHere``, ``CannotLoad``, ``CannotRun``, ``UnknownModule``,
    ``NoSuchBlock``, ``NothingToRead``, ``OSError``.
    """
    ensure_installed()
    fingerprint = model_loader.fingerprint(source)
    kept = folder / activation_cache.key(
        fingerprint, source.dtype, material, choices.layer, choices.module, choices.norm
    )
    model = Model(source, choices)
    layer = activation_cache.layer_of(kept, choices.block, model.layer)
    sums = {aspect: np.zeros(layer.sums.shape[1]) for aspect in ASPECTS}
    sound: list[tuple[Text, NDArray[np.float32], int, tuple[Attended, ...] | None]] = []
    too_long = unsound = 0
    for some, seen in activation_cache.parts(kept, material.texts, model.read, progress):
        for text, one in zip(some, seen, strict=True):
            if not one.tokens:
                too_long += 1
            elif not one.sound:
                unsound += 1
            else:
                sums[text.aspect] += one.inputs
                sound.append((text, one.hidden, one.tokens, one.words))
    if not sound:
        raise NothingToRead(len(material.texts), _UNSOUND if unsound else _TOO_LONG)
    texts, hidden, tokens, words = zip(*sound, strict=True)
    said = () if None in words else words
    return ModelReadings(
        source, choices, layer, material, texts, np.stack(hidden), tokens, said, sums, too_long,
        unsound,
    )  # fmt: skip


def look(gathered: ModelReadings, marked: Marked) -> ModelAnalysis:
    """What is in what was read. Takes the processor for a while: t-SNE."""
    texts, choices = gathered.texts, gathered.choices
    plane = clusters.plane(gathered.hidden, choices.seed)
    aspects = _aspects(gathered)
    important = {name: one.important for name, one in aspects.items()}
    return ModelAnalysis(
        source=gathered.source,
        choices=choices,
        layer=gathered.layer,
        material=gathered.material,
        texts=texts,
        tokens=gathered.tokens,
        words=gathered.words,
        plane=plane,
        together=tuple(_together(gathered.hidden, plane, texts)),
        aspects=aspects,
        differences=tuple(importance.differences(important)),
        agreement={
            text.sample: intersect(text.text, attended, marked[text.sample])
            for text, attended in zip(texts, gathered.words, strict=False)
            if text.sample in marked
        },
        notes=tuple(_notes(gathered, plane, aspects)),
    )


_UNSOUND = (
    "what the model makes of them is not all numbers (NaN or infinite); --dtype float32 or "
    "bfloat16 has more room than float16"
)
_TOO_LONG = "they have no token, or more than the model can read"


def _aspects(gathered: ModelReadings) -> dict[str, Aspect]:
    layer, choices = gathered.layer, gathered.choices
    found = {}
    for aspect, total in gathered.inputs.items():
        number = sum(text.aspect == aspect for text in gathered.texts)
        if number:
            inputs = total / number
            means = importance.block_means(layer.sums, inputs, layer.outputs, choices.block)
            found[aspect] = Aspect(number, means, importance.top(means, choices.top))
    return found


def _together(
    points: NDArray[np.float32], plane: NDArray[np.float32] | None, texts: Sequence[Text]
) -> list[tuple[str, str, ClusterCohesion]]:
    kinds: dict[str, list[str]] = {
        "aspect": [text.aspect for text in texts],
        "ability": [text.ability for text in texts],
        "language": [text.language for text in texts],
    }
    if len(set(kinds["language"])) == 1:
        del kinds["language"]
    spaces = {"hidden states": points} | ({} if plane is None else {"t-SNE": plane})
    return [
        (space, kind, clusters.together(where, labels))
        for space, where in spaces.items()
        for kind, labels in kinds.items()
    ]


def _notes(
    gathered: ModelReadings, plane: NDArray[np.float32] | None, aspects: Mapping[str, Aspect]
) -> Iterator[str]:
    left_out = (
        (gathered.material.several, "they count for several abilities or for none"),
        (gathered.too_long, _TOO_LONG),
        (gathered.unsound, _UNSOUND),
    )
    for number, why in left_out:
        if number:
            are = "samples are" if number > 1 else "sample is"
            yield f"{number} {are} left out: {why}"
    if plane is None:
        yield f"no t-SNE: it needs {clusters.FEWEST} samples, and not all in the same state"
    if missing := [aspect for aspect in ASPECTS if aspect not in aspects]:
        yield f"no importance for {', '.join(missing)}: no sample is of that aspect alone"
    if not gathered.words:
        yield (
            "no keywords: the model does not say what it attends to, or its tokeniser does not say "
            "where tokens stand in the text"
        )
