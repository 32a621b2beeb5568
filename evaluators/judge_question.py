"""What a model that judges is shown of an episode: all that the judge's view holds, as text."""

from typing import Any

from actors.social.views import Profile, View
from evaluators.judge_answer import seat_key
from evaluators.judge_prompts import JudgePrompt
from events.evaluation import JudgeSpec
from events.messages import SeenAction

_DOING = {"speak": "said", "non_verbal": "showed", "physical": "did", "leave": "left"}


def question(prompt: JudgePrompt, view: View, spec: JudgeSpec) -> str:
    """The question about one episode. ``view`` is the judge's."""
    return prompt.question(
        scenario=_inert(view.context),
        seats=[_seat(profile, view) for profile in view.profiles],
        transcript=[_action(line, view) for line in view.lines],
        dimensions=[
            {
                "name": dimension.name,
                "low": f"{dimension.low:g}",
                "high": f"{dimension.high:g}",
                "description": dimension.description,
            }
            for dimension in spec.dimensions
        ],
    )


def _seat(profile: Profile, view: View) -> dict[str, Any]:
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
    for bond in view.bonds:
        if profile.seat in bond.seats:
            other = bond.seats[1] if bond.seats[0] == profile.seat else bond.seats[0]
            kind = bond.kind.replace("_", " ")
            lines.append(f"To {view.labels[other]}: {kind}. {bond.story}".strip())
    return {
        "key": seat_key(profile.seat),
        "name": _inert(profile.label),
        "profile": [_inert(line) for line in lines],
        "secret": _inert(profile.secret or ""),
        "goal": _inert(profile.goal or ""),
    }


def _action(line: SeenAction, view: View) -> dict[str, Any]:
    if line.kind == "none":
        what = "did nothing"
    else:
        what = _DOING[line.kind] + (f": {line.text}" if line.text else "")
    if line.to:
        to = ", ".join(view.labels[seat] for seat in line.to)
        what = f"(only {to} could notice) {what}"
    # Indented, so that no line of somebody's words can pass for an action of its own.
    what = _inert(what).replace("\n", "\n    ")
    return {"number": line.number, "turn": line.turn, "who": line.label, "what": what}


def _inert(text: str) -> str:
    """The text with the tag that ends the material taken out of it."""
    return text.replace("</episode>", "(/episode)")
