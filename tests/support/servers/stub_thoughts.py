"""What the stub server answers a generative mind: by the shape that its prompts end with."""

import json
import re
from typing import Any, Protocol

ASKED = "Answer with one JSON object and nothing else:\n"
TALKS_ONE_IN = 2
"""Of so many sightings one leads to a talk."""
ACTIVITIES = (
    "having breakfast",
    "writing letters",
    "reading the paper",
    "repairing the fence",
    "having lunch",
    "walking by the river",
    "meeting friends",
    "weeding the garden",
    "shopping for the week",
    "mending a chair",
    "cooking dinner",
    "playing cards",
    "practising the fiddle",
    "tidying up",
    "watching the stars",
)
"""What the stub has people do, in this order, from waking on."""


class Draws(Protocol):
    """Numbers and words that follow from a text."""

    def number(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        ...

    def words(self, count: int) -> str:
        """Some words."""
        ...


def thought(prompt: str, draw: Draws) -> dict[str, Any] | None:
    """The answer to a generative mind's prompt; None where it is none."""
    if ASKED not in prompt:
        return None
    before, _, shape = prompt.rpartition(ASKED)
    try:
        fields = json.loads(shape.splitlines()[0])
    except ValueError:
        return None
    return _answer(tuple(fields), fields, before, draw)


def _answer(
    names: tuple[str, ...], fields: dict[str, Any], before: str, draw: Draws
) -> dict[str, Any] | None:
    match names:
        case ("wake", "plan", "hours"):
            wake = draw.number(6, 8)
            hours = [
                {"start": f"{hour:02}:00", "activity": _activity(hour - wake)}
                for hour in range(wake, 24)
            ]
            return {"wake": f"{wake:02}:00", "plan": list(ACTIVITIES[:4]), "hours": hours}
        case ("time",):
            return {"time": f"{draw.number(6, 8)}:00 am"}
        case ("plan",):
            return {"plan": list(ACTIVITIES[:4])}
        case ("actions",):
            return {"actions": _actions(fields["actions"][0], before, draw)}
        case ("address", "emoji"):
            return {"address": _room(before, draw), "emoji": "🙂"}
        case ("emoji",):
            return {"emoji": "🙂"}
        case ("subject", "verb", "object"):
            return {"subject": "it", "verb": "is", "object": draw.words(2)}
        case ("ratings",):
            found = re.search(r"Give (\d+) whole", before)
            assert found is not None
            return {"ratings": [_rating(draw) for _ in range(int(found[1]))]}
        case ("why", "talk_to"):
            met = re.findall(r"^- (.+?), about this:", before, re.MULTILINE)
            talks = draw.number(0, TALKS_ONE_IN - 1) == 0
            return {"why": draw.words(6), "talk_to": met[0] if talks else ""}
        case ("wait",):
            return {"wait": bool(draw.number(0, 1))}
        case ("text", "ends", *more):
            ends = draw.number(0, 3) == 0
            about = {"about": f"{draw.words(2)} today" if ends else ""} if more else {}
            return {"text": draw.words(20), "ends": ends, **about}
        case ("note", "memo", "importance"):
            given = draw.number(1, 9)
            return {"note": draw.words(12), "memo": draw.words(12), "importance": given}
        case ("questions",):
            return {"questions": [f"what about {draw.words(3)}?" for _ in range(3)]}
        case ("insights",):
            return {"insights": _insights("question" in fields["insights"][0], draw)}
        case ("items",):
            return {"items": [draw.words(4) for _ in range(3)]}
        case ("text",):
            return {"text": _text(before, draw)}
    return None


def _rating(draw: Draws) -> int:
    """Mostly of what is soon forgotten."""
    return min(draw.number(1, 6), draw.number(1, 6))


def _activity(hour: int) -> str:
    return ACTIVITIES[hour] if hour < len(ACTIVITIES) else "sleeping"


def _actions(shape: dict[str, Any], before: str, draw: Draws) -> list[dict[str, Any]]:
    minutes = re.search(r"in th(?:es)?e (\d+) minutes", before)
    assert minutes is not None
    block = re.search(r'minutes of "(.+?)"\?', before)
    what = block[1] if block else "going on"
    actions = []
    for number in range(max(1, int(minutes[1]) // 10)):
        action: dict[str, Any] = {"text": f"{what}, part {number + 1}", "minutes": 10}
        if "address" in shape:
            action |= {"address": _room(before, draw), "emoji": "🙂"}
        actions.append(action)
    return actions


def _room(before: str, draw: Draws) -> str:
    listed = before.rpartition("PLACES THAT ARE KNOWN")[2].partition("\n\n")[0]
    rooms = re.findall(r"^- ([^:\n]+:[^:\n]+:[^:\n]+)", listed, re.MULTILINE)
    return str(rooms[draw.number(0, len(rooms) - 1)]) if rooms else "nowhere"


def _insights(of_several: bool, draw: Draws) -> list[dict[str, Any]]:
    if not of_several:
        return [{"text": draw.words(8), "because": [1]} for _ in range(5)]
    return [
        {"question": question, "text": draw.words(8), "because": [1], "importance": 5}
        for question in (1, 2, 3)
        for _ in range(2)
    ]


def _text(before: str, draw: Draws) -> str:
    if "Take one of these, as it is written:" in before:
        listed = before.rpartition("as it is written:")[2]
        places = re.findall(r"^- (.+)$", listed, re.MULTILINE)
        return str(places[draw.number(0, len(places) - 1)])
    if hour := re.search(r"in the hour from (\d+):00 on", before):
        return _activity(int(hour[1]) - 7)
    if "Say in 3 to 5 sentences" in before:
        return " ".join(f"{draw.words(6).capitalize()}." for _ in range(4))
    return f"{draw.words(12).capitalize()}."
