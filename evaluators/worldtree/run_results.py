"""Results of runs, from the lists of their episodes, the catalogs they were planned with, and the
actions taken. No whole history is read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, get_args

import msgspec

from actors.worldtree.catalog_items import Catalog, Sample
from actors.worldtree.setup import Chose, Outcome, Settings, Verdict, came_of
from actors.worldtree.tasks import ASK, WALK, samples_of
from actors.worldtree.trees.tree import Tree
from evaluators.report.data.combined_runs import letters_of
from evaluators.report.data.run_data import RunData, actions_in, catalogs_of
from evaluators.worldtree.values.results import Answered, LeftOut, Lettered, Results, Walked
from events.environments import Catalog as AnyCatalog
from events.episode import ActionTaken
from events.minds import MindSpec
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow

_OUTCOMES: Final[Mapping[str, Outcome]] = {one: one for one in get_args(Outcome)}
_VERDICTS: Final[Mapping[str, Verdict]] = {one: one for one in get_args(Verdict)}


class RunEpisodes(NamedTuple):
    """What is needed of a run."""

    run: str
    minds: Sequence[MindSpec]
    """In the plan's order."""
    settings: object
    episodes: Sequence[EpisodeRow]
    catalogs: Mapping[str, AnyCatalog]
    """By run: what was gathered as one may be of several."""
    taken: Iterable[tuple[str, ActionTaken]] = ()
    """The actions, each with its episode's id."""


def results_of(gathered: Sequence[RunData]) -> Results:
    """The results of runs that were gathered for a report."""
    return results_of_runs(
        [
            RunEpisodes(
                run=one.run.id,
                minds=one.planned.plan.minds,
                settings=one.planned.plan.settings,
                episodes=one.episodes,
                catalogs=one.catalogs(),
                taken=one.taken(),
            )
            for one in gathered
        ]
    )


def played(store: EventStore, run: str) -> RunEpisodes:
    """A run, by its id or how it begins: nothing is read but lists. Raises
    ``store.id_lookup.UnknownId``."""
    run = queries.find_run(store, run)
    plan = queries.plan(store, run).plan
    episodes = queries.episodes(store, run=run)
    return RunEpisodes(
        run=run,
        minds=plan.minds,
        settings=plan.settings,
        episodes=episodes,
        catalogs=catalogs_of(store, (run,)),
        taken=actions_in(store, episodes),
    )


def results_of_runs(runs: Sequence[RunEpisodes]) -> Results:
    """The results of some runs together.

    A mind that several runs have is one row where its specification and the settings of the runs
    are the same, seeds aside; else each is a row of its own that carries the letter of its run. A
    tree or sample that changed between two runs is another one, ``<id>~2``.
    """
    letters = letters_of([run.run for run in runs])
    names = _names(runs, letters)
    trees: dict[str, Tree] = {}
    samples: dict[str, Sample] = {}
    walks: list[Walked] = []
    answers: list[Answered] = []
    chosen: dict[str, Counter[int]] = {}
    left: Counter[str] = Counter()
    for run in runs:
        known = {
            id_: (_added(trees, catalog.trees), _added(samples, samples_of(catalog)))
            for id_, catalog in run.catalogs.items()
            if isinstance(catalog, Catalog)
        }
        shuffled: dict[str, Counter[int]] = {}
        for row in run.episodes:
            if why := _left_out(row):
                left[why] += 1
                continue
            who = names[run.run].get(row.minds[0], row.minds[0])
            in_trees, in_samples = known.get(row.run, ({}, {}))
            if (tree := in_trees.get(row.task.removeprefix(WALK))) and row.task.startswith(WALK):
                walks.append(_walked(who, tree, row))
                if _votes(run) == 1:
                    continue  # The options stand as they were filed.
            elif (one := in_samples.get(row.task.removeprefix(ASK))) and row.task.startswith(ASK):
                answers.append(_answered(who, one, row))
            else:
                left["others"] += 1
                continue
            shuffled[row.id] = chosen.setdefault(who, Counter())
        for episode, event in run.taken:
            if episode in shuffled and isinstance(event.action, Chose):
                shuffled[episode][event.action.option] += 1
    minds = dict.fromkeys(names[run.run][spec.name] for run in runs for spec in run.minds)
    rehearsal = {
        names[run.run][spec.name] for run in runs for spec in run.minds if spec.kind == "rehearsal"
    }
    local = {
        names[run.run][spec.name] for run in runs for spec in run.minds if spec.offline == "local"
    }
    return Results(
        trees=trees,
        samples=samples,
        walks=tuple(walks),
        answers=tuple(answers),
        letters=tuple(
            Lettered(who=who, counts=tuple(of[n] for n in range(max(of) + 1)))
            for who, of in chosen.items()
            if of
        ),
        minds=tuple(minds),
        rehearsal=frozenset(rehearsal),
        local=frozenset(local),
        votes=tuple(sorted({_votes(run) for run in runs})) or (1,),
        left_out=LeftOut(**left),
    )


def _names(runs: Sequence[RunEpisodes], letters: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """By run, what each of its minds is called in tables."""
    kinds: dict[str, set[object]] = {}
    for run in runs:
        for spec in run.minds:
            kinds.setdefault(spec.name, set()).add(_kind(spec, run))
    return {
        run.run: {
            spec.name: spec.name
            if len(kinds[spec.name]) == 1
            else f"{spec.name} ({letters[run.run]})"
            for spec in run.minds
        }
        for run in runs
    }


def _votes(run: RunEpisodes) -> int:
    return run.settings.shuffles if isinstance(run.settings, Settings) else 1


def _kind(spec: MindSpec, run: RunEpisodes) -> object:
    settings = run.settings
    if isinstance(settings, Settings):
        settings = msgspec.structs.replace(settings, seed=0)
    return msgspec.json.encode((spec, settings))


def _added(known: dict[str, Any], items: Iterable[Tree] | Iterable[Sample]) -> dict[str, str]:
    """Puts items among those that are known; answers under which id each stands."""
    found = {}
    for item in items:
        found[item.id] = next(
            id_ for id_ in _ids(item.id) if known.setdefault(id_, item) in (item,)
        )
    return found


def _ids(id_: str) -> Iterator[str]:
    yield id_
    number = 2
    while True:
        yield f"{id_}~{number}"
        number += 1


def _left_out(row: EpisodeRow) -> str:
    """Which count of ``LeftOut`` an episode belongs to; empty: it is a result."""
    if row.superseded_by:
        return "superseded"
    if row.parent is not None:
        return "forks"
    if row.status == "failed":
        return "given_up"
    # One that somebody stopped or left came to no end of its own.
    broken_off = row.end_reason in ("stopped", "abandoned")
    unfinished = row.status in ("planned", "playing") or broken_off
    return "unfinished" if unfinished else ""


def _walked(who: str, tree: str, row: EpisodeRow) -> Walked:
    """Without the summary it should have, it is undecided."""
    path = str(row.summary.get("path", "")).split()
    return Walked(
        who=who,
        tree=tree,
        outcome=_OUTCOMES.get(came_of(row.summary), "undecided"),
        path=tuple(int(id_) for id_ in path if id_.removeprefix("-").isdecimal()),
        episode=row.id,
    )


def _answered(who: str, sample: str, row: EpisodeRow) -> Answered:
    verdict = _VERDICTS.get(came_of(row.summary), "undecided")
    return Answered(who=who, sample=sample, verdict=verdict, episode=row.id)
