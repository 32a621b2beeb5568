"""``troupe annotate`` and ``troupe agreement``: people become judges beside others."""

from collections.abc import Iterator

import pytest

from actors.annotation.rules import AnnotationRefused, CloseStudy, HandIn, Next, open_item
from evaluators.report.data.run_data import gather
from events.annotation import DraftKept, SeatAnswer
from events.evaluation import Dimension, EvaluationEnded, EvaluationStarted
from events.serialization.codec import event_of
from gateway.services.annotations.annotation_repository import AnnotationStudies
from gateway.services.annotations.drafts import draft_of, keep
from gateway.services.annotations.submit_answer import hand_in
from gateway.services.annotations.workspace import workspace
from gateway.services.runs.facets import judges
from store.log.event_store import EventStore
from store.read_model import queries
from tests.gateway.annotating.annotators import (
    annotates,
    annotates_item,
    answers_to,
    middle,
)
from tests.gateway.command import Desk


@pytest.fixture
def store(played: Desk) -> Iterator[EventStore]:
    found = played.open()
    yield found
    found.close()


@pytest.fixture
def study(played: Desk, run: str) -> str:
    """Of eight episodes; two annotators each."""
    return str(played.does("annotate", "new", "--run", run, "-k", "2", "--json").json["id"])


def by_people(store: EventStore) -> list[str]:
    return [row.id for row in queries.evaluations(store) if row.judge_kind == "person"]


def test_what_people_hand_in_is_scores_of_a_judge_like_others(
    played: Desk, run: str, store: EventStore
) -> None:
    asked = ("--run", run, "-k", "2", "-d", "goal", "--json")
    study = played.does("annotate", "new", *asked).json["id"]
    for who, shift in (("p-ann23456", 0), ("p-ben23456", 1)):
        for _ in range(8):
            annotates(
                store,
                study,
                who,
                lambda seat, d, by=shift: max(d.low, d.high - by * (1 + seat)),
            )
    shown = played.does("show", run, "--json").json
    assert {"p-ann23456", "p-ben23456"} <= {one["judge"]["name"] for one in shown["tables"]}
    assert played.does("compare", run, "p-ann23456", "rehearsal-strict").code == 0
    details = played.does("annotate", "show", study, "--json").json
    assert (details["study"]["had"], details["study"]["wanted"]) == (16, 16)
    assert [one["done"] for one in details["annotators"]] == [8, 8]
    assert "p-ann23456" in played.does("annotate", "show", study).out
    assert "rehearsal-strict" in played.does("agreement", run).out
    found = played.does("agreement", run, "--json").json
    goal = next(one for one in found["among"] if one["dimension"] == "goal")
    assert (goal["annotators"], goal["several"]) == (2, 16)
    # Tens beside nines and eights: all in the highest of three parts, not of five.
    assert goal["bins"][0]["agreed"]["value"] == 1
    assert played.does("verify-store").code == 0


def test_annotators_stand_after_other_judges_whatever_their_names(
    study: str, run: str, store: EventStore
) -> None:
    annotates(store, study, "p-ann23456")
    kinds = [judge.spec.kind for judge in gather(store, run).judges]
    assert kinds[0] != "person"
    assert kinds == sorted(kinds, key=lambda kind: kind == "person")
    shown = [judge.kind for judge in judges(store, run)]
    assert shown[0] != "person"
    assert shown[-1] == "person"


def test_the_tables_are_written_for_programs_and_papers(
    played: Desk, run: str, store: EventStore
) -> None:
    asked = ("--run", run, "-k", "2", "-d", "goal", "-d", "secret", "--json")
    study = played.does("annotate", "new", *asked).json["id"]
    annotates(store, study, "p-ann23456")
    annotates(store, study, "p-ben23456")
    text = played.does("agreement", run, "--each", "--format", "csv").out
    assert "kappa_5_low" in text
    assert "lowest_annotator" in text
    assert r"\toprule" in played.does("agreement", run, "--format", "latex").out
    rows = played.does("annotate", "export", study).out.splitlines()
    assert rows[0].startswith("item,episode,seat,character,annotator,dimension,value")
    assert len(rows) == 1 + 2 * 2 * 2


