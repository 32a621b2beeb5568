"""Reads a folder of TOML files as a catalog, and lists everything that is wrong with it.

``catalog.toml`` names the environment. Items are tables such as ``[[character]]``; the author is
free to put one kind or several into a file.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from actors import toml_text
from actors.episodes.catalogs.draft import CatalogDraft, DraftEntry, Located
from actors.episodes.catalogs.entries import Remark
from actors.episodes.catalogs.item_kinds import CatalogItemKind, catalog_type, kinds_of
from actors.episodes.catalogs.writer import CATALOG_FILE
from actors.episodes.port.environment import Environment
from actors.episodes.registry import UnknownEnvironment, environment_named
from actors.toml_text import NotToml, TooLarge
from actors.typed_values import faults, in_words, suggestion
from events.environments import Catalog, installed
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

MOST_BYTES: Final = 16 * 2**20
"""Of all files of a folder together."""
_HEADER: Final = re.compile(r"\s*\[{1,2}(\w+)\]{1,2}\s*$")
_CURLY: Final = re.compile(r"[=\[,]\s*[“”„‘’]")
_HEAD: Final = ("environment", "name")
"""What ``catalog.toml`` says whatever the environment."""


class UnreadableFolder(ValueError):
    """A folder that holds no catalog."""

    def __init__(self, folder: Path | str, why: str) -> None:
        super().__init__(f"{shortened(str(folder))}: {shortened(why, 1_000)}")
        self.folder, self.why = str(folder), why


def read_texts(folder: Path) -> tuple[dict[str, str], list[Located]]:
    """The folder's TOML files by name, and what is wrong with those that are no text.

    Raises ``UnreadableFolder``, ``OSError``.
    """
    texts: dict[str, str] = {}
    wrong = []
    room = MOST_BYTES
    for path in _toml_files(folder):
        try:
            data = toml_text.read_bytes(path, room)
            texts[path.name] = toml_text.decoded(data)
            room -= len(data)
        except TooLarge:
            why = f"the folder's files are larger than {MOST_BYTES // 2**20} MiB together"
            wrong.append(Located("error", path.name, 0, "", "", why))
        except NotToml as error:
            wrong.append(Located("error", path.name, error.line, "", "", error.why))
    return texts, wrong


def read_folder(folder: Path) -> CatalogDraft:
    """The catalog in a folder. Raises ``UnreadableFolder``, ``OSError``."""
    texts, wrong = read_texts(folder)
    draft = read_files(texts, wrong)
    for inner in sorted(folder.iterdir()):
        if inner.is_dir() and any(inner.glob("*.toml")):
            why = (
                f"the folder {inner.name!r} is not read; put its .toml files beside {CATALOG_FILE}"
            )
            draft.remarks.append(Located("warning", "", 0, "", "", why))
    return draft


def read_files(texts: Mapping[str, str], wrong: list[Located] | None = None) -> CatalogDraft:
    """The catalog in files whose texts are given. ``wrong``: what is known of others already."""
    draft = CatalogDraft(texts, remarks=list(wrong or ()))
    tables = dict(_parsed(draft))
    draft.environment = _environment(draft, tables)
    if draft.environment is None:
        return draft
    shape = catalog_type(draft.environment)
    kinds = kinds_of(shape)
    head = _head(draft, tables.get(CATALOG_FILE, {}), shape)
    for file, table in tables.items():
        _take_entries(
            draft, file, table, kinds, own={*head, *_HEAD} if file == CATALOG_FILE else set()
        )
    if not any(one.file == CATALOG_FILE for one in draft.errors):
        draft.name = str(tables[CATALOG_FILE].get("name", ""))
    items = {kind.field: tuple(_items(draft, kind)) for kind in kinds.values()}
    if draft.errors:
        return draft
    made = shape(**{**head, "name": draft.name, **items})
    left_out = {
        (kind, number, name)
        for kind, names in draft.environment.authoring.filled_in.items()
        for number, entry in enumerate(draft.entries[kind])
        for name in names
        if name not in entry.fields
    }
    filled = draft.environment.authoring.fill_in(made, left_out)
    _check_ids(draft, filled, kinds)
    draft.catalog = None if draft.errors else filled
    return draft


def _toml_files(folder: Path) -> list[Path]:
    if not folder.exists():
        raise UnreadableFolder(folder, "there is no such folder")
    if not folder.is_dir():
        raise UnreadableFolder(folder, f"is a file; give the folder that holds {CATALOG_FILE}")
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix == ".toml" and not path.name.startswith(".")
    )


def _parsed(draft: CatalogDraft) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tables of each file that is TOML."""
    for file, text in draft.files.items():
        try:
            yield file, toml_text.parsed(text)
        except NotToml as error:
            advice = _advice(text.split("\n")[error.line - 1]) if error.line else ""
            why = error.why + advice
            draft.remarks.append(Located("error", file, error.line, "", error.field, why))


def _advice(line: str) -> str:
    """What is probably meant, where what is written is no TOML; empty: nobody knows."""
    if found := _HEADER.match(line):
        return f"; every entry begins with two brackets: [[{found[1]}]]"
    if _CURLY.search(line):
        return '; texts stand between straight quotation marks (")'
    if line.count('"""') % 2 == 0 and line.count('"') % 2:
        return '; a text over several lines stands between """ and """'
    if line.count('"') > 2 and '"""' not in line:
        return '; a quotation mark inside a text is written \\" or “'
    return ""


