"""Which lines of a tree can be asked about, and why others cannot."""

from typing import Final

from actors.worldtree.trees.tree import Edge

DISTRACTORS: Final = 3


def asking_fault(edge: Edge) -> str | None:
    """Why nobody can be asked what an edge shows, as half a sentence; None if they can.

    One empty option does not keep it from being asked: published files have four such, and count
    them. Several are alike.
    """
    question = edge.question
    if edge.kind != "skill":
        return "it is a choice by the situation"
    if question is None or not question.text.strip():
        return "it has no question"
    if len(question.distractors) != DISTRACTORS:
        return f"it has {len(question.distractors)} distractors, not {DISTRACTORS}"
    texts = [line.text.strip() for line in (edge.line, *question.distractors)]
    if len(set(texts)) != len(texts):
        return "two options are alike"
    return None if edge.abilities else "it has no ability that is known"


def askable(edge: Edge) -> bool:
    """Whether somebody can be asked what an edge shows."""
    return asking_fault(edge) is None