def test_an_item_handed_in_again_replaces_the_scores_it_had(
    run: str, study: str, store: EventStore
) -> None:
    who = "p-ann23456"
    item = annotates(store, study, who)
    before = AnnotationStudies(store).load(study).state.annotators[who].done[item].evaluation
    head = store.head()
    # The same once more, as after an answer that was lost, is nothing new.
    annotates_item(store, study, who, item)
    assert store.head() == head
    annotates_item(store, study, who, item, lambda _, d: d.high)
    after = AnnotationStudies(store).load(study).state.annotators[who].done[item].evaluation
    assert after != before
    standing = [row.id for row in queries.evaluations(store, judge=who)]
    assert standing == [after]
    assert {row.value for row in queries.scores(store, judge=who) if row.dimension == "goal"} == {
        10.0
    }


def test_scores_that_were_stored_before_the_study_heard_of_them_are_taken_up(
    run: str, study: str, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = "p-ann23456"
    item = open_item(AnnotationStudies(store).do(study, Next(annotator=who, now=0)), who)
    assert item is not None
    with monkeypatch.context() as patch:
        patch.setattr(AnnotationStudies, "do", lambda *_: (_ for _ in ()).throw(OSError))
        with pytest.raises(OSError):
            annotates_item(store, study, who, item)
    (stray,) = queries.evaluations(store, judge=who)
    annotates_item(store, study, who, item)
    assert (
        AnnotationStudies(store).load(study).state.annotators[who].done[item].evaluation == stray.id
    )


def test_quotes_have_to_stand_where_they_are_said_to_be(study: str, store: EventStore) -> None:
    who = "p-ann23456"
    found = AnnotationStudies(store).do(study, Next(annotator=who, now=0))
    item = open_item(found, who)
    assert item is not None
    first, *rest = answers_to(found, item, 2, middle)
    made_up = SeatAnswer(
        seat=first.seat,
        dimension=first.dimension,
        value=first.value,
        reason="so",
        evidence=(3,),
        quotes=("nobody ever said these words",),
    )
    with pytest.raises(AnnotationRefused) as refused:
        hand_in(store, study, HandIn(annotator=who, item=item, seats=2, answers=(made_up, *rest)))
    assert [one.dimension for one in refused.value.faults] == [first.dimension]
    assert by_people(store) == []


def test_two_seats_of_one_episode_can_be_two_items(
    played: Desk, run: str, store: EventStore
) -> None:
    study = played.does("annotate", "new", "--run", run, "--unit", "seat", "--json").json
    assert study["items"] == 16
    for _ in range(16):
        annotates(store, study["id"], "p-ann23456")
    rows = queries.scores(store, judge="p-ann23456")
    assert len(rows) == 16 * 7
    assert len({(row.episode, row.seat, row.dimension) for row in rows}) == 16 * 7


def test_checkpoints_are_worked_out_for_people_as_for_judges(
    played: Desk, run: str, store: EventStore
) -> None:
    study = played.does(
        "annotate", "new", "--run", run, "--rubric", "believability", "--json"
    ).json["id"]
    plan = AnnotationStudies(store).load(study).state.plan
    assert len(plan.checkpoints) == 8
    assert "belext" not in {one.name for one in plan.dimensions}
    annotates(store, study, "p-ann23456", _passes)
    rows = {row.dimension: row for row in queries.scores(store, judge="p-ann23456") if not row.seat}
    assert rows["belext"].value == 7.0
    first = event_of(store.read(f"evaluation-{rows['belext'].evaluation}")[0])
    assert isinstance(first, EvaluationStarted)
    assert first.judge.kind == "person"


def _passes(_seat: int, dimension: Dimension) -> float:
    return 1.0 if dimension.high == 1 else 7.0


def test_overlap_and_sample_say_how_many_annotations_there_are_to_be(
    played: Desk, run: str
) -> None:
    plan = played.file(
        "study.toml",
        f'runs = ["{run}"]\nannotators = 3\noverlap = 0.25\nsample = 4\ndimensions = ["goal"]\n',
    )
    study = played.does("annotate", "new", plan, "--json").json
    assert (study["items"], study["wanted"]) == (4, 3 + 3 * 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('dimensions = ["gaol"]', "the nearest is 'goal'"),
        ('rubric = "nothing"', "no rubric"),
        ('rubric = "worldtree-goal"', "worldtree"),
        ("annotaters = 3", "did you mean 'annotators'"),
        ("overlap = 2.0", "0 to 1"),
    ],
)
def test_plans_that_cannot_be_are_refused_with_what_would_be_right(
    played: Desk, run: str, text: str, why: str
) -> None:
    head = played.head()
    said = played.says("annotate", "new", played.file("study.toml", f'runs = ["{run}"]\n{text}\n'))
    assert said.code == 1
    assert why in said.err
    assert played.head() == head


