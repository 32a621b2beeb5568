"""Trees, samples and what came of them, made up: shapes without words."""

from collections.abc import Iterable, Sequence

from actors.worldtree.catalog_items import Sample
from actors.worldtree.setup import Outcome, Verdict
from actors.worldtree.trees.tree import Edge, Language, Line, Node, Profile, State, Tree
from evaluators.worldtree.values.results import Answered, Walked

HERO = Profile(name="Ada")
LINE = Line(role="Ada", text="…")


def tree(
    id_: str,
    language: Language = "zh",
    orientation: str = "Cooperation",
    goals: Sequence[int | None] = (2, 0),
) -> Tree:
    """A root with an ending of each goal: node 1, 2, …"""
    return graph(id_, {0: tuple(range(1, len(goals) + 1))}, goals, language, orientation)


def graph(
    id_: str,
    edges: dict[int, tuple[int, ...]],
    goals: Sequence[int | None] = (),
    language: Language = "zh",
    orientation: str = "Cooperation",
    polarities: dict[tuple[int, int], int] | None = None,
) -> Tree:
    """Nodes with these targets; those that only are targets are endings, ``goals`` theirs in the
    order of ids. ``polarities``: of lines, by where from and where to; others have no triple."""
    polarities = polarities or {}
    targets = sorted({to for tos in edges.values() for to in tos} - edges.keys())
    inner = (
        Node(
            id=at,
            kind="choice" if at else "beginning",
            dialogue=(LINE,),
            edges=tuple(
                Edge(
                    to=to,
                    line=LINE,
                    state=State(self_interest=0, altruism=0, polarity=polarities[at, to])
                    if (at, to) in polarities
                    else None,
                )
                for to in tos
            ),
        )
        for at, tos in edges.items()
    )
    ends = (Node(id=to, kind="ending", goal=g) for to, g in zip(targets, goals, strict=True))
    return Tree(
        id=id_,
        language=language,
        orientation=orientation,
        protagonist=HERO,
        nodes=(*inner, *ends),
    )


def walks(who: str, id_: str, outcomes: Iterable[Outcome]) -> list[Walked]:
    """Walks of one tree."""
    return [Walked(who=who, tree=id_, outcome=one, path=(0,)) for one in outcomes]


def sample(id_: str, *abilities: str, language: Language = "zh") -> Sample:
    """A question about these abilities."""
    return Sample(
        id=id_,
        language=language,
        protagonist=HERO,
        question="?",
        right=LINE,
        distractors=(LINE, LINE, LINE),
        abilities=abilities,
    )


def answers(who: str, verdicts: dict[str, Verdict]) -> list[Answered]:
    """Of samples, by id."""
    return [Answered(who=who, sample=id_, verdict=one) for id_, one in verdicts.items()]


def by_id(*items: Tree) -> dict[str, Tree]:
    """As ``Results`` has them."""
    return {item.id: item for item in items}
