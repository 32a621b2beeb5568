"""What is wrong with world trees and the files they come in."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from actors.text.amounts import many
from actors.worldtree.trees.ability_labels import abilities_of, resolve, second_piece, stray_marker
from actors.worldtree.trees.chance_level import can_succeed, reachable
from actors.worldtree.trees.tree import Edge, Tree
from events.base import Value
from events.untrusted.safe_text import shortened

Grade = Literal["fatal", "tree", "question", "small"]
"""``fatal``: the tree is refused; ``tree``: walks suffer; ``question``: a question cannot be asked,
or is not what it should be; ``small``: it is read as well as it can be."""
GRADES: Final[tuple[Grade, ...]] = ("fatal", "tree", "question", "small")

_STATE: Final = re.compile(r"\s*[(（\[]\s*-?[01]\s*(?:[,，]\s*-?[01]\s*){2}[)）\]]\s*")
"""A social state, written as a line."""

Place = tuple[str | int, ...]
"""Where something stands in a file: keys, and numbers from 0."""


class DefectKind(NamedTuple):
    grade: Grade
    words: str
    """What it is, for a table with counts."""


KINDS: Final = {
    "not_json": DefectKind("fatal", "not JSON"),
    "too_large": DefectKind("fatal", "too large"),
    "not_a_tree": DefectKind("fatal", "neither a tree nor samples"),
    "no_root": DefectKind("fatal", "no root"),
    "duplicate_id": DefectKind("fatal", "an id given twice"),
    "unknown_target": DefectKind("fatal", "an option that leads nowhere"),
    "cycle": DefectKind("fatal", "a cycle"),
    "unknown_orientation": DefectKind("fatal", "unknown orientation"),
    "no_goal": DefectKind("tree", "ending without goal achievement"),
    "dead_end": DefectKind("tree", "dead end"),
    "no_success": DefectKind("tree", "no ending with success can be reached"),
    "single_option": DefectKind("tree", "single option"),
    "no_question": DefectKind("question", "no question"),
    "several_questions": DefectKind("question", "several questions"),
    "distractors": DefectKind("question", "not three distractors"),
    "options": DefectKind("question", "options alike or empty"),
    "no_ability": DefectKind("question", "no ability"),
    "tells_state": DefectKind("question", "an option whose words are its social state"),
    "malformed_triple": DefectKind("small", "malformed triple"),
    "other_type": DefectKind("small", "field of another type"),
    "unknown_field": DefectKind("small", "field that is not read"),
    "stray_marker": DefectKind("small", "stray marker"),
    "other_role": DefectKind("small", "another role in a distractor"),
    "empty_dialogue": DefectKind("small", "empty dialogue"),
    "unknown_ability": DefectKind("small", "label of no known ability"),
    "labels_differ": DefectKind("small", "an option's abilities differ from its question's"),
    "ending_with_options": DefectKind("small", "ending with options"),
    "unreachable": DefectKind("small", "node that cannot be reached"),
    "repeated_key": DefectKind("small", "key given twice in an object"),
    "broken_text": DefectKind("small", "half a character in a text"),
    "more": DefectKind("small", "more than is listed"),
}


class Defect(Value, frozen=True, kw_only=True):
    """One thing that is wrong, where it is, and what would be right."""

    kind: str
    """One of ``KINDS``."""
    file: str = ""
    """The file's name."""
    tree: str = ""
    """The tree's id, or the sample's; empty: not known yet."""
    node: int | None = None
    """The node's id; None: it is about the whole file or tree."""
    field: str = ""
    """As in ``interactive_plot[3].choices[0].social state``; numbers from 0."""
    text: str
    """What is there and what would be right."""

    @property
    def grade(self) -> Grade:
        """How bad it is."""
        return KINDS[self.kind].grade

    def __str__(self) -> str:
        place = self.file or self.tree
        if self.node is not None:
            place += f", node {self.node}"
        if self.field:
            place += f", {self.field}"
        return f"{place}: {self.text}" if place else self.text


