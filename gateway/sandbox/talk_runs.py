"""Cases cut from runs, and runs that play them."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from actors.runs.plan.plan_file import parse_plan
from actors.sandbox.catalog_items import Catalog
from actors.sandbox.setup import NAME
from evaluators.judges.judge_file import judge_named, parse_judge
from evaluators.registry import built_in
from evaluators.sandbox.language.case_file import parse_cases
from evaluators.sandbox.language.dimensions import PAPER, VARIANTS
from evaluators.sandbox.language.extract_cases import Frozen, PlayedTown, freeze
from evaluators.sandbox.results import standing
from events.base import Value
from events.evaluation import JudgeSpec
from events.ids import RUN, digest_of, new_id
from events.minds import AgentName, agent_named
from events.serialization.codec import event_of
from events.thoughts import Decided
from events.untrusted.limits import MIB
from events.wire.subjects import agent_stream
from gateway.errors import BadArgument
from gateway.sandbox.missing_scores import town_run
from gateway.services.runs.plan_run import Prepared, prepare_text
from store.files.regular_files import read_regular
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.catalogs import save_catalog
from store.read_model.episode_history import read_history

AGENTS: Final[tuple[AgentName, ...]] = ("ga", "ga+tdp")
REHEARSAL: Final = "rehearsal"
"""How the offline mind is called where a model could be named."""


class TalkOptions(Value, frozen=True, kw_only=True):
    """How cases are to be played and judged."""

    minds: tuple[str, ...]
    """Evaluated models, in LiteLLM's spelling; or ``rehearsal``."""
    agents: tuple[AgentName, ...] = AGENTS
    background: str = ""
    """The model of the targets and of what is not evaluated; or ``rehearsal``."""
    judges: tuple[str, ...] = ()
    """Built-in judges, judge files, or models."""
    base_url: str = ""
    api_key_env: str = ""
    repeats: int = 1
    limit: int = 0
    """At most so many cases, drawn at random; 0: all."""
    usd: float = 0.0
    """The budget; 0: none."""


def freeze_run(store: EventStore, given: str) -> tuple[str, Frozen]:
    """A run's whole id, and the cases of its towns, in the plan's order. Raises ``UnknownId``,
    ``BadArgument`` for a run of another environment and where no town has lived."""
    run = town_run(store, given)
    rows = [row for row in standing(queries.episodes(store, run=run)) if row.status == "ended"]
    frozen = freeze(_lived(store, row.id) for row in rows)
    if not frozen.tasks:
        why = f"has no town with a task that has lived to its end; `troupe show {run}` has its list"
        raise BadArgument("run", run, why)
    return run, frozen


def _lived(store: EventStore, episode: str) -> PlayedTown:
    @cache
    def decisions(seat: int) -> list[Decided]:
        events = (event_of(one) for one in store.read(agent_stream(episode, seat)))
        return [event for event in events if isinstance(event, Decided)]

    history = [numbered.event for numbered in read_history(store, episode)]
    return PlayedTown(episode, history, decisions)


def prepare_talk(
    store: EventStore, path: Path, options: TalkOptions
) -> tuple[Prepared, Frozen, str]:
    """A run that plays the cases of a file, with the plan's text. The cases are kept as a catalog,
    whose name is theirs alone.

    Raises ``BadCases``, ``BadArgument``, ``BadFile``, ``OSError``.
    """
    try:
        text = read_regular(path, 64 * MIB).decode()
    except UnicodeDecodeError as error:
        raise BadArgument("CASES", str(path), "is no text in UTF-8") from error
    frozen = parse_cases(text.split("\n"), path)
    if not frozen.cases:
        raise BadArgument("CASES", str(path), "has no case")
    judges = {judge.name: judge for judge in _judges(options)}
    minds = dict(_minds(options))
    catalog = f"cases-{digest_of(text.encode())[:8]}"
    plan = "\n".join(_plan(path, catalog, minds, list(judges), options))
    parse_plan(plan, Path("plan"))  # What is wrong with it is said before anything is stored.
    found = Catalog(name=catalog, cases=frozen.cases, frozen_tasks=frozen.tasks)
    save_catalog(store, found, str(path))
    return prepare_text(store, plan, judges, new_id(RUN)), frozen, plan


