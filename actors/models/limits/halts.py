"""The reasons to suspend a piece of work until a person acts or some time has passed."""

from typing import Final

from actors.models.errors import BudgetSpent, ModelUnavailable

Halt = BudgetSpent | ModelUnavailable
HALTS: Final = (BudgetSpent, ModelUnavailable)
"""Caught by the owner of work that can be continued later: these errors are not failures of the
work."""


def is_lasting(why: Halt) -> bool:
    """Whether it stays so until a person does something; else it is worth another try later."""
    return isinstance(why, BudgetSpent) or why.lasting
