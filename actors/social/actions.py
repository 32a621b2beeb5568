"""What a seat of a social episode is asked, and what it can do (SOTOPIA, section 2.2)."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from actors.social.modes import MOST_LINES
from events import environments
from events.base import Value

ActionKind = Literal["speak", "non_verbal", "physical", "none", "leave"]

ACTION_KINDS: Final[tuple[ActionKind, ...]] = ("speak", "non_verbal", "physical", "none", "leave")
LONGEST_TEXT: Final = 10_000
"""Characters of an action: whatever is said has to fit into everybody's observations."""

MOST_HEARERS: Final = 1000
"""Seats that an action may name."""


class Act(environments.Question, frozen=True, kw_only=True, tag="social.Act"):
    """The one question there is: what do you do?"""


class Action(environments.Action, frozen=True, kw_only=True, tag="social.Action"):
    """What a seat does with its turn."""

    kind: ActionKind
    # Told in the schema, and held by ``action_fault``: what is stored stays readable.
    text: Annotated[str, Meta(extra_json_schema={"maxLength": LONGEST_TEXT})] = ""
    """What is said or done; empty for ``none``, and optional for ``leave``. At most 10,000
    characters."""
    to: Annotated[tuple[int, ...], Meta(extra_json_schema={"maxItems": MOST_HEARERS})] = ()
    """Seats that may notice it (a whisper), at most 1,000; empty: everybody."""
    plain: bool = False
    """The mind wrote prose, or words beside doing nothing, and the plan has them taken for
    speech."""


class WriteTurn(Act, frozen=True, kw_only=True, tag="social.WriteTurn"):
    """To a mind that writes for all seats: what does the one whose turn it is do? It is noticed by
    everybody."""


class WriteScript(Act, frozen=True, kw_only=True, tag="social.WriteScript"):
    """To a mind that writes for all seats: what do all of them do, from the first turn to the
    last?"""


class ScriptLine(Value, frozen=True, kw_only=True):
    """What one seat does in one turn of a script. It is noticed by everybody."""

    seat: int
    """From 0."""
    kind: ActionKind
    text: Annotated[str, Meta(extra_json_schema={"maxLength": LONGEST_TEXT})] = ""
    """As of ``Action``."""


class WholeScript(Action, frozen=True, kw_only=True, tag="social.Script"):
    """A whole dialogue: what the seat that was asked does in this turn, and what happens in those
    that follow."""

    lines: Annotated[
        tuple[ScriptLine, ...], Meta(extra_json_schema={"maxItems": MOST_LINES - 1})
    ] = ()
    """One for each turn after this one, in their order. The rules end an episode of a script as any
    other, whether all its lines were played by then or not."""


ACT: Final = Act()
WRITE_TURN: Final = WriteTurn()
WRITE_SCRIPT: Final = WriteScript()
NOTHING: Final = Action(kind="none")


def action_fault(question: Act, action: Action, seat: int, seats: int) -> str | None:
    """What is wrong with an action of one of so many seats; None if nothing is."""
    if question.__class__ is not Act and (fault := _scripted_fault(question, action, seat, seats)):
        return fault
    if action.kind not in ACTION_KINDS:
        return f"{action.kind!r} is no kind of action; kinds are {', '.join(ACTION_KINDS)}"
    if action.kind not in ("none", "leave") and not action.text.strip():
        return f"an action of kind {action.kind} needs a text that says what is said or done"
    if len(action.text) > LONGEST_TEXT:
        return f"a text has at most {LONGEST_TEXT:,} characters, this one has {len(action.text):,}"
    if not action.to:
        return None
    if len(action.to) > MOST_HEARERS:
        return f"to names at most {MOST_HEARERS:,} seats, this one {len(action.to):,}"
    for other in action.to:
        if not 0 <= other < seats:
            return f"there is no seat {other} to whisper to; seats are 0 to {seats - 1}"
        if other == seat:
            return f"seat {seat} cannot whisper to itself"
    return None


def _scripted_fault(question: Act, action: Action, seat: int, seats: int) -> str | None:
    """What is wrong with what a mind wrote for all seats, beside what is with any action."""
    if action.to:
        return "everything is noticed by everybody here, so to has to be empty"
    if type(question) is not WriteScript:
        return "one turn is asked for, not a script" if isinstance(action, WholeScript) else None
    if not isinstance(action, WholeScript):
        return "a script of the whole dialogue is asked for, not an action"
    if len(action.lines) >= MOST_LINES:
        return f"a script has at most {MOST_LINES} actions, this one {len(action.lines) + 1:,}"
    gone = {seat} if action.kind == "leave" else set[int]()
    for number, line in enumerate(action.lines, 2):
        if not 0 <= line.seat < seats:
            return f"action {number} is of seat {line.seat}; seats are 0 to {seats - 1}"
        if line.seat in gone:
            return f"action {number} is of seat {line.seat}, which has left before"
        alone = Action(kind=line.kind, text=line.text)
        if fault := action_fault(WRITE_TURN, alone, line.seat, seats):
            return f"action {number}: {fault}"
        if line.kind == "leave":
            gone.add(line.seat)
    return None