def path_text(place: Place) -> str:
    """A place as people write it."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def counts(defects: Iterable[Defect]) -> Counter[str]:
    """How many there are of each kind."""
    return Counter(defect.kind for defect in defects)


def graded(defects: Iterable[Defect], grade: Grade) -> list[Defect]:
    return [defect for defect in defects if defect.grade == grade]


class QuestionFault(NamedTuple):
    """Why an edge cannot be asked."""

    kind: str
    field: str
    why: str


def question_faults(edge: Edge) -> Iterator[QuestionFault]:
    """What keeps an edge of kind ``skill`` from being asked."""
    question = edge.question
    if question is None or not question.text:
        where = "confusion"
        yield QuestionFault("no_question", where, "holds no question; one is asked of each option")
        if question is None:
            return
    if (count := len(question.distractors)) != 3:
        why = f"has {many(count, 'distractor')}; a question has three"
        yield QuestionFault("distractors", "confusion", why)
    options = [line.text.strip() for line in (edge.line, *question.distractors)]
    if not all(options):
        empty = options.count("")
        why = f"{empty} of the {len(options)} options {'is' if empty == 1 else 'are'} empty"
        yield QuestionFault("options", "confusion", why)
    elif len(set(options)) < len(options):
        yield QuestionFault("options", "confusion", "two of the options are the same")
    if not edge.abilities:
        why = "shows no ability that is known; at least one of the 32 is to be named"
        yield QuestionFault("no_ability", "skill", why)


def tree_defects(tree: Tree) -> Iterator[Defect]:
    """What can be said of a tree whatever file it came from: grades ``tree`` and ``question``, and
    some that are small."""

    def defect(kind: str, node: int | None, place: Place, text: str) -> Defect:
        return Defect(
            kind=kind,
            file=tree.source,
            tree=tree.id,
            node=node,
            field=path_text(place),
            text=text,
        )

    if not can_succeed(tree):
        why = "no ending whose goal achievement is 2 can be reached from the root"
        yield defect("no_success", None, (), why)
    known = {node.id for node in reachable(tree)}
    for number, node in enumerate(tree.nodes):
        place: Place = ("interactive_plot", number)
        if node.id not in known:
            why = "no option that can be walked leads here"
            yield defect("unreachable", node.id, place, why)
        if not node.dialogue:
            yield defect("empty_dialogue", node.id, (*place, "dialog"), "says nothing")
        if node.kind == "ending":
            if node.goal is None:
                why = "is missing; an ending says 2 (achieved), 1 (partly) or 0 (not)"
                yield defect("no_goal", node.id, (*place, "goal achievement"), why)
            if node.edges:
                why = "an ending has no options; they are never shown"
                yield defect("ending_with_options", node.id, (*place, "choices"), why)
            continue
        if not node.edges:
            why = "a dead end: it is no ending and has no options"
            yield defect("dead_end", node.id, (*place, "choices"), why)
        elif len(node.edges) == 1:
            why = "has a single option; there is nothing to choose"
            yield defect("single_option", node.id, (*place, "choices"), why)
        for count, edge in enumerate(node.edges):
            yield from (
                defect(fault.kind, node.id, (*place, "choices", count, fault.field), fault.why)
                for fault in _faults_of(edge)
            )


def _faults_of(edge: Edge) -> Iterator[QuestionFault]:
    question = edge.question
    second = second_piece(question)
    for label in edge.labels:
        if resolve(label, second).ability is None:
            why = f"{shortened(repr(label), 60)} is none of the 32 abilities"
            yield QuestionFault("unknown_ability", "skill", why)
    if _STATE.fullmatch(edge.line.text):
        why = (
            f"is {shortened(repr(edge.line.text), 60)}, which tells what it does; it is to be words"
        )
        yield QuestionFault("tells_state", "content", why)
    if edge.kind != "skill":
        return
    yield from question_faults(edge)
    if question is None:
        return
    asked = abilities_of(question.labels, second)
    if edge.labels and asked and set(asked) != set(edge.abilities):
        own = ", ".join(edge.abilities) or "no known ability"
        why = f"the option shows {own}, its question says {', '.join(asked)}; the option's stand"
        yield QuestionFault("labels_differ", "skill", why)
    if stray_marker(question.pieces):
        why = "a marker (#question#, #skill#, #state#) is broken or within a text"
        yield QuestionFault("stray_marker", "confusion", why)
    if others := {line.role for line in question.distractors} - {edge.line.role}:
        others_ = ", ".join(shortened(repr(role), 40) for role in sorted(others))
        who = shortened(repr(edge.line.role), 40)
        why = f"a distractor is said by {others_}, the option by {who}"
        yield QuestionFault("other_role", "confusion", why)
