"""``troupe pause``, ``fork --seat N=person`` and ``interview``, on an episode that is over."""

from pathlib import Path

import pytest

from actors.episodes.views.inconsistent_history import state_after
from events.episode import EpisodeEnded, SeatTaken
from store.log.event_store import NEW
from store.read_model.episode_history import read_history
from tests.gateway.command import Desk
from tests.support.builders import episode, mind, started

SAID = [(0, "It costs forty."), (1, "Too much."), (0, "As you like.")]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """One with an episode in which a person sat in a mind's place."""
    desk = Desk(tmp_path, monkeypatch)
    store = desk.open()
    first, *rest = episode(started(minds=(mind("one"), mind("two"))), SAID)
    person = mind("person", kind="person")
    taken = SeatTaken(seat=0, participant="p-ann", mind=person)
    over = EpisodeEnded(reason="left", turn=3)
    store.append("episode-e1", NEW, [first, taken, *rest, over])
    store.close()
    return desk


def test_what_is_over_is_not_paused_and_says_so(desk: Desk):
    for word in ("pause", "step", "unpause"):
        said = desk.says(word, "e1")
        assert said.code == 1
        assert "the episode is over (left)" in said.err.replace("\n", " ")


def test_in_a_fork_a_persons_seat_is_the_minds_that_sat_there_or_whose_it_is_said_to_be(desk: Desk):
    from gateway.services.episodes.fork_episode import prepare_fork

    store = desk.open()
    last = state_after(one.event for one in read_history(store, "e1", 3))
    assert last.minds[0].kind == "person"
    assert [one.name for one in prepare_fork(store, "e1", 3, []).minds] == ["one", "two"]
    kept = prepare_fork(store, "e1", 3, ["1=person"]).minds
    assert [one.kind for one in kept] == ["person", "rehearsal"]
    store.close()


def test_a_character_is_asked_and_asked_more(desk: Desk):
    assert "Nobody was asked" in desk.does("interview", "e1").out
    said = desk.does("interview", "e1", "--seat", "2", "What did it cost?")
    assert "It costs forty." in said.out.replace("\n", " ")
    more = desk.does("interview", "e1", "--go-on", "1", "And then?", "--json").json
    assert [one["number"] for one in more["exchanges"]] == [1, 2]
    shown = desk.does("interview", "e1").out
    assert "What did it cost?" in shown
    assert "by two, up to event" in shown
    wrong = desk.says("interview", "e1", "--seat", "3", "Well?")
    assert wrong.code == 1
    assert "give a seat from 1 to 2" in wrong.err


def test_interviews_are_exported_with_their_episode_and_come_in_again(desk: Desk, tmp_path: Path):
    desk.does("interview", "e1", "--seat", "2", "What did it cost?")
    path = tmp_path / "e1.jsonl"
    desk.does("export", "e1", "--format", "jsonl", "--out", str(path))
    desk.move(tmp_path / "other")
    desk.does("import", "episodes", str(path))
    assert "What did it cost?" in desk.does("interview", "e1").out
