"""Characters, relationships and scenarios that models write, to be reviewed: use case of ``troupe
sotopia generate``."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec

from actors.episodes.catalogs.generated_items import Generation, with_items
from actors.models.answers.ask import reasks_of
from actors.models.answers.recorded_questions import NoUsableAnswer, StoredCalls
from actors.models.caller import ModelCaller
from actors.models.litellm.pricing import cost_usd
from actors.models.tokens import count
from actors.runs.forecast.estimates import MENDING, Range
from actors.seeded_draws import SeededDraws
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Catalog
from actors.social.environment import SOCIAL
from actors.social.generation.attributes import NobodyLeft
from actors.social.generation.characters import character_jobs
from actors.social.generation.relationships import TRIES, drawn_pairs, relationship_jobs
from actors.social.generation.template_jobs import template_jobs
from actors.social.generation.template_scenarios import MARKUP_SCALE
from actors.social.generation.vignette_scenarios import examples_in, vignette_jobs
from actors.social.generation.written_items import GenerationJob, Writer, WrittenItem
from actors.social.sources.entries import (
    BARGAINS,
    VIGNETTES,
    Bargain,
    FriendLists,
    Source,
    SourceEntry,
    Vignette,
)
from actors.social.sources.read_source import read_source
from events.base import Value
from events.environments import Fields
from events.generation import ItemGenerated
from events.minds import ModelSpec
from events.wire.subjects import stream_name
from gateway.errors import BadArgument
from gateway.models.configured_models import models_here
from gateway.models.probe_models import probe
from gateway.models.writer_models import spec_of
from gateway.services.catalogs.generated_items import Generations, base_of
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.model_abilities import ModelAbilities

E = TypeVar("E")
Kind = Literal["characters", "relationships", "scenarios"]
AT_ONCE: Final = 8
"""Items that are written at once; how many requests a model gets is its own limit."""
SHORT: Final = 60
"""Tokens of a short answer."""


class GenerationOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be generated."""

    kind: Kind
    count: int
    """How many items there shall be that belong to this source and seed."""
    catalog: str
    base: str
    """The catalog whose characters are related and cast; empty: none."""
    source: str = VIGNETTES
    """Of scenarios: the name of a list, or a file."""
    seed: int = 0
    markup_scale: float = MARKUP_SCALE
    """The mean markup of what is for sale."""


class ItemsGenerated(Value, frozen=True, kw_only=True):
    """What was generated."""

    catalog: str
    """The name that the items are reviewed under."""
    kind: Kind
    model: str
    """Empty: none was asked."""
    generated: int
    known: int
    """How many were there before."""
    waiting: int
    """How many of all kinds wait for review."""
    left_out: tuple[str, ...]
    """Which could not be written, and why, a sentence each."""


class GenerationForecast(Value, frozen=True, kw_only=True):
    """What generating would ask of the model."""

    catalog: str
    kind: Kind
    model: str
    """Empty: none is asked."""
    items: int
    """How many are to be written."""
    known: int
    """How many are there already."""
    calls: Range
    input_tokens: Range
    output_tokens: Range
    usd: tuple[float, float] | None
    """US dollars; None where the price is not known."""


class _Planned(NamedTuple):
    generation: Generation
    jobs: list[GenerationJob]
    """Those that are still to be done."""
    known: int


async def generate(
    store: EventStore,
    order: GenerationOrder,
    model: str | ModelSpec,
    *,
    probing: bool = False,
    report: Callable[[int, int], object] = lambda _done, _of: None,
) -> ItemsGenerated:
    """Have items written and store each, to be reviewed. ``model``: a name, a TOML file with a
    model's settings, or these; empty: none, which is enough for scenarios from templates.
    ``report`` is told how many are done, and of how many. What was answered before is not asked
    for again.

    Raises ``BadArgument``, ``BadFile``, ``SourceRefused``, ``UnknownId``, ``WrongCatalog``,
    ``ModelsUnavailable``, and ``ModelUnavailable`` where the model is lost on the way: what is
    stored by then stays.
    """
    spec = _spec(model)
    generations = Generations(store)
    caller = ModelCaller(models_here(read_settings()), abilities=ModelAbilities(store))
    try:
        planned = _planned(generations, order, _writer(store, order, spec, caller))
        if spec is not None and probing and planned.jobs:
            await probe(caller, [spec])
        generations.begin(planned.generation)
        left_out = await _write_all(generations, order, spec, planned.jobs, report)
    finally:
        await caller.close()
    return ItemsGenerated(
        catalog=order.catalog,
        kind=order.kind,
        model=spec.name if spec else "",
        generated=len(planned.jobs) - len(left_out),
        known=planned.known,
        waiting=len(generations.load(order.catalog).state.waiting()),
        left_out=tuple(left_out),
    )


