"""The SOTOPIA catalog as its authors published it: four files of JSON lines; or as SOTOPIA itself
keeps one: a folder for each, with a file an item.

Nothing is half-imported: every row of every file is read and checked, and either all are good or
``CatalogRefused`` lists the bad ones. Texts come in as they stand, with one exception: a
relationship's published story is told by somebody who knows both characters' secrets and often
gives them away ("…unbeknownst to one another…"), so it is marked as a passage for narrator and
judge. SOTOPIA itself never shows it to the characters either.

A published task names a scenario and two characters, not their relationship. It is the pair's
relationship whose kind the scenario asks for; where several fit, the first in the file. A pair
without any is strangers.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from actors.social.catalog.misfits import kind_fits
from actors.social.catalog_items import (
    Catalog,
    Character,
    Relationship,
    RelationshipKind,
    Scenario,
    Task,
)
from actors.social.formats.catalog_rows import (
    FOLDERS,
    KEPT_BY,
    AgentRow,
    ComboRow,
    EnvironmentRow,
    KeptAgent,
    KeptCombo,
    KeptEnvironment,
    KeptRelationship,
    RelationshipRow,
)
from actors.social.formats.faults import Faults, FileRefused
from actors.social.formats.fields import (
    SEATS,
    ages_of,
    big_five_of,
    check_markup,
    is_nothing,
    kind_of,
    occupations_of,
    words,
)
from actors.social.formats.file_names import CHARACTERS, RELATIONSHIPS, SCENARIOS, TASKS
from actors.social.formats.rows import Row, RowPlace, read_rows
from actors.social.formats.texts import JsonText

Item = TypeVar("Item", Character, Scenario, Relationship, Task)

FOR_NARRATORS: Final = '<p viewer="environment">{}</p>'
"""A passage that no character reads."""


class CatalogRefused(FileRefused):
    """A published catalog with bad rows."""

    what = "the catalog"


def read_published(folder: Path, name: str = "sotopia") -> Catalog:
    """The catalog in ``folder``. Raises ``CatalogRefused`` with the bad rows of all its files."""
    return read_with_notes(folder, name)[0]


def read_with_notes(folder: Path, name: str) -> tuple[Catalog, tuple[str, ...]]:
    """The same, and a sentence for every field of its rows that is not kept."""
    reader = _Reader(folder)
    faults = reader.faults
    characters = reader.read(CHARACTERS, AgentRow, KeptAgent, _character)
    scenarios = reader.read(SCENARIOS, EnvironmentRow, KeptEnvironment, _scenario)
    relationships = reader.read(
        RELATIONSHIPS,
        RelationshipRow,
        KeptRelationship,
        lambda row, place: _relationship(row, characters, place),
    )
    pairs: dict[frozenset[str], list[Relationship]] = {}
    for relationship in relationships.values():
        pairs.setdefault(frozenset(relationship.characters), []).append(relationship)
    tasks = reader.read(
        TASKS,
        ComboRow,
        KeptCombo,
        lambda row, place: _task(row, scenarios, characters, pairs, place),
    )
    faults.refuse(CatalogRefused)
    catalog = Catalog(
        name=name,
        characters=tuple(characters.values()),
        relationships=tuple(relationships.values()),
        scenarios=tuple(scenarios.values()),
        tasks=tuple(tasks.values()),
    )
    return catalog, reader.losses()


class _Reader:
    """Reads the files of a folder, or the folders in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults = Faults()
        self.lost: Counter[tuple[str, str]] = Counter()
        """Rows with something in a field that is not kept, by file and field."""

    def read(
        self,
        file: str,
        kind: type[Row],
        kept: type[Row],
        convert: Callable[[Row, RowPlace], Item | None],
    ) -> dict[str, Item]:
        """The items of a file by id; rows that cannot be used are faults."""
        path = self.folder / file
        if not path.exists() and any((self.folder / name).is_dir() for name in FOLDERS.values()):
            path = self.folder / FOLDERS[file]
            if not path.is_dir() or not any(path.iterdir()):
                return {}
        items: dict[str, Item] = {}
        first: dict[str, RowPlace] = {}
        for text, row in read_rows(path, kind, self.faults, {KEPT_BY: kept}):
            self._note_lost(path.name, text, type(row))
            place = RowPlace(text, self.faults)
            item = convert(row, place)
            if item is None:
                continue
            if item.id in items:
                where = str(first[item.id]) if path.is_dir() else f"line {first[item.id].line}"
                field = type(row).__struct_encode_fields__[0]
                place.fault(field, f"{item.id!r} is there twice, first in {where}")
            items.setdefault(item.id, item)
            first.setdefault(item.id, place)
        return items

    def losses(self) -> tuple[str, ...]:
        """A sentence for every field with something in it that is not kept."""
        return tuple(
            f"{file}: the field {field!r}, which says something in {count} rows, is not kept"
            for (file, field), count in self.lost.items()
        )

    def _note_lost(self, file: str, text: JsonText, kind: type[msgspec.Struct]) -> None:
        for field, value in msgspec.json.decode(text.data).items():
            if field not in kind.__struct_encode_fields__ and value not in ("", None, [], {}):
                self.lost[file, field] += 1