def test_a_qualification_is_checked_against_the_episode(
    played: Desk, run: str, episode: str, store: EventStore
) -> None:
    def plan(answer: str) -> str:
        return played.file(
            "study.toml",
            f'runs = ["{run}"]\ndimensions = ["goal"]\n[[qualification]]\n'
            f'episode = "{episode}"\nanswers = [{answer}]\n',
        )

    wrong = '{ seat = 3, dimension = "goal", low = 1, high = 2 }'
    assert "2 seats" in played.says("annotate", "new", plan(wrong)).err
    right = '{ seat = 1, dimension = "goal", low = 4, high = 6 }'
    study = played.does("annotate", "new", plan(right), "--json").json["id"]
    assert annotates(store, study, "p-ann23456") == 0
    # It is no score.
    assert by_people(store) == []
    assert annotates(store, study, "p-ann23456") > 0
    annotates(store, study, "p-ben23456", lambda *_: 0.0)
    with pytest.raises(AnnotationRefused, match="qualification"):
        annotates(store, study, "p-ben23456")


def test_drafts_are_kept_answer_by_answer(study: str, store: EventStore) -> None:
    who = "p-ann23456"

    def typed(value: float | None, reason: str, dimension: str = "goal") -> SeatAnswer:
        return SeatAnswer(seat=0, dimension=dimension, value=value, reason=reason)

    for draft in (
        DraftKept(item=1, answers=(typed(3, "he as"),), seconds=5),
        DraftKept(item=1, answers=(typed(4, "he asked"), typed(None, "", "secret")), seconds=9),
        DraftKept(item=1, check=2, seconds=12),
        DraftKept(item=0, answers=(typed(9, "another item"),)),
    ):
        keep(store, study, who, draft)
    found = draft_of(store, study, who, 1)
    assert found.answers[0, "goal"] == typed(4, "he asked")
    assert (found.check, found.seconds) == (2, 12)
    assert draft_of(store, study, "p-ben23456", 1).answers == {}


def test_who_looks_again_sees_what_they_handed_in_and_typed_since(
    study: str, store: EventStore
) -> None:
    who = "p-ann23456"
    item = open_item(AnnotationStudies(store).do(study, Next(annotator=who, now=0)), who)
    assert item is not None

    def typed(reason: str) -> None:
        goal = SeatAnswer(seat=0, dimension="goal", value=1, reason=reason)
        keep(store, study, who, DraftKept(item=item, answers=(goal,), seconds=3))

    def shown() -> str:
        found = workspace(store, AnnotationStudies(store).load(study), who, item)
        (row,) = [row for row in found.parts[0].rows if row.seat == 0]
        return row.answer.reason

    typed("beca")
    assert shown() == "beca"
    annotates_item(store, study, who, item)
    # The last letters were handed in before they were kept.
    assert shown() == "because"
    typed("on second thoughts")
    assert shown() == "on second thoughts"


def test_nothing_on_an_item_says_who_played(played: Desk, study: str, store: EventStore) -> None:
    who = "p-ann23456"
    item = open_item(AnnotationStudies(store).do(study, Next(annotator=who, now=0)), who)
    assert item is not None
    text = repr(workspace(store, AnnotationStudies(store).load(study), who, item))
    # Of a character, not of the mind in the seat.
    text = text.replace("generous with her hours", "")
    for mind in ("generous", "stubborn", "rehearsal-strict", "rehearsal-lenient"):
        assert mind not in text


def test_studies_are_listed_and_closed(played: Desk, study: str, store: EventStore) -> None:
    assert "troupe annotate new" in Desk.does(played, "annotate", "--help").out or study
    assert study in played.does("annotate", "list").out
    annotates(store, study, "p-ann23456")
    played.does("annotate", "close", study[:5])
    with pytest.raises(AnnotationRefused, match="closed"):
        annotates(store, study, "p-ann23456")
    played.does("annotate", "open", study)
    annotates(store, study, "p-ann23456")
    assert "there is no annotation study" in played.says("annotate", "show", "zzz").err
    assert AnnotationStudies(store).do(study, CloseStudy(by="")).closed


def test_an_evaluation_by_a_person_is_whole_when_it_is_there(study: str, store: EventStore) -> None:
    annotates(store, study, "p-ann23456", lambda _, d: None if d.name == "secret" else d.low)
    (row,) = queries.evaluations(store, judge="p-ann23456")
    assert (row.status, row.scored, row.abstained) == ("ended", 12, 2)
    last = event_of(store.read(f"evaluation-{row.id}")[-1])
    assert isinstance(last, EvaluationEnded)
