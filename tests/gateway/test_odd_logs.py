"""What is in the log for good and fits together badly: shown as far as it goes, else a sentence."""

import pytest

from actors.social.actions import Action
from events.base import Event
from events.episode import ActionTaken
from events.evaluation import EvaluationStarted, ScoreAbstained, Scored
from events.wire.subjects import split_stream
from store.log.event_store import ANY
from store.read_model.episode_history import read_history
from tests.gateway.command import Desk
from tests.gateway.test_refusals import sentence
from tests.store.histories import STRICT, planned, whole_run

ODD: dict[str, tuple[str, Event]] = {
    "a run without episodes": ("run-r9", planned()),
    "an evaluation of nothing": (
        "evaluation-v9",
        EvaluationStarted(episode="e9", upto=0, judge=STRICT, judge_hash="x", run="r1"),
    ),
    "a score nobody asked for": ("evaluation-v1", Scored(seat=0, dimension="zest", value=3.0)),
    "a dimension without a score": ("evaluation-v1", ScoreAbstained(seat=1, dimension="zest")),
    "a score out of its range": ("evaluation-v1", Scored(seat=0, dimension="goal", value=1e300)),
    "a score of no seat": ("evaluation-v1", Scored(seat=7, dimension="goal", value=1.0)),
    "a score of an unknown evaluation": ("evaluation-v8", Scored(seat=0, dimension="x", value=1)),
}


@pytest.mark.parametrize("what", ODD)
def test_what_fits_badly_is_shown_as_far_as_it_goes(desk: Desk, what: str):
    stream, event = ODD[what]
    with_it(desk, stream, event)
    run = split_stream(stream)[1] if stream.startswith("run-") else "r1"
    for words in (["runs"], ["show", run], ["show", run, "--format", "csv"], ["verify-store"]):
        desk.does(*words)
    if what == "a dimension without a score":
        desk.does("report", run, "--out", f"{desk.folder}/report.html")


def test_an_episode_that_its_environment_cannot_tell_is_refused_and_its_run_is_shown(desk: Desk):
    said = Action(kind="speak", text="Who am I?")
    with_it(desk, "episode-e1", ActionTaken(turn=2, seat=5, action=said))
    store = desk.open()
    last = str(read_history(store, "e1")[-1].number)
    store.close()
    for words in (["show", "e1"], ["replay", "e1"], ["fork", "e1", "--at", last]):
        told = sentence(desk.says(*words))
        assert "does not follow from the rules of environment 'social'" in told
        assert "troupe export --format jsonl" in told
    desk.does("show", "r1")
    desk.does("report", "r1", "--out", f"{desk.folder}/report.html")
    desk.does("export", "e1", "--out", f"{desk.folder}/e1.jsonl")


def with_it(desk: Desk, stream: str, event: Event) -> None:
    """A store with a run, and with one event more."""
    store = desk.open()
    whole_run(store)
    run = split_stream(stream)[1] if stream.startswith("run-") else "r1"
    store.append(stream, ANY, [event], correlation=run)
    store.close()
