"""One published ability sample (IAE): from plain values to a ``Sample``.

The form is known only from the published scripts: ``profile``, ``content``, ``question`` with
``text`` and ``skills``, and ``choices``, of which one has the type ``skill choice`` and is right.
"""

from typing import Final, TypeGuard

from actors.worldtree.catalog_items import Sample
from actors.worldtree.formats.fields import FieldReader, Fields
from actors.worldtree.formats.questions import asked_text
from actors.worldtree.formats.tree_names import language_of_text, slug
from actors.worldtree.formats.tree_reader import dialogue
from actors.worldtree.trees.ability_labels import abilities_of
from actors.worldtree.trees.askable_lines import asking_fault
from actors.worldtree.trees.defects import question_faults
from actors.worldtree.trees.orientations import orientation_of
from actors.worldtree.trees.tree import AbilityQuestion, Edge, Language, Line

RIGHT: Final = "skill choice"


def is_sample(value: object) -> TypeGuard[Fields]:
    """Whether an object may be one sample."""
    return isinstance(value, dict) and "question" in value and "choices" in value


def read_sample(
    value: Fields, reader: FieldReader, id_: str, language: Language | None = None
) -> Sample | None:
    """The sample that an object is; None where a defect keeps it from being asked.

    ``id_``: what it is called where it does not say itself. ``language``: where it is known.
    """
    id_ = slug(reader.text(value, "id", ())) or id_
    reader.tree = id_
    profiles = [reader.profile(one, place) for place, one in reader.objects(value, "profile", ())]
    if not profiles:
        reader.add("not_a_tree", ("profile",), "is missing; its first entry is the protagonist")
        return None
    said = dialogue(value, "content", (), reader)
    asked = value.get("question")
    if not isinstance(asked, dict):
        reader.other_type(("question",), asked, "an object with text and skills")
        asked = {"text": asked}
    pieces = (reader.text(asked, "text", ("question",)),)
    labels = reader.labels(asked, "skills", ("question",))
    right: list[Line] = []
    wrong: list[Line] = []
    for place, one in reader.objects(value, "choices", ()):
        content = one.get("content")
        line = (
            reader.line(content, (*place, "content"))
            if isinstance(content, dict | list)
            else Line(
                role=reader.text(one, "role", place) or profiles[0].name,
                text=reader.text(one, "content", place),
            )
        )
        (right if one.get("type") == RIGHT else wrong).append(line)
    if len(right) != 1:
        why = f"has {len(right)} of type {RIGHT!r}; exactly one is right"
        reader.add("options", ("choices",), why)
        return None
    edge = Edge(
        to=0,
        line=right[0],
        abilities=abilities_of(labels),
        question=AbilityQuestion(
            pieces=pieces, text=asked_text(pieces), labels=labels, distractors=tuple(wrong)
        ),
    )
    places = {"confusion": "choices", "skill": "question.skills"}
    for fault in question_faults(edge):
        reader.add(fault.kind, (places[fault.field],), fault.why)
    if asking_fault(edge) or edge.question is None:
        return None
    pair = profiles[0].orientation
    orientation = orientation_of(*pair) if pair else None
    return Sample(
        id=id_,
        language=language or language_of_text(edge.question.text),
        orientation=orientation.name if orientation else "",
        protagonist=profiles[0],
        cast=tuple(profiles[1:]),
        scenario=reader.text(value, "scenario", ()),
        before=said,
        question=edge.question.text,
        right=edge.line,
        distractors=edge.question.distractors,
        abilities=edge.abilities,
    )
