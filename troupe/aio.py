"""The same as ``troupe.run``, ``resume``, ``play``, ``score`` and ``fork``, to be awaited.

run = await troupe.aio.run("plan.toml")
"""

from troupe import operations, resumption
from troupe.worker_thread import awaited

__all__ = ["fork", "play", "resume", "run", "score"]

run = awaited(operations.run)
resume = awaited(resumption.resume)
play = awaited(operations.play)
score = awaited(operations.score)
fork = awaited(operations.fork)
