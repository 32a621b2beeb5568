"""``troupe export --format sft|rewards|pairs``: files for trainers, each with a card."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from actors.episodes.catalogs.scenario_lists import ScenarioList, read_scenario_list
from actors.text.amounts import many
from evaluators.social.sotopia_eval import GOAL
from evaluators.social.training_files.attribution import reward
from evaluators.social.training_files.card import Card, CardCount, CardJudge, CardRun
from evaluators.social.training_files.filters import Filters, read_filters
from evaluators.social.training_files.lines import example, pair, rewarded
from evaluators.social.training_files.pairs import Alternative, pairs_of
from evaluators.social.training_files.selection import SeatRecord, Selection, UnknownMind, select
from gateway.errors import BadArgument
from gateway.services.files.run_formats import ExportChoices, WrittenLines
from gateway.services.runs.resolve_ids import ResolvedId
from gateway.social.training_files.actions import EpisodeActions, actions_of
from gateway.social.training_files.material import (
    attributions_of,
    forks_of,
    rows_of,
    scores_by,
    seat_records,
)
from store.files.atomic_files import atomic_write
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow

OF_ALL_SEATS: Final = "it is a script of all seats, which has no reward of one"
NO_ATTRIBUTION: Final = "the judge gave no attribution for it"
Told = Callable[[int], object]
_NOBODY: Final = Selection((), ())


@dataclass(slots=True)
class _Export:
    """What is written, and what is counted on the way."""

    format: str
    store: EventStore
    what: Sequence[ResolvedId]
    choices: ExportChoices
    told: Told
    filters: Filters = field(init=False)
    lists: Sequence[ScenarioList] = field(init=False)
    rows: list[EpisodeRow] = field(init=False)
    unended: int = 0
    judges: list[CardJudge] = field(default_factory=list)
    selection: Selection = _NOBODY
    seats: int = 0
    models: set[str] = field(default_factory=set)
    actions: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    read: int = 0

    def __post_init__(self) -> None:
        self.filters = read_filters(self.choices.filters, self.choices.options)
        own = () if self.filters.include_hard else hard_lists()
        self.lists = (*own, *map(read_scenario_list, self.choices.exclude))
        rows = rows_of(self.store, self.what, self.format)
        self.rows = [row for row in rows if row.status == "ended"]
        self.unended = len(rows) - len(self.rows)
        if not self.rows:
            raise BadArgument("id", self.what[0].id, "nothing of it has ended: there is no line")

    def choose(self, rows: Sequence[EpisodeRow]) -> None:
        """Choose the seats, by the goal scores of one judge."""
        ids = [row.id for row in rows]
        scores = scores_by(self.store, ids, self.filters.judge, (GOAL,), "judge")
        self.judges.append(msgspec.structs.replace(scores.judge, scores=GOAL))
        records = seat_records(self.store, rows, scores)
        self.seats = len(records)
        hard = _all(self.lists)
        try:
            self.selection = select(records, self.filters, self.format, hard)
        except UnknownMind as error:
            raise BadArgument("filters", error.name, str(error)) from error

    def of_episode(self, episode: str, seats: Iterable[int], after: int = -1) -> EpisodeActions:
        """What seats of an episode did, counted."""
        found = actions_of(
            self.store, episode, frozenset(seats), self.filters.prompt_tokens, after=after
        )
        self.models |= found.models
        self.read += 1
        self.told(self.read)
        return found

    def count(self, found: EpisodeActions) -> EpisodeActions:
        """Count all actions of an episode that passed."""
        self.actions += len(found.actions) + found.left_out.total()
        self.left_out += found.left_out
        return found

    def write(self, path: Path, lines: Iterator[msgspec.Struct]) -> WrittenLines:
        """Write the lines, and the card beside them. Raises ``BadArgument`` where ``path`` is no
        place for both."""
        card_path = path.with_name(f"{path.name.removesuffix('.jsonl')}.card.json")
        self._check(path, card_path)
        encoder, count, checksum = msgspec.json.Encoder(), 0, hashlib.sha256()
        # The card's block ends last. In between there is no card, so that none is ever read with
        # lines that are not its own.
        with atomic_write(card_path) as unfinished_card, atomic_write(path) as unfinished:
            with unfinished.open("wb") as file:
                for line in lines:
                    written = encoder.encode(line) + b"\n"
                    checksum.update(written)
                    file.write(written)
                    count += 1
            card = self._card(count, checksum.hexdigest())
            unfinished_card.write_bytes(msgspec.json.format(msgspec.json.encode(card)) + b"\n")
            card_path.resolve().unlink(missing_ok=True)
        told = (
            f"{many(count, 'line')} of {many(len(self.selection.seats), 'seat')} written to {path}"
        )
        rest = f"; what was left out, and why: {card_path}"
        if not count:
            rest = f": {self._why_none()}{rest}"
        return WrittenLines(count, (path, card_path), self.unended, told + rest)

    def _check(self, path: Path, card: Path) -> None:
        if path.exists() and not path.is_file():
            raise BadArgument("--out", str(path), "is no file, and a card is written beside it")
        if card.exists() and not card.is_file():
            raise BadArgument("--out", str(path), f"its card would be {card}, which is no file")
        read = (*filter(None, (self.choices.filters,)), *self.choices.exclude)
        if any(new.exists() and new.samefile(one) for new in (path, card) for one in read):
            raise BadArgument("--out", str(path), "is another file of this command; name a new one")

    def _why_none(self) -> str:
        if not self.selection.seats:
            step = max(self.selection.steps, key=lambda one: one.left_out)
            return f"no seat passed the filters; most were left out by {step.filter!r}"
        if self.left_out:
            ((why, count),) = self.left_out.most_common(1)
            return f"{many(count, 'action')} left out: {why}"
        return "there is nothing to write"

    def _card(self, lines: int, sha256: str) -> Card:
        names = {row.id: row.name for row in queries.runs(self.store)}
        runs = Counter(row.run for row in self.rows)
        there = {row.scenario_id for row in self.rows}
        excluded = sorted(there & _all(self.lists))
        return Card(
            format=self.format,
            of=" ".join(one.id for one in self.what),
            lines=lines,
            sha256=sha256,
            runs=tuple(
                CardRun(id=run, name=names.get(run, ""), episodes=count)
                for run, count in runs.items()
            ),
            judges=tuple(self.judges),
            models=tuple(sorted(self.models)),
            filters=self.filters,
            least_goal=self.filters.least_goal(self.format),
            excluded_lists=tuple(one.name for one in self.lists),
            excluded_scenarios=tuple(excluded),
            unended=self.unended,
            seats=self.seats,
            steps=tuple(self.selection.steps),
            actions=self.actions,
            actions_left_out=tuple(
                CardCount(reason=why, count=count) for why, count in self.left_out.most_common()
            ),
            cut=self.cut,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        for judge in self.judges:
            if judge.kind == "rehearsal":
                yield (
                    f"The judge {judge.name} is a rehearsal: its scores check the machinery, and "
                    "nothing is learned from them."
                )
        if not self.lists:
            yield "No list of scenarios was left out."


def hard_lists() -> Sequence[ScenarioList]:
    """Lists of hard scenarios that come with Troupe, which are left out where nobody asks for
    them."""
    folder = Path(__file__).parent / "hard"
    return [read_scenario_list(path) for path in sorted(folder.glob("*.jsonl"))]


def _all(lists: Iterable[ScenarioList]) -> frozenset[str]:
    return frozenset[str]().union(*(one.scenarios for one in lists))


def write_sft(
    store: EventStore,
    what: Sequence[ResolvedId],
    path: Path,
    choices: ExportChoices,
    told: Told,
) -> WrittenLines:
    """``gateway.services.files.run_formats.WriteRuns``: SOTOPIA-π's lines."""
    export = _Export("sft", store, what, choices, told)
    export.choose(export.rows)

    def lines() -> Iterator[msgspec.Struct]:
        for episode, seats in _by_episode(export.selection.seats).items():
            for action in export.count(export.of_episode(episode, seats)).actions:
                export.cut += action.origin.cut > 0
                yield example(action, export.filters.form)

    return export.write(path, lines())


