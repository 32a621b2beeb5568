"""Translations of trees as runs: planned, gone on with, and written as files."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from actors.episodes.views.inconsistent_history import state_after
from actors.models.settings import ModelSettings
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.formats.catalogs import TreesRefused
from actors.worldtree.formats.files import read_path
from actors.worldtree.formats.tree_writer import tree_text
from actors.worldtree.setup import NAME, Settings
from actors.worldtree.translation.draft import Draft, Kept, Refusal
from actors.worldtree.translation.rules import TranslationState
from actors.worldtree.translation.script import OTHER, translated
from actors.worldtree.translation.tasks import TAG
from actors.worldtree.trees.tree import Language, Tree
from events.base import Value, replace
from events.ids import EPISODE, RUN, derived_id, derived_number, digest_of, new_id
from events.minds import MindSpec
from events.run import Budget, Plan, PlannedEpisode, RunPlanned
from gateway.errors import BadArgument
from gateway.services.runs.confirm_destinations import brought_by_file, episode_stream, is_among
from gateway.services.runs.plan_run import Prepared
from gateway.worldtree.review_sheets import NAMES, Reviewed, read_reviews, write_review
from store.files.atomic_files import atomic_write_text
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.catalogs import save_catalog
from store.read_model.episode_history import read_history

ANSWER_TOKENS: Final = 6_000
"""The longest answer of a translator: a scene with its options, distractors and questions."""
TIMEOUT_S: Final = 240.0
CONCURRENCY: Final = 4
"""Trees at once."""


class TranslatedTree(Value, frozen=True, kw_only=True):
    """What came of one tree."""

    episode: str
    tree: str
    """Its id in the language it was in."""
    done: int
    """Passages that are translated."""
    passages: int
    file: str = ""
    """The translated tree; empty: it is not whole yet."""
    review: str = ""
    """The sheet for a reader; empty: nothing was translated in this run."""
    reviewed: bool = False
    """The sheet was there already, and was left as it is."""


def trees_of(path: Path, to: Language) -> list[Tree]:
    """The trees of a file or a folder that are not in a language yet. Raises ``NoTrees``,
    ``TreesRefused``, ``BadArgument``."""
    found = read_path(path)
    if found.refused or not found.trees:
        raise TreesRefused(path, found.defects)
    trees = [tree for tree in found.trees if tree.language == OTHER[to]]
    if not trees:
        raise BadArgument("--to", to, f"all trees of {path} are in that language already")
    return trees


def translator(model: str, *, base_url: str = "", api_key_env: str = "") -> MindSpec:
    """The mind that translates: a model, or without a name the rehearsal. Raises
    ``BadArgument``."""
    if not model:
        return MindSpec(name="rehearsal", kind="rehearsal")
    settings = ModelSettings(
        model=model,
        base_url=base_url,
        api_key_env=api_key_env,
        temperature=0.2,
        max_tokens=ANSWER_TOKENS,
        timeout_s=TIMEOUT_S,
    )
    for field, why in settings.problems():
        raise BadArgument(f"--{field.replace('_', '-')}", str(getattr(settings, field)), why)
    return MindSpec(name=model, kind="model", model=settings.spec())


def check_out(out: Path, source: Path | None, trees: int) -> None:
    """Raises ``BadArgument`` where translations of so many trees would take the place of what is
    translated, or of a file a folder. ``source``: the tree's file, or the folder; None: a run."""
    if not out.is_file():
        return
    if source is not None and any(
        out.samefile(one) for one in ([source] if source.is_file() else source.rglob("*.json"))
    ):
        raise BadArgument("--out", str(out), "is what is to be translated; name another file")
    if trees > 1 or out.suffix != ".json":
        raise BadArgument("--out", str(out), "is a file; name a folder, or a file ending in .json")


def prepare(
    store: EventStore, trees: Sequence[Tree], mind: MindSpec, source: str, usd: float = 0.0
) -> Prepared:
    """A run that translates trees, a task each; saves them as a catalog. ``usd``: its budget; 0:
    none."""
    catalog = Catalog(name="", trees=tuple(trees))
    return _prepared(store, catalog, mind, source, [tree.id for tree in trees], usd)


def prepare_again(
    store: EventStore,
    run: str,
    reviews: Sequence[Path],
    mind: MindSpec | None,
    usd: float = 0.0,
) -> Prepared:
    """A run that translates again what readers refused of another, and keeps the rest. Without a
    mind it is the run's own.

    Raises ``BadArgument``, ``BadFile``, ``UnknownId``.
    """
    run = queries.find_run(store, run)
    desks = dict(desks_of(store, run))
    by_episode: dict[str, list[Reviewed]] = {}
    for one in read_reviews(reviews):
        if one.episode not in desks:
            raise BadArgument("--review", one.episode, f"is no translation of run {run}")
        last = len(desks[one.episode].passages) - 1
        if one.scene > last:
            why = f"is no scene of {one.episode}; its last is {last}"
            raise BadArgument("--review", str(one.scene), why)
        by_episode.setdefault(one.episode, []).append(one)
    drafts, trees = [], []
    for episode, rows in by_episode.items():
        if any(one.verdict == "reject" for one in rows):
            tree = desks[episode].setup.tree
            trees.append(tree)
            drafts.append(draft_of(f"{tree.id}.{episode}", desks[episode], rows))
    if not drafts:
        files = ", ".join(map(str, reviews))
        raise BadArgument(
            "--review", files, "refuses nothing, so nothing is to be translated again"
        )
    if mind is None:
        mind = queries.plan(store, run).plan.minds[0]
        unknown = brought_by_file(store, [episode_stream(one) for one in by_episode], run)
        if any(is_among(model, unknown) for model in mind.models):
            why = "came in a file, with the model that it asks; say with --model whom to ask"
            raise BadArgument("--from", run, why)
    ids = [draft.id for draft in drafts]
    catalog = Catalog(name="", trees=tuple(trees), drafts=tuple(drafts))
    return _prepared(store, catalog, mind, f"run {run}, reviewed", ids, usd)


