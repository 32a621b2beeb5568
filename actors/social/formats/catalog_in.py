"""The SOTOPIA catalog as its authors published it: four files of JSON lines.

Nothing is half-imported: every row of every file is read and checked, and either all are good or
``CatalogRefused`` lists the bad ones. Texts come in as they stand, with one exception: a
relationship's published story is told by somebody who knows both characters' secrets and often
gives them away ("…unbeknownst to one another…"), so it is marked as a passage for narrator and
judge. SOTOPIA itself never shows it to the characters either.

A published task names a scenario and two characters, not their relationship. It is the pair's
relationship whose kind the scenario asks for; where several fit, the first in the file. A pair
without any is strangers.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from actors.social.catalog_items import (
    Catalog,
    Character,
    Relationship,
    RelationshipKind,
    Scenario,
    Task,
)
from actors.social.fitting import kind_fits
from actors.social.formats import CHARACTERS, RELATIONSHIPS, SCENARIOS, TASKS
from actors.social.formats.fields import (
    OLDEST,
    SEATS,
    YOUNGEST,
    ages_of,
    big_five_of,
    check_markup,
    is_nothing,
    kind_of,
    occupations_of,
    words,
)
from actors.social.formats.rows import Faults, FileRefused, Place, Row, read_rows

Item = TypeVar("Item", Character, Scenario, Relationship, Task)

_Id = Annotated[str, msgspec.Meta(min_length=1)]


class CatalogRefused(FileRefused):
    """A published catalog with bad rows."""

    what = "the catalog"


class _AgentRow(msgspec.Struct):
    agent_id: _Id
    first_name: _Id
    age: Annotated[int, msgspec.Meta(ge=YOUNGEST, le=OLDEST)]
    last_name: str = ""
    occupation: str = ""
    gender: str = ""
    gender_pronoun: str = ""
    public_info: str = ""
    big_five: str = ""
    moral_values: list[str] = []
    schwartz_personal_values: list[str] = []
    personality_and_values: str = ""
    decision_making_style: str = ""
    secret: str = ""
    mbti: str = ""


class _EnvironmentRow(msgspec.Struct):
    env_id: _Id
    scenario: _Id
    agent_goals: list[str]
    codename: str = ""
    source: str = ""
    relationship: int | str | list[int | str] | None = None
    age_constraint: str | None = None
    occupation_constraint: str | None = None
    agent_constraint: str | list[Any] | None = None


class _RelationshipRow(msgspec.Struct):
    relationship_id: _Id
    agent1_id: str
    agent2_id: str
    relationship: int | str
    background_story: str = ""


class _ComboRow(msgspec.Struct):
    combo_id: _Id
    env_id: str
    agent_ids: list[str]


def read_published(folder: Path, name: str = "sotopia") -> Catalog:
    """The catalog in ``folder``. Raises ``CatalogRefused`` with the bad rows of all its files."""
    faults = Faults()
    characters = _read(folder / CHARACTERS, _AgentRow, _character, faults)
    scenarios = _read(folder / SCENARIOS, _EnvironmentRow, _scenario, faults)
    relationships = _read(
        folder / RELATIONSHIPS,
        _RelationshipRow,
        lambda row, place: _relationship(row, characters, place),
        faults,
    )
    pairs: dict[frozenset[str], list[Relationship]] = {}
    for relationship in relationships.values():
        pairs.setdefault(frozenset(relationship.characters), []).append(relationship)
    tasks = _read(
        folder / TASKS,
        _ComboRow,
        lambda row, place: _task(row, scenarios, characters, pairs, place),
        faults,
    )
    faults.refuse(CatalogRefused)
    return Catalog(
        name=name,
        characters=tuple(characters.values()),
        relationships=tuple(relationships.values()),
        scenarios=tuple(scenarios.values()),
        tasks=tuple(tasks.values()),
    )


def _read(
    path: Path, kind: type[Row], convert: Callable[[Row, Place], Item | None], faults: Faults
) -> dict[str, Item]:
    """The items of a file by id; rows that cannot be used are faults."""
    items: dict[str, Item] = {}
    lines: dict[str, int] = {}
    for line, row in read_rows(path, kind, faults):
        place = Place(path.name, line, faults)
        item = convert(row, place)
        if item is None:
            continue
        if item.id in items:
            field = kind.__struct_fields__[0]
            place.fault(field, f"{item.id!r} is there twice, first in line {lines[item.id]}")
        items.setdefault(item.id, item)
        lines.setdefault(item.id, line)
    return items


def _character(row: _AgentRow, place: Place) -> Character:
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
        tags=("sotopia",),
    )


def _scenario(row: _EnvironmentRow, place: Place) -> Scenario:
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
        tags=("sotopia", *filter(None, (row.source,))),
    )


def _relationship(
    row: _RelationshipRow, characters: Collection[str], place: Place
) -> Relationship | None:
    one, other = row.agent1_id, row.agent2_id
    known = place.knows("agent1_id", one, characters, "character", CHARACTERS)
    known &= place.knows("agent2_id", other, characters, "character", CHARACTERS)
    if one == other:
        place.fault("agent2_id", "must be another character than agent1_id")
    kind = kind_of(row.relationship, place)
    check_markup("background_story", row.background_story, place)
    if kind is None or not known:
        return None
    story = row.background_story.strip()
    return Relationship(
        id=row.relationship_id,
        characters=(one, other),
        kind=kind,
        story=f'<p viewer="environment">{story}</p>' if story else "",
        tags=("sotopia",),
    )


def _task(
    row: _ComboRow,
    scenarios: Mapping[str, Scenario],
    characters: Collection[str],
    pairs: Mapping[frozenset[str], Sequence[Relationship]],
    place: Place,
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
