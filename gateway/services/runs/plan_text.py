"""Changing single settings in the text of a plan, whose comments and order stay as they are."""

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final

from actors.toml_text import NotToml, parsed
from actors.toml_values import table_text, value_text

Path = tuple[str, ...]

LONGEST_EDITED: Final = 2**15
"""Characters of a text that is edited in place: what takes milliseconds in a plan of some pages
takes seconds in one made to be slow."""


def with_settings(text: str, changes: Mapping[Path, object]) -> str:
    """The text with some settings changed; None takes one out. Raises ``NotToml``.

    Where editing the text does not do what is meant (a table that is defined in several places,
    say) the text is written anew, and its comments are lost.
    """
    meant = parsed(text)
    if not changes:
        return text
    _change(meant, changes)
    edited = _edited(text, changes) if len(text) <= LONGEST_EDITED else None
    return edited if edited is not None and _read(edited) == meant else table_text(meant)


def _change(
    data: MutableMapping[str, Any],
    changes: Mapping[Path, object],
    made: Callable[[object], object] = lambda value: value,
) -> None:
    """``made``: what a value is in ``data``."""
    for (*tables, name), value in changes.items():
        inner = data
        for one in tables:
            inner = inner.get(one, {}) if value is None else inner.setdefault(one, {})
        if value is None:
            inner.pop(name, None)
        else:
            inner[name] = made(value)


def _edited(text: str, changes: Mapping[Path, object]) -> str | None:
    """None: tomlkit does not read the text, or cannot change it."""
    import tomlkit  # takes its time to load
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        # Of a list of tables tomlkit would make sections.
        _change(
            document,
            changes,
            lambda one: tomlkit.value(value_text(one)) if isinstance(one, list) else one,
        )
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _read(text: str) -> dict[str, object] | None:
    try:
        return parsed(text)
    except NotToml:
        return None
