"""The environment of the sandbox (STSS): characters live in a tile town, or two of them talk."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import Game
from actors.sandbox.setup import ENDINGS, NAME, Case, Town
from actors.sandbox.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from actors.sandbox.conversation.case_rules import CaseWorld
    from actors.sandbox.rules import Asked
    from actors.sandbox.views import Notice, Resident, Speaker, View
    from actors.sandbox.world import World
    from events.environments import Action

TOWN: Final["Game[Town, World, Asked, Action, Resident, View, Notice]"] = Game(
    environment=NAME,
    setups=(Town,),
    shapes="actors.sandbox.views:TOWN_SHAPES",
    rules="actors.sandbox.town.town_rules:RULES",
    sight="actors.sandbox.sight:TOWN",
    words="actors.sandbox.render:TOWN_WORDS",
    prompts="actors.sandbox.prompt_writer:PROMPTS",
    rehearsal="actors.sandbox.rehearsal.mind:RehearsalMind",
    tasks="actors.sandbox.town.task_setup:TASKS",
    recording="actors.sandbox.rules:RECORDING",
    people="actors.sandbox.typed_answers:SandboxPeople",
    planning="actors.sandbox.planning_support:TOWN",
    limits="actors.sandbox.plan_section:TOWN_LIMITS",
    presentation="actors.sandbox.render:PRESENTATION",
    crowd="actors.sandbox.sight:TOWN_CROWD",
)
"""Inhabitants of a town plan their days, meet and talk."""

CASE: Final["Game[Case, CaseWorld, Asked, Action, Speaker, View, Notice]"] = Game(
    environment=NAME,
    setups=(Case,),
    prefix="case.",
    shapes="actors.sandbox.views:CASE_SHAPES",
    rules="actors.sandbox.conversation.case_rules:RULES",
    sight="actors.sandbox.sight:CASE",
    words="actors.sandbox.render:CASE_WORDS",
    prompts="actors.sandbox.prompt_writer:PROMPTS",
    rehearsal="actors.sandbox.rehearsal.mind:RehearsalMind",
    tasks="actors.sandbox.conversation.cases:TASKS",
    recording="actors.sandbox.rules:RECORDING",
    people="actors.sandbox.typed_answers:SandboxPeople",
    planning="actors.sandbox.planning_support:CASE",
    limits="actors.sandbox.plan_section:CASE_LIMITS",
    presentation="actors.sandbox.render:PRESENTATION",
    crowd="actors.sandbox.sight:CASE_CROWD",
)
"""Two talk, and one of them tells what came of it."""

SANDBOX: Final = Environment(
    name=NAME,
    vocabulary=VOCABULARY,
    endings=ENDINGS,
    games=(TOWN, CASE),
    tempers=("ga", "ga+tdp", "forgetful", "homebody"),
    plans="actors.sandbox.plan_section:PLANS",
    authoring="actors.sandbox.catalog.pages:AUTHORING",
    formats="actors.sandbox.formats:FORMATS",
    starter="actors.sandbox.catalog.starter:town_catalog",
    outcome="actors.sandbox.render:outcome",
    stage=Path(__file__).parent / "stage",
)
"""What the entry point names."""
