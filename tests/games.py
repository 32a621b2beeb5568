"""Games as tests look them up."""

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import AnyGame


def game_for(environment: Environment, background: object) -> AnyGame:
    """The game whose seats have such backgrounds."""
    kinds = (one for one in environment.games if isinstance(background, one.shapes.background))
    return environment.game_with(next(kinds).setups[0])
