"""Study files: the TOML that describes a study (``docs/how-to/studies.md``)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, cast

import msgspec

from actors.models.settings import Seed
from actors.runs.plan.environment_section import (
    DEFAULT_ENVIRONMENT,
    environment_of_file,
    with_section,
)
from actors.runs.plan.mind_entries import MindEntry, mind_problems, mind_specs
from actors.runs.plan.plan_file import (
    PlanFile,
    Spending,
    TaskChoice,
    budget,
    environment_settings,
)
from actors.runs.plan.plan_run import choose_tasks
from actors.toml_file import BadFile, Table, nearest, parse_table, read_table
from events.environments import Catalog
from events.episode import PeopleRules
from events.minds import MindSpec
from events.run import Plan, RunPlanned
from events.study import (
    Condition,
    Consent,
    DropOuts,
    InstructionPage,
    Lobby,
    Outcome,
    QuestionKind,
    Recruitment,
    Study,
    StudyQuestion,
)
from gateway.services.studies.recruitment import redirect_fault

Seconds = Annotated[float, msgspec.Meta(ge=0, le=30 * 86_400)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=100_000)]
SITTING_DOWN: Final = ("model", "generative", "rehearsal")
"""Kinds of minds that play beside people without anybody who runs them."""
_Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
_Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The root of a study file's sections: a misspelt setting is refused, not ignored."""


class StudySection(_Section, frozen=True):
    """``[study]``."""

    name: Text
    title: str = ""
    """As participants see it; empty: the name."""
    participants: _Count = 0
    partners: str = ""
    tries: Annotated[int, msgspec.Meta(ge=1, le=20)] = 3
    idle_s: Annotated[float, msgspec.Meta(ge=30, le=30 * 86_400)] = 1800.0
    longest_s: Annotated[float, msgspec.Meta(ge=30, le=30 * 86_400)] = 3600.0


class ConsentSection(_Section, frozen=True):
    """``[consent]``."""

    version: Text
    text: Text


class PageEntry(_Section, frozen=True):
    """One ``[[instructions]]``."""

    title: Text
    text: Text


class QuestionEntry(_Section, frozen=True):
    """One question."""

    id: _Id
    text: Text
    kind: QuestionKind = "text"
    options: tuple[Text, ...] = ()
    right: tuple[str, ...] | str | float | None = None
    low: float | None = None
    high: float | None = None
    low_label: str = ""
    high_label: str = ""
    required: bool = True


class ConditionEntry(_Section, frozen=True):
    """One ``[[conditions]]``."""

    name: _Id
    people: Annotated[int, msgspec.Meta(ge=1, le=100)] = 2
    minds: tuple[str, ...] = ()
    tasks: TaskChoice = TaskChoice()
    share: Annotated[float, msgspec.Meta(gt=0, le=1e6)] = 1.0
    quota: _Count = 0


class LobbySection(_Section, frozen=True):
    """``[lobby]``."""

    limit_s: Annotated[float, msgspec.Meta(ge=5, le=86_400)] = 300.0
    fallback: Literal["model", "pay"] = "pay"
    mind: str = ""


class TurnsSection(_Section, frozen=True):
    """``[turns]``."""

    deadline_s: Seconds = 180.0
    nudge_s: Seconds = 0.0
    late: Literal["as drop_outs", "nothing"] = "as drop_outs"
    """``nothing``: a late turn is passed over, and whoever is late stays."""
    reply_delay_s: Seconds = 0.0
    reply_delay_per_character_s: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.0


class DropOutsSection(_Section, frozen=True):
    """``[drop_outs]``."""

    rule: Literal["replace", "end"] = "end"
    mind: str = ""


class RecruitmentSection(_Section, frozen=True):
    """``[recruitment]``."""

    keep: tuple[_Id, ...] = ()
    participant: str = ""
    redirect: str = ""


class StudyFile(_Section, frozen=True):
    """A whole study file, but for the environment's own section (``with_section``)."""

    study: StudySection
    consent: ConsentSection
    conditions: tuple[ConditionEntry, ...]
    environment: str = DEFAULT_ENVIRONMENT
    catalog: str = ""
    """Empty: the one that comes with the environment."""
    seed: Seed = 0
    instructions: tuple[PageEntry, ...] = ()
    screening: tuple[QuestionEntry, ...] = ()
    comprehension: tuple[QuestionEntry, ...] = ()
    questionnaire: tuple[QuestionEntry, ...] = ()
    minds: dict[str, MindEntry] = {}
    lobby: LobbySection = LobbySection()
    turns: TurnsSection = TurnsSection()
    drop_outs: DropOutsSection = DropOutsSection()
    codes: dict[Outcome, Text] = {}
    recruitment: RecruitmentSection = RecruitmentSection()
    budget: Spending = Spending()


