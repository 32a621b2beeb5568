"""What each viewer notices of a walk and of an inquiry, and how an account tells it. That a seat
learns nothing else of a tree is in ``test_nothing_leaks``."""

import pytest

from actors.episodes.port.sight import Viewer
from actors.worldtree.environment import CHOICES, WORLDTREE
from actors.worldtree.setup import Chose, Inquiry, NoChoice, Settings
from actors.worldtree.tasks import samples_in
from actors.worldtree.trees.tree import Line
from events.base import replace
from events.serialization.codec import encode
from tests.actors.worldtree.example_trees import LAMP, walk
from tests.actors.worldtree.table import UNREADABLE, Table

WHOLE_STORY = [
    "Scene 0.",
    'Mira said: "Please."',
    "Ana enters. A guest.",
    'Oto said: "Why should I?"',
    'Mira said: "I pay."',
    'Oto said: "Ending 4."',
]


def walked(of=LAMP, **settings) -> Table:
    """A walk in which every answer is for the first line as filed."""
    table = Table(walk(of, **settings))
    firsts = {"Please.", "I pay."}
    table.play(
        lambda asked: Chose(
            option=next(n for n, line in enumerate(asked.options) if line.text in firsts),
            why="«why»",
        )
    )
    return table


def lines(table: Table, viewer: Viewer) -> list[str]:
    return [entry.line for entry in account(table, viewer).entries]


def account(table: Table, viewer: Viewer):
    return CHOICES.words.account(CHOICES.sight.view(table.history, viewer))


def test_the_seat_notices_the_story_with_the_lines_it_chose():
    assert lines(walked(), 0) == WHOLE_STORY


def test_a_seat_that_is_not_told_its_lines_notices_the_rest():
    told = [line for line in WHOLE_STORY if not line.startswith("Mira")]
    assert lines(walked(shuffles=1, told=False), 0) == told
    assert lines(walked(shuffles=1, told=False), "spectator")[2].startswith('Mira said: "Please."')


def test_whoever_has_no_seat_notices_every_answer():
    for viewer in ("spectator", "narrator", "judge"):
        told = lines(walked(), viewer)
        why = "" if viewer == "spectator" else " «why»"
        votes = [f'Mira, answer {number}: is for "Please."{why}' for number in (1, 2, 3)]
        assert told[:4] == ["Scene 0.", *votes]
        assert told[4] == 'Mira said: "Please." [chosen, by 3 of its answers]'


def test_an_answer_that_failed_is_no_choice_and_its_reason_is_the_narrators():
    table = Table(walk())
    table.answer(NoChoice(), UNREADABLE)
    said = {v: account(table, v).entries[-1] for v in ("narrator", "judge", "spectator")}
    assert "no JSON" in said["narrator"].failed
    assert "no JSON" not in said["judge"].failed + said["spectator"].failed
    assert all(entry.line.endswith("gave no answer") for entry in said.values())
    assert lines(table, 0) == ["Scene 0."]


def test_goals_and_private_sides_are_for_their_owners_and_for_those_who_know_all():
    table = walked()
    seat, spectator, narrator = (account(table, v) for v in (0, "spectator", "narrator"))
    assert seat.portraits[0].goal == narrator.portraits[0].goal == "Get Oto to lend the lamp."
    assert spectator.portraits[0].goal == spectator.portraits[0].secret == ""
    for told in (seat, spectator):
        assert b"\xc2\xabhidden" not in encode(told)
    assert b"\xc2\xabhidden" in encode(CHOICES.sight.view(table.history, "narrator"))


def test_what_came_of_a_walk_is_told_to_those_who_know_all():
    table = walked()
    assert ("Outcome", "achieved") in account(table, "narrator").notes
    for viewer in (0, "spectator"):
        assert b"achieved" not in encode(account(table, viewer))


def test_the_right_line_of_a_sample_is_told_to_those_who_know_all():
    table = Table(Inquiry(sample=samples_in(LAMP)[3], settings=Settings()))
    for viewer in (0, "spectator", "narrator"):
        told = account(table, viewer)
        assert told.situation.splitlines() == [
            "A ferry landing at dusk.",
            "Scene 0.",
            'Mira said: "Please."',
            "Ana enters. A guest.",
            'Oto said: "Why should I?"',
        ]
        assert ("Question", "Which line persuades at 4?") in told.notes
        assert (("Right line", "I pay.") in told.notes) == (viewer == "narrator")


def test_a_chinese_story_is_told_in_chinese():
    table = walked(replace(LAMP, language="zh"))
    assert lines(table, 0)[1:3] == ["Mira：“Please.”", "Ana 登场。A guest."]
    assert lines(table, "narrator")[1] == "Mira，第1次回答：选择“Please.” «why»"
    assert ("结果", "达成") in account(table, "narrator").notes


def test_there_is_one_seat():
    with pytest.raises(ValueError, match="no seat 1"):
        CHOICES.sight.view(walked().history, 1)


@pytest.mark.parametrize(
    ("reason", "summary", "told"),
    [
        ("ended", {"outcome": "not"}, "not achieved"),
        ("ended", {"outcome": "unscored"}, "not scored: the tree does not say"),
        ("dead_end", {"outcome": "unscored"}, "not scored: dead end"),
        ("undecided", {"outcome": "undecided"}, "undecided"),
        ("undecided", {"outcome": "failed"}, "undecided"),  # as it was called before
        ("answered", {"verdict": "wrong"}, "wrong"),
        ("written", {"kind": "line"}, "written"),
    ],
)
def test_lists_say_what_came_of_an_episode(
    reason: str, summary: dict[str, str | int | float | bool], told: str
) -> None:
    assert WORLDTREE.outcome(reason, summary) == told


def test_a_line_without_text_is_not_told():
    scene = LAMP.nodes[0]
    dialogue = (Line(role="fork-join: 1", text=" "), *scene.dialogue)
    spoiled = replace(LAMP, nodes=(replace(scene, dialogue=dialogue), *LAMP.nodes[1:]))
    assert lines(Table(walk(spoiled)), 0) == lines(Table(walk(LAMP)), 0)
