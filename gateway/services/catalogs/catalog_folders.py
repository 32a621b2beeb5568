"""Catalogs as folders of files: beginning one, checking one, taking one in, writing one out.

A folder is Troupe's own TOML, or in a format that an environment reads.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Final, Literal, NamedTuple

from actors.episodes.catalogs.draft import Located
from actors.episodes.catalogs.entries import Standard
from actors.episodes.catalogs.item_kinds import kinds_of
from actors.episodes.catalogs.reader import UnreadableFolder, read_folder
from actors.episodes.catalogs.review import Casting, How, changes, review
from actors.episodes.catalogs.writer import CATALOG_FILE, catalog_files, new_files
from actors.episodes.formats import CatalogFormat, catalog_formats
from actors.episodes.port.environment import Environment
from actors.episodes.registry import environment_named
from evaluators.registry import judge_to_try
from events.base import Value, replace
from events.environments import Catalog, environment_of_value
from events.untrusted.safe_text import shortened
from gateway.errors import BadArgument, GatewayError
from gateway.services.catalogs.read_catalog import check_name, is_stored, load
from store.files.atomic_files import atomic_write
from store.files.regular_files import open_regular
from store.log.event_store import EventStore
from store.projections.catalog import counts_of
from store.read_model import queries
from store.read_model.catalogs import load_catalog, save_catalog

TOML: Final = "toml"
"""The name of Troupe's own format."""
_START: Final = 4096
"""Bytes by which a file is recognized."""
_IGNORED: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file managers leave in folders."""


class FolderNew(NamedTuple):
    """What was written for somebody who begins a catalog."""

    paths: tuple[Path, ...]
    plan: Path


class Change(Value, frozen=True, kw_only=True):
    """What is different in a newer edition of a catalog."""

    how: How
    kind: str
    id: str


class CatalogBrought(Value, frozen=True, kw_only=True):
    """What the import of a catalog brought."""

    catalog: str
    environment: str
    outcome: Literal["imported", "replaced", "unchanged"]
    counts: dict[str, int]
    """How many of each kind, by the kind's plural."""
    source: str
    """Where it comes from, in words."""
    replaced: str = ""
    """Where the catalog of this name came from that it replaces; plans that name it play the new
    one from now on."""
    changes: tuple[Change, ...] = ()
    """In what it differs from the one it replaces."""
    notes: tuple[str, ...]
    """What is odd about what is imported as it stands."""


class CatalogWritten(Value, frozen=True, kw_only=True):
    """What the export of a catalog wrote."""

    catalog: str
    paths: tuple[str, ...]
    notes: tuple[str, ...]
    """What the files have no room for, in sentences."""


class FolderChecked(NamedTuple):
    """A folder, and all that is to be said of it."""

    folder: Path
    form: str
    """``toml``, or the name of an environment's format."""
    environment: str
    """Empty: nobody knows."""
    name: str
    """What the folder calls its catalog; empty: nothing."""
    catalog: Catalog | None
    """None where an error keeps it from being one; its name is that of the import."""
    castings: Sequence[Casting]
    remarks: Sequence[Located]
    name_fits: bool = True
    """Whether a catalog can be called so."""

    @property
    def counts(self) -> dict[str, int]:
        """How much of each kind is in it."""
        return {} if self.catalog is None else counts_of(self.catalog)

    def standards(self) -> Sequence[Standard]:
        """What a catalog of a benchmark is held to; nothing where there are errors."""
        if self.catalog is None or self.graded("error"):
            return ()
        return list(environment_named(self.environment).authoring.standards(self.catalog))

    def graded(self, grade: str) -> list[Located]:
        """The ``error``s, the ``warning``s or the ``note``s."""
        return [remark for remark in self.remarks if remark.grade == grade]


class CatalogRefused(GatewayError):
    """A folder that is not taken in, for there are errors in it. Nothing of it was kept."""

    def __init__(self, folder: Path, errors: Sequence[Located]) -> None:
        more = (
            f"; and {len(errors) - 1} more, which `troupe catalog check {quote(str(folder))}` lists"
        )
        rest = more if len(errors) > 1 else ""
        super().__init__(f"{shortened(str(folder))} was not imported: {errors[0]}{rest}")
        self.folder, self.errors = folder, tuple(errors)


def begin_folder(name: str, environment: str, folder: Path) -> FolderNew:
    """Write a folder to begin a catalog with, and a plan beside it that plays it.

    Raises ``BadArgument``, ``UnknownEnvironment``, ``NoCatalogs``, ``OSError``.
    """
    check_name("NAME", name)
    own = environment_named(environment)
    files = new_files(own, name)
    plan = plan_beside(folder)
    if plan.exists():
        raise BadArgument("--to", str(folder), f"beside it there is a file {plan.name!r} already")
    _write(files, folder)
    _write({plan.name: _plan(own, name)}, plan.parent, alone=False)
    return FolderNew(tuple(folder / file for file in files), plan)


