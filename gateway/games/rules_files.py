"""Use cases for files of rules: which files are meant, and taking them in."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from actors.episodes.catalogs.draft import Located
from actors.games.catalog_items import Catalog
from actors.games.checks.catalog_checks import catalog_remarks
from actors.games.checks.ruleset_files import (
    RulesFile,
    completed,
    read_rules_files,
    twice_in_files,
)
from actors.games.formats import SOCIAL_GAME
from actors.games.ruleset import NAME, Ruleset
from actors.text.amounts import many
from events.untrusted.safe_text import shortened
from gateway.errors import BadArgument, GatewayError
from gateway.services.catalogs.catalog_folders import TOML, CatalogBrought, FolderChecked, keep
from store.log.event_store import EventStore

CONFIG: Final = "config.json"


class RulesRefused(GatewayError):
    """Files that nothing is done with, for there are errors in them. Nothing of them was kept."""

    def __init__(self, errors: Sequence[Located], nothing: str = "nothing was imported") -> None:
        more = f"; and {many(len(errors) - 1, 'more error')}" if len(errors) > 1 else ""
        listing = ", which `troupe games check` lists" if more else ""
        super().__init__(f"{nothing}: {errors[0]}{more}{listing}")
        self.errors = tuple(errors)


def files_meant(given: Sequence[Path]) -> list[Path]:
    """Files, and those of rules in folders that are named. Raises ``BadArgument``."""
    found: list[Path] = []
    for path in given:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(
            one for one in path.iterdir() if one.suffix == ".toml" or one.name == CONFIG
        )
        if not inside:
            raise BadArgument("FILE", str(path), f"is a folder without .toml files or {CONFIG}")
        found += inside
    return list(dict.fromkeys(found))


def checked_files(given: Sequence[Path]) -> list[RulesFile]:
    """Files of rules with all that is to be said of them. Raises ``BadArgument``, ``OSError``."""
    return read_rules_files(files_meant(given))


def ruleset_in(path: Path, id_: str = "") -> Ruleset:
    """The ruleset of a file that can be played, or the one of an id. Raises ``BadArgument``,
    ``RulesRefused``, ``OSError``."""
    files = checked_files([path])
    if errors := [one for file in files for one in file.errors]:
        raise RulesRefused(errors, "nothing was drawn")
    rulesets = [rules for file in files if file.own for rules in file.own.rulesets]
    known = ", ".join(rules.id for rules in rulesets)
    if not rulesets:
        raise BadArgument("FILE", str(path), "has no ruleset")
    if not id_ and len(rulesets) > 1:
        why = f"has several rulesets; name one by --ruleset: {known}"
        raise BadArgument("FILE", str(path), why)
    found = next((rules for rules in rulesets if id_ in ("", rules.id)), None)
    if found is None:
        raise BadArgument("--ruleset", id_, f"the file has {known}")
    return found


def import_rules_files(store: EventStore, given: Sequence[Path], name: str) -> CatalogBrought:
    """Take in files of rules as one catalog: all of them, or nothing. The same again changes
    nothing. ``name``: the catalog's; empty: the id of the only ruleset.

    Raises ``BadArgument``, ``RulesRefused``, ``OSError``.
    """
    files = checked_files(given)
    errors = [one for file in files for one in file.errors] or twice_in_files(files)
    if errors:
        raise RulesRefused(errors)
    parts = [file.own for file in files if file.own is not None]
    rulesets = [rules for part in parts for rules in part.rulesets]
    if not rulesets:
        raise BadArgument("FILE", ", ".join(map(str, given)), "has no ruleset")
    if not name and len(rulesets) > 1:
        raise BadArgument("--name", "", f"name the catalog of {len(rulesets)} rulesets")
    catalog = completed(parts, name or rulesets[0].id)
    remarks = [one for file in files for one in file.remarks]
    remarks += _of_the_whole(catalog)
    if errors := [one for one in remarks if one.grade == "error"]:
        raise RulesRefused(errors)
    folder = Path(shortened(", ".join(map(str, given)), 1_000))
    form = SOCIAL_GAME if all(file.path.suffix == ".json" for file in files) else TOML
    return keep(store, FolderChecked(folder, form, NAME, catalog.name, catalog, (), remarks))


def _of_the_whole(catalog: Catalog) -> list[Located]:
    """Errors that no file has by itself."""
    return [
        Located("error", "", 0, "", ", ".join(map(str, remark.place)), remark.why)
        for remark in catalog_remarks(catalog)
        if remark.grade == "error"
    ]
