"""What a model that judges is told of an episode, as values: the words are the templates'."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from actors.episodes.port.sight import setup_of
from actors.social.catalog.needed_facts import needed_by, says
from actors.social.narration import NARRATED
from actors.social.prompt_names import NOT_TOLD
from actors.social.setup import SocialSetup
from actors.social.sight import SIGHT
from actors.social.views import Profile, SeenAction, View
from evaluators.judges.earlier_episodes import latest
from evaluators.judges.judge_answer import seat_key
from evaluators.judges.judge_form import Quoting, ScoreForm, quoting_of
from evaluators.judges.judged_episode import History, JudgedEpisode
from events.base import replace
from events.evaluation import JudgeSpec

FIELDS: Final = (
    "name",
    "age",
    "gender",
    "pronouns",
    "occupation",
    "public_info",
    "personality",
    "big_five",
    "moral_values",
    "schwartz_values",
    "decision_style",
)
"""What a character may be known by besides its goal and secret."""
MOST_PLACES: Final = 3
"""So many places where a fact came up, at most, are shown: the latest."""


def briefing(
    episode: JudgedEpisode, past: Sequence[History], quoting: Quoting
) -> dict[str, object]:
    """An episode, for a template: the situation, the seats with what each knew at the start, what
    happened, how it ended, its number in a chain (1: none before it), and the facts of earlier
    episodes that its goals rest on. Reads ``past`` only where there are such facts; then it blocks.
    """
    view: View = episode.view
    rules = setup_of(episode.started, SocialSetup).rules
    fields = [field for field in FIELDS if field not in NOT_TOLD.get(rules.prompt, ())]
    return {
        **told(view, quoting, fields),
        "knew": [_knew(episode, seat, quoting, fields) for seat in range(episode.seats)],
        "facts": _facts(episode, past, quoting),
        "ended": view.ended,
        "number": len(past) + 1,
    }


def sotopia_form(spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]) -> ScoreForm:
    """``evaluators.plugin.MakeForm`` of the rubric ``sotopia``: a whole number with a reason for
    every dimension. Of earlier episodes it looks at nothing but the facts that are needed."""
    numbers = [line.number for line in episode.view.lines]
    return ScoreForm(spec, briefing(episode, past, quoting_of(spec)), numbers)


def told(view: View, quoting: Quoting, fields: Sequence[str] = FIELDS) -> dict[str, object]:
    """The situation, the seats and what happened. ``view`` is the judge's; ``fields``: of
    ``FIELDS`` those by which characters were told to who plays."""
    return {
        "scenario": quoting.text(view.context),
        "seats": [_seat(profile, view, quoting, fields) for profile in view.profiles],
        "transcript": [_action(line, view, quoting) for line in view.lines],
    }


def _seat(
    profile: Profile, view: View, quoting: Quoting, fields: Sequence[str]
) -> dict[str, object]:
    ties = []
    for one in view.relationships:
        if profile.seat in one.seats:
            other = next((seat for seat in one.seats if seat != profile.seat), profile.seat)
            kind = one.kind.replace("_", " ")
            ties.append(
                {
                    "to": quoting.text(view.labels[other]),
                    "kind": kind,
                    "story": quoting.text(one.story),
                }
            )
    known = ((field, getattr(profile, field)) for field in fields if field != "name")
    return {
        "key": seat_key(profile.seat),
        "name": quoting.text(profile.label),
        "fields": [(field, quoting.text(_text(value))) for field, value in known if value],
        "ties": ties,
        "secret": quoting.text(profile.secret or ""),
        "goal": quoting.text(profile.goal or ""),
    }


def _knew(
    episode: JudgedEpisode, seat: int, quoting: Quoting, fields: Sequence[str]
) -> dict[str, object]:
    """What a seat was shown of the others before the first turn, and of the situation where that is
    not what the judge is shown."""
    started = episode.started
    rules = started.setup.rules
    if rules.mode != "interactive":
        # As if it were: in which mode an episode was played judges are not told.
        usual = replace(started.setup, rules=replace(rules, mode="interactive"))
        started = replace(started, setup=usual)
    own = SIGHT.view([started], seat)
    whole: View = episode.view
    others = [
        {
            "name": quoting.text(whole.labels[other.seat]),
            "fields": [field for field in fields if getattr(other, field)],
        }
        for other in own.profiles
        if other.seat != seat
    ]
    context = "" if own.context == whole.context else quoting.text(own.context)
    return {"key": seat_key(seat), "others": others, "context": context}


def _action(line: SeenAction, view: View, quoting: Quoting) -> dict[str, object]:
    return {
        "number": line.number,
        "turn": line.turn,
        "who": quoting.text(line.label),
        "kind": "failed" if line.failure else _kind(line),
        "text": quoting.line(line.text),
        "to": [quoting.text(view.labels[seat]) for seat in line.to],
    }


def _kind(line: SeenAction) -> str:
    # The templates have words for what characters do, and were scored with.
    return "speak" if line.kind == NARRATED else line.kind


def _facts(
    episode: JudgedEpisode, past: Sequence[History], quoting: Quoting
) -> list[dict[str, Any]]:
    """Each fact that a goal rests on, who needs it, and where it came up before."""
    scenario = setup_of(episode.started, SocialSetup).scenario
    if not scenario.needs:
        return []
    before = [(index, earlier.view) for index, earlier in latest(past)]
    facts = []
    for fact in scenario.needs:
        places = [
            {"episode": index + 1, **place}
            for index, view in before
            for place in reversed(list(_places(view, quoting)))
            if says(place["text"], fact.keys)
        ]
        needing = [s for s in range(episode.seats) if fact in needed_by(scenario, s)]
        facts.append(
            {
                "text": quoting.text(fact.text),
                "seats": [seat_key(seat) for seat in needing],
                "places": [
                    {**place, "text": quoting.line(place["text"])}
                    for place in reversed(places[:MOST_PLACES])
                ],
            }
        )
    return facts


def _places(view: View, quoting: Quoting) -> Iterator[dict[str, Any]]:
    """What an episode says to anybody, in order."""
    yield {"kind": "situation", "who": "", "turn": 0, "text": view.context}
    for profile in view.profiles:
        who = quoting.text(profile.label)
        yield {"kind": "secret", "who": who, "turn": 0, "text": profile.secret or ""}
        yield {"kind": "goal", "who": who, "turn": 0, "text": profile.goal or ""}
    for line in view.lines:
        yield {
            "kind": _kind(line),
            "who": quoting.text(line.label),
            "turn": line.turn,
            "text": line.text,
        }


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
