"""Joining in the middle, going on live, coming back."""

from gateway.services.viewers.frames import AskedNow, Happened, SeatState, Welcome
from tests.gateway.live.served import Served
from tests.support.builders import act, mind, opened, started, taken
from tests.support.servers.nats_server import until


async def test_who_joins_in_the_middle_is_told_all_and_then_what_happens(served: Served) -> None:
    first = started(minds=(mind(), mind("you", "person")))
    await served.begin("e1", [first, opened(1, [0]), taken(1, 0, "Good morning."), opened(2, [1])])
    watcher = await served.watch("watch")
    await until(lambda: watcher.of(Welcome))
    await served.tell("e1", [taken(2, 1, "And to you."), opened(3, [0])])
    await until(lambda: len(watcher.happened) >= 5)
    texts = [entry.text for one in watcher.happened for entry in one.entries]
    assert texts == ["Good morning.", "And to you."]
    assert [one.version for one in watcher.happened] == [1, 2, 3, 4, 5]
    assert watcher.happened[-1].waiting == (0,)
    assert watcher.of(Welcome)[0].scene.situation


async def test_who_comes_back_is_told_what_is_new_alone(served: Served) -> None:
    await served.begin("e1", [started(), opened(1, [0]), taken(1, 0, "Good morning.")])
    watcher = await served.watch("watch")
    await until(lambda: watcher.of(Welcome))
    known = watcher.of(Welcome)[0].version
    await watcher.close()
    await served.tell("e1", [opened(2, [1]), taken(2, 1, "And to you.")])
    again = await served.watch("watch", version=known)
    await until(lambda: len(again.happened) == 2)
    assert again.of(Welcome)[0].scene is None
    assert [one.version for one in again.happened] == [known + 1, known + 2]


async def test_a_person_is_asked_when_it_is_their_turn_and_told_how_their_seat_stands(
    served: Served,
) -> None:
    first = started(minds=(mind(), mind("you", "person")))
    await served.begin("e1", [first, opened(1, [0])])
    watcher = await served.watch("sit")
    await until(lambda: watcher.of(SeatState))
    assert watcher.of(SeatState)[0] == SeatState(mine=False, free=True, may_take=True)
    assert watcher.of(AskedNow)[0].questions == ()
    await served.tell("e1", [taken(1, 0, "Good morning."), opened(2, [1])])
    await until(lambda: len(watcher.of(AskedNow)) == 2)
    asked = watcher.of(AskedNow)[-1]
    assert asked.turn == 2
    assert asked.questions[0].text
    assert asked.questions[0].answer_schema


async def test_participants_and_spectators_get_no_numbers_tags_or_minds(served: Served) -> None:
    await served.begin("e1", [started(), opened(1, [0]), taken(1, 0, act("speak", "Psst.", (1,)))])
    watcher, narrator = await served.watch("watch"), await served.watch("all")
    await until(lambda: watcher.of(Welcome) and len(narrator.happened) == 3)
    for one in watcher.happened:
        assert (one.number, one.tag, one.seats) == (None, "", None)
        assert all(entry.number == one.version for entry in one.entries)
    assert [one.number for one in narrator.happened] == [0, 1, 2]
    assert narrator.happened[0].seats[0].mind == "warm"
    assert [len(one.entries) for one in watcher.happened] == [0]
    assert isinstance(narrator.happened[2], Happened)
