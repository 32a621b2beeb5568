"""What games can be judged by: what came of them for each seat, by rule."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from actors.games.ruleset import NAME
from evaluators.plugin import EvaluatorPlugin, ReportSection, Rubric
from events.evaluation import Dimension, JudgeSpec
from events.lazy_function import LazyFunction

if TYPE_CHECKING:
    from store.read_model.records import EpisodeRow

WON: Final = Dimension(
    name="won",
    low=0,
    high=1,
    integer=True,
    description="Whether the seat has won, with its team or by its role.",
)
SURVIVED: Final = Dimension(
    name="survived",
    low=0,
    high=1,
    integer=True,
    description="Whether the seat was still in the game at its end.",
)
RIGHT_VOTES: Final = Dimension(
    name="right_votes",
    low=0,
    high=1,
    description="The share of the seat's public votes that name a seat of another team.",
)
PAYOFF: Final = Dimension(
    name="payoff",
    low=-1_000_000,
    high=1_000_000,
    description="What the seat has got in the end, by the rules' payoffs.",
)
TURNS: Final = Dimension(
    name="turns", low=0, high=100_000, integer=True, description="How often the seat acted."
)
LEAKS: Final = Dimension(
    name="leaks",
    low=0,
    high=100_000,
    integer=True,
    description="Messages to all in which the seat says in the first person that it has its role, "
    "while that is hidden, or, in word games, in which its own word is.",
)
ILLEGAL: Final = Dimension(
    name="illegal",
    low=0,
    high=100_000,
    integer=True,
    description="The seat's answers that were no act: they could not be read, or the rules forbid "
    "them.",
)
DIMENSIONS: Final = (WON, SURVIVED, RIGHT_VOTES, PAYOFF, TURNS, LEAKS, ILLEGAL)


def next_steps(rows: "Sequence[EpisodeRow]") -> "Iterator[tuple[str, str]]":
    """After a run in which games were played."""
    if any(row.environment == NAME for row in rows):
        yield "games table", "win rates, votes, leaks, payoffs beside theory, and ratings"


GAMES: Final = EvaluatorPlugin(
    environment=NAME,
    next_steps=next_steps,
    rubrics=(
        Rubric(
            name=NAME,
            dimensions=DIMENSIONS,
            rule=LazyFunction("evaluators.games.rule_scores:score"),
            optional=frozenset(one.name for one in DIMENSIONS),
            kept=frozenset(one.name for one in (PAYOFF, TURNS, LEAKS, ILLEGAL)),
        ),
    ),
    judges=(JudgeSpec(name=NAME, kind="rule", dimensions=DIMENSIONS, rubric=NAME),),
    report=ReportSection(
        id=NAME,
        title="Games",
        package="evaluators.games.report",
        template="section.html.j2",
        data=LazyFunction("evaluators.games.report.section:section"),
    ),
    abbreviations={"right_votes": "right votes"},
)
"""What the entry point names."""
