"""Catalogs: listed, searched, checked, taken in, written out; and episodes that come in files."""

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from actors.episodes.catalogs.entries import CatalogEntry
from actors.episodes.catalogs.reader import UnreadableFolder
from actors.episodes.catalogs.writer import catalog_files, new_files
from actors.episodes.registry import environment_named, environments
from events.base import Value
from events.environments import Catalog, environment_of_value
from events.untrusted.limits import MIB
from gateway.api.operations import Call, operation
from gateway.api.paging import Page, Paged, slice_of
from gateway.api.problems import Refusal
from gateway.api.resources.runs import Words
from gateway.errors import BadArgument
from gateway.services.catalogs.catalog_folders import (
    CatalogBrought,
    CatalogRefused,
    FolderChecked,
    check_folder,
    keep,
)
from gateway.services.catalogs.read_catalog import (
    all_catalogs,
    check_name,
    entries,
    facts,
    find,
    find_words,
    load,
)
from gateway.services.files.import_episodes import EpisodesBrought, import_file
from store.jsonl.read_file import is_export
from store.read_model.records import CatalogRow

MOST_FILES: Final = 200
"""Files of a catalog."""
MOST_CATALOG: Final = 16 * MIB
"""Bytes of a body with a catalog's files."""
MOST_EPISODES: Final = 256 * MIB
"""Bytes of a file of episodes."""
_FILE = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_. -]{0,99}/)?[A-Za-z0-9_-][A-Za-z0-9_. -]{0,99}")


