"""What a match can be judged by: one rule, and a section of the report."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rock_paper_scissors.match import NAME

from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.plugin import EvaluatorPlugin, ReportSection, Rubric
from events.base import Event
from events.episode import EpisodeEnded
from events.evaluation import Dimension, JudgeSpec, Scored

WON: Final = Dimension(name="rounds_won", low=0, high=1, description="The share of rounds won.")


def score(spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]) -> list[Scored]:
    """The share of the rounds that each seat won, with the rounds as evidence."""
    rounds, found = episode.view.noticed, []
    for seat in range(episode.seats):
        won = tuple(round_.number for round_ in rounds if seat in round_.winners)
        share = len(won) / len(rounds) if rounds else 0.0
        found.append(Scored(seat=seat, dimension=WON.name, value=share, evidence=won))
    return found


def winners(gathered: Any, episodes: Iterable[tuple[Any, Sequence[Event]]]) -> Mapping[str, Any]:
    """Who won which match."""
    ends = [(row, event) for row, history in episodes for event in history[-1:]]
    matches = [
        (row.id, ", ".join(row.characters), end.summary.get("winner", "nobody"))
        for row, end in ends
        if isinstance(end, EpisodeEnded)
    ]
    return {"matches": matches}


RULE: Final = JudgeSpec(name="referee", kind="rule", dimensions=(WON,), rubric=NAME)
JUDGING: Final = EvaluatorPlugin(
    environment=NAME,
    rubrics=(Rubric(name=NAME, dimensions=(WON,), rule=score),),
    judges=(RULE,),
    report=ReportSection(
        id="matches", title="Matches", package="rock_paper_scissors", template="matches.html.j2",
        data=winners,
    ),
)  # fmt: skip
