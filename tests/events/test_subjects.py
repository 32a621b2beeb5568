"""Subjects are built and taken apart in one place."""

import pytest

from events.wire import subjects
from events.wire.subjects import BadSubject


def test_what_is_built_can_be_taken_apart() -> None:
    address = subjects.parse_stream_subject(subjects.command("lab", "episode", "e1"))
    assert address == ("lab", "episode", "e1")
    assert subjects.parse_stream_subject(subjects.event("lab", "run", "r1")).id == "r1"
    assert subjects.parse_seat(subjects.seat("lab", "e1", 2)) == ("lab", "e1", 2)
    for built in (subjects.job("lab", "episode", "e1"), subjects.dead_job("lab", "episode", "e1")):
        assert subjects.parse_job(built) == ("episode", "e1")


def test_an_agents_id_has_two_words() -> None:
    stream = subjects.agent_stream("e1", 2)
    kind, id_ = subjects.split_stream(stream)
    assert (kind, id_) == ("agent", "e1.2")
    assert subjects.parse_stream_subject(subjects.event("lab", kind, id_)).id == "e1.2"


@pytest.mark.parametrize("word", ["", "a.b", "a b", "*", ">", "ä", "a\nb"])
def test_a_word_that_could_mean_more_than_itself_is_refused(word: str) -> None:
    for build in (
        lambda: subjects.command(word, "episode", "e1"),
        lambda: subjects.command("lab", "episode", word),
        lambda: subjects.seat("lab", word, 0),
        lambda: subjects.job("lab", word, "e1"),
        lambda: subjects.job("lab", "episode", word),
    ):
        with pytest.raises(BadSubject):
            build()


@pytest.mark.parametrize(
    "subject", ["", "troupe", "troupe.lab.seat.e1.x", "other.lab.seat.e1.0", "troupe.lab.x.y.z"]
)
def test_a_foreign_subject_is_refused(subject: str) -> None:
    with pytest.raises(ValueError, match="is not troupe"):
        subjects.parse_seat(subject)
    with pytest.raises(ValueError, match="is not troupe"):
        subjects.parse_stream_subject(subject)
    with pytest.raises(ValueError, match="is not troupe"):
        subjects.parse_job(subject)
