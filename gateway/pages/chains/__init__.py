"""The pages *Chains* and *Chain*: curves, notes, what was recalled when."""

from gateway.pages.chains.handlers import routes

__all__ = ["routes"]