def _character(row: AgentRow, place: RowPlace) -> Character:
    return Character(
        id=row.agent_id,
        first_name=row.first_name.strip(),
        last_name=row.last_name.strip(),
        age=row.age,
        gender=row.gender,
        pronouns=row.gender_pronoun,
        occupation=row.occupation,
        public_info=row.public_info,
        big_five=big_five_of(row.big_five, place),
        moral_values=words(row.moral_values),
        schwartz_values=words(row.schwartz_personal_values),
        decision_style=row.decision_making_style,
        personality=row.personality_and_values,
        secret=row.secret,
        mbti=row.mbti,
        tags=words(("sotopia", row.tag)),
    )


def _scenario(row: EnvironmentRow, place: RowPlace) -> Scenario:
    if len(row.agent_goals) != SEATS:
        place.fault(
            "agent_goals", f"must hold {SEATS} goals, one a seat, not {len(row.agent_goals)}"
        )
    check_markup("scenario", row.scenario, place)
    for goal in row.agent_goals:
        check_markup("agent_goals", goal, place)
    if not isinstance(row.agent_constraint, str | None) or not is_nothing(row.agent_constraint):
        place.fault("agent_constraint", "must be 'none'; other constraints are not known here")
    codes = row.relationship if isinstance(row.relationship, list) else [row.relationship]
    kinds = [
        kind_of(code, place)
        for code in codes
        if code is not None and not (isinstance(code, str) and is_nothing(code))
    ]
    return Scenario(
        id=row.env_id,
        codename=row.codename,
        context=row.scenario,
        goals=tuple(row.agent_goals),
        relationships=tuple(kind for kind in kinds if kind is not None),
        ages=ages_of(row.age_constraint, place),
        occupations=occupations_of(row.occupation_constraint, place),
        source=row.source,
        tags=words(("sotopia", row.source, row.tag)),
    )


def _relationship(
    row: RelationshipRow, characters: Collection[str], place: RowPlace
) -> Relationship | None:
    one, other = row.agent1_id, row.agent2_id
    known = place.knows("agent1_id", one, characters, "character", CHARACTERS)
    known &= place.knows("agent2_id", other, characters, "character", CHARACTERS)
    if one == other:
        place.fault("agent2_id", "must be another character than agent1_id")
    kind = kind_of(row.relationship, place)
    story = (row.background_story or "").strip()
    check_markup("background_story", story, place)
    if kind is None or not known:
        return None
    return Relationship(
        id=row.relationship_id,
        characters=(one, other),
        kind=kind,
        story=FOR_NARRATORS.format(story) if story else "",
        tags=words(("sotopia", row.tag)),
    )


def _task(
    row: ComboRow,
    scenarios: Mapping[str, Scenario],
    characters: Collection[str],
    pairs: Mapping[frozenset[str], Sequence[Relationship]],
    place: RowPlace,
) -> Task | None:
    known = place.knows("env_id", row.env_id, scenarios, "scenario", SCENARIOS)
    for id_ in row.agent_ids:
        known &= place.knows("agent_ids", id_, characters, "character", CHARACTERS)
    if len(row.agent_ids) != SEATS or len(set(row.agent_ids)) != SEATS:
        place.fault("agent_ids", f"must be {SEATS} different characters, not {row.agent_ids}")
        return None
    if not known:
        return None
    scenario = scenarios[row.env_id]
    found = pairs.get(frozenset(row.agent_ids), ())
    fitting = [relationship for relationship in found if kind_fits(scenario, relationship.kind)]
    if not fitting and (found or not kind_fits(scenario, RelationshipKind.STRANGER)):
        kinds = " or ".join(scenario.relationships)
        reason = f"the scenario asks for {kinds}, which the two are not"
        place.fault("agent_ids", reason, by=RELATIONSHIPS)
        return None
    kind = fitting[0].kind if fitting else RelationshipKind.STRANGER
    return Task(
        id=row.combo_id,
        scenario=scenario.id,
        characters=tuple(row.agent_ids),
        relationships=tuple(relationship.id for relationship in fitting[:1]),
        tags=(*scenario.tags, str(kind)),
    )
