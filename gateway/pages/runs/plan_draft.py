"""A plan as it is being written on the page *New run*: text and form in step, and what it means."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from actors.episodes.registry import UnknownEnvironment, environment_named
from actors.runs.forecast.forecast import Forecast
from actors.runs.plan.environment_section import DEFAULT_ENVIRONMENT
from actors.toml_file import BadFile
from actors.toml_text import NotToml, parsed
from evaluators.registry import judging_of
from events.environments import installed
from events.evaluation import JudgeSpec
from gateway.pages.runs.plan_fields import (
    PlanField,
    PlanFieldGroup,
    Unusable,
    entries_of,
    entry_fields,
    fields_of,
    groups,
    new_entry,
    read,
    shown,
)
from gateway.services.catalogs.read_catalog import starter_name
from gateway.services.runs.forecast_run import estimated
from gateway.services.runs.plan_run import Prepared, prepare_text
from gateway.services.runs.plan_text import Path, with_settings
from store.log.event_store import EventStore
from store.read_model import queries

LONGEST: Final = 2**18
"""Characters of a plan."""


class PlanProblem(msgspec.Struct, frozen=True):
    """Something that keeps a plan from being carried out."""

    field: str
    """A field's name, or a line; empty: the whole."""
    why: str


class PlanDraft(msgspec.Struct, kw_only=True):
    """A plan at a moment of its being written."""

    text: str
    """TOML, by which all else goes."""
    environment: str
    data: dict[str, Any]
    """What the text says; empty where it cannot be read."""
    problems: list[PlanProblem]
    typed: dict[str, str] = {}
    """By field, what was typed that cannot be used."""
    prepared: Prepared | None = None
    """None while there are problems."""
    forecast: Forecast | None = None

    @property
    def groups(self) -> tuple[PlanFieldGroup, ...]:
        """The form's."""
        return groups(self.environment)

    def entries(self, group: PlanFieldGroup) -> list[tuple[str, tuple[PlanField, ...]]]:
        """Names of minds, or of memories, with their fields."""
        names = entries_of(group, self.data)
        return [(name, entry_fields(group, name, self.data)) for name in names]

    def value(self, field: PlanField) -> str:
        """What stands in a field."""
        return self.typed.get(field.name, "") or shown(field, self.data)

    def problem(self, name: str) -> str:
        """What is wrong with a field."""
        return next((one.why for one in self.problems if one.field == name), "")

    @property
    def elsewhere(self) -> list[PlanProblem]:
        """What is wrong with nothing that the form shows."""
        known = fields_of(self.environment, self.data) if self.data else {}
        return [one for one in self.problems if one.field not in known]


def first_text(store: EventStore, environment: str) -> str:
    """A plan to begin with: offline, free. Raises ``UnknownEnvironment``."""
    own = environment_named(environment)
    catalog = starter_name(environment)
    if not catalog:
        rows = queries.catalogs(store)
        catalog = next((row.name for row in rows if row.environment == environment), "")
    minds = "".join(
        f'\n[minds.{temper}]\nkind = "rehearsal"\ntemper = "{temper}"\n'
        for temper in tuple(own.tempers)[:2]
    )
    judges = [judge.name for judge in judging_of(environment).judges if judge.kind != "model"][:1]
    named = ", ".join(f'"{name}"' for name in judges)
    other = f'environment = "{environment}"\n' if environment != DEFAULT_ENVIRONMENT else ""
    return (
        f'name = "first"\n{other}catalog = "{catalog}"\nseed = 1\n\n'
        f"[tasks]\nlimit = 3\n{minds}\n[judges]\nuse = [{named}]\n\n[budget]\nusd = 1.0\n"
    )


