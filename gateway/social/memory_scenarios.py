"""Scenarios that need facts of earlier episodes: listed, and made of a chain's past."""

from collections.abc import Sequence

from actors.models.caller import ModelCaller
from actors.social.catalog_items import Catalog, NeededFact, Scenario
from actors.social.hard_scenarios.chain_history import ChainPast, NoPast, chain_past
from actors.social.hard_scenarios.found_facts import Finder
from actors.social.hard_scenarios.generator import Generated, catalog_of, generate
from actors.social.hard_scenarios.model_calls import calls_of
from actors.social.hard_scenarios.model_finder import ModelFinder
from actors.social.hard_scenarios.model_writer import ModelWriter
from actors.social.hard_scenarios.rule_finder import RuleFinder
from actors.social.hard_scenarios.rule_writer import RuleWriter
from actors.social.hard_scenarios.scenario_writer import ScenarioWriter
from events.base import Value, replace
from events.minds import ModelSpec
from events.wire.subjects import stream_name
from gateway.errors import BadArgument
from gateway.models.configured_models import models_here
from gateway.models.probe_models import probe
from gateway.services.catalogs.read_catalog import check_name, load, several
from gateway.services.runs.confirm_destinations import (
    Agree,
    brought_by_file,
    destinations_of_models,
    is_among,
    never,
)
from gateway.services.runs.resolve_ids import ResolvedId, run_chain_or_episode
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.model_abilities import ModelAbilities
from store.read_model import queries
from store.read_model.catalogs import save_catalog
from store.read_model.records import ChainRow

GENERATED_FROM = "generated from "
"""How the source of a generated catalog begins."""
ANSWER_TOKENS = 2000
"""The longest answer of a model that finds or writes, at least."""


class HardScenario(Value, frozen=True, kw_only=True):
    """A scenario that needs facts, and where it is."""

    catalog: str
    id: str
    codename: str
    seats: int
    tags: tuple[str, ...]
    needs: tuple[NeededFact, ...]


class HardMade(Value, frozen=True, kw_only=True):
    given: str
    """The id of the chain or run."""
    catalog: str
    outcome: str
    """``imported`` or ``unchanged``."""
    chains: tuple[Generated, ...]
    plan: str
    """The sections of a plan that plays the first chain again, and then what was made of it."""

    @property
    def scenarios(self) -> int:
        """How many scenarios were made."""
        return sum(len(made.scenarios) for made in self.chains)


def listed(store: EventStore, catalog: str | None) -> list[HardScenario]:
    """Every scenario that needs facts, of one catalog or of all. Raises ``UnknownId``."""
    return [
        HardScenario(
            catalog=found.name,
            id=scenario.id,
            codename=scenario.codename,
            seats=len(scenario.goals),
            tags=scenario.tags,
            needs=scenario.needs,
        )
        for found in several(store, catalog, Catalog)
        for scenario in found.scenarios
        if scenario.needs
    ]


