"""What the first templates (``judge-v1``, ``believability-v1``) show of an episode: all that the
judge's view holds, as text. Judges made with them are still there, so these words never change;
newer templates have words of their own (``evaluators.social.template_values``)."""

from collections.abc import Sequence
from typing import Any

from actors.episodes.rules.failed_actions import NO_ANSWER
from actors.social.narration import NARRATED
from actors.social.views import Profile, SeenAction, View
from evaluators.judges.judge_answer import seat_key
from evaluators.judges.judge_form import Quoting, ScoreForm, quoting_of
from evaluators.judges.judged_episode import History, JudgedEpisode
from events.evaluation import JudgeSpec

_DOING = {
    "speak": "said",
    "non_verbal": "showed",
    "physical": "did",
    "leave": "left",
    NARRATED: "told",
}


def anchored_form(
    spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History] = ()
) -> ScoreForm:
    """Asks for a number with a reason for every dimension; looks at nothing earlier."""
    view: View = episode.view
    numbers = [line.number for line in view.lines]
    return ScoreForm(spec, material(view, quoting_of(spec)), numbers)


def material(view: View, quoting: Quoting) -> dict[str, Any]:
    """One episode, for a template: the situation, the seats, what happened. ``view`` is the
    judge's."""
    return {
        "scenario": quoting.text(view.context),
        "seats": [_seat(profile, view, quoting) for profile in view.profiles],
        "transcript": [_action(line, view, quoting) for line in view.lines],
    }


def doing(line: SeenAction, view: View) -> str:
    """What somebody did, as the judge is shown it."""
    if line.failure:
        # So that it is not held against the character.
        what = f"[{NO_ANSWER}: {line.failure}]"
    elif line.kind == "none":
        what = "did nothing"
    else:
        what = _DOING[line.kind] + (f": {line.text}" if line.text else "")
    if line.to:
        to = ", ".join(view.labels[seat] for seat in line.to)
        what = f"(only {to} could notice) {what}"
    return what


def _seat(profile: Profile, view: View, quoting: Quoting) -> dict[str, Any]:
    known = {
        "Age": profile.age,
        "Gender": profile.gender,
        "Pronouns": profile.pronouns,
        "Occupation": profile.occupation,
        "Public information": profile.public_info,
        "Personality": profile.personality,
        "Big five": profile.big_five,
        "Moral values": ", ".join(profile.moral_values or ()),
        "Schwartz values": ", ".join(profile.schwartz_values or ()),
        "Decides": profile.decision_style,
    }
    lines = [f"{what}: {value}" for what, value in known.items() if value]
    for relationship in view.relationships:
        if profile.seat in relationship.seats:
            other = (
                relationship.seats[1]
                if relationship.seats[0] == profile.seat
                else relationship.seats[0]
            )
            kind = relationship.kind.replace("_", " ")
            lines.append(f"To {view.labels[other]}: {kind}. {relationship.story}".strip())
    return {
        "key": seat_key(profile.seat),
        "name": quoting.text(profile.label),
        "profile": [quoting.text(line) for line in lines],
        "secret": quoting.text(profile.secret or ""),
        "goal": quoting.text(profile.goal or ""),
    }


def _action(line: SeenAction, view: View, quoting: Quoting) -> dict[str, Any]:
    what = quoting.line(doing(line, view))
    return {"number": line.number, "turn": line.turn, "who": quoting.text(line.label), "what": what}
