"""Packages that some virtual game masters need. They are extras."""

from importlib.util import find_spec
from typing import Final

from events.untrusted.safe_text import one_line, shortened

LORA: Final = ("torch", "transformers", "peft")
_EXTRAS: Final = {"linear": ("tabletop", "app"), "lora": ("lora", "lora")}
"""By kind, the extra with its packages and the target of make that installs it."""


class CannotTune(ValueError):
    """transformers or peft does not do what it is asked to."""

    def __init__(self, model: str, why: BaseException | str) -> None:
        told = why if isinstance(why, str) else one_line(f"{type(why).__name__}: {why}")
        super().__init__(f"the model {shortened(model)!r} cannot be used: {shortened(told, 500)}")
        self.model = model


class ExtraMissing(ValueError):
    """A package is not there."""

    def __init__(self, kind: str, what: str) -> None:
        """``what``: the packages."""
        extra, target = _EXTRAS.get(kind, (kind, kind))
        super().__init__(
            f"a virtual game master of kind {kind} needs {what}: `make {target}` installs it "
            f"in a checkout, `pip install 'troupe-server[{extra}]'` elsewhere; one of kind lexicon "
            "needs nothing"
        )
        self.kind, self.packages = kind, what


def ensure_scikit_learn() -> None:
    """Raises ``ExtraMissing``."""
    if find_spec("sklearn") is None:
        raise ExtraMissing("linear", "scikit-learn")


def ensure_peft() -> None:
    """Raises ``ExtraMissing``."""
    if missing := [name for name in LORA if find_spec(name) is None]:
        raise ExtraMissing("lora", ", ".join(missing))
