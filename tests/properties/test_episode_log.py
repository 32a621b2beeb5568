"""An episode goes out as SOTOPIA's log and comes back with nothing lost that the format holds."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.rules.decide import INITIAL, evolve
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog_items import Catalog, Relationship, Task
from actors.social.formats.episode_log_reader import ImportedEpisode, read_episode_logs
from actors.social.formats.episode_log_scores import SEVEN
from actors.social.formats.episode_log_writer import Judged, episode_log, to_line
from events.episode import ActionTaken, EpisodeFailed, EpisodeStarted
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed
from events.wire.messages import StopEpisode
from tests.properties.episodes import Played, episodes

quick = settings(deadline=None)

words = st.text(max_size=20)


def catalog_of(started: EpisodeStarted) -> CatalogIndex:
    """A catalog that has just this episode's task."""
    relationships = tuple(
        Relationship(
            id=f"r{number}",
            characters=(started.setup.cast[tie.seats[0]].id, started.setup.cast[tie.seats[1]].id),
            kind=tie.kind,
            story=tie.story,
        )
        for number, tie in enumerate(started.setup.relationships)
    )
    task = Task(
        id="t",
        scenario=started.setup.scenario.id,
        characters=tuple(who.id for who in started.setup.cast),
        relationships=tuple(bond.id for bond in relationships),
    )
    return CatalogIndex(
        Catalog(
            name="c",
            characters=started.setup.cast,
            relationships=relationships,
            scenarios=(started.setup.scenario,),
            tasks=(task,),
        )
    )


@st.composite
def judgements(draw: st.DrawFn, seats: int) -> Judged | None:
    """No scores, or some of them given, failed or withheld."""
    if draw(st.booleans()):
        return None
    scores = []
    for seat in range(seats):
        for dimension in SEVEN:
            name = dimension.name
            match draw(st.sampled_from(["scored", "scored", "failed", "abstained", "not asked"])):
                case "scored":
                    value = draw(st.floats(dimension.low, dimension.high))
                    reason = draw(words)
                    score = Scored(seat=seat, dimension=name, value=value, reason=reason)
                case "failed":
                    score = ScoreFailed(seat=seat, dimension=name, error=draw(words))
                case "abstained":
                    score = ScoreAbstained(seat=seat, dimension=name, reason=draw(words))
                case _:
                    continue
            scores.append(score)
    judge = JudgeSpec(
        name=draw(st.text(min_size=1, max_size=9)),
        kind="rehearsal",
        dimensions=SEVEN,
        prompt_version="rubric-1:0123456789ab",
    )
    return Judged(judge=judge, scores=tuple(scores))


def imported(line: str, index: CatalogIndex) -> ImportedEpisode:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "logs.jsonl"
        path.write_text(line + "\n", encoding="utf-8")
        (episode,) = read_episode_logs(path, index)
    return episode


def end(played: Played, data: st.DataObject) -> None:
    if played.state.ended is None:
        if data.draw(st.booleans()):
            played.do(StopEpisode())
        else:
            played.happened(EpisodeFailed(reason="no more", attempts=3))


@quick
@given(episodes(), st.data())
def test_out_in_and_out_again_gives_the_same_line(played: Played, data: st.DataObject):
    end(played, data)
    judged = data.draw(judgements(len(played.started.setup.cast)))
    index = catalog_of(played.started)
    line = to_line(episode_log(played.history, judged))
    back = imported(line, index)
    assert to_line(episode_log(back.events, back.judged)) == line


@quick
@given(episodes(), st.data())
def test_what_comes_back_is_the_same_play(played: Played, data: st.DataObject):
    end(played, data)
    back = imported(to_line(episode_log(played.history)), catalog_of(played.started)).events

    def acts(history):
        taken = [event for event in history if isinstance(event, ActionTaken)]
        failures = [event.failure.reason if event.failure else "" for event in taken]
        return [(event.turn, event.seat, event.action) for event in taken], failures

    assert acts(back) == acts(played.history)
    state = INITIAL
    for event in back:
        state = evolve(state, event)
    assert state.ended == played.state.ended
    assert state.world.present == played.state.world.present
    assert back[0].setup.relationships == tuple(
        sorted(back[0].setup.relationships, key=lambda tie: tie.seats)
    )


@quick
@given(episodes(), st.data())
def test_scores_come_back_as_they_were(played: Played, data: st.DataObject):
    end(played, data)
    judged = data.draw(judgements(len(played.started.setup.cast)))
    line = to_line(episode_log(played.history, judged))
    back = imported(line, catalog_of(played.started)).judged
    if judged is None:
        assert back is None
        return
    assert back is not None
    kept = [(type(s), s.seat, s.dimension, getattr(s, "value", None)) for s in judged.scores]
    found = [(type(s), s.seat, s.dimension, getattr(s, "value", None)) for s in back.scores]
    assert found == kept
