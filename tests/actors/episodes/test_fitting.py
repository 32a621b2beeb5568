"""What a seat is shown fits into one message; the oldest news are left out first."""

import msgspec
import pytest

from actors.episodes.fitting import fitting
from actors.social.views import SeenAction
from events.codec import JSON, encode
from events.messages import News, Observation

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
def test_what_fits_is_left_as_it_is(write, read):
    data = write(OBSERVATION)
    assert fitting(OBSERVATION, write, len(data)) == data
    assert "left_out" not in read(data)
    # Nor can anything be done where not even one entry is what makes it too large.
    alone = msgspec.structs.replace(OBSERVATION, news=())
    assert fitting(alone, write, 100) == write(alone)