def write_rewards(
    store: EventStore,
    what: Sequence[ResolvedId],
    path: Path,
    choices: ExportChoices,
    told: Told,
) -> WrittenLines:
    """The same of Sotopia-RL's lines."""
    export = _Export("rewards", store, what, choices, told)
    export.choose(export.rows)
    ids = [row.id for row in export.rows]
    judge, attributed = attributions_of(store, ids, export.filters.attribution)
    export.judges.append(judge)

    def lines() -> Iterator[msgspec.Struct]:
        for episode, seats in _by_episode(export.selection.seats).items():
            for action in export.count(export.of_episode(episode, seats)).actions:
                if action.of_all:
                    export.left_out[OF_ALL_SEATS] += 1
                    continue
                seat = action.origin.seat - 1
                scale, values = attributed.get((episode, seat), (1, {}))
                goal = seats[seat].goal
                if action.number not in values or goal is None:
                    export.left_out[NO_ATTRIBUTION] += 1
                    continue
                export.cut += action.origin.cut > 0
                value = reward(values[action.number], scale, goal)
                yield rewarded(action, value, export.filters.form)

    return export.write(path, lines())


def write_pairs(
    store: EventStore,
    what: Sequence[ResolvedId],
    path: Path,
    choices: ExportChoices,
    told: Told,
) -> WrittenLines:
    """The same of pairs: of an episode and its forks from one event, that one judge scored."""
    export = _Export("pairs", store, what, choices, told)
    forks = [row for row in forks_of(store, export.rows) if row.status == "ended"]
    known = {row.id: row for row in (*export.rows, *forks)}
    if not forks:
        why = "has no fork that has ended; `troupe fork EPISODE --at EVENT --repeats N` makes some"
        raise BadArgument("id", what[0].id, why)
    export.rows = list(known.values())
    export.choose(export.rows)
    goals = {(one.episode, one.seat): one for one in export.selection.seats}

    def lines() -> Iterator[msgspec.Struct]:
        for (parent, at), continuations in _forked(forks, known).items():
            by_seat: dict[int, list[Alternative]] = defaultdict(list)
            for episode in (parent, *continuations):
                seats = range(len(known[episode].minds))
                found = export.of_episode(episode, seats, after=at)
                first = next(iter(found.actions), None)
                if first is None:
                    export.actions += bool(found.left_out)
                    export.left_out.update(list(found.left_out)[:1])
                    continue
                export.actions += 1
                seat = first.origin.seat - 1
                scored = goals.get((episode, seat))
                if scored is not None and scored.goal is not None:
                    by_seat[seat].append(Alternative(first, scored.goal))
            for alternatives in by_seat.values():
                for one in pairs_of(alternatives, export.filters.margin):
                    export.cut += one.chosen.origin.cut > 0
                    yield pair(one.chosen, one.rejected, one.margin, export.filters.form)

    return export.write(path, lines())


def _by_episode(seats: Iterable[SeatRecord]) -> Mapping[str, dict[int, SeatRecord]]:
    found: dict[str, dict[int, SeatRecord]] = defaultdict(dict)
    for one in seats:
        found[one.episode][one.seat] = one
    return found


def _forked(
    forks: Iterable[EpisodeRow], known: Mapping[str, EpisodeRow]
) -> Mapping[tuple[str, int], list[str]]:
    """Forks by their parent and the event that they were forked after."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for row in forks:
        if row.parent is not None and row.parent in known and row.forked_at is not None:
            found[row.parent, row.forked_at].append(row.id)
    return found
