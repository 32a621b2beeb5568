"""Trees as the published files have them: one JSON object each.

Beside the published keys stand those that published files leave to their names: ``id``, ``title``,
``language``, ``pair``, ``source``. The published scripts pass over them.
"""

import json
from collections.abc import Iterator

from actors.worldtree.formats.fields import NARRATION
from actors.worldtree.formats.questions import DISTRACTOR, ENDING, QUESTION, asked_text
from actors.worldtree.formats.tree_reader import OWN, PLOT, PROFILES
from actors.worldtree.trees.ability_labels import abilities_of, second_piece
from actors.worldtree.trees.orientations import BY_NAME
from actors.worldtree.trees.tree import Beat, Edge, Entrance, Line, Node, Profile, State, Tree
from events.base import replace


def tree_text(tree: Tree) -> str:
    """A tree as the text of a file."""
    return json.dumps(written(tree), ensure_ascii=False, indent=2) + "\n"


def written(tree: Tree) -> dict[str, object]:
    """A tree as plain values."""
    first = oriented(tree.protagonist, tree.orientation)
    return {
        **{key: value for key in OWN if (value := getattr(tree, key))},
        PROFILES: [profile_values(one) for one in (first, *tree.cast)],
        "scenario": tree.scenario,
        PLOT: [_node(node) for node in tree.nodes],
    }


def oriented(protagonist: Profile, name: str) -> Profile:
    """The protagonist, with the two numbers by which files say an orientation."""
    own = BY_NAME.get(name)
    if own is None:
        return protagonist
    return replace(protagonist, orientation=(own.self_interest, own.altruism))


def _node(node: Node) -> dict[str, object]:
    found: dict[str, object] = {
        "cid": node.id,
        "type": node.kind,
        "dialog": [beat_values(beat) for beat in node.dialogue],
        "choices": [_edge(edge) for edge in node.edges],
    }
    if node.goal is not None:
        found["goal achievement"] = node.goal
    if node.state is not None:
        found["state"] = _state(node.state)
    return found


def _edge(edge: Edge) -> dict[str, object]:
    found: dict[str, object] = {"cid": edge.to, "type": f"{edge.kind} choice"}
    question = edge.question
    named = edge.labels or (question.labels if question else ())
    if abilities_of(named, second_piece(question)) != edge.abilities:
        found["skill"] = list(edge.abilities)
    elif edge.labels:
        found["skill"] = list(edge.labels)
    if edge.state is not None:
        found["social state"] = _state(edge.state)
    return {**found, "content": _line(edge.line), "confusion": list(_confusion(edge))}


def _confusion(edge: Edge) -> Iterator[dict[str, object]]:
    if question := edge.question:
        if question.pieces or question.text or question.labels or not question.distractors:
            same = asked_text(question.pieces) == question.text
            pieces = list(question.pieces) if same else [f"#question#{question.text}"]
            yield {"type": QUESTION, "question": pieces, "skill": list(question.labels)}
        for line in question.distractors:
            yield {"type": DISTRACTOR, "content": _line(line)}
    for lines in edge.other_endings:
        yield {"type": ENDING, "content": [_line(line) for line in lines]}


def beat_values(beat: Beat) -> dict[str, object]:
    """Something said, or a character who enters."""
    return {"profile": profile_values(beat.profile)} if isinstance(beat, Entrance) else _line(beat)


def _line(line: Line) -> dict[str, object]:
    return {"role": line.role or NARRATION, "content": line.text}


def profile_values(profile: Profile) -> dict[str, object]:
    found: dict[str, object] = {
        "identity": profile.identity,
        "name": profile.name,
        "alias": profile.alias,
        "public profile": profile.public,
        "private profile": profile.private,
        "goal": profile.goal,
    }
    found = {key: value for key, value in found.items() if value or key == "name"}
    if profile.orientation is not None:
        found["orientation"] = list(profile.orientation)
    if profile.behavior is not None:
        found["behavior"] = profile.behavior
    if profile.state is not None:
        found["state"] = _state(profile.state)
    return found


def _state(state: State) -> list[int]:
    return [state.self_interest, state.altruism, state.polarity]