def plan_beside(folder: Path) -> Path:
    """The plan that is written with a new catalog."""
    return folder.parent / f"{folder.absolute().name}-plan.toml"


def check_folder(folder: Path, name: str = "") -> FolderChecked:
    """Read a folder and begin an episode of each of its tasks; nothing is kept.

    ``name``: what the catalog is to be called; empty: as the folder says.

    Raises ``UnreadableFolder``, ``OSError``.
    """
    if (found := _published(folder)) is not None:
        return _check_published(folder, *found, name)
    draft = read_folder(folder)
    castings: Sequence[Casting] = ()
    if draft.catalog is not None and draft.environment is not None:
        castings, remarks = review(draft.environment, draft.catalog)
        for remark in remarks:
            draft.remark(remark)
    named, name_fits = name or draft.name or folder.absolute().name, True
    try:
        check_name("name", named)
    except BadArgument as bad:
        name_fits = False
        if draft.name and not name:
            draft.at("warning", CATALOG_FILE, ("name",), f"{bad.given!r}: {bad.why}")
    return FolderChecked(
        folder,
        TOML,
        draft.environment.name if draft.environment else "",
        named,
        _called(draft.catalog, named),
        castings,
        draft.remarks,
        name_fits,
    )


def import_folder(store: EventStore, folder: Path, name: str = "") -> CatalogBrought:
    """Take in the catalog of a folder: all of it, or nothing. The same again changes nothing.

    Raises ``BadArgument``, ``CatalogRefused``, ``UnreadableFolder``, ``OSError``.
    """
    require_folder(store, folder)
    return keep(store, check_folder(folder, name))


def require_folder(store: EventStore, folder: Path) -> None:
    """Refuse the name of a stored catalog where a folder is needed. Raises ``UnreadableFolder``."""
    name = str(folder)
    if not folder.exists() and is_stored(store, name):
        why = (
            "there is no such folder. It is a stored catalog, checked as it was imported: "
            f"`troupe catalog show KIND --catalog {name}` shows it, and `troupe catalog export "
            f"{name} --to DIR` writes its files, which `troupe catalog check DIR` checks"
        )
        raise UnreadableFolder(folder, why)


def keep(store: EventStore, checked: FolderChecked) -> CatalogBrought:
    """Take in a catalog that was checked. Raises ``BadArgument``, ``CatalogRefused``."""
    if checked.catalog is None or checked.graded("error"):
        raise CatalogRefused(checked.folder, checked.graded("error"))
    catalog = checked.catalog
    check_name("--catalog", catalog.name)
    before = next((row for row in queries.catalogs(store) if row.name == catalog.name), None)
    if before is not None and before.environment != checked.environment:
        why = f"is a catalog of environment {before.environment!r} already; choose another name"
        raise BadArgument("--catalog", catalog.name, why)
    old = load_catalog(store, catalog.name) if before else None
    title = catalog_formats()[checked.form].title if checked.form != TOML else "files"
    source = f"{title} in {checked.folder}"
    outcome = save_catalog(store, catalog, source)
    replaced = before is not None and outcome == "imported"
    return CatalogBrought(
        catalog=catalog.name,
        environment=checked.environment,
        outcome="replaced" if replaced else outcome,
        counts=counts_of(catalog),
        source=source,
        replaced=before.source if before and replaced else "",
        changes=tuple(
            Change(how=how, kind=kind, id=id_)
            for how, kind, id_ in (changes(old, catalog) if replaced else ())
        ),
        notes=tuple(str(remark) for remark in checked.graded("warning")),
    )


def export_folder(store: EventStore, form: str, name: str, folder: Path) -> CatalogWritten:
    """Write a catalog into a folder, as TOML or in a format that an environment writes.

    Raises ``UnknownId``, ``BadArgument``, and what writing it raises.
    """
    writers = {known: one.write for known, one in catalog_formats().items() if one.write}
    if form != TOML and form not in writers:
        raise BadArgument("--format", form, f"the formats are {', '.join([TOML, *writers])}")
    catalog = load(store, name)
    if form == TOML:
        files = catalog_files(environment_named(environment_of_value(catalog)), catalog)
        _write(files, folder)
        return CatalogWritten(
            catalog=catalog.name, paths=tuple(str(folder / file) for file in files), notes=()
        )
    folder.mkdir(parents=True, exist_ok=True)
    try:
        written = writers[form](catalog, folder)
    except ValueError as error:
        raise BadArgument("--format", form, str(error)) from error
    paths = tuple(str(folder / file) for file in written.files)
    return CatalogWritten(catalog=catalog.name, paths=paths, notes=written.notes)


