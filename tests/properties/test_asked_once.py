"""Of processes that freeze, wake, are cut off and are given each other's work, one asks.

A model of what ``docs/decisions/0017-the-question-is-the-intent.md`` argues: one job, one agent's
stream, three processes and a clock, every step of which may come in any order. The lease is the
real one. Only two things are one step that are two in truth: to see that one is alone, and to send;
and to take a job up, and to read its stream.
"""

import random
from functools import partial
from math import inf
from typing import Literal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from actors.runtime.ownership.lease import Lease

ACK_WAIT, TERM = 8, 4
Fence = Literal["none", "look", "claim"]


class World:
    """The database, the job queue, and the clock that all go by."""

    def __init__(self, fence: Fence) -> None:
        self.fence = fence
        self.now = 0.0
        self.log: list[str] = []
        """The stream: ``begun``, then ``asked`` and ``answer``."""
        self.heard_at = -inf
        """When the queue heard last of who has the job."""
        self.processes = [Process(self) for _ in range(3)]
        self.sent = 0
        self.crossed = 0
        """Requests that were sent though they were answered, or while another's was under way whose
        answer could be stored."""

    def deliver(self, to: "Process") -> None:
        """Give the job to a process, if whoever has it has been silent for too long."""
        if self.now - self.heard_at > ACK_WAIT:
            self.heard_at = self.now
            to.mailbox += 1

    def append(self, event: str, expected: int) -> bool:
        """Whether it is stored."""
        stored = len(self.log) == expected
        if stored:
            self.log.append(event)
        return stored


class Process:
    """A worker with one agent in it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.lease = Lease(TERM, lambda: world.now)
        self.lease.begin("episode")
        self.frozen = self.parted = False
        self.mailbox = 0
        """Deliveries on their way."""
        self.leave()

    def leave(self) -> None:
        """The job is another's."""
        self.holds = self.claimed = self.asking = self.storing = False
        self.owned_at = -inf
        self.view = 0
        """How much of the stream it knows."""

    @property
    def alone(self) -> bool:
        """As ``PersistentActor._is_alone``."""
        return self.lease.held_since(self.owned_at)

    def beat(self) -> None:
        """Tell the queue that the job is in hand, and hear of it."""
        if self.parted:
            return
        while self.mailbox:  # what was sent before the answer arrives before it
            self.receive()
        if self.holds:
            self.world.heard_at = self.world.now
        self.lease.renew("episode", self.world.now)

    def receive(self) -> None:
        """Take up the job, if there is one."""
        if self.parted or not self.mailbox:
            return
        self.mailbox -= 1
        late = self.world.now - self.lease.renewed_at("episode") > ACK_WAIT
        if self.holds or (late and self.world.fence == "claim"):
            return
        self.holds = True
        begins = self.world.append("begun", 0)
        self.view = len(self.world.log)
        self.owned_at = self.world.now if begins or self.world.fence != "claim" else -inf

    def ask(self) -> None:
        """Go about sending the question, as far as one step leads."""
        world = self.world
        if not self.holds or self.asking:
            return
        match world.fence:
            case "none":
                self.send()
            case "look" if self.alone or self.view == len(world.log):
                self.owned_at = world.now
                self.send()
            case "look":
                self.leave()
            case "claim" if self.alone:
                self.send()
            case "claim" if self.lease.is_held:
                if world.append("asked", self.view):
                    self.view, self.owned_at, self.claimed = self.view + 1, world.now, True
                else:
                    self.leave()

    def send(self) -> None:
        """The question leaves; where it has not been stored it will be in another step."""
        world = self.world
        answered = "answer" in world.log[self.view :]
        others = (one for one in world.processes if one is not self and one.asking)
        world.sent += 1
        world.crossed += answered or any(one.view == len(world.log) for one in others)
        self.asking, self.storing, self.claimed = True, not self.claimed, False

    def store(self) -> None:
        """What comes next is stored: the question, or the answer."""
        if not self.asking:
            return
        if not self.world.append("asked" if self.storing else "answer", self.view):
            self.leave()
            return
        self.view, self.owned_at = self.view + 1, self.world.now
        self.asking, self.storing = self.storing, False


