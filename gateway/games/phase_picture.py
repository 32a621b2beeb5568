"""The phases of a ruleset as SVG: a box for each with who acts, verbs, who learns of it and what
comes of it; arrows with their conditions; and how the game ends.

All words stand inside boxes, or between two of them; lines that lead elsewhere run beside all
boxes, so that nothing is drawn over a text. The same ruleset gives the same picture, to the byte.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from actors.games.checks.bounds import deals_of
from actors.games.ruleset import Phase, Ruleset
from actors.text.amounts import many
from evaluators.report.charts.svg_text import svg_text, wide
from events.untrusted.safe_text import one_line
from gateway.games.in_words import (
    condition_in_words,
    effect_in_words,
    seats_in_words,
    verb_in_words,
)

_BOX: Final = 560
"""How wide a box is, in pixels."""
_LEFT, _PAD, _GAP, _LANE = 44, 14, 30, 18
"""Room for the line to the endings; inside boxes; between them; between lines beside them."""
_SIZE, _SMALL, _TITLE = 13, 12, 15
"""Of letters."""
_LINE: Final = 18
_LEARN: Final = {
    "public": "all learn of it",
    "team": "their team learns of it",
    "self": "nobody else learns of it",
    "named": "whom it names learns of it",
}
_COLOURS: Final = (
    {"ink": "#1d2528", "muted": "#5c686c", "line": "#7d8785", "card": "#ffffff",
     "box": "#f4f6f5", "secret": "#eef0fa", "end": "#eef7ef"},
    {"ink": "#e6e9e6", "muted": "#9aa7aa", "line": "#829097", "card": "#1b2225",
     "box": "#242d31", "secret": "#272a40", "end": "#213126"},
)  # fmt: skip
_RULES: Final = (
    "svg{{background:{card};font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',"
    "sans-serif}}text{{fill:{ink};font-size:13px}}.title{{font-size:15px;font-weight:650}}"
    ".head{{font-weight:650}}.muted{{fill:{muted};font-size:12px}}"
    ".box{{fill:{box};stroke:{line}}}.secret{{fill:{secret}}}.end{{fill:{end};stroke:{line}}}"
    ".way{{fill:none;stroke:{line};stroke-width:1.5px}}.dashed{{stroke-dasharray:4 4}}"
    ".tip{{fill:{line}}}"
)
_STYLE: Final = (
    _RULES.format_map(_COLOURS[0])
    + "@media screen and (prefers-color-scheme:dark){"
    + _RULES.format_map(_COLOURS[1])
    + "}"
)


class _Row(NamedTuple):
    """A line of text in a box."""

    text: str
    kind: str = ""
    indent: int = 0


class _Exit(NamedTuple):
    """A way that leads to another place than the next box."""

    row: int
    """The row of the box that it begins beside."""
    target: int


class _Box(NamedTuple):
    rows: tuple[_Row, ...]
    kind: str
    exits: tuple[_Exit, ...] = ()
    below: tuple[str, ...] | None = None
    """What stands at the arrow to the next box; None: there is no arrow."""

    @property
    def height(self) -> int:
        return 2 * _PAD + _LINE * len(self.rows) - 4


class _Lane(NamedTuple):
    begin: float
    target: int
    origin: int


def phase_picture(rules: Ruleset) -> str:
    """The picture, a file of its own."""
    head = _head(rules)
    boxes = [_phase_box(rules, place) for place in range(len(rules.phases))]
    ends = list(_end_boxes(rules))
    tops, y = [], float(_PAD + _LINE * len(head) + _PAD)
    for box in boxes:
        tops.append(y)
        y += box.height + _below(box)
    lanes = [
        _Lane(tops[place] + _PAD + _LINE * exit_.row + _LINE / 2 - 2, exit_.target, place)
        for place, box in enumerate(boxes)
        for exit_ in box.exits
    ]
    drawn = [_text(_LEFT, _PAD + _LINE * (row + 1) - 4, line) for row, line in enumerate(head)]
    for place, box in enumerate(boxes):
        drawn += _drawn_box(box, tops[place])
        if box.below is not None and place + 1 < len(boxes):
            drawn += _arrow_down(tops[place] + box.height, tops[place + 1], box.below)
    drawn += _lanes(lanes, tops)
    ending = y + _LINE
    if ends:
        title = "Endings, looked at in this order after every turn and phase"
        drawn.append(_text(_LEFT, ending, _Row(title, "head")))
        line = ending - 4
        drawn.append(
            f'<path class="way dashed" d="M{_LEFT} {tops[0] + 16:.0f}H{_LEFT - 24}V{line:.0f}'
            f'H{_LEFT - 8}"/>' + _tip(_LEFT - 3, line, "right")
        )
        y = ending + 12
        for box in ends:
            drawn += _drawn_box(box, y)
            y += box.height + 8
    width = _LEFT + _BOX + (_LANE * (len(lanes) + 1) if lanes else 0) + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 12:.0f}" '
        f'width="{width}" height="{y + 12:.0f}" role="img" aria-label="{_attribute(rules)}">'
        f"<style>{_STYLE}</style>{''.join(drawn)}</svg>\n"
    )


def _attribute(rules: Ruleset) -> str:
    return svg_text(one_line(f"{rules.title}: {many(len(rules.phases), 'phase')}"))


def _head(rules: Ruleset) -> list[_Row]:
    """The game, and its roles."""
    players = f"{rules.least}" if rules.least == rules.most else f"{rules.least} to {rules.most}"
    rounds = f", {many(rules.rounds, 'round')} at most" if rules.rounds else ""
    found = [_Row(rules.title, "title"), _Row(f"{players} players{rounds}", "muted")]
    deals = deals_of(rules)
    for role in rules.roles:
        counts = sorted({one[role.id] for one in deals.values()}) or [0]
        seats = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        knows = f"; knows {', '.join(role.knows)}" if role.knows else ""
        held = [f"{name} {number}" for name, number in role.counters.items()]
        has = f"; has {', '.join(held)}" if held else ""
        found += _wrapped(f"{seats} × {role.name}, team {role.team}{knows}{has}", 0, "")
    return found


def _phase_box(rules: Ruleset, place: int) -> _Box:
    phase = rules.phases[place]
    rows = _wrapped(phase.title, 0, "head")
    rows += _wrapped(_who(rules, phase), 0, "muted")
    for verb in phase.verbs:
        rows += _wrapped(verb_in_words(rules, verb), 10, "", "• ")
        for effect in verb.effects:
            rows += _wrapped(effect_in_words(rules, effect), 24, "muted", "– ")
    for number, effect in enumerate(phase.effects):
        if phase.verbs and not number:
            rows.append(_Row("at the end:", "muted", 10))
        rows += _wrapped(effect_in_words(rules, effect), 24, "muted", "– ")
    exits: list[_Exit] = []
    below: tuple[str, ...] | None = None
    for target, when in _ways(rules, place):
        said = f"if {when}" if when and when != _ELSE else when
        if target == place + 1 and below is None:
            below = tuple(row.text for row in _wrapped(said, 0, "")) if said else ()
            continue
        again = "in a new round: " if target <= place else ""
        words = f"{again}{rules.phases[target].title}{f', {said}' if said else ''}"
        exits.append(_Exit(len(rows), target))
        rows += _wrapped(words, 10, "", "→ ")
    secret = " secret" if phase.visibility != "public" else ""
    return _Box(tuple(rows), f"box{secret}", tuple(exits), below)


_ELSE: Final = "otherwise"


def _ways(rules: Ruleset, place: int) -> Iterator[tuple[int, str]]:
    """Where a phase leads, and the condition in words."""
    places = {phase.id: number for number, phase in enumerate(rules.phases)}
    conditional = False
    for one in rules.phases[place].next:
        if one.phase not in places:
            continue
        if one.when is None:
            yield places[one.phase], _ELSE if conditional else ""
            return
        conditional = True
        yield places[one.phase], condition_in_words(rules, one.when)
    yield (place + 1) % len(rules.phases), _ELSE if conditional else ""


def _who(rules: Ruleset, phase: Phase) -> str:
    if not phase.verbs:
        return "nobody acts"
    parts = [seats_in_words(rules, phase.who)]
    parts.append("all at once" if phase.order == "together" else "one after the other")
    if phase.repeat > 1:
        parts.append(f"{phase.repeat} times each")
    parts.append(_LEARN[phase.visibility])
    if not phase.passes:
        parts.append("nobody may pass")
    if phase.until is not None:
        parts.append(f"until {condition_in_words(rules, phase.until)}")
    return "; ".join(parts)


def _end_boxes(rules: Ruleset) -> Iterator[_Box]:
    for one in rules.ends:
        rows = _wrapped(one.text, 0, "head")
        rows += _wrapped(f"when {condition_in_words(rules, one.when)}", 0, "muted")
        rows += _wrapped(_winners(one.winners), 0, "")
        yield _Box(tuple(rows), "end")
    rounds = many(rules.rounds or 1, "round")
    last = _winners(rules.rounds_winners) if not rules.payoffs else "payoffs count"
    yield _Box((*_wrapped(f"After {rounds}", 0, "head"), *_wrapped(last, 0, "")), "end")


def _winners(winners: Sequence[str]) -> str:
    return f"winners: {', '.join(winners)}" if winners else "nobody wins"


def _wrapped(text: str, indent: int, kind: str, mark: str = "") -> list[_Row]:
    """A text as rows that fit into a box."""
    size = {"muted": _SMALL, "title": _TITLE}.get(kind, _SIZE)
    factor = 1.08 if kind in ("head", "title") else 1.0
    room = (_BOX - 2 * _PAD - indent) / factor
    found, line = [], mark
    for word in one_line(text).split():
        for part in _parts(word, room - wide(mark, size), size):
            longer = f"{line}{part}" if line in ("", mark) else f"{line} {part}"
            if wide(longer, size) > room and line not in ("", mark):
                found.append(line)
                longer = f"{'  ' * bool(mark)}{part}"
            line = longer
    return [_Row(one, kind, indent) for one in [*found, line]]


def _parts(word: str, room: float, size: float) -> Iterator[str]:
    """A word, in parts where it is wider than a line."""
    part = ""
    for letter in word:
        if part and wide(part + letter, size) > room:
            yield part
            part = ""
        part += letter
    yield part


def _below(box: _Box) -> int:
    """The room between a box and the next."""
    return _GAP + _LINE * max(0, len(box.below or ()) - 1)


def _text(x: float, y: float, row: _Row) -> str:
    kind = f' class="{row.kind}"' if row.kind else ""
    space = ' xml:space="preserve"' if row.text.startswith(" ") else ""
    return f'<text x="{x + row.indent:.0f}" y="{y:.0f}"{kind}{space}>{svg_text(row.text)}</text>'


def _drawn_box(box: _Box, top: float) -> list[str]:
    radius = 14 if box.kind == "end" else 4
    found = [
        f'<rect class="{box.kind}" x="{_LEFT}" y="{top:.0f}" width="{_BOX}" '
        f'height="{box.height}" rx="{radius}"/>'
    ]
    for number, row in enumerate(box.rows):
        found.append(_text(_LEFT + _PAD, top + _PAD + _LINE * number + 11, row))
    return found


def _arrow_down(begin: float, end: float, words: Sequence[str]) -> list[str]:
    x = _LEFT + 40
    found = [f'<path class="way" d="M{x} {begin:.0f}V{end - 6:.0f}"/>', _tip(x, end, "down")]
    for number, line in enumerate(words):
        found.append(_text(x + 14, begin + 19 + _LINE * number, _Row(line, "muted")))
    return found


def _lanes(lanes: Sequence[_Lane], tops: Sequence[float]) -> list[str]:
    """Lines beside the boxes, short ones nearest, each with its own place at its target."""
    edge, found = _LEFT + _BOX, []
    arrivals: dict[int, int] = {}
    order = sorted(lanes, key=lambda lane: abs(tops[lane.target] - lane.begin))
    for number, lane in enumerate(order, 1):
        x = edge + _LANE * number
        arrivals[lane.target] = arrivals.get(lane.target, 0) + 1
        end = tops[lane.target] + 5 + 7 * arrivals[lane.target]
        found.append(
            f'<path class="way" d="M{edge} {lane.begin:.0f}H{x}V{end:.0f}H{edge + 6}"/>'
            + _tip(edge, end, "left")
        )
    return found


def _tip(x: float, y: float, way: str) -> str:
    ends = {
        "down": f"M{x} {y:.0f}l-4 -8h8z",
        "left": f"M{x} {y:.0f}l8 -4v8z",
        "right": f"M{x} {y:.0f}l-8 -4v8z",
    }
    return f'<path class="tip" d="{ends[way]}"/>'
