"""The environment of tabletop sessions (AntEval): what a group finds out from a non-player
character, and whether its intentions can be read from what it does."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import Game
from actors.tabletop.catalog_items import NAME
from actors.tabletop.setup import ENDINGS, Session
from actors.tabletop.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from actors.tabletop.rules import Anything, TableState
    from actors.tabletop.sight import Notice, TableView
    from events.environments import Action

SESSIONS: Final["Game[Session, TableState, Anything, Action, TableView, TableView, Notice]"] = Game(
    environment=NAME,
    setups=(Session,),
    shapes="actors.tabletop.sight:SHAPES",
    rules="actors.tabletop.rules:RULES",
    sight="actors.tabletop.sight:SIGHT",
    words="actors.tabletop.render:WORDS",
    prompts="actors.tabletop.prompt_writer:PROMPTS",
    rehearsal="actors.tabletop.rehearsal:RehearsalMind",
    tasks="actors.tabletop.tasks:TASKS",
    people="actors.tabletop.prompt_writer:TablePeople",
    planning="actors.tabletop.render:PLANNING",
    limits="actors.tabletop.render:LIMITS",
    presentation="actors.tabletop.render:PRESENTATION",
)
"""Players and a non-player character in the last seat."""

TABLETOP: Final = Environment(
    name=NAME,
    vocabulary=VOCABULARY,
    endings=ENDINGS,
    games=(SESSIONS,),
    plans="actors.tabletop.setup:PLANS",
    authoring="actors.tabletop.catalog.pages:AUTHORING",
    tempers=("open", "guarded", "curious", "forgetful", "plain", "coloured", "chatty"),
    stage=Path(__file__).parent / "stage",
    formats="actors.tabletop.formats:FORMATS",
    starter="actors.tabletop.catalog.starter:starter_catalog",
)
"""What the entry point names."""
