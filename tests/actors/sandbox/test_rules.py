"""What follows from what somebody does in a town."""

import pytest

from actors.episodes.port.rules import Ask, End
from actors.sandbox.catalog_items import Inhabitant, Task
from actors.sandbox.environment import TOWN
from actors.sandbox.setup import (
    Act,
    ActionStarted,
    CarryOn,
    Departed,
    Happened,
    Idle,
    Noticed,
    Say,
    Settings,
    TalkClosed,
    TalkOpened,
    TalkTo,
    Town,
    WhatToDo,
    WhatToSay,
)
from actors.sandbox.town import town_rules
from events.base import replace
from events.environments import Action
from events.episode import ActionTaken, TurnOpened, WorldChanged
from tests.actors.sandbox.small_town import small_town

ANN, BO = 0, 1
HALL, KITCHEN = "Small:inn:hall", "Small:inn:kitchen"
OWN = "Small:Ann's house:room"


def town(*homes: str, **settings) -> Town:
    """A town of some, who live in the houses named, at eight in the morning."""
    people = tuple(
        Inhabitant(id=f"P{seat}", home=f"Small:{home}'s house:room")
        for seat, home in enumerate(homes or ("Ann", "Bo"))
    )
    given = {"start": "2023-02-13 08:00:00", "steps": 600, "know": "all", **settings}
    return Town(map=small_town(), inhabitants=people, settings=Settings(**given))


class Life:
    """A town that is lived in by hand."""

    def __init__(self, setup: Town) -> None:
        self.world, self.turn = town_rules.RULES.initial(setup), 0
        self.facts: list = []
        self.ended = ""
        self.asked: dict[int, WhatToDo | WhatToSay] = {}
        self.go_on()

    def go_on(self) -> None:
        """Until somebody is asked, or all is over."""
        self.facts = []
        while True:
            match town_rules.RULES.next_step(self.world):
                case Ask(asked=asked):
                    self.turn += 1
                    self.happens(TurnOpened(turn=self.turn, asked=asked))
                    self.asked = {one.seat: one.question for one in asked}
                    return
                case End(reason=reason):
                    self.asked, self.ended = {}, reason
                    return
                case Happened() as change:
                    self.facts += change.facts
                    self.happens(WorldChanged(change=change))

    def happens(self, event) -> None:
        self.world = town_rules.RULES.evolve(self.world, event)

    def answer(self, *actions: Action) -> None:
        """Those who are asked answer, in the order of their seats."""
        for (seat, question), action in zip(sorted(self.asked.items()), actions, strict=True):
            assert TOWN.rules.action_fault(question, action, seat, 2) is None
            taken = TOWN.recording.canonical(question, action)
            self.happens(ActionTaken(turn=self.turn, seat=seat, action=taken))
        self.go_on()

    def of(self, kind: type) -> list:
        """Facts of a kind since the last answers."""
        return [fact for fact in self.facts if isinstance(fact, kind)]


def test_all_are_asked_at_the_beginning_and_again_when_they_are_done():
    life = Life(town())
    assert {seat: one.why for seat, one in life.asked.items()} == {ANN: "begins", BO: "begins"}
    life.answer(Act(text="reading", minutes=30), Act(text="baking", minutes=45))
    assert life.world.at == 30
    assert {seat: one.why for seat, one in life.asked.items()} == {ANN: "done"}
    assert life.asked[ANN].place == OWN


def test_who_goes_somewhere_departs_and_acts_there_from_departure_on():
    life = Life(town())
    life.answer(Act(text="reading", address=HALL, minutes=60), Act(text="sleeping", minutes=90))
    started, departed = life.of(ActionStarted)[0], life.of(Departed)[0]
    assert (started.text, started.address, started.until) == ("reading", HALL, 60)
    assert departed.tile == (1, 1)
    assert life.world.walks[ANN].arrives == len(departed.way) < 60


def test_what_is_shorter_than_the_way_is_done_a_step_after_arrival():
    life = Life(town())
    life.answer(Act(text="reading", address=KITCHEN, minutes=1), Act(text="sleeping", minutes=90))
    assert life.of(ActionStarted)[0].until == len(life.of(Departed)[0].way) + 1