class ReadStudy(NamedTuple):
    """A study file that can be carried out."""

    study: Study
    planned: RunPlanned
    """The run that its episodes will belong to; it plans none."""
    seats: dict[str, int]
    """How many seats the episodes of each condition have."""


def read_study_file(path: Path) -> StudyFile:
    """Read and check a study file. Raises ``BadFile`` with the field and what would be right."""
    return _checked(read_table(path), path)


def parse_study(text: str, path: Path) -> StudyFile:
    """A study file that came as text; ``path`` names it in errors. Raises ``BadFile``."""
    return _checked(parse_table(text, path), path)


def _checked(written: Table, path: Path) -> StudyFile:
    shape: type[StudyFile] = with_section(StudyFile, environment_of_file(written.data, path))
    file = written.shaped(shape)
    for field, why in _problems(file):
        raise BadFile(path, field, why)
    return file


def resolve(file: StudyFile, catalog: Catalog, path: Path, software: str, source: str) -> ReadStudy:
    """Everything that a study file means. Raises ``BadFile`` where the catalog does not have what
    it asks for."""
    minds = {mind.name: mind for mind in mind_specs(file.minds)}
    conditions, seats = [], {}
    for number, entry in enumerate(file.conditions):
        where = f"conditions[{number}]"
        tasks = choose_tasks(catalog, entry.tasks, str(path))
        seats[entry.name] = entry.people + len(entry.minds)
        for task in tasks:
            if task.seats != seats[entry.name]:
                why = (
                    f"task {task.id!r} has {task.seats} seats, and {entry.people} people with "
                    f"{len(entry.minds)} minds take {seats[entry.name]}"
                )
                raise BadFile(path, f"{where}.tasks", why)
        conditions.append(
            Condition(
                name=entry.name,
                tasks=tuple(task.id for task in tasks),
                people=entry.people,
                minds=tuple(minds[name] for name in entry.minds),
                share=entry.share,
                quota=entry.quota,
            )
        )
    study = Study(
        name=file.study.name,
        title=file.study.title or file.study.name,
        environment=file.environment,
        catalog=catalog.name,
        seed=file.seed,
        consent=Consent(version=file.consent.version, text=file.consent.text),
        instructions=tuple(InstructionPage(title=p.title, text=p.text) for p in file.instructions),
        screening=_questions(file.screening),
        comprehension=_questions(file.comprehension),
        tries=file.study.tries,
        conditions=tuple(conditions),
        participants=file.study.participants,
        lobby=Lobby(
            limit_s=file.lobby.limit_s,
            fallback=file.lobby.fallback,
            mind=minds.get(file.lobby.mind),
        ),
        people=_people(file, minds),
        drop_outs=DropOuts(rule=file.drop_outs.rule, mind=minds.get(file.drop_outs.mind)),
        longest_s=file.study.longest_s,
        idle_s=file.study.idle_s,
        questionnaire=_questions(file.questionnaire),
        codes={str(outcome): code for outcome, code in file.codes.items()},
        recruitment=Recruitment(**msgspec.structs.asdict(file.recruitment)),
        partners=file.study.partners,
    )
    plan = Plan(
        name=study.name,
        catalog=catalog.name,
        minds=tuple(minds.values()),
        environment=file.environment,
        settings=environment_settings(cast(PlanFile, file)),
        budget=budget(cast(PlanFile, file)),
        source=source,
    )
    return ReadStudy(study, RunPlanned(plan=plan, episodes=(), software=software), seats)


def _people(file: StudyFile, minds: dict[str, MindSpec]) -> PeopleRules:
    turns, replaced = file.turns, file.drop_outs.rule == "replace"
    late: Literal["nothing", "takeover", "end"] = "takeover" if replaced else "end"
    return PeopleRules(
        deadline_s=turns.deadline_s,
        nudge_s=turns.nudge_s,
        late="nothing" if turns.late == "nothing" else late,
        substitute=minds.get(file.drop_outs.mind),
        reply_delay_s=turns.reply_delay_s,
        reply_delay_per_character_s=turns.reply_delay_per_character_s,
    )


