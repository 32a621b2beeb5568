"""What stops a piece of work where it is, until a person has done something or time has passed."""

from typing import Final

from actors.models.errors import BudgetSpent, ModelUnavailable

Halt = BudgetSpent | ModelUnavailable
HALTS: Final = (BudgetSpent, ModelUnavailable)
"""To be caught by whoever owns what can be gone on with later: nothing has failed."""


def is_lasting(why: Halt) -> bool:
    """Whether it stays so until a person does something; else it is worth another try later."""
    return isinstance(why, BudgetSpent) or why.lasting
