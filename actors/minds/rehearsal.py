"""The rehearsal mind of a game, and how its failures are recorded."""

import structlog

from actors.episodes.journal import NOT_WRITTEN
from actors.episodes.mind import Decision, Journal, Mind, Scene
from actors.episodes.port.game import AnyGame
from events.episode import ActionFailure
from events.minds import MindSpec

log = structlog.get_logger(__name__)


class Rehearsed:
    """A game's rehearsal. It is deterministic, so what it raises it would raise again: the
    seat fails at once, with what it was."""

    __slots__ = ("_game", "_mind", "_spec")

    def __init__(self, game: AnyGame, spec: MindSpec) -> None:
        self._game, self._spec = game, spec
        self._mind: Mind | None = None

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        """What the rehearsal decides, or *nothing* with what it raised."""
        game = self._game
        try:
            if self._mind is None:
                self._mind = game.rehearsal(self._spec.temper, self._spec.seed)
            return await self._mind.decide(scene, calls)
        except NOT_WRITTEN:
            raise
        except Exception as error:
            log.exception("rehearsal_failed", environment=game.environment)
            detail = (
                f"the rehearsal of environment {game.environment!r} failed:"
                f" {type(error).__name__}: {error}"
            )
            failure = ActionFailure(reason="mind_error", detail=detail)
            return Decision(action=game.rules.nothing(scene.question), failure=failure)
