"""Styles and scripts of ours, as pages that need nothing but themselves hold them."""

import base64
import hashlib
from pathlib import Path
from typing import Final

from markupsafe import Markup

TEMPLATES: Final = Path(__file__).with_name("templates")
"""Where the report's are."""


def own_file(name: str) -> Markup:
    """One of the report's: nothing that was simulated is in it."""
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704


def script_digest(script: str) -> str:
    """What a page's Content-Security-Policy calls the only script that may run."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"sha256-{digest}"
