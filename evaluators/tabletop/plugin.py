"""What sessions can be judged by: what each player has learned, by the terms of the key points or
by a model that pairs points; and the word that people give to sessions in which little was
learned."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from actors.tabletop.catalog_items import NAME
from evaluators.plugin import EvaluatorPlugin, ReportSection, Rubric
from events.evaluation import Dimension, JudgeSpec
from events.lazy_function import LazyFunction

if TYPE_CHECKING:
    from store.read_model.records import EpisodeRow

LEARNED: Final = Dimension(
    name="learned",
    low=0,
    high=1,
    description="p: the share of the key points that the player has learned (IEP).",
)
GUESSED: Final = Dimension(
    name="guessed",
    low=0,
    high=1,
    description="The share of the key points that the player named before the first turn.",
)
NOT_KEPT: Final = Dimension(
    name="not_kept",
    low=0,
    high=1,
    description="The share that came out and is not in the player's answer.",
)
NOT_TOLD: Final = Dimension(
    name="not_told",
    low=0,
    high=1,
    description="The share that was asked for and did not come out.",
)
NOT_ASKED: Final = Dimension(
    name="not_asked",
    low=0,
    high=1,
    description="The share that did not come out for want of questions.",
)
WORD: Final = Dimension(
    name="case_word",
    low=0,
    high=1,
    description="The one word that says best why the players learned so little.",
    integer=True,
)
DIMENSIONS: Final = (LEARNED, GUESSED, NOT_KEPT, NOT_TOLD, NOT_ASKED)
RULE: Final = "information-rule"
CASE_WORD: Final = "case-word"
PAIRS: Final = "information-pairs"
BY_PAIRS: Final = Rubric(
    name=PAIRS,
    dimensions=(LEARNED, GUESSED),
    whole=True,
    series=LazyFunction("evaluators.tabletop.pair_judge:information_series"),
    prompts="evaluators.tabletop.prompts",
    prompt="information-pairs-v1",
    optional=frozenset({GUESSED.name, LEARNED.name}),
)
"""The paper's judge: a model reduces knowledge and answers to points and pairs them."""


def next_steps(rows: "Sequence[EpisodeRow]") -> "Iterator[tuple[str, str]]":
    """After a run in which sessions were played."""
    if any(row.environment == NAME for row in rows):
        yield "tabletop gap", "Tables 1 and 2: information exchanged, and the gap in intentions"


TABLETOP: Final = EvaluatorPlugin(
    environment=NAME,
    next_steps=next_steps,
    report=ReportSection(
        id="tabletop",
        title="Sessions at a table",
        package="evaluators.tabletop.report",
        template="section.html.j2",
        data=LazyFunction("evaluators.tabletop.report.section:section"),
    ),
    rubrics=(
        Rubric(
            name=RULE,
            dimensions=DIMENSIONS,
            rule=LazyFunction("evaluators.tabletop.rule_scores:score"),
            optional=frozenset(one.name for one in DIMENSIONS),
        ),
        Rubric(
            name=CASE_WORD,
            dimensions=(WORD,),
            kept=frozenset({WORD.name}),
            words=frozenset({WORD.name}),
        ),
        BY_PAIRS,
    ),
    judges=(JudgeSpec(name=RULE, kind="rule", dimensions=DIMENSIONS, rubric=RULE),),
    guesses=LazyFunction("evaluators.tabletop.stage_guesses:guesses_of"),
)
"""What the entry point names."""