def _fits(form: CatalogFormat, folder: Path) -> bool:
    """Whether one of a folder's files is recognized; for forms without names."""
    return not form.files and any(
        path.is_file() and form.recognizes(_start(path)) for path in folder.glob("*.json")
    )


def _start(path: Path) -> bytes:
    with open_regular(path) as file:
        return file.read(_START)


def _published(folder: Path) -> tuple[str, CatalogFormat] | None:
    """The format of an environment that a folder is in, by the names of what it holds."""
    if not folder.is_dir() or (folder / CATALOG_FILE).exists():
        return None
    for name, form in catalog_formats().items():
        missing = [file for file in form.files if not (folder / file).is_file()]
        inside = [one for one in form.folders if (folder / one).is_dir()]
        if (form.files and not missing) or (inside and len(inside) == len(form.folders)):
            return name, form
        if len(missing) < len(form.files):
            why = f"holds no {' and no '.join(missing)}, which belong to {form.title}"
            raise UnreadableFolder(folder, why)
    for name, form in catalog_formats().items():
        if _fits(form, folder):
            return name, form
    if not any(folder.glob("*.toml")):
        others = "".join(
            f", and not {form.title} ({form.holds})" for form in catalog_formats().values()
        )
        why = f"holds no {CATALOG_FILE}, with which `troupe catalog new` begins a folder{others}"
        raise UnreadableFolder(folder, why)
    return None


def _check_published(folder: Path, form: str, reader: CatalogFormat, name: str) -> FolderChecked:
    try:
        found, notes = reader.read(folder, name or ("" if reader.names_itself else form))
    except ValueError as error:
        wrong = list(map(str, getattr(error, "rows", ()))) or [str(error)]
        remarks = [Located("error", "", 0, "", "", why) for why in wrong]
        return FolderChecked(folder, form, "", name or form, None, (), remarks)
    environment = environment_of_value(found)
    castings, more = review(environment_named(environment), found)
    remarks = [Located("warning", "", 0, "", "", why) for why in notes]
    for remark in more:
        remarks.append(Located(remark.grade, "", 0, _entry(found, remark.place), "", remark.why))
    return FolderChecked(folder, form, environment, found.name, found, castings, remarks)


def _entry(catalog: Catalog, place: tuple[str | int, ...]) -> str:
    """What a remark is about, for those who did not write the files."""
    match place:
        case (str(kind), int(number), *_):
            return f"{kind} {getattr(catalog, kinds_of(type(catalog))[kind].field)[number].id}"
    return ""


def _called(catalog: Catalog | None, name: str) -> Catalog | None:
    found: Catalog | None = catalog and replace(catalog, name=name)
    return found


def _write(files: Mapping[str, str], folder: Path, *, alone: bool = True) -> None:
    """Write files into a folder that holds nothing else, unless it holds just these. ``alone``:
    whether it is to hold nothing else."""
    if folder.exists() and not folder.is_dir():
        raise BadArgument("--to", str(folder), "is a file; give a folder")
    if alone and folder.is_dir():
        there = {path.name: path for path in folder.iterdir() if path.name not in _IGNORED}
        if there and not all(
            name in files and path.is_file() and _holds(path, files[name].encode())
            for name, path in there.items()
        ):
            why = "holds something else already; give a folder that is new or empty"
            raise BadArgument("--to", str(folder), why)
    for name, text in files.items():
        with atomic_write(folder / name) as path:
            path.write_bytes(text.encode())


def _holds(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data) and path.read_bytes() == data


def _plan(environment: Environment, name: str) -> str:
    """A plan that plays all tasks of a catalog offline."""
    tempers = environment.tempers[:2] or ("",)
    minds = [
        f'[minds.{temper or "rehearsal"}]\nkind = "rehearsal"\n'
        + (f'temper = "{temper}"\n' if temper else "")
        for temper in tempers
    ]
    judge = judge_to_try(environment.name)
    parts = [
        "# Plays every task of the catalog with minds and a judge that need no model.\n"
        f'name = "{name}"\nenvironment = "{environment.name}"\ncatalog = "{name}"\n',
        *minds,
        "# A language model in the seats:\n"
        '# [minds.gpt]\n# kind = "model"\n# model = "openai/gpt-4o-mini"\n',
        '[seats]\npairings = "same"        # each mind in all seats; "all": every mix of minds\n',
        f'[judges]\nuse = ["{judge}"]\n' if judge else "",
    ]
    return "\n".join(filter(None, parts))
