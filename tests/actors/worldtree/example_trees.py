"""A small tree, and parts to build others of."""

from typing import Any

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.setup import Settings, Walk
from actors.worldtree.trees.tree import (
    ACHIEVED,
    NOT,
    PARTLY,
    AbilityQuestion,
    Edge,
    Entrance,
    Line,
    Node,
    Profile,
    State,
    Tree,
)

MIRA = Profile(
    name="Mira",
    identity="protagonist",
    public="Runs the ferry.",
    private="«private» has sold the ferry.",
    goal="Get Oto to lend the lamp.",
    orientation=(1, 0),
    behavior=1,
)
OTO = Profile(
    name="Oto", public="Keeps the lamp.", private="«hidden» fears the dark.", goal="«hidden» keep."
)
ANA = Profile(name="Ana", public="A guest.", goal="«hidden» sleep.", orientation=(0, -1))


def said(role: str, text: str) -> Line:
    return Line(role=role, text=text)


def edge(to: int, text: str, **fields: Any) -> Edge:
    """A line of Mira's that can be asked about."""
    question = AbilityQuestion(
        pieces=("#question# Which line persuades?",),
        text=f"Which line persuades at {to}?",
        labels=("«label»",),
        distractors=tuple(said("Mira", f"Distractor {place} of {to}") for place in (1, 2, 3)),
    )
    own = {
        "to": to,
        "line": said("Mira", text),
        "abilities": ("Persuasive Skill",),
        "labels": ("«label»",),
        "state": State(self_interest=1, altruism=0, polarity=-1),
        "question": question,
    }
    return Edge(**own | fields)


def scene(id_: int, *edges: Edge, **fields: Any) -> Node:
    own = {"kind": "choice" if id_ else "beginning", "dialogue": (Line(text=f"Scene {id_}."),)}
    return Node(id=id_, edges=edges, **own | fields)


def ending(id_: int, goal: int | None) -> Node:
    state = State(self_interest=1, altruism=1, polarity=0)
    return Node(
        id=id_,
        kind="ending",
        dialogue=(said("Oto", f"Ending {id_}."),),
        goal=goal,
        state=state,
    )


def tree(*nodes: Node, **fields: Any) -> Tree:
    own = {
        "id": "lamp-en",
        "title": "The lamp",
        "language": "en",
        "orientation": "Negotiation",
        "protagonist": MIRA,
        "cast": (OTO,),
        "scenario": "A ferry landing at dusk.",
    }
    return Tree(nodes=nodes, **own | fields)


LAMP = tree(
    scene(0, edge(1, "Please."), edge(2, "Give it."), edge(3, "Never mind.")),
    scene(
        1,
        edge(4, "I pay."),
        edge(5, "I swear."),
        dialogue=(Entrance(profile=ANA), said("Oto", "Why should I?")),
    ),
    ending(2, NOT),
    ending(3, None),
    ending(4, ACHIEVED),
    ending(5, PARTLY),
)
CATALOG = Catalog(name="landing", trees=(LAMP,))


def walk(of: Tree = LAMP, **settings: Any) -> Walk:
    """The setup of a walk."""
    from actors.worldtree.task_setup import walk as begun

    return begun(of, Settings(**settings))
