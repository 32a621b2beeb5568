"""The page *Judges*: two judges of a run side by side, people among them."""

from gateway.pages.judges.handlers import routes, running

__all__ = ["routes", "running"]
