"""The rules of walks and inquiries: what is asked, what the votes decide, and when it is over.

SocialEval (arXiv 2506.00900), section 4. Everything here is pure.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from actors.episodes.environment import Ask, End, Happening
from actors.worldtree.plot import ROOT, Plot, outcome_of
from actors.worldtree.setup import Choose, Chose, Inquiry, Outcome, Settings, Stepped, Verdict, Walk
from actors.worldtree.shuffling import Order, orders
from actors.worldtree.tree import Line
from events.episode import ActionTaken, Asked, TurnOpened, WorldChanged

ENDINGS: Final = {
    "ended": "an ending was reached",
    "dead_end": "the tree goes no further here",
    "undecided": "the answers found no majority",
    "answered": "the question was answered",
}
"""Why an episode is over, in words."""
OWN_FAILURES: Final = frozenset(
    {"unreadable", "cut_off", "thoughts_only", "tool_call", "empty", "filtered", "too_long"}
)
"""Failures of the mind itself: its vote is for nothing. Where there is no answer for another
reason, the question is asked again, as long as there can be a majority."""
NOTHING: Final = -1

Votes = tuple[tuple[int, int], ...]
"""Questions that are settled, each with the option as filed that it was for; -1: for none."""


class WalkWorld(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A walk after some event."""

    plot: Plot = msgspec.field(name="tree")
    settings: Settings
    path: tuple[int, ...] = (ROOT,)
    """Ids of the nodes visited."""
    votes: Votes = ()
    """At the last of them."""


class InquiryWorld(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An inquiry after some event."""

    setup: Inquiry
    votes: Votes = ()


World = WalkWorld | InquiryWorld


def initial(setup: Walk | Inquiry) -> World:
    """At the root, or before the question."""
    if isinstance(setup, Walk):
        return WalkWorld(plot=Plot(setup.tree, setup.digest), settings=setup.settings)
    return InquiryWorld(setup=setup)


def evolve(world: World, event: Happening) -> World:
    """The state after one more event. Raises ``LookupError`` for an option that there is not."""
    match event:
        case ActionTaken(question=number, action=action, failure=failure):
            if isinstance(action, Chose):
                option = shown(world, number)[action.option]
            elif failure is None or failure.reason in OWN_FAILURES:
                option = NOTHING
            else:
                return world
            return msgspec.structs.replace(world, votes=(*world.votes, (number, option)))
        case WorldChanged(change=Stepped(edge=place)) if isinstance(world, WalkWorld):
            to = world.plot.edge(world.path[-1], place).to
            return WalkWorld(plot=world.plot, settings=world.settings, path=(*world.path, to))
        case TurnOpened():
            return world
        case _:
            raise TypeError(f"{type(event).__name__} does not happen to a world tree")


def next_step(world: World) -> Ask | End | Stepped:
    """The questions that are not settled, the step that most answers were for, or the end."""
    return _walk_on(world) if isinstance(world, WalkWorld) else _inquire(world)


def questions_at_most(setup: Walk | Inquiry) -> int:
    """How many questions there are when none is asked in vain."""
    steps = Plot(setup.tree, setup.digest).longest if isinstance(setup, Walk) else 1
    return steps * setup.settings.shuffles


def _walk_on(world: WalkWorld) -> Ask | End | Stepped:
    node = world.plot.nodes.get(world.path[-1])
    if node is None or not node.edges:
        ending = node is not None and node.kind == "ending"
        outcome = outcome_of(node) if node is not None else "unscored"
        return _walked(world, "ended" if ending else "dead_end", outcome)
    option, votes = leading(world.votes)
    if votes * 2 > world.settings.shuffles:
        return Stepped(edge=option, votes=votes)
    if (votes + world.settings.shuffles - len(world.votes)) * 2 > world.settings.shuffles:
        return _ask(world)
    return _walked(world, "undecided", "failed")


def _inquire(world: InquiryWorld) -> Ask | End:
    sample, settings = world.setup.sample, world.setup.settings
    option, votes = leading(world.votes)
    if votes * 2 > settings.shuffles:
        return _asked(world, "answered", "right" if option == 0 else "wrong")
    if (votes + settings.shuffles - len(world.votes)) * 2 > settings.shuffles:
        return _ask(world, sample.question)
    return _asked(world, "undecided", "failed")


def leading(votes: Votes) -> tuple[int, int]:
    """The option that most votes are for, the first of several, and how many they are."""
    counted = Counter([option for _, option in votes if option != NOTHING])
    return counted.most_common(1)[0] if counted else (NOTHING, 0)


def shown(world: World, number: int) -> Order:
    """The order in which the options of a question stand."""
    return all_orders(world)[number]


def all_orders(world: World) -> tuple[Order, ...]:
    """Those of the questions that are open."""
    if isinstance(world, InquiryWorld):
        sample = world.setup.sample
        return orders(world.setup.settings, sample.id, 1 + len(sample.distractors))
    at = world.path[-1]
    count = len(world.plot.nodes[at].edges)
    if world.settings.shuffles == 1:
        return (tuple(range(count)),)
    return orders(world.settings, f"{world.plot.digest}:{at}", count)


def options(world: World) -> tuple[Line, ...]:
    """What can be chosen from, as filed; an inquiry's right line is the first."""
    if isinstance(world, InquiryWorld):
        sample = world.setup.sample
        return (sample.right, *sample.distractors)
    node = world.plot.nodes[world.path[-1]]
    return tuple([edge.line for edge in node.edges])


def _ask(world: World, told: str = "") -> Ask:
    lines = options(world)
    settled = {number for number, _ in world.votes}
    asked = [
        Asked(seat=0, id=number, question=Choose(options=_in(order, lines), told=told))
        for number, order in enumerate(all_orders(world))
        if number not in settled
    ]
    return Ask(asked=tuple(asked))


def _in(order: Order, lines: Sequence[Line]) -> tuple[Line, ...]:
    return tuple([lines[place] for place in order])


def _walked(world: WalkWorld, reason: str, outcome: Outcome) -> End:
    tree = world.plot.tree
    summary: dict[str, str | int | float | bool] = {
        "kind": "walk",
        "tree": tree.id,
        "language": tree.language,
        "orientation": tree.orientation,
        "outcome": outcome,
        "path": " ".join(map(str, world.path)),
    }
    return End(reason=reason, summary=summary)


def _asked(world: InquiryWorld, reason: str, verdict: Verdict) -> End:
    sample = world.setup.sample
    summary: dict[str, str | int | float | bool] = {
        "kind": "ability",
        "sample": sample.id,
        "language": sample.language,
        "verdict": verdict,
    }
    return End(reason=reason, summary=summary)
