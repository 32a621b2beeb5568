"""What a model that judges is shown of a chain's earlier episodes, within bounds."""

from collections.abc import Callable, Sequence

import msgspec

from actors.models import tokens
from actors.social.views import View
from actors.text.quotes import INDENT
from evaluators.judges.earlier_episodes import latest
from evaluators.judges.judge_form import QUOTED, Quoting
from evaluators.judges.judged_episode import History
from evaluators.social.first_template_values import material


class Earlier(msgspec.Struct, frozen=True):
    """The earlier episodes that there was room for."""

    texts: Sequence[str]
    """Each in words, the first first."""
    views: Sequence[View]
    """The same, to be quoted from."""
    left_out: int
    """How many of the oldest there was no room for."""


def in_words(index: int, view: View, quoting: Quoting) -> str:
    """An earlier episode as the strict rubric's templates want it; never changed."""
    shown = material(view, quoting)
    wishes = [f"{seat['key']}, {seat['name']}, wanted: {seat['goal']}" for seat in shown["seats"]]
    happened = [f"{line['who']} {line['what']}" for line in shown["transcript"]]
    scenario = shown["scenario"]
    if quoting is QUOTED:
        scenario = f"{INDENT}{scenario}"
        wishes, happened = ([f"- {line}" for line in lines] for lines in (wishes, happened))
    lines = [f"## Episode {index + 1}", scenario, *wishes, *happened]
    return "\n".join(lines if happened else [*lines, "Nobody did anything."])


def look_back(past: Sequence[History], limit: int, in_words: Callable[[int, View], str]) -> Earlier:
    """As many of the latest earlier episodes as ``limit`` tokens hold, as counted by
    ``actors.models.tokens``. Reads no more of them than it needs; blocking."""
    texts: list[str] = []
    views: list[View] = []
    left_out = 0
    for index, episode in latest(past):
        view = episode.view
        text = in_words(index, view)
        limit -= tokens.count(text)
        if limit < 0:
            left_out = index + 1
            break
        texts.append(text)
        views.append(view)
    return Earlier(texts=texts[::-1], views=views[::-1], left_out=left_out)
