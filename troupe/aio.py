"""The same as ``troupe.run``, ``resume``, ``play``, ``score`` and ``fork``, to be awaited.

run = await troupe.aio.run("plan.toml")
"""

from troupe import resumption, work
from troupe.calls import awaited

__all__ = ["fork", "play", "resume", "run", "score"]

run = awaited(work.run)
resume = awaited(resumption.resume)
play = awaited(work.play)
score = awaited(work.score)
fork = awaited(work.fork)
