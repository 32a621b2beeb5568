"""Prompt templates: finding them, rendering them, and telling their versions apart.

Each template is a file ``<name>.j2``. The file name carries the version: a template that has been
used is never changed; a new version gets a new file. ``version`` adds a fingerprint of all the
files that the text comes from, so that results made with different texts can be told apart even if
someone did change a file.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

import jinja2
import jinja2.meta
from jinja2.runtime import Context, Macro

from actors.text.quotes import continued, indented
from events.ids import digest_of

_MISSING: Final = object()
_OF_DICTS: Final = frozenset(dir(dict))


class _Context(Context):
    """Jinja's, which calls a macro at once: it would look what the macro wants to be given, which
    is what a context escapes, and nothing is escaped."""

    def call(
        self,
        obj: Any,
        /,
        *args: object,
        _loop_vars: dict[str, Any] | None = None,
        _block_vars: dict[str, Any] | None = None,
        **kwargs: object,
    ) -> Any:
        """As Jinja has it."""
        if type(obj) is Macro:
            return obj(*args, **kwargs)
        return super().call(obj, *args, _loop_vars=_loop_vars, _block_vars=_block_vars, **kwargs)


class _Environment(jinja2.Environment):
    """Jinja's, which finds a value in a dict at once: it would look for an attribute first."""

    context_class = _Context

    def getattr(self, obj: object, attribute: str) -> Any:
        """As Jinja has it: an attribute, else an item."""
        if type(obj) is dict and attribute in obj and attribute not in _OF_DICTS:
            return obj[attribute]
        found = getattr(obj, attribute, _MISSING)
        # What is no attribute is an item, or nothing.
        return super().getattr(obj, attribute) if found is _MISSING else found


class Templates:
    """The templates that lie in a package, and in others that they build on. Each is read once."""

    def __init__(self, package: str, *beside: str, trim: bool = True) -> None:
        """``package``: its import name. ``beside``: packages where those are that it has not.
        ``trim``: what stands alone on its line as a tag leaves no line behind."""
        self._packages = (package, *beside)
        self._templates: dict[str, jinja2.Template] = {}
        self._fingerprints: dict[tuple[str, ...], str] = {}
        self._taken: dict[tuple[str, str], bool] = {}
        """Whether a template takes a word, by both. Parsing one costs milliseconds."""
        self._names: tuple[str, ...] = ()
        # Plain text for models, so nothing is escaped; a name that is misspelt raises.
        self._environment = _Environment(
            autoescape=False,
            undefined=jinja2.StrictUndefined,
            loader=jinja2.FunctionLoader(lambda name: self._source(name)),
            trim_blocks=trim,
            lstrip_blocks=trim,
            keep_trailing_newline=False,
        )

        self._environment.filters.update(continued=continued, indented=indented)

    def version(self, name: str, *around: str) -> str:
        """Name and fingerprint of a template, for example ``act-1:5f0c…`` with 12 hex digits.
        ``around``: the templates whose words are put into it or around it by other means than its
        own includes."""
        return f"{name}:{self.fingerprint(name, *around)}"

    def fingerprint(self, *names: str) -> str:
        """12 hex digits that change with the files of these templates, and with those of whatever
        they include."""
        if names not in self._fingerprints:
            parts = dict.fromkeys(part for name in names for part in self.parts(name))
            # Of one file alone it is the digest of its bytes, as it was when it was first recorded.
            whole = "\0".join(self._source(part) for part in parts)
            self._fingerprints[names] = digest_of(whole.encode())[:12]
        return self._fingerprints[names]

    def takes(self, name: str, word: str) -> bool:
        """Whether a template is filled in with a word of this name."""
        if (name, word) not in self._taken:
            tree = self._environment.parse(self._source(name))
            self._taken[name, word] = word in jinja2.meta.find_undeclared_variables(tree)
        return self._taken[name, word]

    def source(self, name: str) -> str:
        """A template as it stands in its file."""
        return self._source(name)

    def parts(self, name: str) -> Iterator[str]:
        """A template and whatever it includes, imports or extends, and these in turn; some may come
        more than once."""
        yield name
        tree = self._environment.parse(self._source(name))
        for part in jinja2.meta.find_referenced_templates(tree):
            if part is None:
                raise ValueError(f"template {name!r} chooses what it includes when it is filled in")
            yield from self.parts(part)

    def names(self) -> list[str]:
        """The templates of the package itself."""
        if not self._names:
            lying = (entry.name for entry in files(self._packages[0]).iterdir())
            found = (name.removesuffix(".j2") for name in lying if name.endswith(".j2"))
            self._names = tuple(sorted(found))
        return list(self._names)

    def text(self, name: str, words: Mapping[str, object]) -> str:
        """A whole template, filled in."""
        return self._template(name).render(words).strip()

    def block(self, name: str, block: str, words: dict[str, Any]) -> str:
        """One block of a template, filled in."""
        template = self._template(name)
        # Shared: the words are used as they are, instead of a copy merged with the globals.
        return "".join(template.blocks[block](template.new_context(words, shared=True))).strip()

    def call(self, name: str, macro: str, words: Mapping[str, object], *arguments: object) -> str:
        """One macro of a template, with the words at hand."""
        template = self._template(name)
        context = template.new_context(dict(words))
        deque(template.root_render_func(context), maxlen=0)
        text = str(context.vars[macro](*arguments)).strip()
        # Macros hold the context that they are in. Parted they are freed here, and need not wait
        # for the garbage collector.
        context.vars.clear()
        return text

    def _template(self, name: str) -> jinja2.Template:
        if name not in self._templates:
            self._templates[name] = self._environment.get_template(name)
        return self._templates[name]

    def _source(self, name: str) -> str:
        lying = [files(package) / f"{name}.j2" for package in self._packages]
        return next((one for one in lying if one.is_file()), lying[0]).read_text(encoding="utf-8")
