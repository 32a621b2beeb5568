"""Free lines as annotators find them."""

from actors.worldtree.trees.tree import Language, Line
from evaluators.worldtree.lines.annotations import Mark
from evaluators.worldtree.lines.items import Item


def item(number: int, who: str = "m", language: Language = "en", candidates: int = 3) -> Item:
    return Item(
        id=f"e{number}",
        who=who,
        tree=f"t{number}",
        node=number,
        language=language,
        protagonist="Mira",
        goal="Cross the river.",
        scenario="Dusk.",
        before=(Line(role="Oto", text="Why should I?"), Line(text="He waits.")),
        text=f"Line {number}",
        candidates=tuple(f"Candidate {place} of {number}" for place in range(candidates)),
    )


def mark(number: int, annotator: str, *same: int) -> Mark:
    return Mark(f"e{number}", annotator, frozenset(same))
