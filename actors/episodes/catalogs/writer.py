"""Writes a catalog as a folder of TOML files, such that the catalog reader reads back the same
catalog."""

import datetime
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from actors.episodes.catalogs.item_kinds import CatalogItemKind, catalog_type, field_docs, kinds_of
from actors.episodes.port.environment import Environment
from actors.toml_values import WIDTH, key_text, value_text
from actors.typed_values import fields_of, in_words
from events.environments import Catalog
from events.untrusted.safe_text import shortened

CATALOG_FILE: Final = "catalog.toml"
"""The file that says what a folder is: its catalog's environment and name."""


class Unwritable(ValueError):
    """A catalog with something in it that TOML has no word for."""

    def __init__(self, catalog: str, what: str, value: object) -> None:
        kind = type(value).__name__
        super().__init__(f"catalog {shortened(catalog)!r} cannot be written: {what} holds a {kind}")
        self.catalog, self.what = catalog, what


def catalog_files(environment: Environment, catalog: Catalog) -> dict[str, str]:
    """The text of each file by its name. Raises ``Unwritable``."""
    files = {CATALOG_FILE: catalog_file(environment, catalog.name, _settings(catalog))}
    for kind in kinds_of(type(catalog)).values():
        entries = entries_text(environment, catalog, kind)
        files[file_of(kind)] = f"{legend(environment, kind)}\n{entries}"
    return files


def new_files(environment: Environment, name: str) -> dict[str, str]:
    """The same of a catalog that somebody begins to write."""
    template = environment.authoring.template(environment)
    files = {CATALOG_FILE: catalog_file(environment, name, {})}
    for kind in kinds_of(catalog_type(environment)).values():
        files[file_of(kind)] = f"{legend(environment, kind)}\n{template.get(kind.field, '')}"
    return files


def entries_of_starter(environment: Environment) -> dict[str, str]:
    """The entries of the catalog that comes with an environment, as TOML by their kind's plural."""
    starter = environment.starter()
    return {} if starter is None else entries_of(environment, starter)


def entries_of(environment: Environment, catalog: Catalog) -> dict[str, str]:
    """The entries of a catalog, as TOML by their kind's plural. Raises ``Unwritable``."""
    kinds = kinds_of(type(catalog)).values()
    return {kind.field: entries_text(environment, catalog, kind) for kind in kinds}


def entries_text(environment: Environment, catalog: Catalog, kind: CatalogItemKind) -> str:
    """A catalog's entries of a kind. Raises ``Unwritable``."""
    return "\n".join(_entries(environment, catalog, kind))


def catalog_file(environment: Environment, name: str, settings: Mapping[str, Any]) -> str:
    """``catalog.toml``: what the folder is, and what its catalog has beside its kinds."""
    kind = catalog_type(environment)
    head = [
        *_comment(f"{_first_line(kind)} Beside this file there is one for each kind of thing."),
        f"environment = {value_text(environment.name)}",
        "# How plans call it.",
        f"name = {value_text(name)}",
    ]
    for key, value in settings.items():
        head += [*_comment(field_docs(kind).get(key, "")), f"{key_text(key)} = {value_text(value)}"]
    return "\n".join(head) + "\n"


def legend(environment: Environment, kind: CatalogItemKind) -> str:
    """The comment at the top of a kind's file: what an entry is, and each of its fields."""
    docs, optional = field_docs(kind.item), environment.authoring.filled_in.get(kind.name, ())
    lines = [*_comment(_first_line(kind.item)), f"# Each begins with [[{kind.name}]]. Its fields:"]
    fields = fields_of(kind.item)
    width = max(map(len, fields))
    for name, field in fields.items():
        needed = ", needed" if field.required and name not in optional else ""
        said = f"{in_words(field.type)}{needed}. {_joined(docs.get(field.name, ''))}".strip()
        first = f"#   {name:<{width}}  "
        lines += textwrap.wrap(
            said,
            WIDTH,
            initial_indent=first,
            subsequent_indent="#" + " " * (len(first) - 1),
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines) + "\n"


def file_of(kind: CatalogItemKind) -> str:
    """The file its entries are written into."""
    return f"{kind.field}.toml"


def _entries(environment: Environment, catalog: Catalog, kind: CatalogItemKind) -> Iterator[str]:
    always = environment.authoring.filled_in.get(kind.name, ())
    for item in getattr(catalog, kind.field):
        lines = [f"[[{kind.name}]]"]
        for name, value in _given(item, always).items():
            try:
                lines.append(f"{key_text(name)} = {value_text(value)}")
            except TypeError as error:
                raise Unwritable(
                    catalog.name, f"{kind.name} {item.id!r}, {name},", value
                ) from error
        yield "\n".join(lines) + "\n"


def _given(item: msgspec.Struct, always: Sequence[str] = ()) -> dict[str, Any]:
    """The fields of a struct that are not as they would be if they were left out."""
    found: dict[str, Any] = {}
    if tag := type(item).__struct_config__.tag:
        found[str(type(item).__struct_config__.tag_field)] = tag
    for name, field in fields_of(type(item)).items():
        value = getattr(item, field.name)
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if name in always or value != default:
            found[name] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    """A value as TOML's own types, all structs in it by what is given of them."""
    match value:
        case msgspec.Struct():
            return _given(value)
        case list() | tuple():
            return [_plain(one) for one in value]
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
    return msgspec.to_builtins(
        value, builtin_types=(datetime.datetime, datetime.date, datetime.time)
    )


def _settings(catalog: Catalog) -> dict[str, Any]:
    """What a catalog has beside its name and its kinds."""
    kinds = {kind.field for kind in kinds_of(type(catalog)).values()}
    tag = type(catalog).__struct_config__.tag_field
    return {
        name: value for name, value in _given(catalog).items() if name not in kinds | {"name", tag}
    }


def _comment(text: str) -> list[str]:
    return textwrap.wrap(_joined(text), WIDTH, initial_indent="# ", subsequent_indent="# ")


def _first_line(kind: type) -> str:
    return (kind.__doc__ or kind.__name__).strip().partition("\n\n")[0]


def _joined(text: str) -> str:
    """A docstring's first paragraph as one line, without its marks for code."""
    return " ".join(text.partition("\n\n")[0].split()).replace("``", "")
