"""Sheets of free lines written and read, and the ratios that come of them."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from actors.worldtree.setup import LANGUAGES
from actors.worldtree.trees.tree import Language
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.lines.annotations import Mark, marks_of, read_marks
from evaluators.worldtree.lines.items import Item, items_of, shuffled
from evaluators.worldtree.lines.ratios import Between, Ratios, between, ratios, steps_of
from evaluators.worldtree.lines.rubric import RUBRIC
from evaluators.worldtree.lines.sheet import as_csv, page
from evaluators.worldtree.lines.similarity_scale import SIMILAR
from evaluators.worldtree.lines.tables import between_table, ratios_table
from evaluators.worldtree.run_results import played, results_of_runs
from events.base import Value
from gateway.errors import BadArgument
from store.files.atomic_files import atomic_write_text
from store.log.event_store import EventStore
from store.read_model import queries


class Sheet(Value, frozen=True, kw_only=True):
    """A sheet of one language."""

    language: Language
    items: int
    page: str
    """Its path."""
    csv: str


class Marked(Value, frozen=True, kw_only=True):
    """What one annotator has marked of a run."""

    annotator: str
    language: Language
    items: int
    any: int
    """Items of which some line means the same."""
    left: int
    """Items that are not marked yet."""


class LinesTable(Value, frozen=True, kw_only=True):
    """Table 4 of a run."""

    run: str
    by: str
    """Who marked: the annotators, or the judge."""
    ratios: tuple[Ratios, ...]
    judge: str = ""
    """The judge beside people; empty: none."""
    between: tuple[Between, ...] = ()
    rehearsal: tuple[str, ...] = ()
    """Minds, and the judge, that are no language models."""

    def plain(self) -> list[PlainTable]:
        """As plain tables: the ratios and, where there is one, the judge beside people."""
        tables = [ratios_table(self.ratios, self.by, self.rehearsal)]
        return tables + [between_table(self.between, self.judge)] * bool(self.between)


def write_sheets(store: EventStore, run: str, folder: Path, seed: int = 0) -> list[Sheet]:
    """A page and a CSV for each language of a run's free lines. What is there is never written
    over: somebody may have filled it in. Raises ``BadArgument``, ``NoLines``, ``UnknownId``."""
    items = shuffled(items_of(store, run), seed)
    found: list[Sheet] = []
    for language in LANGUAGES:
        own = [item for item in items if item.language == language]
        if not own:
            continue
        name = f"lines-{language}"
        paths = folder / f"{name}.html", folder / f"{name}.csv"
        for path in paths:
            if path.exists():
                why = "it is there already, and may have been filled in; name another folder"
                raise BadArgument("--out", str(path), why)
        for path, text in zip(paths, (page(own, language, name), as_csv(own)), strict=True):
            atomic_write_text(path, text)
        found.append(
            Sheet(language=language, items=len(own), page=str(paths[0]), csv=str(paths[1]))
        )
    return found


def read_sheets(store: EventStore, run: str, paths: Sequence[Path]) -> list[Marked]:
    """How far annotators have come. Raises ``BadFile``, ``NoLines``, ``UnknownId``."""
    items = {item.id: item for item in items_of(store, run)}
    marks = read_marks(sheets_in(paths), items)
    asked = Counter(item.language for item in items.values())
    by: dict[tuple[str, Language], list[Mark]] = {}
    for mark in marks:
        by.setdefault((mark.annotator, items[mark.item].language), []).append(mark)
    return [
        Marked(
            annotator=annotator,
            language=language,
            items=len(own),
            any=sum(bool(mark.same) for mark in own),
            left=asked[language] - len(own),
        )
        for (annotator, language), own in by.items()
    ]


def lines_table(
    store: EventStore,
    run: str,
    annotations: Sequence[Path] = (),
    judge: str = "",
    walks: Sequence[str] = (),
) -> LinesTable:
    """The ratios of a run's free lines: by annotators where there are any, with the judge beside
    them, else by the judge. Without a name it is the only judge of such lines that the run has.
    ``walks``: runs whose walks count beside those of the run itself.

    Raises ``BadArgument``, ``BadFile``, ``NoLines``, ``UnknownId``.
    """
    run = queries.find_run(store, run)
    items = {item.id: item for item in items_of(store, run)}
    people = read_marks(sheets_in(annotations), items) if annotations else []
    name, offline, judged = _judged(store, run, items, judge, needed=not people)
    runs = [
        played(store, one)
        for one in dict.fromkeys([run, *[queries.find_run(store, one) for one in walks]])
    ]
    # Each run by itself: together, minds that were asked in different ways would be told apart.
    took = steps_of(results_of_runs([one]) for one in runs)
    minds = {spec.name for spec in runs[0].minds if spec.kind == "rehearsal"}
    return LinesTable(
        run=run,
        by=_names(people) if people else f"judge {name}",
        ratios=tuple(ratios(list(items.values()), people or judged, took)),
        judge=name if people else "",
        between=tuple(between(list(items.values()), people, judged)) if people and name else (),
        rehearsal=(*sorted(minds), *([f"judge {name}"] if offline else [])),
    )


def sheets_in(paths: Sequence[Path]) -> list[Path]:
    """Files as they are, and of folders the CSVs in them. Raises ``BadArgument``."""
    found = [
        one for path in paths for one in (sorted(path.glob("*.csv")) if path.is_dir() else [path])
    ]
    if not found:
        names = ", ".join(map(str, paths))
        raise BadArgument("PATH", names, "holds no CSV; an annotator's page saves one")
    return found


def _names(marks: Sequence[Mark]) -> str:
    names = list(dict.fromkeys(mark.annotator for mark in marks))
    return names[0] if len(names) == 1 else f"{len(names)} annotators ({', '.join(names)})"


def _judged(
    store: EventStore, run: str, items: dict[str, Item], given: str, *, needed: bool
) -> tuple[str, bool, list[Mark]]:
    """A judge of free lines, whether it is a rehearsal, and what it marked."""
    rows = [row for row in queries.scores(store, run=run) if row.dimension == SIMILAR.name]
    judges = {row.judge: row.judge_kind for row in rows}
    if given and given not in judges:
        there = f"these have: {', '.join(judges)}" if judges else "none has"
        raise BadArgument("--judge", given, f"has compared no free line of run {run}; {there}")
    if not given and len(judges) != 1:
        if not needed:
            return "", False, []
        why = "several judges have compared the lines; name one"
        if not judges:
            why = f"nobody has; give --annotations, or `troupe score {run} --judge {RUBRIC}` first"
        raise BadArgument("--judge", ", ".join(judges), why)
    name = given or next(iter(judges))
    own = [row for row in rows if row.judge == name]
    return name, judges[name] == "rehearsal", marks_of(own, items, name)
