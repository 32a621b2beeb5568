"""The port stays small: each part can be read at once, and little must be written."""

import abc
import ast
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

import actors.episodes.port
from actors.episodes.chain_support import ChainSupport
from actors.episodes.formats import Formats
from actors.episodes.port.authoring import Authoring
from actors.episodes.port.environment import Environment
from actors.episodes.port.game import Shapes
from actors.episodes.port.limits import Limits
from actors.episodes.port.people import PeoplePrompts
from actors.episodes.port.planning import Planning
from actors.episodes.port.plans import Plans
from actors.episodes.port.presentation import Presentation
from actors.episodes.port.prompts import Prompts
from actors.episodes.port.rules import Recording, Rules
from actors.episodes.port.sight import Crowd, Sight
from actors.episodes.port.tasks import Tasks
from actors.episodes.port.words import EpisodeWords
from actors.episodes.registry import environments
from actors.social.environment import SOCIAL
from actors.worldtree.setup import Walk
from events.environments import BrokenEnvironment, installed

OF_A_GAME: Final[dict[str, type]] = {
    "shapes": Shapes,
    "rules": Rules,
    "sight": Sight,
    "words": EpisodeWords,
    "prompts": Prompts,
    "tasks": Tasks,
    "recording": Recording,
    "people": PeoplePrompts,
    "planning": Planning,
    "limits": Limits,
    "presentation": Presentation,
    "crowd": Crowd,
}
OF_AN_ENVIRONMENT: Final[dict[str, type]] = {
    "plans": Plans,
    "authoring": Authoring,
    "formats": Formats,
    "chains": ChainSupport,
}
PARTS: Final = [*OF_A_GAME.values(), *OF_AN_ENVIRONMENT.values()]
MOST: Final = 9
"""Members of a part."""
REQUIRED: Final = 17
"""Members that every game must have, the offline mind among them."""


@pytest.mark.parametrize("environment", environments(), ids=lambda one: one.name)
def test_whatever_a_name_stands_for_is_the_part_that_it_is_taken_for(
    environment: Environment,
) -> None:
    for game in environment.games:
        found = environment.game_with(game.setups[0])
        for name, kind in OF_A_GAME.items():
            assert isinstance(getattr(found, name), kind), name
        assert callable(found.rehearsal)
        assert found.environment == environment.name
    for name, kind in OF_AN_ENVIRONMENT.items():
        part = getattr(environment, name)
        assert isinstance(part, kind) or (name == "chains" and part is None), name
    environment.starter()
    assert isinstance(environment.outcome("stopped", {}), str)


@pytest.mark.parametrize("environment", environments(), ids=lambda one: one.name)
def test_each_setup_of_an_environment_has_one_game(environment: Environment) -> None:
    setups = [setup for game in environment.games for setup in game.setups]
    assert sorted(setups, key=str) == sorted(environment.vocabulary.setups, key=str)


def test_a_part_is_small_and_little_is_required() -> None:
    sizes = {part: len(_members(part)) for part in PARTS if issubclass(part, abc.ABC)}
    assert max(len(_members(part)) for part in PARTS) <= MOST
    required = [
        name for part in (Rules, Sight, EpisodeWords, Prompts, Tasks) for name in _must(part)
    ]
    assert len(required) + len(("rehearsal",)) <= REQUIRED
    assert sizes[Rules] <= 6
    assert max(sizes[Sight], sizes[Prompts]) <= 4
    assert sizes[Tasks] <= 3


def test_the_ports_signatures_say_what_they_take() -> None:
    folder = Path(actors.episodes.port.__file__).parent
    for path in folder.glob("*.py"):
        names = {n.id for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Name)}
        assert "Any" not in names, path.name


def _members(part: type) -> set[str]:
    own = vars(part).keys() | getattr(part, "__annotations__", {}).keys()
    return {name for name in own if not name.startswith("_")}


def _must(part: type) -> frozenset[str]:
    return frozenset(getattr(part, "__abstractmethods__", ()))


def test_a_setup_that_the_vocabulary_does_not_have_is_refused_at_once():
    lacking = replace(SOCIAL.vocabulary, setups=(Walk,))
    with pytest.raises(ValueError, match="SocialSetup is not in the vocabulary's setups"):
        Environment(name="social", vocabulary=lacking, endings=SOCIAL.endings, games=SOCIAL.games)
    Environment(
        name="social", vocabulary=SOCIAL.vocabulary, endings=SOCIAL.endings, games=SOCIAL.games
    )


@pytest.mark.parametrize("part", ["setups", "settings", "questions", "actions"])
def test_an_installed_environment_whose_vocabulary_lacks_a_part_says_which(
    part: str, monkeypatch: pytest.MonkeyPatch
):
    lacking = replace(SOCIAL.vocabulary, **{part: ()})
    found = SimpleNamespace(name="social", vocabulary=lacking)
    entry = SimpleNamespace(name="social", load=lambda: found)
    monkeypatch.setattr("events.environments.entry_points", lambda **_: [entry])
    with pytest.raises(BrokenEnvironment, match=f"its vocabulary has no {part}"):
        installed.__wrapped__()
