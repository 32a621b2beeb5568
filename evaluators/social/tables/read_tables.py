"""Reads what the tables are made of, and makes those that are asked for."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

import msgspec

from actors.episodes.catalogs.scenario_lists import ScenarioList
from actors.social.actions import Action
from evaluators.report.charts.svg_charts import Chart
from evaluators.report.data.run_data import actions_in
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.scores.seat_scores import Judged, find_judge
from evaluators.social.tables.entries import PaperEntry
from evaluators.social.tables.seat_table import DIMENSIONS
from evaluators.social.tables.table_input import (
    PERSON,
    NothingToShow,
    TableInput,
    WordReader,
    Words,
    people_of,
)
from evaluators.tables.plain_tables import PlainTable
from events.base import Value
from events.episode import ActionTaken
from store.log.event_store import EventStore
from store.read_model import queries


class MadeEntry(Value, frozen=True, kw_only=True):
    """A table or figure of the paper, made."""

    entry: str
    """``Table 2``."""
    tables: tuple[PlainTable, ...] = ()
    missing: str = ""
    """Why there is none; empty: there is."""


class TableOptions(Value, frozen=True, kw_only=True):
    """How the tables are to be made."""

    judges: tuple[str, ...] = ()
    """By name or hash; empty: all that are no people, and people where there are no others."""
    hard: ScenarioList | None = None
    no_self: bool = False
    unclean: bool = False


def read_inputs(store: EventStore, runs: Sequence[str], options: TableOptions) -> list[TableInput]:
    """What tables of some runs (ids in full) are made of: an input a judge. Raises
    ``UnknownJudgeOfRun``. Blocking."""
    columns = read_columns(store, *runs)
    minds = [mind for run in runs for mind in queries.plan(store, run).plan.minds]
    words = partial(read_words, store, runs)
    return inputs_of(columns, people_of(minds), options, words)


def inputs_of(
    columns: ScoreColumns,
    people: Collection[str],
    options: TableOptions,
    words: WordReader = lambda _: {},
) -> list[TableInput]:
    """The same of scores that are at hand."""
    chosen = [find_judge(columns.judges, name) for name in options.judges]
    return [
        TableInput(
            columns=columns,
            judge=judge,
            people=people,
            hard=options.hard,
            no_self=options.no_self,
            unclean=options.unclean,
            words=words,
        )
        for judge in chosen or _judges(columns)
    ]


def _judges(columns: ScoreColumns) -> list[Judged]:
    """Those that scored a dimension of the tables."""
    there = columns.where(columns.dimension.among(*DIMENSIONS)).judge.there()
    found = [judge for judge in columns.judges if judge.hash in there]
    others = [judge for judge in found if columns.kinds[judge.hash] != PERSON]
    return others or found[:1]


def made(entries: Iterable[PaperEntry], inputs: Sequence[TableInput]) -> Iterator[MadeEntry]:
    """Each entry, of each judge where it is of one."""
    for entry in entries:
        tables: list[PlainTable] = []
        why = "no judge scored these runs" if not inputs else ""
        for given in inputs if entry.by_judge else inputs[:1]:
            try:
                tables += entry.tables(given)
            except NothingToShow as error:
                why = str(error)
        yield MadeEntry(entry=entry.title, tables=tuple(tables), missing="" if tables else why)


def charts_of(entry: PaperEntry, given: TableInput) -> Sequence[Chart]:
    """A figure as charts; none where it is a table, or where there is nothing to draw."""
    if entry.charts is None:
        return ()
    try:
        return entry.charts(given)
    except NothingToShow:
        return ()


def read_words(store: EventStore, runs: Sequence[str], episodes: Collection[str]) -> Words:
    """How much was said in some episodes of some runs. Blocking."""
    rows = [row for run in runs for row in queries.episodes(store, run=run) if row.id in episodes]
    return words_said(actions_in(store, rows), episodes)


def words_said(actions: Iterable[tuple[str, ActionTaken]], episodes: Collection[str]) -> Words:
    """How much was said in some episodes, by actions each with its episode."""
    words, turns = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for episode, taken in actions:
        action = taken.action
        if episode in episodes and isinstance(action, Action) and action.kind == "speak":
            key = episode, taken.seat
            words[key] += len(action.text.split())
            turns[key] += 1
    return {key: (count, turns[key]) for key, count in words.items()}


def named(tables: Iterable[PlainTable], marks: Sequence[str]) -> list[PlainTable]:
    """The tables, each of which says that it is no finding where that is so: they go their own
    ways."""
    return [
        msgspec.structs.replace(one, note="\n".join(filter(None, (one.note, *marks))))
        for one in tables
    ]