def _questions(entries: tuple[QuestionEntry, ...]) -> tuple[StudyQuestion, ...]:
    return tuple(
        StudyQuestion(**msgspec.structs.asdict(one) | {"right": _right(one)}) for one in entries
    )


def _right(one: QuestionEntry) -> tuple[str, ...]:
    if one.right is None:
        return ()
    if isinstance(one.right, tuple):
        return one.right
    return (f"{one.right:g}" if isinstance(one.right, float | int) else one.right,)


def _problems(file: StudyFile) -> Iterator[tuple[str, str]]:
    """What is wrong with the values, beyond what their types say: a field and what would be
    right."""
    if not file.conditions:
        yield "conditions", "a study needs at least one, for example [[conditions]]"
    names = [one.name for one in file.conditions]
    if twice := next((name for name in names if names.count(name) > 1), None):
        yield "conditions", f"two are called {twice!r}"
    for number, one in enumerate(file.conditions):
        for mind in one.minds:
            yield from _mind(file, f"conditions[{number}].minds", mind)
        if fault := _list_fault(one.tasks):
            yield f"conditions[{number}].tasks.list", fault
    yield from _mind(file, "lobby.mind", file.lobby.mind, file.lobby.fallback == "model")
    yield from _mind(file, "drop_outs.mind", file.drop_outs.mind, file.drop_outs.rule == "replace")
    for part in ("screening", "comprehension", "questionnaire"):
        yield from _question_problems(part, getattr(file, part))
    turns = file.turns
    if turns.deadline_s and turns.nudge_s >= turns.deadline_s:
        yield "turns.nudge_s", "must be less than deadline_s, or nobody is ever reminded"
    keep, own = file.recruitment.keep, file.recruitment.participant
    if own and own not in keep:
        yield "recruitment.participant", f"must be one of recruitment.keep ({', '.join(keep)})"
    if fault := redirect_fault(file.recruitment.redirect):
        yield "recruitment.redirect", fault


def _list_fault(tasks: TaskChoice) -> str:
    if isinstance(tasks.list, str):
        why = "a study reads no other file; write the lines of the list here: "
        return f'{why}list = [{{ scenario = "ID" }}]' if tasks.list else ""
    if any(one.seat is not None for one in tasks.list):
        return "the condition says who sits where; leave the seats out"
    return ""


def _mind(
    file: StudyFile, field: str, name: str, needed: bool = False
) -> Iterator[tuple[str, str]]:
    if name and name not in file.minds:
        yield field, f"there is no mind {name!r}{nearest(name, file.minds)}"
    elif needed and not name:
        yield field, "is needed: the name of one of [minds]"
    elif name and file.minds[name].kind not in SITTING_DOWN:
        why = f"must be {' or '.join(SITTING_DOWN)}: only these sit down by themselves"
        yield f"minds.{name}.kind", why
    elif name:
        yield from mind_problems(name, file.minds)


def _question_problems(part: str, entries: tuple[QuestionEntry, ...]) -> Iterator[tuple[str, str]]:
    ids = [one.id for one in entries]
    for number, one in enumerate(entries):
        where = f"{part}[{number}]"
        if ids.count(one.id) > 1:
            yield f"{where}.id", f"two questions are called {one.id!r}"
        if one.kind in ("choice", "several"):
            if len(set(one.options)) < 2:
                yield f"{where}.options", "needs at least two that differ"
            for right in _right(one):
                if right not in one.options:
                    yield f"{where}.right", f"{right!r} is none of its options"
        elif one.options:
            yield f"{where}.options", f"are for kind choice or several, and this is {one.kind}"
        if one.kind == "scale" and not _is_scale(one):
            yield f"{where}.low", "a scale needs whole numbers low and high, at most 20 apart"
        if part == "comprehension" and one.right is None:
            yield f"{where}.right", "is needed: what is right is what shows that they understood"


def _is_scale(one: QuestionEntry) -> bool:
    low, high = one.low, one.high
    if low is None or high is None:
        return False
    return low == int(low) and high == int(high) and 0 < high - low <= 20
