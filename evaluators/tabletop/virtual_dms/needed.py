"""Packages that some virtual game masters need, which are extras."""

from importlib.util import find_spec


def ensure_scikit_learn() -> None:
    pass