STEPS = ("beat", "receive", "ask", "store")


class Fleet(RuleBasedStateMachine):
    """Whatever happens in whatever order."""

    fence: Fence = "claim"

    def __init__(self) -> None:
        super().__init__()
        self.world = World(self.fence)

    @rule(seconds=st.sampled_from((1, 3, ACK_WAIT + 1)))
    def time_passes(self, seconds: int) -> None:
        """The clock goes on."""
        self.world.now += seconds

    @rule(number=st.integers(0, 2))
    def is_given_the_job(self, number: int) -> None:
        """The queue may give the job to anybody, frozen or not."""
        self.world.deliver(self.world.processes[number])

    @rule(number=st.integers(0, 2), of=st.sampled_from(("frozen", "parted")))
    def changes(self, number: int, of: str) -> None:
        """A process freezes or wakes up, is cut off or heard again."""
        process = self.world.processes[number]
        setattr(process, of, not getattr(process, of))

    @precondition(lambda self: any(one.holds or one.mailbox for one in self.world.processes))
    @rule(number=st.integers(0, 2), step=st.sampled_from(STEPS))
    def goes_on(self, number: int, step: str) -> None:
        """A process does something, unless it is frozen."""
        process = self.world.processes[number]
        if not process.frozen:
            getattr(process, step)()
        assert self.world.crossed == 0


TestFleet = Fleet.TestCase
TestFleet.settings = settings(
    TestFleet.settings, max_examples=60, stateful_step_count=50, deadline=None, database=None
)


def two_freeze(fence: Fence) -> World:
    """One freezes with the job; another is given it, and asks just as the first wakes up."""
    world = World(fence)
    first, second, _ = world.processes
    world.deliver(first)
    first.receive()
    world.now += ACK_WAIT + 1
    world.deliver(second)
    for process in (second, first):
        process.beat()
        world.now += 1
    for _ in range(2):
        second.ask()
        first.ask()
    return world


def delivered_late() -> World:
    """A delivery lies on the way to a process that is cut off, until another has begun."""
    world = World("claim")
    cut_off, other, _ = world.processes
    cut_off.parted = True
    world.deliver(cut_off)
    world.now += ACK_WAIT + 1
    other.beat()
    world.deliver(other)
    other.receive()
    cut_off.parted = False
    cut_off.receive()
    return world


@pytest.mark.parametrize(("fence", "crossed"), [("none", 1), ("look", 1), ("claim", 0)])
def test_two_who_know_as_much_of_a_stream_ask_once_only_if_one_claims_it(
    fence: Fence, crossed: int
) -> None:
    world = two_freeze(fence)
    assert (world.sent, world.crossed) == (1 + crossed, crossed)


def test_what_was_delivered_too_late_is_not_taken_up() -> None:
    assert [process.holds for process in delivered_late().processes] == [False, True, False]


def at_random(fence: Fence, rounds: int, seed: int = 0) -> tuple[int, int]:
    """How many requests were sent in so many random histories, and how many crossed."""
    draw = random.Random(seed)
    sent = crossed = 0
    for _ in range(rounds):
        world = World(fence)
        for _ in range(120):
            one = draw.choice(world.processes)
            step = draw.choice(
                (*STEPS[1:] * 4, "pass", "pass", "pass", "deliver", "frozen", "parted")
            )
            if step == "pass":
                world.now += draw.choice((0.5, 1, 3))
                for other in world.processes:
                    if not other.frozen:
                        other.beat()
            elif step == "deliver":
                world.deliver(one)
            elif step in ("frozen", "parted"):
                setattr(one, step, not getattr(one, step) and draw.random() < 0.5)
            elif not one.frozen:
                getattr(one, step)()
        sent, crossed = sent + world.sent, crossed + world.crossed
    return sent, crossed


def test_at_random_only_claims_never_cross() -> None:
    played = partial(at_random, rounds=300)
    sent, crossed = played("claim")
    assert sent > 200
    assert crossed == 0
    assert min(played("none")[1], played("look")[1]) > 0


if __name__ == "__main__":
    for fence in ("none", "look", "claim"):
        print(fence, *at_random(fence, 20_000))
