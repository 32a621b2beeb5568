"""The kinds of items in a catalog, as declared by its struct."""

import ast
import inspect
import textwrap
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, get_args, get_origin

import msgspec

from actors.episodes.port.environment import Environment
from events.environments import Catalog
from events.untrusted.safe_text import shortened


class CatalogItemKind(NamedTuple):
    """One of them."""

    name: str
    """In the singular: ``scenario``."""
    field: str
    """The catalog's field, and the plural: ``scenarios``."""
    item: type[msgspec.Struct]


class NoCatalogs(LookupError):
    """An environment that has no catalogs."""

    def __init__(self, environment: str) -> None:
        super().__init__(
            f"environment {shortened(environment)!r} has no catalogs: nothing of it is written"
        )
        self.environment = environment


def catalog_type(environment: Environment) -> type[Catalog]:
    """What its catalogs are now. Raises ``NoCatalogs``."""
    if not environment.vocabulary.catalogs:
        raise NoCatalogs(environment.name)
    return environment.vocabulary.catalogs[-1]


@cache
def kinds_of(catalog: type[Catalog]) -> Mapping[str, CatalogItemKind]:
    """The kinds by their names, in the struct's order."""
    found = {}
    for field in msgspec.structs.fields(catalog):
        items = get_args(field.type)
        if get_origin(field.type) is tuple and items[1:] == (...,) and _is_struct(items[0]):
            name = field.encode_name.removesuffix("s")
            found[name] = CatalogItemKind(name, field.name, items[0])
    return found


@cache
def field_docs(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """What the docstrings behind a struct's fields say, those of its bases included; nothing where
    its source is not at hand. A class variable is no field."""
    found: dict[str, str] = {}
    for kind in reversed(struct.__mro__[:-1]):
        try:
            (declared,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        body = getattr(declared, "body", [])
        for field, behind in pairwise(body):
            match field, behind:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ) if name in struct.__struct_fields__:
                    found[name] = inspect.cleandoc(text)
    return found


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
