"""Parts for the situations that come with figures or lists: haggling over a price, looking for a
common friend, dividing things that are worth points."""

import re
from math import log10

from actors.social.rehearsal.parts import Cue, Price, Reply, ScriptPart, Worth, improvised_lines

_MONEY = re.compile(r"[$€£]\s?(\d[\d,]*(?:\.\d+)?)")
_TARGET = re.compile(r"target price[^$€£]{0,30}([$€£])\s?(\d[\d,]*(?:\.\d+)?)", re.IGNORECASE)
_FRIEND = re.compile(
    r"([A-Z][\w'-]+): ((?:[A-Z][\w ]{2,20}: [^:]+?)+)(?=\s+[A-Z][\w'-]+: [A-Z][\w ]*:|$)"
)
_FIELD = re.compile(r"(School|Company|Major|Hobby): (.+?)(?=\s+(?:School|Company|Major|Hobby|"
                    r"Time Preference|Location Preference):|$)")  # fmt: skip
_POINTS = re.compile(
    r"\b([a-z]+?)(?:s|es)? (?:(?:gives? you|is worth|are worth|equals?|worth|=)\s+)+(\d+) point",
    re.IGNORECASE,
)
_AT = {
    "School": "from {}", "Company": "who works at {}", "Major": "who studied {}",
    "Hobby": "who is fond of {}",
}  # fmt: skip


def bargain_part(context: str, goal: str) -> ScriptPart | None:
    """For a buyer or a seller with a target price."""
    target = _TARGET.search(goal)
    if not target or not re.search(r"\b(buyer|seller)\b", goal, re.IGNORECASE):
        return None
    aim = _number(target[2])
    listed = _MONEY.search(context)
    marked = _number(listed[1]) if listed else aim * 1.3
    selling = re.search(r"\bseller\b", goal, re.IGNORECASE) is not None
    if selling:
        start, limit = max(marked, aim * 1.12), aim * 0.85
    else:
        start, limit = min(aim * 0.75, marked * 0.7), aim * 1.18
    step = 10.0 ** max(0, int(log10(aim)) - 1) * 0.5
    lines = improvised_lines()
    side = "seller" if selling else "buyer"
    return ScriptPart(
        open=lines[f"{side}_open"],
        argue=lines[f"{side}_argue"],
        ask=lines[f"{side}_ask"],
        tell=lines[f"{side}_tell"],
        price=Price(start=start, limit=limit, step=step, form=f"{target[1]}{{n}}"),
        act=lines[f"{side}_act"],
    )


def mutual_friend_part(context: str, goal: str) -> ScriptPart | None:  # noqa: ARG001
    """For somebody with a list of friends who looks for one in common."""
    flat = " ".join(re.sub(r"<[^>]+>", " ", goal).split())
    if "mutual friend" not in flat:
        return None
    friends = {name: dict(_FIELD.findall(fields)) for name, fields in _FRIEND.findall(flat)}
    friends = {name: fields for name, fields in friends.items() if fields}
    if not friends:
        return None
    lines = improvised_lines()
    asks: list[str] = []
    replies: list[Reply] = []
    offers: list[str] = []
    known: list[Worth] = []
    for name, fields in friends.items():
        about = [
            _AT[kind].format(value.strip().lower() if kind == "Hobby" else value.strip())
            for kind, value in fields.items()
        ]
        asks.append(f"{_frame(lines['mutual_ask'], len(asks))} anybody {about[0]}?")
        offers.append(f"{_frame(lines['mutual_offer'], len(offers))} {name}, {about[-1]}?")
        known.append(Worth(on=Cue(name), worth=0.95))
        for value in fields.values():
            rare = re.findall(r"[A-Za-z]{5,}", value)
            if rare:
                replies.append(
                    Reply(
                        on=Cue(max(rare, key=len)),
                        say=f"{_frame(lines['mutual_reply'], len(replies))} {name}?",
                    )
                )
    return ScriptPart(
        open=lines["mutual_open"],
        argue=lines["mutual_argue"],
        ask=tuple(asks),
        reply=tuple(replies),
        offer=tuple(offers),
        hear=(*known, Worth(on=Cue("what suppose could how is"), worth=0.02)),
        refuse=lines["mutual_refuse"],
        accept=lines["mutual_accept"],
    )


def divide_part(context: str, goal: str) -> ScriptPart | None:
    """For somebody to whom the things to be divided are worth points."""
    if "point" not in goal:
        return None
    worth = {item.lower(): int(points) for item, points in _POINTS.findall(goal)}
    if len(worth) < 2:
        return None
    items = sorted(worth, key=lambda item: -worth[item])
    best, rest = _plural(items[0], context), [_plural(item, context) for item in items[1:]]
    lines = improvised_lines()

    def filled(pool: str) -> tuple[str, ...]:
        return tuple(
            line.replace("{best}", best)
            .replace("{next}", rest[0])
            .replace("{least}", rest[-1])
            .replace("{rest}", " and the ".join(rest))
            for line in lines[pool]
        )

    return ScriptPart(
        open=filled("divide_open"),
        argue=filled("divide_argue"),
        ask=filled("divide_ask"),
        tell=filled("divide_tell"),
        bluff=filled("divide_bluff"),
        offer=filled("divide_offer"),
        act=filled("act"),
    )


def _plural(item: str, context: str) -> str:
    """The item as the situation counts it: ``1 orange`` stays one, ``3 hats`` are many."""
    found = re.search(rf"\b(\d+) ({re.escape(item)}\w*)", context, re.IGNORECASE)
    return found[2].lower() if found else item


def _frame(frames: tuple[str, ...], index: int) -> str:
    return frames[index % len(frames)]


def _number(text: str) -> float:
    return float(text.replace(",", ""))
