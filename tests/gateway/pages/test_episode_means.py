"""The order by scores is kept as they are stored, and is what reading all of them anew gives."""

from collections.abc import Iterator
from contextlib import closing

import pytest
import sqlalchemy as sa

import evaluators.scores.episode_means as module
from evaluators.scores.episode_means import EpisodeMeans
from evaluators.scores.score_columns import read_columns
from events.evaluation import EvaluationEnded, EvaluationStarted, Scored
from events.ids import digest_of
from events.run import EpisodesRetried, PlannedEpisode, RetriedEpisode
from events.serialization.codec import encode
from store.conformance.base import Open
from store.database_store import DatabaseStore
from store.log.event_store import ANY, NEW, EventStore
from store.projections import tables as t
from store.read_model import queries
from tests.evaluators.synthetic import RUN, STRICT, fill
from tests.store.backends import open_again, store_url

__all__ = ["open_again", "store_url"]

JUDGE = digest_of(encode(STRICT))
"""As the run has it."""


@pytest.fixture
def store(open_again: Open) -> Iterator[EventStore]:
    with closing(open_again(durable=False)) as opened:
        yield opened


def kept(means: EpisodeMeans, judge: str, dimension: str) -> dict[str, float]:
    """Episodes with their means; they come by id."""
    found = means.of(RUN, judge, dimension)
    assert found.episodes == sorted(found.episodes)
    pairs = zip(found.episodes, found.means, strict=True)
    return {episode: mean for episode, mean in pairs if mean is not None}


def read_anew(store: EventStore, judge: str, dimension: str) -> dict[str, float]:
    columns = read_columns(store, RUN).of(judge, dimension)
    values: dict[str, list[float]] = {}
    for episode, value, scored in zip(
        columns.episode.words(), columns.value, columns.scored, strict=True
    ):
        if scored:
            values.setdefault(episode, []).append(float(value))
    return {episode: sum(found) / len(found) for episode, found in values.items()}


def test_what_is_kept_is_what_reading_anew_gives(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 7)
    means, judge = EpisodeMeans(store), JUDGE
    means = EpisodeMeans(store)
    fill(store, episodes=6)

    def agrees() -> dict[str, float]:
        for dimension in ("overall", "goal", "secret"):
            assert kept(means, JUDGE, dimension) == pytest.approx(
                read_anew(store, judge, dimension)
            )
        return kept(means, JUDGE, "goal")

    first = agrees()
    assert len(first) >= 3
    again, retried, *_ = sorted(first)

    # The same judge reads an episode once more: the later counts.
    (old,) = (
        row.id for row in queries.evaluations(store, episode=again) if row.judge_hash == JUDGE
    )
    begun = EvaluationStarted(
        episode=again, upto=3, judge=STRICT, judge_hash=JUDGE, run=RUN, again_of=old
    )
    better = Scored(seat=0, dimension="goal", value=first[again] + 0.25, reason="Read again.")
    store.append("evaluation-again", NEW, [begun, better], correlation=RUN)
    assert agrees()[again] == first[again]
    ended = EvaluationEnded(scored=1, failed=0, abstained=0, supersedes=old)
    store.append("evaluation-again", ANY, [ended], correlation=RUN)
    assert agrees()[again] == first[again] + 0.25

    # Another episode is played in its place: it counts no longer.
    one = PlannedEpisode(id="instead", task="t", minds=("warm", "cold"))
    event = EpisodesRetried(episodes=(RetriedEpisode(episode=one, place=0, instead_of=retried),))
    store.append(f"run-{RUN}", ANY, [event], correlation=RUN)
    assert agrees().keys() == first.keys() - {retried}


def test_a_process_that_comes_later_goes_on_where_another_stopped(store: EventStore) -> None:
    fill(store, episodes=3)
    EpisodeMeans(store).keep_up()
    assert isinstance(store, DatabaseStore)
    with store.engine.begin() as connection:
        assert connection.execute(sa.select(sa.func.count(t.episode_means.c.run))).scalar()
        connection.execute(t.episode_means.delete())
    # Nothing has come since: nothing is worked out.
    assert kept(EpisodeMeans(store), JUDGE, "goal") == {}