async def make(
    store: EventStore,
    given: str,
    *,
    facts: int,
    scenarios: int,
    catalog: str,
    model: str = "",
    written: bool = False,
    max_tokens: int = ANSWER_TOKENS,
    probing: bool = False,
    agree: Agree = never,
) -> HardMade:
    """Find facts in a chain, or in every chain of a run, and save a catalog with scenarios that
    need them. ``model`` finds them, and with ``written`` writes the scenarios, too, in answers of
    ``max_tokens`` at most; with
    ``probing`` it is asked one tiny request first. ``agree`` has a person agree where only a file
    says whom that asks.

    Raises ``BadArgument``, ``NotAgreed``, ``UnknownId``, ``NoPast``, ``CannotMake``,
    ``ModelsUnavailable``, and ``ModelUnavailable`` where it is lost on the way; what it has said is
    not asked for again.
    """
    check_name("--catalog", catalog)
    if written and not model:
        raise BadArgument("--written", "yes", "scenarios are written by a model; name one: --model")
    for known in queries.catalogs(store):
        if known.name == catalog and not known.source.startswith(GENERATED_FROM):
            why = "is the name of a catalog that was not generated; choose another"
            raise BadArgument("--catalog", catalog, why)
    rows = chains_meant(store, given)
    source = load(store, rows[0].catalog, Catalog)
    spec = _model(store, rows[0].run, model, max_tokens) if model else None
    run, chains = rows[0].run, [stream_name("chain", row.id) for row in rows]
    if spec is not None and is_among(spec, brought_by_file(store, chains, run)):
        agree(f"{model}, a model of run {run},", destinations_of_models([spec], len(rows)))
    caller = ModelCaller(models_here(read_settings()), abilities=ModelAbilities(store))
    made: list[Generated] = []
    pasts: list[ChainPast] = []
    try:
        if spec is not None and probing:
            await probe(caller, [spec])
        for row in rows:
            try:
                past = chain_past(store, row.id)
            except NoPast:
                if len(rows) == 1:
                    raise
                continue
            finder: Finder = RuleFinder()
            writer: ScenarioWriter = RuleWriter()
            if spec is not None:
                calls = calls_of(store, row.id, row.run)
                finder = ModelFinder(spec, caller, calls)
                writer = ModelWriter(spec, caller, calls) if written else writer
            pasts.append(past)
            made.append(
                await generate(past, source, finder, writer, facts=facts, scenarios=scenarios)
            )
    finally:
        await caller.close()
    if not pasts:
        raise NoPast(rows[0].id)
    if not any(one.scenarios for one in made):
        raise CannotMake(given, made)
    whole = catalog_of(catalog, source, made)
    by = f"found by {spec.name if spec else 'rules'}, {facts} facts a scenario"
    outcome = save_catalog(store, whole, f"{GENERATED_FROM}{given}, {by}")
    first = next(place for place, one in enumerate(made) if one.scenarios)
    return HardMade(
        given=rows[0].id if len(rows) == 1 else rows[0].run,
        catalog=catalog,
        outcome=outcome,
        chains=tuple(made),
        plan=_plan(catalog, pasts[first], made[first].scenarios),
    )


class CannotMake(BadArgument):
    """No scenario could be made."""

    def __init__(self, given: str, made: Sequence[Generated]) -> None:
        self.rejected = [why for one in made for why in one.rejected]
        self.refused = [why for one in made for why in one.refused]
        nothing = not any(one.found for one in made)
        whys = (self.rejected if nothing else self.refused) or self.refused
        more = f" (and {len(whys) - 1} more of its kind)" if len(whys) > 1 else ""
        super().__init__("CHAIN|RUN", given, f"no scenario could be made: {whys[0]}{more}")


def chains_meant(store: EventStore, given: str) -> list[ChainRow]:
    """The chain that was meant, or those of the run. Raises ``UnknownId``, and ``BadArgument`` for
    what has none."""
    meant = run_chain_or_episode(store, given)
    rows = chains_of(store, meant)
    if not rows:
        why = "plays no chains; a plan with [chains] does (docs/reference/plan.md)"
        raise BadArgument("run", meant.id, why)
    return rows


def chains_of(store: EventStore, meant: ResolvedId) -> list[ChainRow]:
    """The chain that was meant, or those of the run; none for a run that plays none.

    Raises ``BadArgument`` for an episode.
    """
    match meant.kind:
        case "episode":
            raise BadArgument("CHAIN|RUN", meant.id, "is an episode; name its chain or its run")
        case "chain":
            return [queries.chain(store, meant.id)]
        case _:
            return queries.chains(store, run=meant.id)


def _model(store: EventStore, run: str, name: str, max_tokens: int) -> ModelSpec:
    """The model of one of the run's minds or memories, or the provider's model of that name."""
    if run:
        plan = queries.plan(store, run).plan
        configured = {memory.name: memory.model for memory in plan.memories}
        configured |= {mind.name: mind.model for mind in plan.minds}
        spec = configured.get(name)
        if spec is not None:
            return replace(spec, max_tokens=max_tokens, temperature=0.0)
    return ModelSpec(name=name, temperature=0.0, max_tokens=max_tokens, timeout_s=180.0)


def _plan(catalog: str, past: ChainPast, scenarios: Sequence[Scenario]) -> str:
    characters = ", ".join(f'"{id_}"' for id_ in past.begun.characters)
    before = ",\n".join(f'  "{id_}"' for id_ in past.begun.scenarios)
    hard = ", ".join(f'"{scenario.id}"' for scenario in scenarios)
    return (
        f'catalog = "{catalog}"\n\n[chains]\ncharacters = [[{characters}]]\n'
        f"scenarios = [\n{before},\n]\nhard = [{hard}]\n"
        f'memory = ["{past.begun.memory.name}"]\n\n[judges]\nuse = ["facts"]\n'
    )