class Files(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A catalog as a folder of files."""

    files: Annotated[
        dict[Annotated[str, msgspec.Meta(max_length=201)], str],
        msgspec.Meta(min_length=1, max_length=MOST_FILES),
    ]
    """Their texts, by name; one folder deep at most."""
    name: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """How plans will call it; empty: as the files say."""


class ListItems(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which things of a catalog."""

    kind: Words = ""
    """Only of this kind: ``task``, ``character``, …"""
    text: Words = ""
    """Only those in which all of these words occur."""


class SearchCatalogs(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """Words; things that have all of them are found."""
    catalog: Words = ""
    """Only in this one."""


class Item(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A thing in a catalog."""

    catalog: str
    """The catalog's name."""
    kind: str
    """What kind of thing it is."""
    id: str
    """Its id."""
    title: str
    """How lists call it."""
    tags: tuple[str, ...]
    """What it is filed under."""
    found_in: str = ""
    """The field in which the first of the words stands."""
    excerpt: str = ""
    """The text around it."""


class ItemFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A thing in a catalog, with everything there is to know about it."""

    catalog: str
    """The catalog's name."""
    kind: str
    """What kind of thing it is."""
    id: str
    """Its id."""
    title: str
    """How lists call it."""
    facts: tuple[tuple[str, str], ...]
    """In words: each with what it is."""
    item: Any
    """As the environment has it."""


class TemplateFor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is begun."""

    environment: Words
    """What is to be played."""
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    """How plans will call it."""


class CatalogFiles(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A catalog's files."""

    name: str
    """The catalog's."""
    files: dict[str, str]
    """Their texts, by name."""


class Located(Value, frozen=True, kw_only=True, omit_defaults=False):
    """What is wrong or odd, and where."""

    grade: str
    """``error``: it cannot be taken in; ``warning``: it is odd; ``note``: it is not played yet."""
    file: str
    """In which file; empty: in none of them."""
    line: int
    """On which line, from 1; 0: on none."""
    entry: str
    """Of which thing."""
    field: str
    """In which of its fields."""
    why: str
    """In a sentence."""


class CatalogStandard(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One of the things that a catalog of a benchmark is held to."""

    name: str
    """What is measured."""
    value: str
    """What was found, and what is enough."""
    met: bool
    """It is enough. Nothing is kept from coming in that is not."""
    short: tuple[str, ...]
    """What falls short: ids, mostly."""


class CatalogChecked(Value, frozen=True, kw_only=True, omit_defaults=False):
    """What files would bring."""

    catalog: str
    """What it would be called."""
    environment: str
    """Empty: nobody knows."""
    format: str
    """``toml``, or an environment's."""
    counts: dict[str, int]
    """How many of each kind, by the kind's plural."""
    remarks: tuple[Located, ...]
    """What is wrong or odd; an ``error`` keeps it from being taken in."""
    tasks: tuple[str, ...]
    """What could be played."""
    standards: tuple[CatalogStandard, ...] = ()
    """How it stands as a benchmark; empty where there are errors."""
    may_come_in: bool
    """There are no errors."""


class ImportEpisodes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a file is taken in."""

    name: Words = ""
    """What the run is called that others' episodes become."""
    catalog: Words = ""
    """Where their ids are defined; empty: the format's."""


class EnvironmentFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """An environment that is installed."""

    name: str
    """As plans name it."""
    tempers: tuple[str, ...]
    """How its rehearsal minds can behave."""
    starter: str
    """The catalog that comes with it; empty: none does."""
    chains: bool
    """Whether its episodes can be played in chains."""


@operation("GET", "/environments", tag="catalogs", keeping="head")
def list_environments(call: Call) -> tuple[EnvironmentFound, ...]:
    """The environments that are installed: what can be played."""
    del call
    return tuple(
        EnvironmentFound(
            name=one.name,
            tempers=one.tempers,
            starter=starter.name if (starter := one.starter()) else "",
            chains=one.chains is not None,
        )
        for one in environments()
    )


@operation("GET", "/catalogs", tag="catalogs")
def list_catalogs(call: Call, query: Paged) -> Page[CatalogRow]:
    """List catalogs with their sizes."""
    return slice_of(all_catalogs(call.store), query, lambda row: row.name)


@operation("GET", "/catalogs/{catalog}", tag="catalogs")
def get_catalog(call: Call, catalog: str) -> CatalogRow:
    """A catalog: where it comes from and how much it holds."""
    name = load(call.store, catalog).name
    return next(row for row in all_catalogs(call.store) if row.name == name)


@operation("GET", "/catalogs/{catalog}/items", tag="catalogs")
def list_items(call: Call, catalog: str, query: ListItems) -> Page[Item]:
    """What is in a catalog. For the designer's eyes: goals, hints and secrets are searched, too."""
    found = load(call.store, catalog)
    if query.text:
        hits = [
            (entry, field, excerpt)
            for _, (entry, field, excerpt) in find_words(call.store, query.text, found.name)
        ]
    else:
        hits = [(entry, "", "") for entry in entries(found)]
    rows = [
        _item(found, *hit)
        for hit in hits
        if not query.kind or query.kind in (hit[0].kind, f"{hit[0].kind}s")
    ]
    return slice_of(rows, query, lambda row: f"{row.kind} {row.id}")


def _item(catalog: Catalog, entry: CatalogEntry, field: str, excerpt: str) -> Item:
    return Item(
        catalog=catalog.name,
        kind=entry.kind,
        id=entry.id,
        title=entry.title,
        tags=tuple(entry.tags),
        found_in=field,
        excerpt=excerpt,
    )


@operation("GET", "/catalogs/{catalog}/items/{item}", tag="catalogs")
def get_item(call: Call, catalog: str, item: str) -> ItemFound:
    """One thing of a catalog, with everything there is to know about it."""
    placed = find(call.store, item, load(call.store, catalog).name)
    return ItemFound(
        catalog=placed.catalog.name,
        kind=placed.entry.kind,
        id=placed.entry.id,
        title=placed.entry.title,
        facts=tuple(facts(placed)),
        item=placed.entry.item,
    )


@operation("GET", "/catalogs/{catalog}/files", tag="catalogs")
def get_files(call: Call, catalog: str) -> CatalogFiles:
    """A catalog as the files that ``POST /catalogs`` takes."""
    found = load(call.store, catalog)
    environment = environment_named(environment_of_value(found))
    return CatalogFiles(name=found.name, files=dict(catalog_files(environment, found)))


@operation("GET", "/catalog-search", tag="catalogs")
def search_catalogs(call: Call, query: SearchCatalogs) -> Page[Item]:
    """Find things in all catalogs, or in one."""
    hits = find_words(call.store, query.text, query.catalog or None)
    rows = [_item(one, entry, field, excerpt) for one, (entry, field, excerpt) in hits]
    return slice_of(rows, query, lambda row: f"{row.catalog} {row.kind} {row.id}")


@operation("GET", "/catalog-template", tag="catalogs")
def get_template(call: Call, query: TemplateFor) -> CatalogFiles:
    """Files to begin a catalog of your own with: commented, to be edited."""
    del call
    check_name("name", query.name)
    environment = environment_named(query.environment)
    return CatalogFiles(name=query.name, files=dict(new_files(environment, query.name)))


@operation("POST", "/catalog-checks", tag="catalogs", changes=False, most_bytes=MOST_CATALOG)
def check_catalog(call: Call, body: Files) -> CatalogChecked:
    """Say what is wrong with a catalog's files, and what they would bring. Nothing is kept."""
    del call
    with _folder(body.files) as folder:
        checked = _checked(folder, body.name)
        grades: tuple[Literal["error", "warning", "note"], ...] = ("error", "warning", "note")
        remarks = tuple(
            Located(
                grade=grade,
                file=Path(one.file).name,
                line=one.line,
                entry=one.entry,
                field=one.field,
                why=one.why.replace(str(folder), "files"),
            )
            for grade in grades
            for one in checked.graded(grade)
        )
    return CatalogChecked(
        catalog=checked.name,
        environment=checked.environment,
        format=checked.form,
        counts=checked.counts,
        remarks=remarks,
        tasks=tuple(casting.task for casting in checked.castings),
        standards=tuple(CatalogStandard(**one._asdict()) for one in checked.standards()),
        may_come_in=not checked.graded("error") and checked.catalog is not None,
    )


@operation("POST", "/catalogs", tag="catalogs", most_bytes=MOST_CATALOG)
def import_catalog(call: Call, body: Files) -> CatalogBrought:
    """Take in a catalog: all of it, or nothing.

    As Troupe's own TOML files, or in a published format that an environment reads. The same again
    changes nothing, and a changed one is a new edition: plans play the newest.
    """
    with _folder(body.files) as folder:
        checked = _checked(folder, body.name)
        try:
            return keep(call.store, checked._replace(folder=Path("uploaded files")))
        except CatalogRefused as error:
            first, more = error.errors[0], len(error.errors) - 1
            rest = f"; and {more} more, which POST /catalog-checks lists" * bool(more)
            raise BadArgument(
                "files", "", f"{first}{rest}".replace(str(folder), "files")
            ) from error


def _checked(folder: Path, name: str) -> FolderChecked:
    if name:
        check_name("name", name)
    try:
        return check_folder(folder, name)
    except UnreadableFolder as error:
        raise BadArgument("files", "", str(error).replace(str(folder), "they")) from error


@contextmanager
def _folder(files: Mapping[str, str]) -> Iterator[Path]:
    """Files that came as texts, in a folder of their own for as long as this lasts."""
    with tempfile.TemporaryDirectory(prefix="troupe-catalog-") as made:
        folder = Path(made) / "files"
        folder.mkdir()
        for name, text in files.items():
            if not _FILE.fullmatch(name):
                why = "a name has letters, digits, '.', '_', '-', and one folder before it at most"
                raise Refusal("invalid", f"{name[:100]!r}: {why}", "files")
            path = folder / name
            if path.exists() or (path.parent != folder and path.parent.is_file()):
                raise Refusal("invalid", f"{name[:100]!r} is there twice", "files")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="replace")
        yield folder


@operation(
    "POST",
    "/imports",
    tag="catalogs",
    uploads=True,
    most_bytes=MOST_EPISODES,
    media_type="application/octet-stream",
)
def import_episodes(call: Call, query: ImportEpisodes) -> EpisodesBrought:
    """Take in episodes from a file: a Troupe export, or others' as a run.

    What it is, the file's beginning says. An import is whole or not at all, and the same file
    again changes nothing. Of a run that is not over nothing is played before somebody agrees
    (``resume``).
    """
    assert call.uploaded is not None, "the operation takes a file"
    return import_file(
        call.store, call.uploaded.path, query.catalog or None, query.name or _own_name(call)
    )


def _own_name(call: Call) -> str:
    """What others' episodes are called that came without a name; an export has its own."""
    assert call.uploaded is not None, "the operation takes a file"
    with call.uploaded.path.open("rb") as file:
        return "" if is_export(file.read(4096)) else "uploaded"
