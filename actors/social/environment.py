"""The social environment: characters with private goals meet and talk (SOTOPIA)."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import Game
from actors.social.setup import ENDINGS, NAME, SocialSetup
from actors.social.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from actors.social.actions import Act, Action
    from actors.social.rules import SocialWorld
    from actors.social.views import Background, SeenAction, View

GAME: Final["Game[SocialSetup, SocialWorld, Act, Action, Background, View, SeenAction]"] = Game(
    environment=NAME,
    setups=(SocialSetup,),
    shapes="actors.social.views:SHAPES",
    rules="actors.social.rules:RULES",
    sight="actors.social.sight:SIGHT",
    words="actors.social.render:WORDS",
    prompts="actors.social.prompt_writer:PROMPTS",
    rehearsal="actors.social.rehearsal:RehearsalMind",
    tasks="actors.social.catalog.cast_task:TASKS",
    recording="actors.social.rules:RECORDING",
    people="actors.social.typed_answers:SocialPeople",
    planning="actors.social.render:PLANNING",
    limits="actors.social.plan_section:LIMITS",
    presentation="actors.social.render:PRESENTATION",
    crowd="actors.social.sight:CROWD",
)
"""Two or more characters, a scenario, a private goal each."""

SOCIAL: Final = Environment(
    name=NAME,
    vocabulary=VOCABULARY,
    # Prompts say "the turn cap was reached", as they did for what was scored before.
    endings=ENDINGS | {"turn_cap": "all turns were taken"},
    endings_of_seats={"turn_cap": "you have had all your turns"},
    games=(GAME,),
    tempers=("generous", "candid", "guarded", "stubborn", "wily"),
    plans="actors.social.plan_section:PLANS",
    authoring="actors.social.authoring:AUTHORING",
    chains="actors.social.chains.support:CHAINS",
    formats="actors.social.formats:FORMATS",
    starter="actors.social.catalog.starter:starter_catalog",
    outcome="actors.social.render:outcome",
    stage=Path(__file__).parent / "stage",
)
"""What the entry point names."""