@pytest.mark.parametrize("place", ["Small:nowhere", "Small:inn:cellar", "inn:hall"])
def test_who_names_a_place_that_is_unknown_stays(place: str):
    life = Life(town())
    life.answer(Act(text="reading", address=place, minutes=20), Act(text="baking", minutes=90))
    started = life.of(ActionStarted)[0]
    assert (started.fault, started.address) == ("unknown_place", OWN)
    assert not life.of(Departed)


def test_only_what_is_ones_own_nobodys_or_in_view_is_known_at_first():
    life = Life(town(know="own", radius=1))
    grid_places = TOWN.sight.background("e", _started(life), ANN, "").known
    assert OWN in grid_places
    assert HALL in grid_places
    assert not [one for one in grid_places if "Bo's house:room" in one]


def test_the_performer_knows_what_the_task_says():
    task = Task(
        id="t",
        kind="public",
        town="small",
        goal="",
        brief="",
        description="",
        goals=(),
        people=2,
        performer="P0",
        characters=("P0", "P1"),
        performer_knows=("Small:Bo's house:room",),
        all_know=("Small:Ann's house",),
    )
    life = Life(replace(town(know="own", radius=1), task=task))
    known = [TOWN.sight.background("e", _started(life), seat, "").known for seat in (ANN, BO)]
    assert "Small:Bo's house:room:bed" in known[ANN]
    assert "Small:Ann's house:room:bed" in known[BO]


def test_who_comes_into_view_is_noticed_and_asked_about():
    life = Life(town("Ann", "Bo"))
    life.answer(Act(text="reading", address=HALL), Act(text="baking", minutes=200))
    life.answer(Act(text="reading", minutes=400))
    life.answer(Act(text="having tea", address=HALL, minutes=100))
    assert {seat: (one.why, one.met) for seat, one in life.asked.items()} == {
        ANN: ("met", (BO,)),
        BO: ("met", (ANN,)),
    }
    noticed = life.of(Noticed)
    assert [(one.seat, one.seen[0].seat, one.seen[0].came) for one in noticed] == [
        (ANN, BO, True),
        (BO, ANN, True),
    ]


def together(**settings) -> Life:
    """Two who live together, awake; the one asked next is the first."""
    life = Life(town("Ann", "Ann", **settings))
    life.answer(Act(text="reading", minutes=10), Act(text="baking", minutes=100))
    assert life.asked[ANN].near == (BO,)
    return life


def test_a_talk_is_turns_of_the_two_at_one_instant():
    life = together()
    life.answer(TalkTo(seat=BO))
    assert life.of(TalkOpened) == [TalkOpened(talk=0, seats=(ANN, BO))]
    assert life.asked == {ANN: WhatToSay(at=10, talk=0, to=BO, left=8)}
    life.answer(Say(text="x" * 240, about="the weather"))
    assert life.asked == {BO: WhatToSay(at=10, talk=0, to=ANN, left=8)}
    life.answer(Say(text="y", ends=True))
    assert life.of(TalkClosed)[0].until == 12, "241 characters take two minutes"
    doing = life.world.doings
    assert {one.text for one in doing} == {"conversing about the weather"}
    assert [one.address for one in doing] == ["<persona> P1", "<persona> P0"]
    assert {seat: one.why for seat, one in life.asked.items()} == {ANN: "parted", BO: "parted"}
    assert life.world.at == 12


def test_who_goes_on_after_a_talk_does_what_it_came_in_between_of():
    life = together()
    life.answer(TalkTo(seat=BO))
    life.answer(Say(text="Hello.", ends=True))
    life.answer(Act(text="reading"), CarryOn())
    baking = life.world.doings[BO]
    assert (baking.text, baking.until) == ("baking", 100)


def test_nobody_says_more_than_there_are_rounds():
    life = together(rounds=2)
    life.answer(TalkTo(seat=BO))
    said = 0
    while isinstance(next(iter(life.asked.values())), WhatToSay):
        life.answer(Say(text="and so on"))
        said += 1
    assert said == 4


def test_the_same_two_do_not_talk_again_for_a_while():
    life = together(talk_gap=100)
    life.answer(TalkTo(seat=BO))
    life.answer(Say(text="Hello.", ends=True))
    life.answer(Act(text="reading", minutes=90), Act(text="baking", minutes=300))
    assert life.asked[ANN].near == ()
    life.answer(Act(text="reading", minutes=20))
    assert life.asked[ANN].near == (BO,)


