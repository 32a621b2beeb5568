"""What people chose and answered, from a CSV file.

A row is one choice. ``task``: ``walk.<tree>`` or ``ask.<sample>``, as plans call them. Of a walk
``item`` is the node's id, and its rows stand in the order of the choices, the root's (0) first; of
a question it is empty. ``answer`` is the line's place among those of the file, from 1 or from A;
a question's right line is 1, its distractors follow. Empty: no answer was given, and the walk or
the question is undecided.
"""

import string
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from actors.csv_file import CsvRow, read_rows
from actors.toml_file import BadFile
from actors.worldtree.catalog_items import Sample
from actors.worldtree.setup import LANGUAGES, Outcome, Verdict
from actors.worldtree.tasks import ASK, WALK
from actors.worldtree.trees.plot import ROOT, plot_of
from actors.worldtree.trees.tree import Tree
from evaluators.registry import near
from evaluators.worldtree.values.results import Answered, Results, Walked
from events.untrusted.safe_text import shortened

COLUMNS: Final = ("participant", "language", "task", "item", "answer")
"""In any order, beside others."""


class _Way(NamedTuple):
    """How far somebody's walk has come."""

    path: tuple[int, ...]
    over: str = ""
    """The line in which it ended; empty: it goes on."""


def with_people(results: Results, path: Path) -> Results:
    """The results with those of the people in a file beside them. A walk that reaches no end is
    left out and counted as unfinished; who walks a tree again begins at its root again.

    Raises ``BadFile``: the line, and what would be right.
    """
    return _Reader(results, path).read()


class _Reader:
    def __init__(self, results: Results, path: Path) -> None:
        self._results, self._path = results, path
        self._walks: list[Walked] = []
        self._answers: list[Answered] = []
        self._ways: dict[tuple[str, str], _Way] = {}
        self._unfinished = 0

    def read(self) -> Results:
        rows = read_rows(self._path, COLUMNS)
        if not rows:
            why = f"holds no answers; give rows under {','.join(COLUMNS)}"
            raise BadFile(self._path, "", why)
        people: dict[str, None] = {}
        for row in rows:
            who = row.fields["participant"]
            if not who:
                raise self._bad(row, "participant is empty; give each a name or a number")
            if who in self._results.minds:
                why = f"participant {who!r} has the name of a mind; call them otherwise"
                raise self._bad(row, why)
            people[who] = None
            self._take(row, who)
        self._unfinished += sum(not way.over for way in self._ways.values())
        results, left = self._results, self._results.left_out
        return msgspec.structs.replace(
            results,
            walks=(*results.walks, *self._walks),
            answers=(*results.answers, *self._answers),
            people=(*results.people, *people),
            left_out=msgspec.structs.replace(left, unfinished=left.unfinished + self._unfinished),
        )

    def _take(self, row: CsvRow, who: str) -> None:
        task = row.fields["task"]
        trees, samples = self._results.trees, self._results.samples
        if task.startswith(WALK) and (tree := trees.get(task.removeprefix(WALK))):
            self._check_language(row, tree)
            self._step(row, who, tree)
        elif task.startswith(ASK) and (sample := samples.get(task.removeprefix(ASK))):
            self._check_language(row, sample)
            self._answer(row, who, sample)
        else:
            meant = near(
                task, [f"{WALK}{id_}" for id_ in trees] + [f"{ASK}{id_}" for id_ in samples]
            )
            hint = f"did you mean {meant!r}? " if meant else ""
            why = (
                f"there is no task {shortened(task)!r} in the runs' catalog; {hint}a task is "
                f"{WALK}<tree> or {ASK}<sample>"
            )
            raise self._bad(row, why)

    def _step(self, row: CsvRow, who: str, tree: Tree) -> None:
        item = row.fields["item"]
        if not item.isdecimal() or len(item) > 9:
            why = f"item must be the id of the node at which was chosen, is {shortened(item)!r}"
            raise self._bad(row, why)
        way, at = self._ways.get((who, tree.id)), int(item)
        if at == ROOT:
            self._unfinished += bool(way and not way.over)
            way = _Way((ROOT,))
        elif way is None or way.over:
            begun = f"the walk ended in {way.over}" if way else "no walk has begun"
            raise self._bad(row, f"{begun}; a walk begins at item {ROOT}, not {at}")
        elif at != way.path[-1]:
            why = f"the choice before leads to node {way.path[-1]}, so item must be that, not {at}"
            raise self._bad(row, why)
        places = plot_of(tree, tree.id).places
        place = self._place(row, len(places[at].targets))
        if place is None:
            self._walked(who, tree, _Way(way.path, row.where), "undecided")
            return
        to = places[at].targets[place]
        path = (*way.path, to)
        if places[to].targets:
            self._ways[who, tree.id] = _Way(path)
        else:
            self._walked(who, tree, _Way(path, row.where), places[to].outcome)

    def _walked(self, who: str, tree: Tree, way: _Way, outcome: Outcome) -> None:
        self._ways[who, tree.id] = way
        self._walks.append(Walked(who=who, tree=tree.id, outcome=outcome, path=way.path))

    def _answer(self, row: CsvRow, who: str, sample: Sample) -> None:
        if item := row.fields["item"]:
            raise self._bad(row, f"item must be empty for a question, is {shortened(item)!r}")
        place = self._place(row, 1 + len(sample.distractors))
        verdict: Verdict = "undecided" if place is None else "wrong" if place else "right"
        self._answers.append(Answered(who=who, sample=sample.id, verdict=verdict))

    def _place(self, row: CsvRow, count: int) -> int | None:
        """Which line was chosen, from 0; None: none."""
        answer = row.fields["answer"].upper()
        if not answer:
            return None
        number = int(answer) if answer.isdecimal() and len(answer) < 9 else 0
        if len(answer) == 1 and answer in string.ascii_uppercase:
            number = 1 + string.ascii_uppercase.index(answer)
        if not 1 <= number <= count:
            last = string.ascii_uppercase[min(count, 26) - 1] if count else "none"
            why = f"answer must be 1 to {count}, or A to {last}, is {shortened(answer)!r}"
            raise self._bad(row, why)
        return number - 1

    def _check_language(self, row: CsvRow, of: Tree | Sample) -> None:
        language = row.fields["language"]
        if language not in LANGUAGES:
            raise self._bad(row, f"language must be zh or en, is {shortened(language)!r}")
        if language != of.language:
            raise self._bad(row, f"{row.fields['task']} is in {of.language}, not in {language}")

    def _bad(self, row: CsvRow, why: str) -> BadFile:
        return BadFile(self._path, row.where, why)
