"""A list of scenarios, each with the seat that counts: how SOTOPIA-hard is written down."""

from events.base import Value


class ListedScenario(Value, frozen=True, kw_only=True):
    """A scenario, or one seat in it."""

    scenario: str
    """The scenario's id."""
    seat: int | None = None
    """From 0; None: both."""


class ScenarioList(Value, frozen=True, kw_only=True):
    """Scenarios under one name."""

    name: str
    entries: tuple[ListedScenario, ...]
