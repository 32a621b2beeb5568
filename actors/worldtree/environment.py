"""The environment of world trees (SocialEval): a protagonist walks a written tree of scenes towards
a social goal, and is asked which line shows an ability."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import Game
from actors.worldtree.free_lines.setup import Writing
from actors.worldtree.setup import ENDINGS, NAME, Inquiry, Walk
from actors.worldtree.translation.setup import Translation
from actors.worldtree.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from actors.worldtree.free_lines.rules import Page
    from actors.worldtree.free_lines.setup import WriteLine, WritingView, Written
    from actors.worldtree.rules import World
    from actors.worldtree.setup import Choose
    from actors.worldtree.translation.rules import TranslationState
    from actors.worldtree.translation.setup import NameThem, Render, Seen, TranslationView
    from actors.worldtree.views import ChoiceBackground, Notice, View
    from events.environments import Action

    AnyStory = Walk | Inquiry
    Asking = NameThem | Render

CHOICES: Final["Game[AnyStory, World, Choose, Action, ChoiceBackground, View, Notice]"] = Game(
    environment=NAME,
    setups=(Walk, Inquiry),
    shapes="actors.worldtree.views:SHAPES",
    rules="actors.worldtree.rules:RULES",
    sight="actors.worldtree.sight:SIGHT",
    words="actors.worldtree.render:WORDS",
    prompts="actors.worldtree.prompt_writer:PROMPTS",
    rehearsal="actors.worldtree.rehearsal:RehearsalMind",
    tasks="actors.worldtree.task_setup:TASKS",
    recording="actors.worldtree.rules:RECORDING",
    people="actors.worldtree.typed_answers:ChoicePeople",
    limits="actors.worldtree.plan_section:LIMITS",
    presentation="actors.worldtree.render:PRESENTATION",
)
"""One seat, a tree, a way through it; or one question about an ability."""

LINES: Final["Game[Writing, Page, WriteLine, Action, WritingView, WritingView, Written]"] = Game(
    environment=NAME,
    setups=(Writing,),
    prefix="line.",
    shapes="actors.worldtree.free_lines.sight:SHAPES",
    rules="actors.worldtree.free_lines.rules:RULES",
    sight="actors.worldtree.free_lines.sight:SIGHT",
    words="actors.worldtree.free_lines.sight:WORDS",
    prompts="actors.worldtree.free_lines.prompt_writer:PROMPTS",
    rehearsal="actors.worldtree.free_lines.rehearsal:Rehearsal",
    tasks="actors.worldtree.free_lines.tasks:TASKS",
    people="actors.worldtree.free_lines.prompt_writer:LinePeople",
    limits="actors.worldtree.free_lines.rules:LIMITS",
    presentation="actors.worldtree.free_lines.sight:PRESENTATION",
)
"""A free line at a node of a tree."""

TRANSLATIONS: Final[
    "Game[Translation, TranslationState, Asking, Action, TranslationView, TranslationView, Seen]"
] = Game(
    environment=NAME,
    setups=(Translation,),
    prefix="translation.",
    shapes="actors.worldtree.translation.sight:SHAPES",
    rules="actors.worldtree.translation.rules:RULES",
    sight="actors.worldtree.translation.sight:SIGHT",
    words="actors.worldtree.translation.sight:WORDS",
    prompts="actors.worldtree.translation.prompt_writer:PROMPTS",
    rehearsal="actors.worldtree.translation.rehearsal:Marking",
    tasks="actors.worldtree.translation.tasks:TASKS",
    limits="actors.worldtree.translation.rules:LIMITS",
    presentation="actors.worldtree.translation.rules:PRESENTATION",
)
"""A tree into the other language, a passage a turn."""

WORLDTREE: Final = Environment(
    name=NAME,
    vocabulary=VOCABULARY,
    endings=ENDINGS,
    games=(CHOICES, LINES, TRANSLATIONS),
    tempers=(
        *("steady", "wavering", "first", "last"),
        *("prosocial", "selfish", "longest", "shortest"),
    ),
    plans="actors.worldtree.plan_section:PLANS",
    authoring="actors.worldtree.catalog.pages:AUTHORING",
    formats="actors.worldtree.formats:FORMATS",
    starter="actors.worldtree.catalog.starter:starter_catalog",
    outcome="actors.worldtree.render:outcome",
    stage=Path(__file__).parent / "stage",
)
"""What the entry point names."""