@pytest.mark.parametrize("text", ["sleeping soundly", "waiting for the bus", "Asleep"])
def test_who_sleeps_or_waits_is_not_talked_to(text: str):
    life = Life(town("Ann", "Ann"))
    life.answer(Act(text="reading", minutes=10), Act(text=text, minutes=100))
    assert life.asked[ANN].near == ()


def test_late_at_night_nobody_begins_a_talk():
    life = Life(town("Ann", "Ann", start="2023-02-13 22:55:00"))
    life.answer(Act(text="reading", minutes=5), Act(text="baking", minutes=30))
    assert life.asked[ANN].near == ()


def test_of_two_who_want_to_talk_to_the_same_one_the_first_seat_does():
    life = Life(town("Ann", "Ann", "Ann"))
    life.answer(
        Act(text="reading", minutes=10), Act(text="baking", minutes=10), Act(text="tea", minutes=60)
    )
    life.answer(TalkTo(seat=2), TalkTo(seat=2))
    assert life.of(TalkOpened) == [TalkOpened(talk=0, seats=(0, 2))]
    assert isinstance(life.asked[0], WhatToSay)
    assert life.asked[1] == WhatToDo(at=10, why="done", place=OWN), "asked again, about nobody"


def test_no_answer_is_nothing_done_for_a_while():
    life = Life(town())
    for seat in (ANN, BO):
        life.happens(ActionTaken(turn=1, seat=seat, action=Idle()))
    life.go_on()
    assert {fact.fault for fact in life.of(ActionStarted)} == {"no_answer"}
    assert life.world.at == 10


def test_no_answer_in_a_talk_ends_it():
    life = together()
    life.answer(TalkTo(seat=BO))
    life.happens(ActionTaken(turn=life.turn, seat=ANN, action=Idle()))
    life.go_on()
    assert life.of(TalkClosed)


def test_a_new_day_asks_everybody():
    life = Life(town(start="2023-02-13 23:00:00"))
    life.answer(Act(text="sleeping", minutes=400), Act(text="sleeping", minutes=400))
    assert life.world.at == 60
    assert {one.why for one in life.asked.values()} == {"day"}
    life.answer(CarryOn(), CarryOn())
    assert life.world.at == 400


def test_the_town_has_lived_when_its_steps_are_over():
    life = Life(town(steps=50))
    life.answer(Act(text="reading", minutes=100), Act(text="baking", minutes=100))
    assert life.ended == "lived"


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (CarryOn(), "nothing was begun"),
        (TalkTo(seat=BO), "nobody is there"),
        (Act(text="tea @ home"), "hold no @"),
        (Act(text="  "), "nothing is done"),
        (Say(text="hello"), "something is to be done"),
    ],
)
def test_what_is_no_answer_is_refused(action: Action, why: str):
    fault = TOWN.rules.action_fault(WhatToDo(at=0, why="begins"), action, ANN, 2)
    assert fault
    assert why in fault


def test_an_order_of_answers_changes_nothing():
    first, second = Life(town()), Life(town())
    actions = {ANN: Act(text="reading", address=HALL), BO: Act(text="baking", address=KITCHEN)}
    for life, order in ((first, (ANN, BO)), (second, (BO, ANN))):
        for seat in order:
            life.happens(ActionTaken(turn=1, seat=seat, action=actions[seat]))
        life.go_on()
    assert first.facts == second.facts
    assert first.world == second.world


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"inhabitants": ()}, "2 minds were given for 0"),
        ({"settings": Settings(start="tomorrow")}, "is no date and time"),
        ({"settings": Settings(start="9999-12-30 23:00:00")}, "beyond the year 9999"),
        ({"inhabitants": tuple(Inhabitant(id=n, home=OWN) for n in ("A @ B", "C"))}, "an @"),
        ({"inhabitants": tuple(Inhabitant(id=n, home=OWN) for n in ("A\n", "C"))}, "be seen"),
        ({"inhabitants": (Inhabitant(id="P", home=OWN),) * 2}, "lives there twice"),
        (
            {"inhabitants": tuple(Inhabitant(id=n, home="Small:moon") for n in "ab")},
            "where nobody can stand",
        ),
        ({"map": replace(small_town(), digest="0" * 32)}, "fingerprint"),
    ],
)
def test_a_town_that_cannot_be_lived_in_is_refused(changes: dict, why: str):
    fault = TOWN.rules.setup_fault(replace(town(), **changes), 2)
    assert fault
    assert why in fault


def _started(life: Life):
    from tests.actors.sandbox.lives import started

    return started(life.world.town)