def draft_of(id_: str, desk: TranslationState, rows: Sequence[Reviewed]) -> Draft:
    """What stands of a translation, and what was refused. Where the names are refused, all of it is
    to be translated again."""
    refused = {one.scene: one for one in rows if one.verdict == "reject"}
    anew = NAMES in refused
    done = [(n, lines) for n, lines in enumerate(desk.passages) if lines is not None]
    return Draft(
        id=id_,
        tree=desk.setup.tree.id,
        names=() if anew else desk.names or (),
        kept=tuple(
            Kept(scene=n, lines=lines) for n, lines in done if n not in refused and not anew
        ),
        refused=tuple(
            Refusal(scene=n, comment=refused[n].comment, lines=lines)
            for n, lines in done
            if n in refused
        ),
    )


def desks_of(store: EventStore, run: str) -> Iterator[tuple[str, TranslationState]]:
    """The translations of a run as they stand, by episode. Raises ``OddHistory``, ``UnknownId``."""
    for row in queries.episodes(store, run=run):
        if row.environment != NAME or row.started_at is None:
            continue
        state = state_after(numbered.event for numbered in read_history(store, row.id))
        if isinstance(state.world, TranslationState):
            yield row.id, state.world


def write(store: EventStore, run: str, out: Path | None) -> list[TranslatedTree]:
    """Write what a run has translated: each whole tree as a published file, and a sheet for its
    reader. ``out``: the file, of several trees the folder; None: here, as the trees are called.

    Raises ``BadArgument``, ``UnknownId``, ``OSError``.
    """
    run = queries.find_run(store, run)
    desks = list(desks_of(store, run))
    if not desks:
        tasks = [one.task for one in queries.plan(store, run).episodes]
        other = not any(task.startswith(f"{TAG}.") for task in tasks)
        why = f"has translated nothing yet; `troupe resume {run}` goes on with it"
        raise BadArgument("run", run, "translates no tree" if other else why)
    if out is not None:
        check_out(out, None, len(desks))
    trees = Counter(desk.setup.tree.id for _, desk in desks)
    return [
        # Several translations of one tree are told apart by their episodes.
        _written(episode, desk, out, len(desks), twice=trees[desk.setup.tree.id] > 1)
        for episode, desk in desks
    ]


def _written(
    episode: str, desk: TranslationState, out: Path | None, trees: int, *, twice: bool
) -> TranslatedTree:
    done: Mapping[int, object] = {n: one for n, one in enumerate(desk.passages) if one is not None}
    found = TranslatedTree(
        episode=episode,
        tree=desk.setup.tree.id,
        done=len(done),
        passages=len(desk.passages),
    )
    if len(done) < len(desk.passages) or desk.names is None:
        return found
    passages = {n: lines for n, lines in enumerate(desk.passages) if lines is not None}
    made = translated(desk.script, desk.setup.to, desk.glossary, passages)
    name = f"{made.id}-{episode}.json" if twice else f"{made.id}.json"
    file = (out or Path()) / name
    if out is not None and trees == 1 and out.suffix == ".json":
        file = out
    atomic_write_text(file, tree_text(made))
    review, was_there = write_review(file, episode, desk)
    return replace(found, file=str(file), review=str(review or ""), reviewed=was_there)


def _prepared(
    store: EventStore,
    catalog: Catalog,
    mind: MindSpec,
    source: str,
    tasks: Sequence[str],
    usd: float,
) -> Prepared:
    ids = [tree.id for tree in catalog.trees]
    name = f"translating-{ids[0]}"[:50] if len(ids) == 1 else "translating"
    name = f"{name}-{digest_of(' '.join([*ids, *tasks]).encode())[:6]}"
    catalog = replace(catalog, name=name)
    save_catalog(store, catalog, f"trees to be translated, of {source}")
    run = new_id(RUN)
    episodes = tuple(
        PlannedEpisode(
            id=derived_id(EPISODE, run, task),
            task=f"{TAG}.{task}",
            minds=(mind.name,),
            seed=derived_number(TAG, task),
        )
        for task in tasks
    )
    plan = Plan(
        name=f"translating {ids[0]}" if len(ids) == 1 else f"translating {len(ids)} trees",
        catalog=name,
        minds=(mind,),
        judges=(),
        environment=NAME,
        settings=Settings(),
        concurrency=CONCURRENCY,
        budget=Budget(usd=usd),
    )
    planned = RunPlanned(plan=plan, episodes=episodes, software=version("troupe-server"))
    return Prepared(run, planned, catalog)
