"""Packages that some virtual game masters need. They are extras."""

from importlib.util import find_spec
from typing import Final

from events.untrusted.safe_text import one_line, shortened

LORA: Final = ("torch", "transformers", "peft")


class CannotTune(ValueError):
    """transformers or peft does not do what it is asked to."""

    def __init__(self, model: str, why: BaseException | str) -> None:
        told = why if isinstance(why, str) else one_line(f"{type(why).__name__}: {why}")
        super().__init__(f"the model {shortened(model)!r} cannot be used: {shortened(told, 500)}")
        self.model = model


class ExtraMissing(ValueError):
    """A package is not there."""

    def __init__(self, kind: str, packages: str, extra: str, target: str) -> None:
        super().__init__(
            f"a virtual game master of kind {kind} needs {packages}: `make {target}` installs it "
            f"in a checkout, `pip install 'troupe-server[{extra}]'` elsewhere; one of kind lexicon "
            "needs nothing"
        )
        self.kind, self.packages = kind, packages


def ensure_scikit_learn() -> None:
    """Raises ``ExtraMissing``."""
    if find_spec("sklearn") is None:
        raise ExtraMissing("linear", "scikit-learn", "tabletop", "app")


def ensure_peft() -> None:
    """Raises ``ExtraMissing``."""
    if missing := [name for name in LORA if find_spec(name) is None]:
        raise ExtraMissing("lora", ", ".join(missing), "lora", "lora")
