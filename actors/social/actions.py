"""What a seat of a social episode is asked, and what it can do (SOTOPIA, section 2.2)."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from events import environments

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


ACT: Final = Act()
NOTHING: Final = Action(kind="none")


def action_fault(question: Act, action: Action, seat: int, seats: int) -> str | None:
    """What is wrong with an action of one of so many seats; None if nothing is."""
    del question
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
