"""The whole of it: from samples and a model to figures as plain values."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.worldtree.inside import activations, clusters, importance, models, modules, reading
from evaluators.worldtree.inside.activations import Layer
from evaluators.worldtree.inside.clusters import Together
from evaluators.worldtree.inside.errors import NothingToRead, ensure_installed
from evaluators.worldtree.inside.importance import BLOCK, Difference
from evaluators.worldtree.inside.material import ASPECTS, Material, Text
from evaluators.worldtree.inside.models import Loaded, Source
from evaluators.worldtree.inside.modules import Places
from evaluators.worldtree.inside.reading import Norm, Seen
from evaluators.worldtree.inside.words import Agreement, Attended, Marked, intersect

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
    seed: int = 0
    """Of t-SNE."""
    batch: int = 8
    """Texts that go through the model at once."""


class Aspect(NamedTuple):
    """What an aspect leans on."""

    samples: int
    means: NDArray[np.float64]
    """Of the importance, a block a cell."""
    important: frozenset[tuple[int, int]]


class Looked(NamedTuple):
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
    together: tuple[tuple[str, str, Together], ...]
    """Each ``hidden states`` or ``t-SNE``; ``aspect``, ``ability`` or ``language``; and figures."""
    aspects: Mapping[str, Aspect]
    differences: tuple[Difference, ...]
    agreement: Mapping[str, Agreement]
    """By sample, where annotators marked keywords."""
    notes: tuple[str, ...]
    """What was left out, and why; a sentence each."""


class Model:
    """The model, loaded when the first of it is needed."""

    def __init__(self, source: Source, choices: Choices) -> None:
        self.source, self.choices = source, choices

    @cached_property
    def _loaded(self) -> tuple[Loaded, Places]:
        loaded = models.load(self.source)
        return loaded, modules.find(loaded.model, self.choices.layer, self.choices.module)

    def layer(self) -> Layer:
        """What is needed of its weights."""
        loaded, places = self._loaded
        sums = importance.row_sums(reading.rows_of(places, self.choices.block))
        outputs = places.layer.weight.shape[1 if places.transposed else 0]
        name = type(loaded.model).__name__
        return Layer(places.name, name, int(outputs), sums, len(places.attention))

    def read(self, texts: Sequence[Text]) -> list[Seen]:
        """What is kept of texts."""
        found = []
        for start in range(0, len(texts), self.choices.batch):
            some = texts[start : start + self.choices.batch]
            found += reading.read(*self._loaded, some, self.choices.norm, self.source)
        return found


def look(
    material: Material,
    source: Source,
    choices: Choices,
    folder: Path,
    marked: Marked,
    progress: Callable[[int, int], None],
) -> Looked:
    """Read all texts, or what was kept of them under ``folder``, and see what is in it.

    Memory: the model, and of each sample its hidden state. Raises ``NotInstalled``, ``NotHere``,
    ``CannotLoad``, ``CannotRun``, ``UnknownModule``, ``NoSuchBlock``, ``NothingToRead``,
    ``OSError``.
    """
    ensure_installed()
    print_ = models.fingerprint(source)
    kept = folder / activations.key(
        print_, source.dtype, material, choices.layer, choices.module, choices.norm
    )
    model = Model(source, choices)
    layer = activations.layer_of(kept, choices.block, model.layer)
    texts: list[Text] = []
    hidden: list[NDArray[np.float32]] = []
    tokens: list[int] = []
    words: list[tuple[Attended, ...]] = []
    sums = {aspect: np.zeros(layer.sums.shape[1]) for aspect in ASPECTS}
    too_long = unsound = 0
    for some, seen in activations.parts(kept, material.texts, model.read, progress):
        for text, one in zip(some, seen, strict=True):
            if not one.tokens:
                too_long += 1
            elif not one.sound:
                unsound += 1
            else:
                texts.append(text)
                hidden.append(one.hidden)
                tokens.append(one.tokens)
                sums[text.aspect] += one.inputs
                words += [one.words] if one.words is not None else []
    if not texts:
        why = _UNSOUND if unsound else _TOO_LONG
        raise NothingToRead(len(material.texts), why)
    points = np.stack(hidden)
    aspects = _aspects(layer, texts, sums, choices)
    plane = clusters.plane(points, choices.seed)
    said = tuple(words) if len(words) == len(texts) else ()
    return Looked(
        source=source,
        choices=choices,
        layer=layer,
        material=material,
        texts=tuple(texts),
        tokens=tuple(tokens),
        words=said,
        plane=plane,
        together=tuple(_together(points, plane, texts)),
        aspects=aspects,
        differences=tuple(
            importance.differences({name: one.important for name, one in aspects.items()})
        ),
        agreement={
            text.sample: intersect(text.text, attended, marked[text.sample])
            for text, attended in zip(texts, said, strict=False)
            if text.sample in marked
        },
        notes=tuple(_notes(material, too_long, unsound, plane, aspects, words_said=bool(said))),
    )


_UNSOUND = (
    "what the model made of them is not all numbers (NaN or infinite); --dtype float32 or bfloat16 "
    "has more room than float16"
)
_TOO_LONG = "they have no token, or more than the model can read"


def _aspects(
    layer: Layer,
    texts: Sequence[Text],
    sums: Mapping[str, NDArray[np.float64]],
    choices: Choices,
) -> dict[str, Aspect]:
    found = {}
    for aspect, total in sums.items():
        number = sum(text.aspect == aspect for text in texts)
        if number:
            inputs = total / number
            means = importance.block_means(layer.sums, inputs, layer.outputs, choices.block)
            found[aspect] = Aspect(number, means, importance.top(means, choices.top))
    return found


def _together(
    points: NDArray[np.float32], plane: NDArray[np.float32] | None, texts: Sequence[Text]
) -> list[tuple[str, str, Together]]:
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
    material: Material,
    too_long: int,
    unsound: int,
    plane: NDArray[np.float32] | None,
    aspects: Mapping[str, Aspect],
    *,
    words_said: bool,
) -> list[str]:
    notes = []
    if material.several:
        notes.append(
            f"{material.several} samples are left out: they count for several abilities or for none"
        )
    for number, why in ((too_long, _TOO_LONG), (unsound, _UNSOUND)):
        if number:
            notes.append(f"{number} samples are left out: {why}")
    if plane is None:
        notes.append(f"no t-SNE: it needs {clusters.FEWEST} samples, and not all in the same state")
    if missing := [aspect for aspect in ASPECTS if aspect not in aspects]:
        notes.append(f"no importance for {', '.join(missing)}: no sample is of that aspect alone")
    if not words_said:
        notes.append(
            "no keywords: the model does not say what it attends to, or its tokeniser does not say "
            "where tokens stand in the text"
        )
    return notes
