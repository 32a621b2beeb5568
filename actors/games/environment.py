"""The environment of games: who one is can be a secret, teams talk among themselves, and rules that
are data check every act."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import Game
from actors.games.ruleset import NAME
from actors.games.setup import ENDINGS, Deal
from actors.games.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from actors.games.setup import Decide
    from actors.games.sight import GameView, Notice
    from actors.games.state import GameState
    from events.environments import Action

GAMES: Final["Game[Deal, GameState, Decide, Action, GameView, GameView, Notice]"] = Game(
    environment=NAME,
    setups=(Deal,),
    shapes="actors.games.sight:SHAPES",
    rules="actors.games.rules:RULES",
    sight="actors.games.sight:SIGHT",
    words="actors.games.render:WORDS",
    prompts="actors.games.prompt_writer:PROMPTS",
    rehearsal="actors.games.rehearsal.mind:LegalMind",
    tasks="actors.games.tasks:TASKS",
    people="actors.games.prompt_writer:GamePeople",
    planning="actors.games.render:PLANNING",
    limits="actors.games.render:LIMITS",
    presentation="actors.games.render:PRESENTATION",
)

ENVIRONMENT: Final = Environment(
    name=NAME,
    vocabulary=VOCABULARY,
    endings=ENDINGS,
    games=(GAMES,),
    authoring="actors.games.checks.catalog_checks:AUTHORING",
    plans="actors.games.setup:PLANS",
    tempers=("open", "cautious", "scheming"),
    stage=Path(__file__).parent / "stage",
    formats="actors.games.formats:FORMATS",
    starter="actors.games.catalog.starter:starter_catalog",
    outcome="actors.games.render:outcome",
)
"""What the entry point names."""
