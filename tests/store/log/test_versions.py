"""What the writer remembers of its streams."""

from store.log.event_store import NEW
from store.writer.version_cache import LastVersions


def test_it_knows_what_it_learned():
    versions = LastVersions()
    versions.learn({"episode-a": 3, "episode-b": NEW})
    assert (versions.get("episode-a"), versions.get("episode-b")) == (3, NEW)
    assert versions.get("episode-c") is None


def test_what_was_not_written_to_for_longest_is_dropped():
    versions = LastVersions(most=2)
    versions.learn({"episode-a": 0})
    versions.learn({"episode-b": 0})
    versions.learn({"episode-a": 1})
    versions.learn({"episode-c": 0})
    assert versions.get("episode-b") is None
    assert (versions.get("episode-a"), versions.get("episode-c")) == (1, 0)


def test_what_may_be_wrong_is_forgotten():
    versions = LastVersions()
    versions.learn({"episode-a": 3})
    versions.forget("episode-a")
    versions.forget("episode-b")
    assert versions.get("episode-a") is None
