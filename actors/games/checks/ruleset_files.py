"""Reads files of rules: one ruleset as a file of its own, a file of a catalog, or the configuration
of one of SOTOPIA's social games; and makes a catalog of them that can be played.

What such a file has not (players, scenes, word banks) comes from the catalog that comes with
Troupe.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple, TypeVar

import msgspec

from actors import toml_text
from actors.episodes.catalogs.draft import CatalogDraft, Located
from actors.episodes.catalogs.entries import Remark
from actors.episodes.catalogs.item_kinds import kinds_of
from actors.episodes.catalogs.reader import read_files
from actors.episodes.catalogs.writer import CATALOG_FILE
from actors.games.catalog.starter import starter_catalog
from actors.games.catalog_items import Catalog, GameScene, GameSet, WordBank
from actors.games.checks.bounds import deals_of
from actors.games.checks.catalog_checks import catalog_remarks
from actors.games.formats.social_game import (
    BadConfig,
    catalog_of,
    notes_of,
    read_config,
)
from actors.games.ruleset import NAME, Ruleset
from actors.games.setup import Player
from actors.toml_text import NotToml
from actors.typed_values import faults
from events.base import replace
from events.environments import environment_of_value
from events.serialization.struct_types import decodable

T = TypeVar("T", bound=Ruleset | WordBank | Player | GameScene | GameSet)
_HEAD: Final = f'environment = "{NAME}"\nname = "checked"\n'
_USUAL: Final = 8
"""Players of a set that nobody wrote, where the rules allow it."""
_KINDS: Final = ("rulesets", "banks", "players", "scenes", "sets")
_LISTS: Final = ("roles", "values", "phases", "ends", "payoffs")
"""What is called by its id in remarks about a ruleset of its own file."""
_OF_PLANS: Final = frozenset({"tasks", "minds", "seats"})
"""Sections by which a plan is known."""


class RulesFile(NamedTuple):
    """A file, and all that is to be said of it."""

    path: Path
    own: Catalog | None
    """What the file itself holds; None where an error keeps it from being anything."""
    remarks: Sequence[Located]

    @property
    def errors(self) -> list[Located]:
        """What keeps it from being played."""
        return [one for one in self.remarks if one.grade == "error"]


class _Reading(NamedTuple):
    """A file that was read and is not checked yet."""

    path: Path
    own: Catalog | None
    draft: CatalogDraft
    """With lines where the file has them."""
    alone: bool = False
    """Whether the file is a ruleset, and so its places are places of the file."""

    def say(self, remark: Remark) -> None:
        """A remark about what the file holds."""
        match remark.place:
            case ("ruleset", 0, *inside) if self.alone:
                self.draft.at(remark.grade, str(self.path), tuple(inside), remark.why)
            case _:
                self.draft.remark(remark)


def read_rules_files(paths: Iterable[Path]) -> list[RulesFile]:
    """Files of rules, whatever their form; what one names another may hold. Nothing is raised: what
    is wrong is a remark."""
    readings = [_read(path) for path in paths]
    found = []
    for reading in readings:
        own, draft = reading.own, reading.draft
        if own is not None:
            others = [one.own for one in readings if one is not reading and one.own is not None]
            for remark in catalog_remarks(completed([own, *others], own.name)):
                if _is_of_own(remark, own):
                    reading.say(remark)
        remarks = [
            one._replace(file=str(reading.path), entry=_singular(one.entry))
            for one in draft.remarks
        ]
        found.append(RulesFile(reading.path, own, remarks))
    return found


def _singular(entry: str) -> str:
    """``roles 'seer'`` as ``role 'seer'``."""
    kind, _, rest = entry.partition(" ")
    return f"{kind[:-1]} {rest}" if kind in _LISTS else entry


def _read(path: Path) -> _Reading:
    if path.suffix == ".json":
        return _social_game(path)
    draft = CatalogDraft({})
    try:
        text = toml_text.read_text(path)
        table = toml_text.parsed(text)
        toml_text.check_values(text, table)
    except NotToml as wrong:
        draft.remarks.append(Located("error", "", wrong.line, "", wrong.field, wrong.why))
        return _Reading(path, None, draft)
    kinds = kinds_of(Catalog)
    if path.name == CATALOG_FILE or any(key in kinds for key in table):
        return _catalog_file(path, text)
    if why := _instead(path, table):
        draft.remarks.append(Located("error", "", 0, "", "", why))
        return _Reading(path, None, draft)
    return _ruleset_file(path, text, table)


def _instead(path: Path, table: Mapping[str, object]) -> str:
    """What a file is said to be that has nothing of a ruleset; empty: it has something of one."""
    if not table or {*table} & {*Ruleset.__struct_fields__}:
        return ""
    if {*table} & _OF_PLANS:
        checks = f"`troupe run {quote(str(path))} --dry-run`"
        return f"is a plan and no file of rules; {checks} checks it"
    return "is no file of rules; a ruleset has [[roles]] and [[phases]], a catalog [[ruleset]]"


def _social_game(path: Path) -> _Reading:
    draft = CatalogDraft({})
    try:
        config = read_config(path)
        catalog = catalog_of(config, NAME)
    except BadConfig as wrong:
        line, why = _line(str(wrong).removeprefix(f"{path}"))
        draft.remarks.append(Located("error", "", line, "", "", why))
        return _Reading(path, None, draft)
    draft.remarks += [Located("warning", "", 0, "", "", why) for why in notes_of(config)]
    return _Reading(path, catalog, draft)


def _line(why: str) -> tuple[int, str]:
    """The line that a sentence begins with, and the rest."""
    head, _, rest = why.removeprefix(", line ").partition(": ")
    if why.startswith(", line ") and head.isdigit():
        return int(head), rest
    return 0, why.removeprefix(": ")


def _ruleset_file(path: Path, text: str, table: dict[str, object]) -> _Reading:
    file = str(path)
    draft = CatalogDraft({file: text})
    for kind in _LISTS:
        given = table.get(kind)
        for number, fields in enumerate(given if isinstance(given, list) else ()):
            if isinstance(fields, dict):
                draft.take(kind, file, number, fields)
    for place, why in faults(table, Ruleset):
        draft.at("error", file, place, why)
    if draft.errors:
        return _Reading(path, None, draft)
    try:
        rules = msgspec.convert(table, decodable(Ruleset))
    except (msgspec.ValidationError, ValueError) as error:
        draft.at("error", file, (), str(error))
        return _Reading(path, None, draft)
    return _Reading(path, Catalog(name=rules.id, rulesets=(rules,)), draft, alone=True)


def _catalog_file(path: Path, text: str) -> _Reading:
    texts = {path.name: text}
    if path.name != CATALOG_FILE:
        texts = {CATALOG_FILE: _HEAD, path.name: text}
    draft = read_files(texts)
    own = draft.catalog
    if own is not None and not isinstance(own, Catalog):
        why = f"is a catalog of environment {environment_of_value(own)!r}, not of {NAME!r}"
        draft.at("error", path.name, ("environment",), why)
        own = None
    return _Reading(path, own, draft)


def _is_of_own(remark: Remark, own: Catalog) -> bool:
    """Whether a remark is about what a file holds, and not about what it was completed with."""
    match remark.place:
        case (str(kind), int(number), *_):
            return number < len(getattr(own, f"{kind}s"))
    return True


def completed(parts: Iterable[Catalog], name: str) -> Catalog:
    """A catalog of several, with what they have not: players, scenes and named word banks of the
    catalog that comes with Troupe, and a set of games for each ruleset that is in none."""
    parts, starter = list(parts), starter_catalog()
    held = {
        kind: tuple(_without_equals([one for part in parts for one in getattr(part, kind)]))
        for kind in _KINDS
    }
    catalog = Catalog(name=name, **held)
    rulesets = {rules.id for rules in catalog.rulesets}
    there = {bank.id for bank in catalog.banks}
    named = {value.bank for rules in catalog.rulesets for value in rules.values if value.bank}
    in_sets = {one.ruleset for one in catalog.sets}
    taken = {one.id for one in catalog.sets}
    sets = [
        GameSet(id=rules.id, ruleset=rules.id, players=_usual(rules))
        for rules in catalog.rulesets
        if rules.id not in in_sets and rules.id not in taken
    ]
    catalog = replace(
        catalog,
        banks=(
            *catalog.banks,
            *[one for one in starter.banks if one.id in named and one.id not in there],
        ),
        scenes=catalog.scenes
        or tuple([one for one in starter.scenes if not one.rulesets or rulesets & {*one.rulesets}]),
        sets=(*catalog.sets, *sets),
    )
    needed = max((one.players for one in catalog.sets), default=0)
    if len(catalog.players) >= needed:
        return catalog
    called = {player.name for player in catalog.players} | {one.id for one in catalog.players}
    others = [one for one in starter.players if not called & {one.name, one.id}]
    return replace(catalog, players=(*catalog.players, *others))


def _usual(rules: Ruleset) -> int:
    """With how many players a ruleset is played where nobody says: as near to eight as can be."""
    dealt = list(deals_of(rules)) or [max(2, min(rules.least, rules.most))]
    return min(dealt, key=lambda players: abs(players - _USUAL))


def _without_equals(items: Iterable[T]) -> Iterator[T]:
    """Items, each once; what has the same id and is not equal stays."""
    seen: dict[str, list[T]] = {}
    for one in items:
        alike = seen.setdefault(one.id, [])
        if one not in alike:
            alike.append(one)
            yield one


def twice_in_files(files: Sequence[RulesFile]) -> list[Located]:
    """An error for each id that two files give to different things of a kind."""
    found = []
    first: dict[tuple[str, str], tuple[Path, object]] = {}
    for file in files:
        for kind in _KINDS if file.own is not None else ():
            for one in getattr(file.own, kind):
                path, other = first.setdefault((kind, one.id), (file.path, one))
                if other != one:
                    why = f"{path} has another {kind[:-1]} {one.id!r}; ids must differ"
                    found.append(Located("error", str(file.path), 0, "", "", why))
    return found