def _judges(options: TalkOptions) -> Iterator[JudgeSpec]:
    for name in options.judges or (PAPER,):
        is_file = name.endswith(".toml") or Path(name).is_file()
        if name in built_in() or is_file or "/" not in name:
            judge = judge_named(name)
        else:
            text = "\n".join(f"{key} = {_quoted(value)}" for key, value in _judge(name, options))
            judge = parse_judge(text, f"{name.rpartition('/')[2]}.toml")
        if judge.rubric not in VARIANTS:
            known = " or ".join(VARIANTS)
            why = f"judges by the rubric {judge.rubric!r}; talks are judged by {known}"
            raise BadArgument("--judge", name, why)
        yield judge


def _judge(model: str, options: TalkOptions) -> Iterator[tuple[str, str]]:
    yield "model", model
    yield "rubric", PAPER
    yield from _served(options)


def _minds(options: TalkOptions) -> Iterator[tuple[str, dict[str, str]]]:
    """The sections of the evaluated minds, and last that of the targets, by name."""
    background = options.background
    if not background:
        models = [name for name in options.minds if name != REHEARSAL]
        if models:
            why = "say which model plays the targets; rehearsal plays them without one"
            raise BadArgument("--background", "", why)
        background = REHEARSAL
    names = _short_names(options.minds)
    for mind in dict.fromkeys(options.minds):
        for agent in dict.fromkeys(options.agents):
            section = _mind(mind, agent, options)
            if section["kind"] == "generative" and background != REHEARSAL:
                section["background"] = "targets"
            yield f"{names[mind]} {agent}", section
    yield "targets", _mind(background, "ga", options)


def _mind(name: str, agent: AgentName, options: TalkOptions) -> dict[str, str]:
    if name == REHEARSAL:
        return {"kind": "rehearsal", "temper": agent_named(agent).agent}
    return {"kind": "generative", "model": name, "agent": agent, **dict(_served(options))}


def _served(options: TalkOptions) -> Iterator[tuple[str, str]]:
    if options.base_url:
        yield "base_url", options.base_url
    if options.api_key_env:
        yield "api_key_env", options.api_key_env


def _short_names(models: Sequence[str]) -> dict[str, str]:
    """Without the provider, where that tells them apart."""
    short = {name: name.rpartition("/")[2] for name in models}
    taken = list(short.values())
    return {name: one if taken.count(one) == 1 else name for name, one in short.items()}


def _plan(
    path: Path,
    catalog: str,
    minds: dict[str, dict[str, str]],
    judges: Sequence[str],
    options: TalkOptions,
) -> Iterator[str]:
    """The plan's lines."""
    yield f"# The cases of {' '.join(path.name.split())}: each performer by the evaluated minds."
    yield f"name = {_quoted(f'talks of {path.name}')}"
    yield f"environment = {_quoted(NAME)}"
    yield f"catalog = {_quoted(catalog)}"
    yield "\n[tasks]"
    yield 'tags = ["case"]'
    if options.limit:
        yield f"limit = {options.limit}"
    for name, section in minds.items():
        yield f"\n[minds.{_quoted(name)}]"
        for key, value in section.items():
            yield f"{key} = {_quoted(value)}"
    *evaluated, targets = minds
    yield "\n[seats]"
    yield 'pairings = "first"'
    yield f"first = [{', '.join(map(_quoted, evaluated))}]"
    yield f"others = {_quoted(targets)}"
    yield f"repeats = {options.repeats}"
    yield "\n[judges]"
    yield f"use = [{', '.join(map(_quoted, judges))}]"
    if options.usd:
        yield "\n[budget]"
        yield f"usd = {options.usd!r}"


def _quoted(text: str) -> str:
    """As a string of TOML, which JSON's are."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
