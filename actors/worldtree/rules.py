"""The rules of walks and inquiries: what is asked, what the votes decide, and when it is over.

SocialEval (arXiv 2506.00900), section 4. Everything here is pure.
"""

from typing import Final

import msgspec

from actors.episodes.port.rules import Ask, End, Happening, Recording, Rules
from actors.worldtree import setup_faults
from actors.worldtree.catalog_items import Sample
from actors.worldtree.options.order import Order, orders_of
from actors.worldtree.setup import (
    Choose,
    Chose,
    Inquiry,
    NoChoice,
    Outcome,
    Settings,
    Stepped,
    Verdict,
    Walk,
)
from actors.worldtree.trees.plot import ROOT, Plot, PlotChoice, plot_of
from actors.worldtree.trees.tree import said_by
from events.environments import Action
from events.episode import ActionFailure, ActionTaken, Asked, TurnOpened
from events.serialization.identity_key import cached_by_identity

OWN_FAILURES: Final = frozenset(
    {"unreadable", "cut_off", "loop", "thoughts_only", "tool_call", "empty", "filtered", "too_long"}
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


def choice_of(world: World) -> PlotChoice:
    """What is chosen from now. An inquiry's right line is the first as filed."""
    if isinstance(world, WalkWorld):
        return world.plot.places[world.path[-1]].choice
    return _choice_in(world.setup.sample)


@cached_by_identity(maxsize=256)
def _choice_in(sample: Sample) -> PlotChoice:
    lines = said_by(sample.protagonist.name, (sample.right, *sample.distractors))
    return PlotChoice(sample.id, lines, sample.question)


def filed(world: World, question: int, option: int) -> int:
    """The place as filed of the option shown at some place of a question of the turn. Raises
    ``LookupError`` where there is none."""
    choice, orders = _asked_of(world)
    if not 0 <= option < choice.count:
        raise IndexError(option)
    return option if orders is None else orders[_counted(question)][option]


def _counted(place: int) -> int:
    """A place from the beginning. Raises ``LookupError`` below it."""
    if place < 0:
        raise IndexError(place)
    return place


def leading(votes: Votes) -> tuple[int, int]:
    """The option that most votes are for, the first of several, and how many they are."""
    if len(votes) == 1:
        option = votes[0][1]
        return option, int(option != NOTHING)
    options = [option for _, option in votes if option != NOTHING]
    found, most = NOTHING, 0
    for option in options:
        if (count := options.count(option)) > most:
            found, most = option, count
    return found, most


def _answered(world: World, taken: ActionTaken) -> World:
    """A vote more; none where no answer came and the mind is not to blame."""
    action, failure = taken.action, taken.failure
    if isinstance(action, Chose):
        option = filed(world, taken.question, action.option)
    elif failure is None or failure.reason in OWN_FAILURES:
        option = NOTHING
    else:
        return world
    votes = (*world.votes, (taken.question, option))
    if isinstance(world, WalkWorld):
        return WalkWorld(plot=world.plot, settings=world.settings, path=world.path, votes=votes)
    return InquiryWorld(setup=world.setup, votes=votes)


def _ask(world: World) -> Ask:
    """The questions that have no vote yet."""
    choice, orders = _asked_of(world)
    if orders is None:
        return choice.as_filed
    lines, told = choice.lines, choice.told
    settled = [number for number, _ in world.votes]
    asked = [
        Asked(
            seat=0,
            id=number,
            question=Choose(options=tuple([lines[place] for place in order]), told=told),
        )
        for number, order in enumerate(orders)
        if number not in settled
    ]
    return Ask(asked=tuple(asked))


def _asked_of(world: World) -> tuple[PlotChoice, tuple[Order, ...] | None]:
    """What is chosen from, and in which order each question shows it; None: once, as filed."""
    if isinstance(world, WalkWorld):
        choice, settings = world.plot.places[world.path[-1]].choice, world.settings
        if settings.shuffles == 1:
            return choice, None
    else:
        choice, settings = choice_of(world), world.setup.settings
    return choice, orders_of(settings.seed, settings.shuffles, choice.key, choice.count)


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


class ChoiceRules(Rules[Walk | Inquiry, World, Choose, Action]):
    """One seat, a tree, a way through it; or one question."""

    setup_fault = staticmethod(setup_faults.setup_fault)

    def initial(self, setup: Walk | Inquiry) -> World:
        """At the root, or before the question."""
        if isinstance(setup, Walk):
            return WalkWorld(plot=plot_of(setup.tree, setup.digest), settings=setup.settings)
        return InquiryWorld(setup=setup)

    def evolve(self, world: World, event: Happening) -> World:
        """The state after one more event. Raises ``LookupError`` for an option that there is
        not."""
        if isinstance(event, ActionTaken):
            return _answered(world, event)
        if isinstance(event, TurnOpened):
            return world
        change = event.change
        if isinstance(change, Stepped) and isinstance(world, WalkWorld):
            plot, path = world.plot, world.path
            to = plot.places[path[-1]].targets[_counted(change.edge)]
            return WalkWorld(plot=plot, settings=world.settings, path=(*path, to))
        raise TypeError(f"{type(change).__name__} does not happen here")

    def next_step(self, world: World) -> Ask | End | Stepped:
        """The questions that are not settled, the step that most answers were for, or the end."""
        votes = world.votes
        if isinstance(world, WalkWorld):
            place, settings = world.plot.places[world.path[-1]], world.settings
            if not place.targets:
                return _walked(world, place.ending, place.outcome)
            if not votes and settings.shuffles == 1:
                return place.choice.as_filed
        else:
            settings = world.setup.settings
        option, most = leading(votes)
        shuffles = settings.shuffles
        if most * 2 > shuffles:
            if isinstance(world, WalkWorld):
                return Stepped(edge=option, votes=most)
            return _asked(world, "answered", "right" if option == 0 else "wrong")
        if (most + shuffles - len(votes)) * 2 > shuffles:
            return _ask(world)
        if isinstance(world, WalkWorld):
            return _walked(world, "undecided", "undecided")
        return _asked(world, "undecided", "undecided")

    def action_fault(self, question: Choose, action: Action, seat: int, seats: int) -> str | None:
        """An option that there is not."""
        if not isinstance(action, Chose):
            return "an option must be chosen"
        count = len(question.options)
        if 0 <= action.option < count:
            return None
        return f"there is no option {action.option}; options are 0 to {count - 1}"

    def nothing(self, question: Choose) -> NoChoice:
        return NoChoice()


class ChoiceRecording(Recording[Choose, Action]):
    """An answer that cannot be read is a vote for nothing."""

    def accepts(self, action: Action, failure: ActionFailure) -> bool:
        """The mind's own failures are votes for nothing."""
        return failure.reason in OWN_FAILURES


RULES: Final = ChoiceRules()
RECORDING: Final = ChoiceRecording()
