"""Whether the prompts of a run fit into its models, before the first of them is sent."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from actors.models.local.weights import PACKAGED, name_of
from actors.models.response_formats.model_formats import account_of
from actors.runs.forecast.estimate_stages import Estimating
from actors.runs.forecast.estimates import Largest
from actors.runs.planned_catalog import planned_catalog
from actors.runs.state import run_stream
from evaluators.judges.estimate_calls import tally_judges
from events.environments import Catalog
from events.minds import ModelSpec
from events.run import RunPlanned
from events.serialization.codec import event_of
from events.untrusted.redacted_urls import without_secrets
from events.untrusted.safe_text import shortened
from gateway.errors import GatewayError
from gateway.models.probe_models import models_of
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.model_abilities import ModelAbilities
from store.read_model.catalogs import WrongCatalog

Contexts = Callable[[ModelSpec], int]
"""Tokens that fit into a prompt of a model with its answer; 0: it is not known."""


STEP: Final = 256
"""A context that is named in a sentence is a multiple of this, in tokens."""


class ContextTooSmall(GatewayError):
    """Prompts of a run do not fit into a model."""

    def __init__(self, why: Iterable[str]) -> None:
        super().__init__("; ".join(why))


async def check_contexts(contexts: Contexts, planned: RunPlanned, catalog: Catalog) -> list[str]:
    """What may not fit into a model if every answer of an episode is as long as it may be, a
    sentence each. How much fits, the model's server says, else LiteLLM's list, else the settings of
    a memory; where none does, nothing is said.

    Raises ``ContextTooSmall`` where prompts will not fit, or may not in the middle of a chain,
    which remembers what it did not see.
    """
    settings = {memory.name: memory.context_tokens for memory in planned.plan.memories}
    if not any(settings.values()) and not any(map(contexts, models_of(planned))):
        return []
    # In a thread with a loop of its own: every prompt's fixed part is rendered and counted.
    calls = await asyncio.to_thread(lambda: asyncio.run(_largest(planned, catalog)))
    short: list[str] = []
    tight: list[str] = []
    for call in calls:
        context = contexts(call.model) or settings.get(call.memory, 0)
        if not context or call.most + call.answer <= context:
            continue
        sentence = _sentence(call, context, limited=settings.get(call.memory, 0))
        lasting = call.memory or call.least + call.answer > context
        (short if lasting else tight).append(sentence)
    if short:
        raise ContextTooSmall(short)
    return tight


def recorded_plan(store: EventStore, run: str) -> tuple[RunPlanned, Catalog] | None:
    """The plan of a run by its whole id, as it was recorded, and what it plays; None where that is
    not here. Blocking."""
    planned = event_of(store.read(run_stream(run), 0, 0)[0])
    assert isinstance(planned, RunPlanned)
    try:
        return planned, planned_catalog(store, run)
    except (UnknownId, WrongCatalog):
        return None


def remembered_contexts(store: EventStore) -> Contexts:
    known = {(one.adapter, one.base_url, one.name): one for one in ModelAbilities(store).all()}

    def context(spec: ModelSpec) -> int:
        found = known.get(account_of(spec))
        return found.context if found else 0

    return context


async def _largest(planned: RunPlanned, catalog: Catalog) -> list[Largest]:
    estimating = Estimating(planned, catalog)
    tally = await estimating.tally()
    tally_judges(tally, estimating)
    return list(tally.largest.values())


def _sentence(call: Largest, context: int, *, limited: int) -> str:
    """What does not fit where, and what to do. ``limited``: the memory's own limit."""
    who = f"{'mind' if call.kind == 'plans' else call.kind} {shortened(call.name)!r}"
    if call.kind == "mind" and call.memory:
        who += f" with memory {shortened(call.memory)!r}"
    if call.kind == "plans":
        who += " that plans, reflects or sums up a talk"
    mend = "; ".join(_remedies(call, context, limited=limited))
    return (
        f"a prompt of {who} can come to {call.most:,} tokens and its answer to {call.answer:,}, "
        f"and {_where(call.model)} takes {context:,} of both: {mend}"
    )


def _remedies(call: Largest, context: int, *, limited: int) -> Iterator[str]:
    memory = f"[memories.{call.memory}]" if call.memory else ""
    alone = call.most - call.remembered + call.answer
    if call.remembered and (not limited or limited > context) and alone <= context:
        yield f"set context_tokens = {context} in {memory}, which leaves out what does not fit"
    if call.remembered:
        yield f"choose a memory that keeps less, or lower words_high or top in {memory}"
    if alone > context or not call.remembered:
        yield "lower max_tokens or the number of turns"
    if not call.model.is_local:
        yield "give the server a larger context (llama.cpp: --ctx-size, vLLM: --max-model-len)"
        return
    needed = -(-(call.most + call.answer) // STEP) * STEP
    packaged = PACKAGED.get(name_of(call.model.name))
    if packaged is None:
        yield f"set TROUPE_LOCAL_CONTEXT={needed}, if the model was trained with as many"
    elif needed <= packaged.context:
        yield f"set TROUPE_LOCAL_CONTEXT={needed}"
    else:
        yield f"take a model with a larger context: this one was trained with {packaged.context:,}"


def _where(model: ModelSpec) -> str:
    at = f" at {without_secrets(model.base_url)}" if model.base_url else ""
    return f"{shortened(model.name)}{at}"
