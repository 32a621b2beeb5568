"""A causal language model on this machine, as transformers loads it, and its fingerprint."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from evaluators.worldtree.internals.errors import CannotLoad, CannotRun, NotHere, in_one_line
from events.ids import digest_of

DType = Literal["auto", "float32", "bfloat16", "float16"]
_HUB_NAME: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)?")


class Source(NamedTuple):
    """Where a model is from, and how it is run."""

    model: str
    """A folder, a GGUF file, or a model's name among those that transformers has downloaded."""
    download: bool = False
    """Whether what is not here may be fetched."""
    dtype: DType = "auto"
    """``auto``: what its weights are stored in."""
    device: str = "cpu"

    @property
    def here(self) -> bool:
        """Whether it is a folder or a file, and not a name."""
        return Path(self.model).is_dir() or self.is_file

    @property
    def is_file(self) -> bool:
        """Whether it is weights with all that belongs to them in one file."""
        return self.model.endswith(".gguf") and Path(self.model).is_file()

    @property
    def arguments(self) -> tuple[str, dict[str, Any]]:
        """What transformers calls it. Weights of a few bits each are turned into numbers that can
        be computed with, of 32 bits unless another type is chosen."""
        if not self.is_file:
            return self.model, {}
        path = Path(self.model)
        return str(path.parent), {"gguf_file": path.name}


class Loaded(NamedTuple):
    """A model that can be run, and its tokeniser; both are transformers'."""

    model: Any
    tokeniser: Any


def fingerprint(source: Source) -> str:
    """Of a folder: its files' names, sizes and times; of a downloaded model its revision.

    Raises ``NotHere``, ``CannotLoad``.
    """
    path = Path(source.model)
    if source.here:
        files = [path] if source.is_file else sorted(filter(Path.is_file, path.iterdir()))
        told = [f"{file.name} {(at := file.stat()).st_size} {at.st_mtime_ns}" for file in files]
        return digest_of("\n".join(told).encode())
    with _loading(source):
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(source.model, local_files_only=not source.download)
    revision = getattr(config, "_commit_hash", None)
    return digest_of(f"{source.model} {revision}".encode())


def load(source: Source) -> Loaded:
    """Load model and tokeniser. No code that comes with a model is run. Raises ``NotHere``,
    ``CannotLoad``, ``CannotRun``."""
    where = {"local_files_only": not source.download, "trust_remote_code": False}
    with _loading(source):
        from transformers import AutoModelForCausalLM, AutoTokenizer

        name, more = source.arguments
        tokeniser = AutoTokenizer.from_pretrained(name, **where, **more)
        # Others than "eager" do not say what they attend to.
        dtype = "float32" if more and source.dtype == "auto" else source.dtype
        model = AutoModelForCausalLM.from_pretrained(
            name, dtype=dtype, attn_implementation="eager", **where, **more
        )
    try:
        model = model.to(source.device).eval()
    except (RuntimeError, AssertionError, ValueError) as error:
        raise CannotRun(source.device, source.dtype, in_one_line(error)) from error
    return Loaded(model, tokeniser)


@contextlib.contextmanager
def _loading(source: Source) -> Iterator[None]:
    """transformers without its own progress bars and warnings, its errors as sentences."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    if not source.here and not _HUB_NAME.fullmatch(source.model):
        raise NotHere(source.model)
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) and not source.here and not source.download:
            raise NotHere(source.model) from error
        raise CannotLoad(source.model, in_one_line(error)) from error