def forecast(
    store: EventStore, order: GenerationOrder, model: str | ModelSpec
) -> GenerationForecast:
    """What the same would ask of the model; nothing is asked or stored. The low end: every question
    once, with a short answer; the high end: every question as often as it may be put, with the
    longest answer. Blocking. Raises as ``generate`` does."""
    spec = _spec(model)
    caller = ModelCaller(models_here(read_settings()))
    planned = _planned(Generations(store), order, _writer(store, order, spec, caller))
    questions = [
        sum(count(message.content) for message in asked)
        for job in planned.jobs
        for asked in job.questions
    ]
    most, again = 0, 0
    if spec is not None:
        again = reasks_of(spec)
        times = (1 + again) * (TRIES if order.kind == "relationships" else 1)
        most = len(questions) * times
    longest = (spec.max_completion_tokens or spec.max_tokens) if spec else 0
    asked = Range(low=sum(questions), high=0)
    if questions:
        asked = Range(
            low=sum(questions),
            high=(sum(questions) + again * MENDING * len(questions)) * (most // len(questions)),
        )
    answered = Range(low=SHORT * len(questions), high=longest * most)
    return GenerationForecast(
        catalog=order.catalog,
        kind=order.kind,
        model=spec.name if spec else "",
        items=len(planned.jobs),
        known=planned.known,
        calls=Range(low=len(questions), high=most),
        input_tokens=asked,
        output_tokens=answered,
        usd=_dollars(spec, len(questions), most, asked, answered),
    )


def _spec(model: str | ModelSpec) -> ModelSpec | None:
    if isinstance(model, ModelSpec):
        return model
    return spec_of(model) if model else None


def _dollars(
    spec: ModelSpec | None, least: int, most: int, asked: Range, answered: Range
) -> tuple[float, float] | None:
    """By the price of an average call: some prices rise with the length of a prompt."""
    if spec is None or not least:
        return (0.0, 0.0)
    ends = (least, asked.low, answered.low), (most, asked.high, answered.high)
    low, high = (cost_usd(spec, tokens // calls, said // calls) for calls, tokens, said in ends)
    return None if low is None or high is None else (low * least, high * most)


def _writer(
    store: EventStore, order: GenerationOrder, spec: ModelSpec | None, caller: ModelCaller
) -> Writer | None:
    if spec is None:
        return None
    calls = StoredCalls(store, stream_name("find", f"generate.{order.catalog}"))
    return Writer(spec, caller, calls)


def _planned(generations: Generations, order: GenerationOrder, writer: Writer | None) -> _Planned:
    """What is to be written. Raises ``BadArgument`` and what reading the source raises."""
    generation = generations.planned(order.catalog, SOCIAL.name, order.base)
    base = base_of(generations.store, generation) or Catalog(name=order.catalog)
    assert isinstance(base, Catalog), "of the environment"
    jobs = list(_jobs(order, generation, base, writer))
    todo = [job for job in jobs if job.id not in generation.items]
    return _Planned(generation, todo, len(jobs) - len(todo))


def _jobs(
    order: GenerationOrder, generation: Generation, base: Catalog, writer: Writer | None
) -> Iterable[GenerationJob]:
    match order.kind:
        case "characters":
            asked = _asked(writer)
            others = _of_other_seeds(generation, order, "character")
            taken = {who.first_name for who in base.characters}
            taken |= {one["first_name"] for one in others}
            try:
                return list(character_jobs(asked, order.count, order.seed, taken))
            except NobodyLeft as error:
                raise BadArgument("--n", str(order.count), str(error)) from error
        case "relationships":
            return _relationships(order, generation, base, _asked(writer))
        case "scenarios":
            return _scenarios(order, writer)


def _of_other_seeds(generation: Generation, order: GenerationOrder, kind: str) -> list[Fields]:
    """What was generated with other seeds, which nothing of this one shall repeat."""
    of_kind = generation.of_kind(kind)
    return [one.made.item for one in of_kind if one.made.seed != order.seed]


def _relationships(
    order: GenerationOrder, generation: Generation, base: Catalog, writer: Writer
) -> Iterator[GenerationJob]:
    accepted = [one for one in generation.of_kind("character") if one.is_accepted]
    cast = with_items(SOCIAL, base, order.catalog, accepted)
    assert isinstance(cast, Catalog), "of the environment"
    others = _of_other_seeds(generation, order, "relationship")
    related = {frozenset(one.characters) for one in base.relationships}
    related |= {frozenset(one["characters"]) for one in others}
    pairs = list(islice(drawn_pairs(cast.characters, related, order.seed), order.count))
    if len(pairs) < order.count:
        why = (
            f"there are {len(pairs)} pairs without a relationship among the "
            f"{len(cast.characters)} characters that are accepted or of the base; ask for no more, "
            "or accept more characters"
        )
        raise BadArgument("--n", str(order.count), why)
    return relationship_jobs(writer, pairs, order.seed)


def _scenarios(order: GenerationOrder, writer: Writer | None) -> Iterator[GenerationJob]:
    source = read_source(order.source)
    entries = _drawn(source, order)
    vignettes = _only(entries, Vignette)
    if vignettes:
        examples = examples_in(starter_catalog().scenarios)
        return vignette_jobs(_asked(writer), source.name, vignettes, examples, order.seed)
    filled: list[tuple[str, Bargain | FriendLists]] = []
    filled += _only(entries, Bargain)
    filled += _only(entries, FriendLists)
    fluent = writer if source.name == BARGAINS else None
    return template_jobs(fluent, filled, source.name, order.seed, order.markup_scale)


def _drawn(source: Source, order: GenerationOrder) -> list[tuple[str, SourceEntry]]:
    """Entries that are drawn by the seed, each with where it is from."""
    known = len(source.entries)
    if order.count > known:
        why = f"the source ({source.label}) has {known:,} different entries; ask for no more"
        raise BadArgument("--n", str(order.count), why)
    by_key = {entry.key: entry for entry in source.entries}
    draws = SeededDraws("social-source", str(order.seed), source.name)
    keys = draws.order("entries", list(by_key))[: order.count]
    return [(f"{source.label}, {by_key[key].id}", by_key[key]) for key in keys]


def _only(entries: Sequence[tuple[str, SourceEntry]], kind: type[E]) -> list[tuple[str, E]]:
    return [(label, entry) for label, entry in entries if isinstance(entry, kind)]


def _asked(writer: Writer | None) -> Writer:
    if writer is None:
        raise BadArgument("--model", "", "these are written by a model; name one")
    return writer


async def _write_all(
    generations: Generations,
    order: GenerationOrder,
    spec: ModelSpec | None,
    jobs: Sequence[GenerationJob],
    report: Callable[[int, int], object],
) -> list[str]:
    """Have all jobs done, some at once; which could not be, and why."""
    left_out: dict[int, str] = {}
    todo = list(enumerate(jobs))[::-1]
    done = 0

    async def work() -> None:
        nonlocal done
        while todo:
            number, job = todo.pop()
            try:
                written = await job.write()
            except NoUsableAnswer as why:
                left_out[number] = f"{job.source}: {why}"
            except BaseException:
                # What others have begun is finished, so that it is stored; nothing more is begun.
                todo.clear()
                raise
            else:
                event = _event(job, written, order, spec)
                await asyncio.to_thread(generations.made, order.catalog, event)
            done += 1
            report(done, len(jobs))

    if jobs:  # The first may take minutes.
        report(0, len(jobs))
    workers = [work() for _ in range(min(AT_ONCE, len(jobs)))]
    for ended in await asyncio.gather(*workers, return_exceptions=True):
        if isinstance(ended, BaseException):
            raise ended
    return [left_out[number] for number in sorted(left_out)]


def _event(
    job: GenerationJob, written: WrittenItem, order: GenerationOrder, spec: ModelSpec | None
) -> ItemGenerated:
    return ItemGenerated(
        id=job.id,
        kind=job.kind,
        item=msgspec.to_builtins(written.item),
        source=job.source,
        seed=order.seed,
        model=spec.name if spec and written.prompts else "",
        prompts=written.prompts,
    )
