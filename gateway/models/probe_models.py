"""Whether models can be had, before anything is begun: one tiny request each."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Protocol

from actors.models.caller import ModelCaller
from actors.models.errors import ModelUnavailable
from events.minds import MindSpec, ModelSpec
from events.run import Plan, PlannedEpisode
from gateway.errors import GatewayError
from gateway.models.configured_models import models_here
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.model_abilities import ModelAbilities


class ModelsUnavailable(GatewayError):
    """Models that are needed cannot be had."""

    def __init__(self, missing: list[ModelUnavailable]) -> None:
        super().__init__("; ".join(map(str, missing)))
        self.missing = tuple(missing)

    @property
    def lasting(self) -> bool:
        """Whether one of them cannot be had until a person does something."""
        return any(one.lasting for one in self.missing)


class Planned(Protocol):
    """A run that was planned: its event, or the state of its stream."""

    @property
    def plan(self) -> Plan: ...

    @property
    def episodes(self) -> Sequence[PlannedEpisode]: ...


def models_of(planned: Planned) -> list[ModelSpec]:
    """All models that a run's minds, memories and judges ask; minds that sit nowhere ask none."""
    plan = planned.plan
    seated = {name for episode in planned.episodes for name in episode.minds}
    minds = [mind for mind in plan.minds if mind.name in seated]
    if plan.people.substitute is not None:
        minds.append(plan.people.substitute)
    memories = [memory.model for memory in plan.memories]
    judges = [judge.model for judge in plan.judges]
    others = [model for model in (*memories, *judges) if model is not None]
    return [*models_of_minds(minds), *others]


def models_of_minds(minds: Iterable[MindSpec]) -> list[ModelSpec]:
    """All models that some minds ask."""
    return [model for mind in minds for model in mind.models]


def distinct(models: Iterable[ModelSpec]) -> list[ModelSpec]:
    """Some models, each once: who is asked by whom under which account, whatever the parameters."""
    by_account: dict[tuple[str, ...], ModelSpec] = {}
    # One that leaves the form of answers open has it found out.
    for spec in sorted(models, key=lambda one: one.structured_output is not None):
        account = (spec.adapter, spec.base_url, spec.name, spec.api_key_env)
        by_account.setdefault(account, spec)
    return list(by_account.values())


async def probe(
    caller: ModelCaller, models: Iterable[ModelSpec], *, again: bool = False
) -> list[str]:
    """See that each of some models can be had, and what its server takes; their names. What it
    costs is in no run's budget. ``again``: as if nothing of them were known.

    Raises ``ModelsUnavailable`` with all that cannot be had.
    """
    asked = distinct(models)
    found = await asyncio.gather(
        *(caller.probe(spec, again=again) for spec in asked), return_exceptions=True
    )
    missing: list[ModelUnavailable] = []
    for outcome in found:
        if isinstance(outcome, ModelUnavailable):
            missing.append(outcome)
        elif isinstance(outcome, BaseException):
            raise outcome
    if missing:
        raise ModelsUnavailable(missing)
    return [spec.name for spec in asked]


def probe_alone(
    models: Iterable[ModelSpec], store: EventStore | None = None, *, again: bool = False
) -> list[str]:
    """The same from where no loop runs and nobody asks models yet. ``store``: where what was found
    out is remembered."""

    async def ask() -> list[str]:
        abilities = ModelAbilities(store) if store else None
        caller = ModelCaller(models_here(read_settings()), abilities=abilities)
        try:
            return await probe(caller, models, again=again)
        finally:
            await caller.close()

    return asyncio.run(ask())
