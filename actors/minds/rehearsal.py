"""The rehearsal mind of an environment, and what is recorded where it fails."""

from typing import Any

import structlog

from actors.episodes.environment import Environment
from actors.episodes.journal import NOT_WRITTEN
from actors.episodes.mind import Decision, Journal, Mind, Scene
from events.episode import ActionFailure
from events.minds import MindSpec

log = structlog.get_logger(__name__)


class Rehearsed:
    """An environment's rehearsal. It is deterministic, so what it raises it would raise again: the
    seat fails at once, with what it was."""

    __slots__ = ("_environment", "_mind", "_spec")

    def __init__(self, environment: Environment[Any], spec: MindSpec) -> None:
        self._environment, self._spec = environment, spec
        self._mind: Mind | None = None

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        """What the rehearsal decides, or *nothing* with what it raised."""
        environment = self._environment
        try:
            if self._mind is None:
                self._mind = environment.rehearsal(self._spec.temper, self._spec.seed)
            return await self._mind.decide(scene, calls)
        except NOT_WRITTEN:
            raise
        except Exception as error:
            log.exception("rehearsal_failed", environment=environment.name)
            detail = (
                f"the rehearsal of environment {environment.name!r} failed:"
                f" {type(error).__name__}: {error}"
            )
            failure = ActionFailure(reason="mind_error", detail=detail)
            return Decision(action=environment.nothing(scene.question), failure=failure)
