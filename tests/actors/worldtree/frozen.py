"""One example of everything that world trees store, and the frozen samples of it.

    python -m tests.actors.worldtree.frozen

writes the samples that are missing. A sample is never changed: it stands for what stores hold.
"""

import json
from pathlib import Path
from typing import Final

import msgspec

from actors.worldtree.beginnings import walk
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.environment import WORLDTREE
from actors.worldtree.lines.setup import NoLine, WriteLine, Writing, Wrote
from actors.worldtree.setup import Choose, Chose, Inquiry, NoChoice, Settings, Stepped
from actors.worldtree.tasks import samples_in
from actors.worldtree.translating.draft import Draft, Kept, Refusal
from actors.worldtree.translating.setup import (
    Named,
    NameThem,
    NoTranslation,
    Piece,
    Render,
    Rendered,
    Translation,
)
from events.base import Value, replace
from tests.actors.worldtree.trees import LAMP, said

SAMPLES = Path(__file__).parent / "samples"
SETTINGS = Settings(shuffles=5, prompts="zh", told=False, seed=7, prompt="walk-1", reasks=1)
SAMPLE = next(iter(samples_in(LAMP)))
LINE = said("Mira", "I pay.")
KEPT = Kept(scene=1, lines=(said("Oto", "Warum?"),))
REFUSAL = Refusal(scene=2, comment="too stiff", lines=(said("Oto", "Nein."),))

EXAMPLES: Final[tuple[Value, ...]] = (
    SETTINGS,
    walk(LAMP, SETTINGS),
    Inquiry(sample=SAMPLE, settings=SETTINGS),
    Choose(options=(LINE, said("", "Nobody speaks.")), told="Which line persuades?"),
    Chose(option=1, why="because"),
    NoChoice(),
    Stepped(edge=1, votes=2),
    Writing(
        tree=LAMP.id,
        node=1,
        language="en",
        orientation=LAMP.orientation,
        protagonist=LAMP.protagonist,
        cast=LAMP.cast,
        scenario=LAMP.scenario,
        before=(LINE, *LAMP.nodes[1].dialogue),
        candidates=(LINE,),
        length=3,
        settings=SETTINGS,
    ),
    WriteLine(length=3),
    Wrote(text="Take it.", abilities=("Persuasive Skill",), why="because"),
    NoLine(),
    Translation(
        tree=LAMP,
        digest="d",
        to="zh",
        names=("米拉",),
        kept=(KEPT,),
        refused=(REFUSAL,),
        settings=SETTINGS,
    ),
    NameThem(names=("Mira",), characters=1),
    Named(names=("米拉",)),
    Render(
        scene=2,
        pieces=(Piece(kind="option", role="Mira", text="I pay."),),
        after=1,
        by=0,
        comment="too stiff",
        refused=(LINE,),
    ),
    Rendered(lines=(said("米拉", "我付。"),)),
    NoTranslation(),
    Catalog(
        name="landing",
        trees=(LAMP,),
        samples=(replace(SAMPLE, id="lone", tree=""),),
        drafts=(Draft(id="d", tree=LAMP.id, names=("米拉",), kept=(KEPT,), refused=(REFUSAL,)),),
    ),
)


def stored() -> dict[str, type[Value]]:
    """All that stores may hold of the environment, by its name there."""
    words = WORLDTREE.vocabulary
    kinds = (words.setups, words.settings, words.questions, words.actions, words.changes)
    found = [kind for group in (*kinds, words.catalogs) for kind in group]
    return {str(kind.__struct_config__.tag): kind for kind in found}


def main() -> None:
    """Write what is missing."""
    for example in EXAMPLES:
        path = SAMPLES / f"{example.__struct_config__.tag}.json"
        if not path.exists():
            sample = {
                "payload": msgspec.msgpack.encode(example).hex(),
                "value": msgspec.to_builtins(example, order="deterministic"),
            }
            path.write_text(json.dumps(sample, indent=1) + "\n")


if __name__ == "__main__":
    main()
