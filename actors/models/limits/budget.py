"""The budget of a run for model calls."""

from actors.models.errors import BudgetSpent
from events.agent import ModelAnswered
from events.run import Budget


class BudgetKeeper:
    """Counts what a run spends and says when to stop.

    Questions under way when the limit is reached are still answered and counted, so a run can
    exceed its budget by what is under way at once.
    """

    def __init__(self, run: str, budget: Budget, *, usd: float = 0.0, tokens: int = 0) -> None:
        """``usd`` and ``tokens``: what the run has spent already."""
        self.run = run
        self.budget = budget
        self.usd = usd
        self.tokens = tokens
        self.unpriced = 0
        """Answers of unknown price: the limit in US dollars does not see them."""

    def check(self) -> None:
        """Raises ``BudgetSpent`` where nothing more may be asked."""
        if self.budget.usd > 0 and self.usd >= self.budget.usd:
            raise BudgetSpent(self.run, "usd", self.usd, self.budget.usd)
        if self.budget.tokens > 0 and self.tokens >= self.budget.tokens:
            raise BudgetSpent(self.run, "tokens", self.tokens, self.budget.tokens)

    def add(self, answer: ModelAnswered) -> None:
        self.tokens += answer.input_tokens + answer.output_tokens
        if answer.cost_usd is None:
            self.unpriced += 1
        else:
            self.usd += answer.cost_usd
