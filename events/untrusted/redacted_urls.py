"""Addresses without what may be secret in them, to be shown, logged and told in errors."""

import re

_USER = re.compile(r"^((?:[a-z][a-z0-9+.-]*:)?//)?.*@", re.IGNORECASE | re.DOTALL)
_IN_SETTINGS = re.compile(
    r"""(base_url(?:\\*["'])?\s*[:=]\s*\\*["'])([^"'\\]*)""",
)
"""An address as TOML and JSON have it, and TOML within JSON."""


def without_secrets(url: str) -> str:
    """An address without user, password and parameters, whatever else is wrong with it."""
    bare = url.partition("#")[0].partition("?")[0] if "@" not in url else url
    bare = _USER.sub(r"\1***@", bare)
    return bare.partition("#")[0].partition("?")[0]


def settings_without_secrets(text: str) -> str:
    """A plan's text, or a JSON document, with nothing secret in any ``base_url``. Plans that were
    stored before such were refused may hold some."""
    if "base_url" not in text:
        return text
    return _IN_SETTINGS.sub(lambda found: found[1] + without_secrets(found[2]), text)