def draft(
    store: EventStore, text: str, judges: Mapping[str, JudgeSpec], run: str, *, forecast: bool
) -> PlanDraft:
    """What a text means. Blocking: a forecast counts the tokens of every prompt's fixed part."""
    found = PlanDraft(text=text, environment=DEFAULT_ENVIRONMENT, data={}, problems=[])
    if len(text) > LONGEST:
        found.problems.append(PlanProblem("", f"a plan has at most {LONGEST:,} characters"))
        return found
    with suppress(NotToml):  # the reader below tells of it, with its line
        found.data = parsed(text)
    named = found.data.get("environment", DEFAULT_ENVIRONMENT)
    if named in installed():
        found.environment = named
    try:
        found.prepared = prepare_text(store, text, judges, run)
        if forecast:
            found.forecast = estimated(found.prepared)
    except BadFile as error:
        found.prepared = None
        found.problems.append(PlanProblem(error.where, error.why))
    except (UnknownEnvironment, LookupError) as error:
        found.prepared = None
        found.problems.append(PlanProblem("environment" if not found.data else "", str(error)))
    return found


def changed(
    before: str, after: str, form: Mapping[str, str]
) -> tuple[str, list[PlanProblem], dict[str, str]]:
    """The text after somebody has edited it, the form, or both: with what the form changed, the
    problems in what was typed, and what that was. ``before``: the text that the form shows."""
    text = after if after.strip() else before
    problems: list[PlanProblem] = []
    typed: dict[str, str] = {}
    try:
        old, data = parsed(before), parsed(text)
    except NotToml:
        return text, problems, typed
    environment = old.get("environment", DEFAULT_ENVIRONMENT)
    if environment not in installed():
        return text, problems, typed
    changes: dict[Path, object] = {}
    for name, field in fields_of(environment, old).items():
        given = form.get(f"f.{name}")
        if given is None or given.strip() == shown(field, old).strip():
            continue
        try:
            changes[field.path] = read(field, given)
        except Unusable as error:
            problems.append(PlanProblem(error.field, error.why))
            typed[name] = given
    for group in groups(environment):
        changes |= _entries(group, data, form, problems)
    other = changes.pop(("environment",), None)
    if other is not None and other != environment:
        # Another environment's section, catalog, tasks and judges are none of this one's.
        gone = (environment, "catalog", "tasks", "judges", "chains", "minds")
        changes = {**{(name,): None for name in gone}, ("environment",): other}
    return with_settings(text, changes), problems, typed


def _entries(
    group: PlanFieldGroup,
    data: Mapping[str, object],
    form: Mapping[str, str],
    problems: list[PlanProblem],
) -> dict[Path, object]:
    """New minds, and those that were taken out."""
    if not group.entries:
        return {}
    name, there = group.path[0], entries_of(group, data)
    found: dict[Path, object] = {}
    if removed := form.get(f"remove.{name}"):
        found[(*group.path, removed)] = None
    if wanted := form.get(f"new.{name}", "").strip():
        try:
            entry = new_entry(wanted, there)
        except Unusable as error:
            problems.append(PlanProblem(f"new.{name}", error.why))
        else:
            known = next(one for one in group.fields if one.path[-1] in ("kind", "module"))
            kind = form.get(f"new.{name}.kind", "") or known.choices[0]
            found[(*group.path, entry)] = {known.path[-1]: kind}
    return found


def judges_of(store: EventStore, run: str) -> dict[str, JudgeSpec]:
    """The judges of an older run by the names that its plan's text has for them: some came from
    files beside it."""
    plan = queries.plan(store, run).plan
    try:
        use = parsed(plan.source).get("judges", {}).get("use", [])
    except NotToml:
        use = []
    named = dict(zip(map(str, use), plan.judges, strict=False))
    return {judge.name: judge for judge in plan.judges} | named


def choices(
    store: EventStore, environment: str, judges: Mapping[str, JudgeSpec]
) -> dict[str, list[str]]:
    """By the last word of a field's name, what can be chosen that only the store and the registry
    know."""
    own = environment_named(environment)
    catalogs = [row.name for row in queries.catalogs(store) if row.environment == environment]
    built_in = [judge.name for judge in judging_of(environment).judges]
    starter = [starter_name(environment)] if starter_name(environment) else []
    return {
        "environment": sorted(installed()),
        "catalog": list(dict.fromkeys([*starter, *catalogs])),
        "temper": list(own.tempers),
        "use": list(dict.fromkeys([*judges, *built_in])),
    }
