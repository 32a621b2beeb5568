"""Errors of models and of the texts they read, in one sentence each."""

from collections.abc import Sequence
from importlib.util import find_spec

from events.untrusted.safe_text import one_line, shortened

NEEDED = ("torch", "transformers", "sklearn")


class InsideError(ValueError):
    """The root of them."""


class NotInstalled(InsideError):
    """A package is not there."""

    def __init__(self, packages: Sequence[str]) -> None:
        super().__init__(
            f"looking into a model needs {', '.join(packages)}: `make inside` installs what is "
            "needed in a checkout, `pip install 'troupe-server[inside]'` elsewhere"
        )
        self.packages = tuple(packages)


class NothingToRead(InsideError):
    """No sample can be used."""

    def __init__(self, of: int, why: str) -> None:
        super().__init__(f"none of the {of} samples can be used: {shortened(why, 1_000)}")
        self.of, self.why = of, why


class CannotLoad(InsideError):
    """transformers does not load the model, or its tokeniser."""

    def __init__(self, model: str, why: str) -> None:
        super().__init__(
            f"the model {shortened(model)!r} cannot be loaded: {shortened(why, 1_000)}"
        )
        self.model, self.why = model, why


class NotHere(InsideError):
    """There is no such folder, and no such model among those that were downloaded earlier."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"the model {shortened(model)!r} is not on this machine: --model takes a folder with "
            "config.json and weights, or the name of a model that was downloaded earlier; "
            "--download fetches it"
        )
        self.model = model


class CannotRun(InsideError):
    """The model fails while it reads."""

    def __init__(self, device: str, dtype: str, why: str) -> None:
        super().__init__(
            f"the model cannot be run on {shortened(device)} in {shortened(dtype)}: "
            f"{shortened(why, 500)}; --device, --dtype and --batch say how it is run"
        )
        self.device, self.dtype, self.why = device, dtype, why


class UnknownModule(InsideError):
    """The layer whose weights are looked at is not where it is in models that are known."""

    def __init__(self, wanted: str, architecture: str, linear: Sequence[str]) -> None:
        there = f"its last block has {', '.join(linear)}" if linear else "it has no linear layer"
        super().__init__(
            f"{shortened(wanted)} is not in this model ({shortened(architecture)}); name the "
            f"layer whose weights are to be looked at with --module, {there}"
        )
        self.wanted, self.architecture, self.linear = wanted, architecture, tuple(linear)


class NoSuchBlock(InsideError):
    """``--layer`` is beyond the model's blocks."""

    def __init__(self, layer: int, blocks: int) -> None:
        super().__init__(
            f"--layer {layer}: the model has {blocks} blocks, 0 to {blocks - 1}; "
            "-1 is the last, -2 the one before it"
        )
        self.layer, self.blocks = layer, blocks


def ensure_installed() -> None:
    """Raises ``NotInstalled``."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise NotInstalled(["scikit-learn" if one == "sklearn" else one for one in missing])


def in_one_line(error: BaseException) -> str:
    """What another's library says of a failure."""
    return shortened(one_line(f"{type(error).__name__}: {error}"), 300)
