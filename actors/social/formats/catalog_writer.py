"""A catalog as the four files in which SOTOPIA publishes its own, which it reads back, too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from actors.social.catalog_items import (
    BigFive,
    Catalog,
    Character,
    Relationship,
    RelationshipKind,
    Scenario,
    Task,
)
from actors.social.formats.catalog_reader import FOR_NARRATORS
from actors.social.formats.catalog_rows import AgentRow, ComboRow, EnvironmentRow, RelationshipRow
from actors.social.formats.fields import KINDS, SEATS
from actors.social.formats.file_names import CHARACTERS, RELATIONSHIPS, SCENARIOS, TASKS

_NOTHING: Final = "none"
_TRAITS: Final = {"openness": "Openness to Experience"}
"""How the files call a trait where that is not its name."""
_NO_MODEL: Final = ""
"""Readers look for the field, which says nothing."""
_BEFORE, _AFTER = FOR_NARRATORS.split("{}")


def write_published(catalog: Catalog, folder: Path) -> tuple[str, ...]:
    """Write the files into a folder; answers a sentence for everything they have no room for.

    Raises ``OSError``.
    """
    scenarios = {scenario.id: scenario for scenario in catalog.scenarios}
    kinds = {one.id: one.kind for one in catalog.relationships}
    _write(folder / CHARACTERS, map(_agent, catalog.characters), model_id=_NO_MODEL)
    _write(folder / SCENARIOS, map(_environment, catalog.scenarios))
    _write(folder / RELATIONSHIPS, map(_relationship, catalog.relationships))
    _write(folder / TASKS, map(_combo, catalog.tasks))
    notes = [note for scenario in catalog.scenarios for note in _scenario_losses(scenario)]
    if any(scenario.kind for scenario in catalog.scenarios):
        notes.append("scenarios: their kinds of interaction are left out")
    if any(one.kin for one in catalog.relationships):
        notes.append("relationships: what kin somebody is, is left out")
    notes += [note for task in catalog.tasks for note in _task_losses(task, scenarios, kinds)]
    return tuple(notes)


def _write(path: Path, rows: Iterable[msgspec.Struct], **more: str) -> None:
    lines = (msgspec.json.encode(msgspec.structs.asdict(row) | more) for row in rows)
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def _agent(who: Character) -> AgentRow:
    return AgentRow(
        agent_id=who.id,
        first_name=who.first_name,
        last_name=who.last_name,
        age=who.age,
        occupation=who.occupation,
        gender=who.gender,
        gender_pronoun=who.pronouns,
        public_info=who.public_info,
        big_five=_big_five(who.big_five),
        moral_values=list(who.moral_values),
        schwartz_personal_values=list(who.schwartz_values),
        personality_and_values=who.personality,
        decision_making_style=who.decision_style,
        secret=who.secret,
        mbti=who.mbti,
    )


def _big_five(traits: BigFive) -> str:
    return "; ".join(
        f"{_TRAITS.get(name, name.title())} - {degree.title()}"
        for name, degree in msgspec.structs.asdict(traits).items()
        if degree
    )


def _environment(scenario: Scenario) -> EnvironmentRow:
    ages = str(list(scenario.ages)) if scenario.ages else _NOTHING
    occupations = ", ".join(word or "nan" for word in scenario.occupations)
    kinds = scenario.relationships or (RelationshipKind.STRANGER,)
    return EnvironmentRow(
        env_id=scenario.id,
        codename=scenario.codename,
        source=scenario.source,
        scenario=scenario.context,
        agent_goals=list(scenario.goals),
        relationship=KINDS.index(kinds[0]),
        age_constraint=ages,
        occupation_constraint=f"[{occupations}]" if occupations else _NOTHING,
        agent_constraint=_NOTHING,
    )


def _relationship(relationship: Relationship) -> RelationshipRow:
    one, other = relationship.characters
    story = relationship.story
    if story.startswith(_BEFORE) and story.endswith(_AFTER):
        story = story.removeprefix(_BEFORE).removesuffix(_AFTER)
    return RelationshipRow(
        relationship_id=relationship.id,
        agent1_id=one,
        agent2_id=other,
        relationship=KINDS.index(relationship.kind),
        background_story=story,
    )


def _combo(task: Task) -> ComboRow:
    return ComboRow(combo_id=task.id, env_id=task.scenario, agent_ids=list(task.characters))


def _scenario_losses(scenario: Scenario) -> Iterator[str]:
    what = f"scenario {scenario.id}"
    if len(scenario.relationships) != 1:
        asked = " or ".join(scenario.relationships) or "any relationship"
        kept = scenario.relationships[0] if scenario.relationships else RelationshipKind.STRANGER
        yield f"{what}: the files have room for one kind of relationship; of {asked} it is {kept}"
    if scenario.needs:
        yield f"{what}: the facts of earlier episodes that it needs are left out"
    if len(scenario.goals) != SEATS:
        yield f"{what}: it has {len(scenario.goals)} goals, where readers may expect {SEATS}"


def _task_losses(
    task: Task, scenarios: Mapping[str, Scenario], kinds: Mapping[str, RelationshipKind]
) -> Iterator[str]:
    """A task's relationship is not in the files: readers take it from the scenario."""
    scenario = scenarios[task.scenario]
    kept: Sequence[RelationshipKind] = scenario.relationships or (RelationshipKind.STRANGER,)
    for id_ in task.relationships:
        if kinds[id_] != kept[0]:
            yield (
                f"task {task.id}: the two are {kinds[id_]}, which the files do not say; readers "
                f"take them for {kept[0]}"
            )
