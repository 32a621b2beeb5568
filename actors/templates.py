"""The words shown to models, as templates: found, filled in, and told apart by their versions.

One template a file ``<name>.j2``. A file's name carries its version: a template that was used is
never changed, a new version gets a new file. ``version`` adds a fingerprint of the file's bytes,
so that results made with different words can be told apart even if somebody did change one.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import jinja2

from events.ids import digest_of


class Templates:
    """The templates that lie in one package. Each is read once."""

    def __init__(self, package: str, *, trim: bool = True) -> None:
        """``package``: its import name. ``trim``: what stands alone on its line as a tag leaves
        no line behind."""
        self._package = package
        self._templates: dict[str, jinja2.Template] = {}
        self._fingerprints: dict[str, str] = {}
        # Plain text for models, so nothing is escaped; a name that is misspelt raises.
        self._environment = jinja2.Environment(
            autoescape=False,  # noqa: S701
            undefined=jinja2.StrictUndefined,
            trim_blocks=trim,
            lstrip_blocks=trim,
            keep_trailing_newline=False,
        )

    def version(self, name: str) -> str:
        """Name and fingerprint of a template, for example ``act-1:5f0c…`` with 12 hex digits."""
        return f"{name}:{self.fingerprint(name)}"

    def fingerprint(self, name: str) -> str:
        """12 hex digits that change with the file."""
        if name not in self._fingerprints:
            self._fingerprints[name] = digest_of(self._source(name).encode())[:12]
        return self._fingerprints[name]

    def names(self) -> list[str]:
        """The templates there are."""
        lying = (entry.name for entry in files(self._package).iterdir())
        return sorted(name.removesuffix(".j2") for name in lying if name.endswith(".j2"))

    def text(self, name: str, words: Mapping[str, Any]) -> str:
        """A whole template, filled in."""
        return self._template(name).render(words).strip()

    def block(self, name: str, block: str, words: dict[str, Any]) -> str:
        """One block of a template, filled in."""
        template = self._template(name)
        # Shared: the words are used as they are, instead of a copy merged with the globals.
        return "".join(template.blocks[block](template.new_context(words, shared=True))).strip()

    def call(self, name: str, macro: str, words: Mapping[str, Any], *arguments: Any) -> str:
        """One macro of a template, with the words at hand."""
        module = self._template(name).make_module(dict(words))
        return str(getattr(module, macro)(*arguments)).strip()

    def _template(self, name: str) -> jinja2.Template:
        if name not in self._templates:
            self._templates[name] = self._environment.from_string(self._source(name))
        return self._templates[name]

    def _source(self, name: str) -> str:
        return (files(self._package) / f"{name}.j2").read_text(encoding="utf-8")
