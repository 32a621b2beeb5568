"""What a seat is shown fits into one message; the oldest news are left out first."""

import msgspec
import pytest

from actors.episodes.delivery.seat_delivery import fitting
from actors.episodes.mind import Decision, Scene
from actors.models.recording.call_log import CallRecorder
from actors.social.actions import NOTHING
from actors.social.views import SeenAction
from events.episode import ActionFailure, ActionTaken
from events.serialization.codec import JSON, encode
from events.untrusted.limits import MOST_DETAIL, MOST_RAW
from events.wire.messages import News, Observation
from store.log.event_store import NEW
from tests.support.builders import act, opened, started
from tests.support.managed_episodes import Company
from tests.support.runs import events_of
from tests.support.servers.nats_server import until

NEWS = tuple(
    SeenAction(number=number, turn=number, seat=0, label="Ada", kind="speak", text="é" * 100)
    for number in range(100)
)
OBSERVATION = Observation(episode="e1", seat=0, turn=3, news=NEWS, background={"goal": "x" * 500})
FORMS = [(encode, msgspec.msgpack.decode), (JSON.encode, msgspec.json.decode)]


@pytest.mark.parametrize(("write", "read"), FORMS)
@pytest.mark.parametrize("most", [1_000, 3_000, 10_000, 20_000])
def test_as_much_of_the_latest_news_is_shown_as_fits(write, read, most: int):
    for message in (OBSERVATION, News(episode="e1", seat=0, news=NEWS)):
        data = fitting(message, write, most)
        shown = read(data)
        assert len(data) <= most
        assert len(data) > most - 256 - 2 * len(write(NEWS[-1]))
        assert [one["number"] for one in shown["news"]] == list(range(shown["left_out"], 100))


@pytest.mark.parametrize(("write", "read"), FORMS)
def test_where_nothing_fits_all_news_are_left_out(write, read):
    shown = read(fitting(OBSERVATION, write, 100))
    assert (shown["left_out"], list(shown["news"])) == (len(NEWS), [])


class Wordy:
    """A mind that fails at great length."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        failure = ActionFailure(reason="unreadable", detail="d" * 9_000, raw="r" * 900_000)
        return Decision(action=NOTHING, failure=failure)


async def test_what_a_mind_of_our_own_says_is_cut_to_what_a_command_may_hold(store, bus):
    async with Company(store, bus, Wordy()) as company:
        playing = company.begin(started(), "e1")
        await until(lambda: store.version("episode-e1") >= 2)
        playing.task.cancel()
    failure = next(e for e in events_of(store, "episode-e1") if isinstance(e, ActionTaken)).failure
    assert failure is not None
    assert (len(failure.detail), len(failure.raw)) == (MOST_DETAIL, MOST_RAW)


async def test_a_mind_of_our_own_is_not_asked_about_a_part_of_what_it_noticed(store, bus):
    said = [
        event
        for turn in range(1, 6)
        for event in (
            opened(turn, (0,)),
            ActionTaken(turn=turn, seat=0, action=act("speak", "x" * 2_000_000)),
        )
    ]
    store.append("episode-e1", NEW, [started(), *said, opened(6, (1,))])
    async with Company(store, bus) as company:
        playing = company.go_on("e1")
        await until(lambda: store.version("episode-e1") > 11)
        playing.task.cancel()
    taken = [e for e in events_of(store, "episode-e1") if isinstance(e, ActionTaken)][5]
    assert taken.failure is not None
    assert (taken.seat, taken.failure.reason) == (1, "too_long")
    assert "the oldest first: 1" in taken.failure.detail
