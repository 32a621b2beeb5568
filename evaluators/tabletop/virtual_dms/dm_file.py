"""Files that name a virtual game master and how it learns (``docs/reference/dm.md``)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from actors.models.recording.call_log import CallRecorder
from actors.models.settings import AtLeastOne, ModelSettings, NotNegative, Seconds, Temperature
from actors.toml_file import BadFile, nearest, read_table
from evaluators.tabletop.virtual_dms.language_model import Callers, LanguageModelDM
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from evaluators.tabletop.virtual_dms.needed import ensure_peft, ensure_scikit_learn
from evaluators.tabletop.virtual_dms.port import Progress, VirtualDM, untold
from evaluators.tabletop.virtual_dms.questions import Variant
from events.lazy_function import LazyFunction

Strength = Annotated[float, Meta(gt=0, le=10_000)]
Examples = Annotated[int, Meta(ge=0, le=1_000)]
Steps = Annotated[int, Meta(ge=1, le=1_000_000)]
Rank = Annotated[int, Meta(ge=1, le=512)]
Batch = Annotated[int, Meta(ge=1, le=1_024)]
Rate = Annotated[float, Meta(gt=0, le=1)]
Length = Annotated[int, Meta(ge=64, le=1_000_000)]


class LexiconFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One that counts words."""

    kind: Literal["lexicon"] = "lexicon"
    name: str = ""
    """How tables call it; empty: the file's name."""


class LinearFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of linear models."""

    kind: Literal["linear"] = "linear"
    name: str = ""
    strength: Strength = 1.0
    """The inverse of the regularization."""


class LoraFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A language model on this machine that is tuned by low-rank adaptation."""

    kind: Literal["lora"] = "lora"
    name: str = ""
    model: str = ""
    """A folder, a GGUF file, a model that transformers has downloaded, or ``local/smollm2``: the
    weights of ``troupe local fetch``."""
    rank: Rank = 8
    steps: Steps = 200
    batch: Batch = 4
    rate: Rate = 2e-4
    """The highest learning rate."""
    length: Length = 2_048
    """Tokens of a question with its answer; of longer ones the oldest turns are left out."""
    device: str = ""
    """``cpu``, ``cuda``, ``mps``; empty: a GPU where there is one."""


class LanguageModelFile(ModelSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A language model that is asked. What says how has a judge's defaults."""

    kind: Literal["llm"] = "llm"
    name: str = ""
    prompt: Variant = "direct"
    examples: Examples = 0
    """Samples with their labels that it is shown before each question."""
    temperature: Temperature = 0.0
    max_tokens: AtLeastOne = 1_000
    max_completion_tokens: NotNegative = 0
    timeout_s: Seconds = 180.0


DMFile = LexiconFile | LinearFile | LoraFile | LanguageModelFile
_START: Final = 1_000
"""Bytes in which a file tells what it is."""
_LINEAR: Final = LazyFunction("evaluators.tabletop.virtual_dms.linear:LinearDM")
_LORA: Final = LazyFunction("evaluators.tabletop.virtual_dms.lora:LoraDM")
_KINDS: Final[Mapping[str, type[DMFile]]] = {
    "lexicon": LexiconFile,
    "linear": LinearFile,
    "lora": LoraFile,
    "llm": LanguageModelFile,
}


def read_dm(path: Path) -> DMFile:
    """What a ``DM.toml`` says. Raises ``BadFile``: file, field, and what would be right."""
    if _is_fitted(path):
        why = (
            "that is what `troupe tabletop fit` wrote; --dm takes a DM file (docs/reference/dm.md)"
        )
        raise BadFile(path, "", why)
    table = read_table(path)
    kind = table.data.get("kind")
    if kind is None:
        why = f"the field 'kind' is missing; it is one of {', '.join(_KINDS)}"
        raise BadFile(path, "", why)
    if not isinstance(kind, str) or kind not in _KINDS:
        near = nearest(str(kind), _KINDS, 60)
        why = f"must be one of {', '.join(_KINDS)}, is {kind!r}{near}"
        raise BadFile(path, "kind", why)
    file = table.shaped(_KINDS[kind])
    if isinstance(file, LanguageModelFile):
        for field, why in file.problems():
            raise BadFile(path, field, why)
    if isinstance(file, LoraFile) and not file.model:
        why = 'name the weights: "local/smollm2", a folder, or a GGUF file'
        raise BadFile(path, "model", why)
    return msgspec.structs.replace(file, name=file.name or path.stem)


def _is_fitted(path: Path) -> bool:
    """Whether it is a virtual game master that has learned: JSON, however long, which begins with
    what no TOML begins with. What cannot be read is refused by whoever reads all of it."""
    try:
        with path.open("rb") as file:
            start = file.read(_START)
    except OSError:
        return False
    return start.lstrip().startswith(b"{") and b'"trained_on"' in start


def make_dm(
    file: DMFile,
    callers: Callers,
    seed: int = 0,
    progress: Progress = untold,
    *,
    calls: CallRecorder | None = None,
) -> VirtualDM:
    """The virtual game master that a file names, which has learned nothing. ``callers`` asks
    models, and ``calls`` keeps their answers, for one of kind ``llm``; ``progress``: told of the
    steps of one of kind ``lora``. Raises ``ExtraMissing``."""
    match file:
        case LinearFile():
            ensure_scikit_learn()
            linear: VirtualDM = _LINEAR(seed, strength=file.strength)
            return linear
        case LoraFile():
            ensure_peft()
            tuned: VirtualDM = _LORA(file, seed, progress)
            return tuned
        case LanguageModelFile():
            return LanguageModelDM(
                file.spec(),
                callers,
                variant=file.prompt,
                examples=file.examples,
                seed=seed,
                calls=calls,
            )
        case _:
            return LexiconDM()


def untrained_dm(file: DMFile, callers: Callers, calls: CallRecorder | None = None) -> VirtualDM:
    """What stands for the same without training (D_0): a language model as it is, and for linear
    models, which know nothing then, the lexicon."""
    return LexiconDM() if isinstance(file, LinearFile) else make_dm(file, callers, calls=calls)