def _environment(draft: CatalogDraft, tables: Mapping[str, Any]) -> Environment | None:
    """The environment that ``catalog.toml`` names."""
    names = ", ".join(installed())
    if CATALOG_FILE not in draft.files:
        if not any(one.file == CATALOG_FILE for one in draft.remarks):
            why = f"is missing; it names the catalog's environment, one of those installed: {names}"
            draft.remarks.append(Located("error", CATALOG_FILE, 0, "", "", why))
        return None
    if CATALOG_FILE not in tables:
        return None
    given = tables[CATALOG_FILE].get("environment")
    if not isinstance(given, str):
        why = f"the field 'environment' must be one of those installed: {names}"
        draft.at("error", CATALOG_FILE, ("environment",), why)
        return None
    try:
        return environment_named(given)
    except UnknownEnvironment as error:
        draft.at("error", CATALOG_FILE, ("environment",), str(error))
        return None


def _head(draft: CatalogDraft, table: Mapping[str, Any], shape: type[Catalog]) -> dict[str, Any]:
    """What a catalog has beside its kinds."""
    kinds = {kind.field for kind in kinds_of(shape).values()}
    found = {}
    for one in msgspec.structs.fields(shape):
        if one.name in kinds:
            continue
        given = table.get(one.encode_name)
        if one.encode_name not in table:
            if one.required and one.name != "name":
                why = f"the field {one.encode_name!r} is missing; it is {in_words(one.type)}"
                draft.at("error", CATALOG_FILE, (), why)
            continue
        wrong = list(faults(given, one.type, (one.encode_name,)))
        for fault in wrong:
            draft.at("error", CATALOG_FILE, *fault)
        if not wrong:
            found[one.name] = msgspec.convert(given, decodable(one.type))
    return found


def _take_entries(
    draft: CatalogDraft,
    file: str,
    table: Mapping[str, Any],
    kinds: Mapping[str, CatalogItemKind],
    own: set[str],
) -> None:
    """Find the entries of a file; what is none is an error. ``own``: keys that are none."""
    for key, value in table.items():
        if key in own:
            continue
        if key not in kinds:
            draft.at("error", file, (key,), _no_kind(file, key, kinds))
        elif not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            why = f"each {key} is a table of its own, under [[{key}]] in double brackets"
            draft.at("error", file, (key,), why)
        else:
            for number, fields in enumerate(value):
                draft.take(key, file, number, fields)


def _no_kind(file: str, key: str, kinds: Mapping[str, CatalogItemKind]) -> str:
    if key in _HEAD:
        return f"{key!r} belongs into {CATALOG_FILE}"
    tables = ", ".join(f"[[{kind}]]" for kind in kinds)
    also = f", and {' and '.join(_HEAD)}" if file == CATALOG_FILE else ""
    return f"there is no {key!r} here, but {tables}{also}{suggestion(key, kinds)}"


def _items(draft: CatalogDraft, kind: CatalogItemKind) -> Iterator[Any]:
    """The structs of a kind; what keeps an entry from being one is an error."""
    assert draft.environment is not None
    optional = draft.environment.authoring.filled_in.get(kind.name, ())
    required = {one.encode_name for one in msgspec.structs.fields(kind.item) if one.required}
    blank = dict.fromkeys(required.intersection(optional), "")
    for entry in draft.entries[kind.name]:
        place = (kind.name, entry.number)
        given = {**blank, **entry.fields}
        wrong = list(faults(given, kind.item, place))
        for fault in wrong:
            draft.at("error", entry.file, *fault)
        if wrong:
            continue
        try:
            yield msgspec.convert(given, decodable(kind.item))
        except (msgspec.ValidationError, ValueError) as error:
            draft.at("error", entry.file, place, str(error))


def _check_ids(draft: CatalogDraft, catalog: Catalog, kinds: Mapping[str, CatalogItemKind]) -> None:
    """Every entry has an id, and no other of its kind has the same."""
    for kind in kinds.values():
        first: dict[str, DraftEntry] = {}
        items = getattr(catalog, kind.field)
        for number, (item, entry) in enumerate(zip(items, draft.entries[kind.name], strict=True)):
            if not item.id:
                why = 'needs an id: a short name of its own, such as "harbour"'
                draft.remark(Remark("error", (kind.name, number, "id"), why))
            elif item.id in first:
                other = first[item.id]
                line = draft.line(other.file, (kind.name, other.number))
                why = (
                    f"the id {item.id!r} is there twice, first in {other.file}, line {line};"
                    " ids must differ"
                )
                draft.remark(Remark("error", (kind.name, number, "id"), why))
            else:
                first[item.id] = entry
                spoken = draft.environment and kind.name in draft.environment.authoring.full_names
                words = " ".join(item.id.split()) if spoken else "".join(item.id.split())
                if not item.id.isprintable() or words != item.id:
                    why = (
                        f"the id {item.id!r} is hard to type; plans and commands name things by it"
                    )
                    draft.remark(Remark("warning", (kind.name, number, "id"), why))
