"""What was read once is kept in files, so that a run that was stopped goes on where it was, and
another share, seed or list of keywords needs no model.

A folder by what the activations depend on; in it ``layer-BLOCK.npz`` of the weights and
``00000.npz`` and so on of the texts, ``PART`` each. NumPy's format without pickled objects: nothing
in them is run.
"""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.worldtree.internals.attention import Attended
from evaluators.worldtree.internals.forward_passes import Norm, TextActivations
from evaluators.worldtree.internals.text_samples import Material, Text
from events.ids import digest_of
from events.serialization.struct_types import decodable
from store.files.atomic_files import atomic_write

PART: Final = 32
"""Texts a file."""
_FORMAT: Final = 1
"""Raised where what is kept, or how it is read, changes."""


class Layer(NamedTuple):
    """What is needed of the layer that is looked at."""

    name: str
    architecture: str
    outputs: int
    sums: NDArray[np.float64]
    """``importance.row_sums`` of its weights."""
    attention: int
    """How many blocks' attention is looked at."""


def key(model: str, dtype: str, material: Material, layer: int, module: str, norm: Norm) -> str:
    """What the activations depend on, as a name; ``model`` is its fingerprint."""
    parts = (_FORMAT, model, dtype, material.digest, layer, module, norm)
    return digest_of(msgspec.json.encode(parts))[:16]


def layer_of(folder: Path, block: int, make: Callable[[], Layer]) -> Layer:
    """The layer, as it was kept or as it is made now."""
    path = folder / f"layer-{block}.npz"
    kept = _arrays(path)
    if kept is not None:
        name, architecture = bytes(kept["names"]).decode().split("\n")
        outputs, attention = kept["sizes"].tolist()
        return Layer(name, architecture, outputs, kept["sums"], attention)
    made = make()
    names = np.frombuffer(f"{made.name}\n{made.architecture}".encode(), np.uint8)
    sizes = np.array([made.outputs, made.attention])
    _save(path, names=names, sizes=sizes, sums=made.sums)
    return made


def parts(
    folder: Path,
    texts: Sequence[Text],
    read: Callable[[Sequence[Text]], list[TextActivations]],
    progress: Callable[[int, int], None],
) -> Iterator[tuple[Sequence[Text], list[TextActivations]]]:
    """All texts, a part at a time: as it was kept, or read and kept now."""
    for start in range(0, len(texts), PART):
        some = texts[start : start + PART]
        path = folder / f"{start // PART:05}.npz"
        seen = _kept(path, len(some))
        if seen is None:
            seen = read(some)
            _keep(path, seen)
        progress(start + len(some), len(texts))
        yield some, seen


def _keep(path: Path, seen: Sequence[TextActivations]) -> None:
    there = [at for at, one in enumerate(seen) if one.tokens]
    words = msgspec.json.encode([seen[at].words for at in there])
    _save(
        path,
        hidden=np.array([seen[at].hidden for at in there], np.float32),
        inputs=np.array([seen[at].inputs for at in there], np.float32),
        tokens=np.array([one.tokens for one in seen]),
        words=np.frombuffer(words, np.uint8),
    )


def _kept(path: Path, number: int) -> list[TextActivations] | None:
    kept = _arrays(path)
    if kept is None or len(kept["tokens"]) != number:
        return None
    words = iter(
        msgspec.json.decode(bytes(kept["words"]), type=decodable(list[tuple[Attended, ...] | None]))
    )
    hidden, inputs = iter(kept["hidden"]), iter(kept["inputs"])
    nothing = np.zeros(0, np.float32)
    return [
        TextActivations(next(hidden), next(inputs), next(words), tokens)
        if tokens
        else TextActivations(nothing, nothing, None, 0)
        for tokens in kept["tokens"].tolist()
    ]


def _arrays(path: Path) -> dict[str, NDArray[Any]] | None:
    """The arrays of a file; None: there is none, or it is damaged and will be written again."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (FileNotFoundError, ValueError, EOFError, zipfile.BadZipFile):
        return None


def _save(path: Path, **arrays: NDArray[Any]) -> None:
    with atomic_write(path) as unfinished, unfinished.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
