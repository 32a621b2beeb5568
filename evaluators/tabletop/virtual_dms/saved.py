"""Virtual game masters that have learned, in files: JSON with names, texts and numbers."""

from pathlib import Path
from typing import Annotated, Final, Literal, Protocol, runtime_checkable

import msgspec
from msgspec import Meta

from actors.toml_file import BadFile
from evaluators.tabletop.calls.samples import CallSample
from evaluators.tabletop.virtual_dms.dm_file import (
    DMFile,
    LanguageModelFile,
    LexiconFile,
    LinearFile,
    LoraFile,
    make_dm,
)
from evaluators.tabletop.virtual_dms.language_model import Callers, LanguageModelDM
from evaluators.tabletop.virtual_dms.linear_weights import HasWeights, LinearWeights, misfit
from evaluators.tabletop.virtual_dms.port import VirtualDM
from events.ids import digest_of
from events.serialization.struct_types import decodable
from store.files.atomic_files import atomic_write

MOST_BYTES: Final = 256 * 1024 * 1024
"""Of a file that is read."""
FORMAT: Final = 1
_FOLDER: Final = ".adaptation"
"""What follows a file's name in that of the folder with what kind lora has learned."""
_SHOWN: Final = 200

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class _Saved(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: Literal[1] = FORMAT
    trained_on: Hash
    seed: int = 0
    checksum: str = ""
    """Of all other fields, as they are written."""


class SavedLexicon(_Saved, frozen=True, kw_only=True, tag_field="kind", tag="lexicon"):
    """One that counts words."""

    dm: LexiconFile


class SavedLinear(_Saved, frozen=True, kw_only=True, tag_field="kind", tag="linear"):
    """Linear models, with their weights."""

    dm: LinearFile
    weights: LinearWeights


class SavedLanguageModel(_Saved, frozen=True, kw_only=True, tag_field="kind", tag="llm"):
    """A language model that is asked, with the examples that it is shown."""

    dm: LanguageModelFile
    examples: tuple[CallSample, ...] = ()


class SavedLora(_Saved, frozen=True, kw_only=True, tag_field="kind", tag="lora"):
    """A tuned language model. What it has learned is in the folder beside."""

    dm: LoraFile


Saved = SavedLexicon | SavedLinear | SavedLanguageModel | SavedLora
_decoder: Final = msgspec.json.Decoder(decodable(Saved))


@runtime_checkable
class HasAdaptation(Protocol):
    """A virtual game master that keeps what it learned in a folder."""

    def save_adaptation(self, folder: Path) -> None: ...

    def load_adaptation(self, folder: Path, trained_on: str) -> None:
        """Take what was learned before."""
        ...


def save(path: Path, file: DMFile, dm: VirtualDM, seed: int) -> None:
    """Write a virtual game master that has learned; ``file``: what it was made of."""
    saved = _saved(file, dm, seed)
    sealed = msgspec.structs.replace(saved, checksum=_checksum(msgspec.json.encode(saved)))
    if isinstance(dm, HasAdaptation):
        dm.save_adaptation(_beside(path))
    with atomic_write(path) as written:
        written.write_bytes(msgspec.json.encode(sealed))


def _checksum(data: bytes) -> str:
    """That of a file's fields without the checksum itself."""
    fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    fields.pop("checksum", None)
    return digest_of(msgspec.json.encode(fields))


def _saved(file: DMFile, dm: VirtualDM, seed: int) -> Saved:
    learned = dm.trained_on
    match file:
        case LinearFile():
            assert isinstance(dm, HasWeights)
            assert dm.weights is not None, "it has learned"
            return SavedLinear(dm=file, weights=dm.weights, trained_on=learned, seed=seed)
        case LanguageModelFile():
            assert isinstance(dm, LanguageModelDM)
            return SavedLanguageModel(dm=file, examples=dm.shown, trained_on=learned, seed=seed)
        case LoraFile():
            return SavedLora(dm=file, trained_on=learned, seed=seed)
        case _:
            return SavedLexicon(dm=file, trained_on=learned, seed=seed)


def read_saved(path: Path) -> Saved:
    """What is in a file, checked. Raises ``BadFile``."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= MOST_BYTES else b""
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error
    if size > MOST_BYTES:
        raise BadFile(path, "", f"is larger than {MOST_BYTES // 2**20} MiB")
    try:
        saved: Saved = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        why = f"is no virtual game master that `troupe tabletop fit` wrote: {str(error)[:_SHOWN]}"
        raise BadFile(path, "", why) from error
    if isinstance(saved, SavedLinear) and (why := misfit(saved.weights)):
        raise BadFile(path, "weights", why)
    if isinstance(saved, SavedLanguageModel):
        for field, why in saved.dm.problems():
            raise BadFile(path, f"dm.{field}", why)
    if saved.checksum != _checksum(data):
        why = "is not as `troupe tabletop fit` wrote it: its checksum is another; train it again"
        raise BadFile(path, "", why if saved.checksum else "has no checksum; train it again")
    return saved


def read_fitted(path: Path, callers: Callers) -> VirtualDM:
    """The virtual game master in a file, as it was when it was written. ``callers``: asks models,
    for one of kind ``llm``. Raises ``BadFile``, ``ExtraMissing``, ``CannotTune``."""
    saved = read_saved(path)
    dm = make_dm(saved.dm, callers, saved.seed)
    if isinstance(saved, SavedLinear) and isinstance(dm, HasWeights):
        dm.take(saved.weights, saved.trained_on)
    elif isinstance(saved, SavedLanguageModel) and isinstance(dm, LanguageModelDM):
        dm.show(saved.examples, saved.trained_on)
    elif isinstance(dm, HasAdaptation):
        dm.load_adaptation(_beside(path), saved.trained_on)
    else:
        dm.trained_on = saved.trained_on
    return dm


def _beside(path: Path) -> Path:
    return path.with_name(path.name + _FOLDER)
