"""A small tree as a published file has it, to be spoiled."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.trees.defects import Defect

Plain = dict[str, Any]


def line(text: str, role: str = "Mira") -> Plain:
    return {"role": role, "content": text}


def option(to: int, text: str, ability: str = "Persuasive Skill", **fields: Any) -> Plain:
    """An option with a question."""
    wrong = [
        {"type": "skill confusion", "content": line(f"{text} Not {number}.")} for number in range(3)
    ]
    asked = {"type": "skill question", "question": ["#question# How?"], "skill": [ability]}
    own = {
        "cid": to,
        "type": "skill choice",
        "skill": [ability],
        "social state": [1, 0, 1],
        "content": line(text),
        "confusion": [asked, *wrong],
    }
    return own | fields


def node(id_: int, *choices: Plain, **fields: Any) -> Plain:
    kind = "beginning" if id_ == 0 else "choice"
    own = {"cid": id_, "type": kind, "dialog": [line("Well?", "Oto")], "choices": list(choices)}
    return own | fields


def ending(id_: int, goal: int, **fields: Any) -> Plain:
    own = {"type": "ending", "goal achievement": goal, "state": [1, 1, 0]}
    return node(id_, **own | fields)


def tree(*nodes: Plain, **fields: Any) -> Plain:
    """A tree without a defect."""
    mira = {
        "identity": "Protagonist",
        "name": "Mira",
        "alias": "",
        "public profile": "Runs the ferry.",
        "goal": "Get the lamp.",
        "orientation": [1, 0],
        "behavior": 1,
    }
    plot = nodes or (
        node(0, option(1, "Please."), option(2, "Give it.")),
        ending(1, 2),
        node(2, option(3, "I pay."), option(4, "I swear.")),
        ending(3, 1),
        ending(4, 0),
    )
    own = {
        "predefined_profiles": [mira, {"name": "Oto", "public profile": "Keeps the lamp."}],
        "scenario": "A landing.",
        "interactive_plot": list(plot),
    }
    return own | fields


def sample() -> Plain:
    """A sample without a defect."""
    return {
        "profile": [{"name": "Mira", "goal": "Get the lamp.", "orientation": [1, 0]}],
        "content": [line("Dusk.", "content"), line("Well?", "Oto")],
        "question": {"text": "#question# How?", "skills": ["persuasive skill"]},
        "choices": [
            {"type": "confusion", "content": "No."},
            {"type": "skill choice", "content": "Please."},
            {"type": "confusion", "content": "Never."},
            {"type": "confusion", "content": "Perhaps."},
        ],
    }


def spoiled(change: Callable[[Plain], object]) -> Plain:
    """The tree without a defect, after a change to it."""
    found = tree()
    change(found)
    return found


def read(folder: Path, value: Any, name: str = "[1,0]_en_example_3.json") -> FoundTrees:
    """What a file with this value holds."""
    text = value if isinstance(value, str) else json.dumps(value)
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return read_path(path)


def kinds(found: FoundTrees) -> list[str]:
    return [defect.kind for defect in found.defects]


def only(found: FoundTrees) -> Defect:
    (defect,) = found.defects
    return defect
