"""The plan of a tournament: every model in every seat of every deal, equally often."""

import random
from collections.abc import Sequence
from itertools import permutations
from typing import Final

import msgspec

from actors.games.catalog_items import Catalog, GameSet
from actors.games.environment import ENVIRONMENT
from actors.games.ruleset import NAME
from actors.runs.state import RunState, load_run
from actors.toml_file import BadFile
from evaluators.judges.judge_file import NoJudgeFile, UnknownJudge, judge_named
from events.evaluation import JudgeSpec
from events.ids import RUN, derived_id, digest_of
from events.serialization.codec import to_json
from events.serialization.fingerprints import judge_hash
from gateway.errors import BadArgument, did_you_mean
from gateway.services.catalogs.read_catalog import load
from gateway.services.runs.models_by_name import (
    PlayerSettings,
    check_tempers,
    mind_section,
    plan_toml,
)
from gateway.services.runs.plan_run import Prepared, prepare_words
from store.log.event_store import EventStore

MOST_ORDERS: Final = 100


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    models: tuple[str, ...]
    """As LiteLLM spells them, or ``rehearsal/TEMPER``; each once."""
    set_id: str
    games: int
    """How many deals."""
    seed: int = 1
    orders: int = 1
    """How many seating orders are drawn, each of which moves through all seats."""
    name: str = ""
    catalog: str = "parlour"
    judges: tuple[str, ...] = ()
    """Beside the rule judge: names of built-in judges, or paths of files."""
    concurrency: int = 32
    asking: PlayerSettings = PlayerSettings()


class PlannedTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as a run."""

    set: GameSet
    text: str
    """The plan as TOML; a file of it plays the same."""
    prepared: Prepared
    state: RunState | None
    """As it is stored; None: it has not begun."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to play."""
        return self.state is not None and self.state.status == "ended"


def planned_tournament(store: EventStore, asked: Tournament, usd: float = 0.0) -> PlannedTournament:
    """The run of a tournament, whose id follows from what it plays and how, its budget (``usd``; 0:
    none) aside: the same command finds it again. Stores nothing.

    Raises ``BadArgument``, and ``UnknownId`` without the catalog.
    """
    check_models(asked.models)
    catalog = load(store, asked.catalog, Catalog)
    chosen = _set_of(catalog, asked)
    judges = {name: _judge(name) for name in asked.judges}
    settings = plan_of(asked, chosen)
    text = plan_toml(settings)
    run = derived_id(
        RUN,
        "games-tournament",
        text,
        digest_of(to_json(catalog).encode()),
        *[judge_hash(one) for one in judges.values()],
    )
    budget = {"budget": {"usd": usd}} if usd else {}
    try:
        prepared = prepare_words(
            store,
            plan_toml(settings | budget),
            lambda name: judges.get(name) or judge_named(name),
            run,
        )
    except BadFile as error:
        raise BadArgument("tournament", error.where, error.why) from error
    return PlannedTournament(
        set=chosen, text=plan_toml(settings | budget), prepared=prepared, state=load_run(store, run)
    )


def plan_of(asked: Tournament, chosen: GameSet) -> dict[str, object]:
    """The plan file's content."""
    names = mind_names(asked.models)
    return {
        "name": asked.name or f"tournament {chosen.id}: {', '.join(names.values())}",
        "environment": NAME,
        "catalog": asked.catalog,
        "seed": asked.seed,
        "concurrency": asked.concurrency,
        "tasks": {"ids": [f"{chosen.id}-{number}" for number in deals(asked, chosen)]},
        "minds": {names[model]: mind_section(model, asked.asking) for model in asked.models},
        "seats": {
            "pairings": [
                list(row)
                for row in seatings(
                    list(names.values()), chosen.players, seed=asked.seed, orders=asked.orders
                )
            ]
        },
        "judges": {"use": [NAME, *asked.judges]},
    }


def seatings(
    models: Sequence[str], seats: int, *, seed: int = 1, orders: int = 1
) -> list[tuple[str, ...]]:
    """Who sits where: each model in each seat equally often, in whatever order the seats' roles
    are dealt.

    Of two seats, all ordered pairs of different models. Of more, the models are dealt to the seats
    in an order drawn by ``seed``, as evenly as it goes, and all move on by one until each has sat
    in each seat. Further ``orders`` are drawn freely, so that models have other shares of the
    seats, which tells what they do for one team from what they do for another.
    """
    if seats == 2 and len(models) > 1:
        return list(permutations(models, 2))
    drawn = random.Random(seed)  # noqa: S311
    found: dict[tuple[str, ...], None] = {}
    for order in range(orders):
        places = [seat % len(models) for seat in range(seats)]
        if order:
            # The first two stay, so that no model is alone with itself.
            places[2:] = drawn.choices(range(len(models)), k=seats - 2)
        drawn.shuffle(places)
        for move in range(len(models)):
            found.setdefault(tuple(models[(place + move) % len(models)] for place in places))
    return list(found)


def deals(asked: Tournament, chosen: GameSet) -> list[int]:
    """The numbers of the games that are played: blocks in which each seat has every role equally
    often, drawn by the seed; the last may be a part of one. Raises ``BadArgument``."""
    if asked.games > chosen.games:
        why = f"the set {chosen.id} has {chosen.games:,} games"
        raise BadArgument("--games", str(asked.games), why)
    size = chosen.players
    blocks = -(-chosen.games // size)
    order = random.Random(asked.seed).sample(range(blocks), blocks)  # noqa: S311
    numbers = [
        number
        for block in order
        for number in range(block * size + 1, min((block + 1) * size, chosen.games) + 1)
    ]
    return sorted(numbers[: asked.games])


def mind_names(models: Sequence[str]) -> dict[str, str]:
    """What tables call each model: its name without its provider, or all of it where two would
    have the same."""
    short = [model.rsplit("/", 1)[-1] for model in models]
    return {
        model: name if short.count(name) == 1 else model
        for model, name in zip(models, short, strict=True)
    }


def check_models(models: Sequence[str]) -> None:
    """Raises ``BadArgument`` for a rehearsal mind that there is not, and for no model at all."""
    if not models:
        raise BadArgument("MODEL", "", "name at least one; two or more are compared")
    check_tempers(models, ENVIRONMENT.tempers)


def _set_of(catalog: Catalog, asked: Tournament) -> GameSet:
    known = {one.id: one for one in catalog.sets}
    if asked.set_id not in known:
        why = f"catalog {catalog.name!r} has the sets {', '.join(known) or 'none'}"
        raise BadArgument("--set", asked.set_id, f"{why}{did_you_mean(asked.set_id, list(known))}")
    return known[asked.set_id]


def _judge(name: str) -> JudgeSpec:
    try:
        return judge_named(name)
    except (UnknownJudge, NoJudgeFile) as error:
        raise BadArgument("--judge", name, str(error)) from error
