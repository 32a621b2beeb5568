import msgspec
import pytest

from actors.episodes.port.sight import Viewer
from actors.social.render import labels_of, line, transcript
from actors.social.sight import background, labels, shared, view
from actors.social.views import Background, SeenAction
from events.base import replace
from events.wire.messages import StopEpisode
from tests.actors.social.table import Game, table, tie
from tests.support.builders import character, scenario, started, with_setup


def test_somebody_is_called_by_name_where_the_name_may_be_known():
    first = table(4, relationships=(tie(0, 1, "known_by_name"), tie(2, 0, "stranger")))
    assert labels(first.setup, 0) == ("Ada Reyes", "Ben Okafor", "Person 3", "Person 4")
    assert labels(first.setup, "spectator") == ("Ada Reyes", "Ben Okafor", "Cyd Lund", "Dov Amir")


def test_two_of_the_same_name_are_told_apart():
    first = with_setup(table(), cast=(character(), character()), relationships=(tie(0, 1),))
    assert labels(first.setup, 0) == ("Ada Reyes (Person 1)", "Ada Reyes (Person 2)")
    assert labels_of(background("e1", first, 1)) == dict(enumerate(labels(first.setup, 1)))


def test_a_seat_knows_itself_its_goal_and_what_its_ties_let_it_see():
    first = table(
        3, relationships=(tie(0, 1, "acquaintance", "They met at sea."),), turn_cap=7, seed=3
    )
    known = background("e1", first, 0)
    assert known.character == first.setup.cast[0]
    assert known.goal == "Goal 0."
    assert (known.turn_cap, known.seed, known.order) == (7, 3, "round_robin")
    friend, stranger = known.others
    assert (friend.name, friend.occupation, friend.story) == (
        "Ben Okafor",
        "baker",
        "They met at sea.",
    )
    assert friend.age is None
    assert (stranger.label, stranger.name, stranger.relationship) == ("Person 3", None, "stranger")


def test_a_seat_is_told_which_of_its_goal_is_advice():
    goals = ("Win. <strategy_hint>Ask twice.</strategy_hint>", "Lose.")
    first = started(scenario=scenario(goals=goals))
    assert background("e1", first, 0).goal == "Win. Ask twice."
    assert background("e1", first, 0).advice == ("Ask twice.",)
    assert background("e1", first, 1).advice == ()


def test_what_is_equal_in_two_backgrounds_is_kept_once():
    first = table(3, relationships=(tie(0, 1, "friend"),))
    sent = [msgspec.msgpack.encode(background(episode, first, 0)) for episode in ("e1", "e2")]
    here, there = (shared(msgspec.msgpack.decode(one, type=Background)) for one in sent)
    assert here == background("e1", first, 0)
    assert there == background("e2", first, 0)
    assert here.character is there.character
    assert here.context is there.context
    for one, other in zip(here.others, there.others, strict=True):
        assert one is other


def test_stories_that_are_not_told_are_told_to_nobody():
    tied = tie(0, 1, "friend", "Ben is a judge.")
    first = table(relationships=(tied,), stories=False)
    assert background("e1", first, 0).others[0].story == ""
    for viewer in (0, 1, "narrator", "judge", "spectator"):
        shown = view([first], viewer).relationships
        assert [relationship.story for relationship in shown] == [""]


@pytest.mark.parametrize("kind", ["stranger", "known_by_name"])
def test_who_knows_a_name_at_most_is_not_told_the_story(kind: str):
    first = table(relationships=(tie(0, 1, kind, "Ben is a judge."),))
    assert background("e1", first, 0).others[0].story == ""
    assert view([first], 0).relationships[0].story == ""
    assert view([first], "judge").relationships[0].story == "Ben is a judge."


def whispers() -> Game:
    game = Game(table(4, relationships=(tie(0, 1),)))
    game.act(text="Hello.")
    game.act(text="Psst.", to=(2, 0))
    return game


@pytest.mark.parametrize(
    ("viewer", "heard"),
    [(0, True), (1, True), (2, True), (3, False), ("narrator", True), ("spectator", False)],
)
def test_a_whisper_is_noticed_by_those_named_only(viewer: Viewer, heard: bool):
    lines = view(whispers().history, viewer).lines
    assert [seen.text for seen in lines] == (["Hello.", "Psst."] if heard else ["Hello."])


def test_a_whisper_says_whom_it_was_for():
    noticed = view(whispers().history, 0).lines[1]
    assert noticed == SeenAction(
        number=4,
        turn=2,
        seat=1,
        label="Ben Okafor",
        kind="speak",
        text="Psst.",
        whisper=True,
        to=(2, 0),
    )
    assert transcript(view(whispers().history, 0)).endswith(
        'Turn 2. Ben Okafor whispered to Person 3 and Ada Reyes: "Psst."'
    )


def test_going_is_noticed_by_everybody_but_whispered_parting_words_are_not():
    game = Game(table(3))
    game.act("leave", "I hate them.", to=(1,))
    assert view(game.history, 1).lines[0].text == "I hate them."
    assert view(game.history, 2).lines[0].kind == "leave"
    assert view(game.history, 2).lines[0].text == ""


def test_who_left_notices_nothing_more():
    game = Game(table(3))
    game.act("leave", "Bye.")
    game.act(text="At last.")
    assert [seen.text for seen in view(game.history, 0).lines] == ["Bye."]
    assert [seen.text for seen in view(game.history, 2).lines] == ["Bye.", "At last."]


def test_what_all_do_at_once_is_noticed_when_all_have_done_it():
    game = Game(table(3, order="simultaneous"))
    game.act(text="A.", seat=0)
    game.act(text="B.", seat=1)
    assert [seen.text for seen in view(game.history, 0).lines] == ["A."]
    assert view(game.history, "spectator").lines == ()
    assert len(view(game.history, "narrator").lines) == 2
    game.act(text="C.", seat=2)
    assert len(view(game.history, 0).lines) == 3


def test_what_was_done_in_a_turn_that_was_stopped_stays_unnoticed():
    game = Game(table(order="simultaneous"))
    game.act(text="A.", seat=0)
    game.do(StopEpisode(detail="the disk is full"))
    shown = view(game.history, 1)
    assert (shown.lines, shown.ended, shown.detail) == ((), "stopped", "")
    assert view(game.history, "narrator").detail == "the disk is full"


def test_secrets_and_goals_are_for_their_owner_the_narrator_and_the_judge():
    first = table(relationships=(tie(0, 1, "family"),))
    first = with_setup(
        first, cast=tuple(replace(who, secret=f"S{who.id}") for who in first.setup.cast)
    )
    hidden: dict[Viewer, list] = {
        0: [("Sada", "Goal 0."), (None, None)],
        1: [(None, None), ("Sben", "Goal 1.")],
        "narrator": [("Sada", "Goal 0."), ("Sben", "Goal 1.")],
        "judge": [("Sada", "Goal 0."), ("Sben", "Goal 1.")],
        "spectator": [(None, None), (None, None)],
    }
    for viewer, expected in hidden.items():
        profiles = view([first], viewer).profiles
        assert [(who.secret, who.goal) for who in profiles] == expected


def test_a_seat_that_does_not_exist_sees_nothing():
    with pytest.raises(ValueError, match="there is no seat 2; seats are 0 to 1"):
        background("e1", table(), 2)
    with pytest.raises(ValueError, match="there is no seat -1"):
        view([table()], -1)
    with pytest.raises(ValueError, match="EpisodeStarted"):
        view([], 0)


@pytest.mark.parametrize(
    ("kind", "to", "text", "words"),
    [
        ("speak", (), "Hi.", 'Ada said: "Hi."'),
        ("speak", (1,), "Hi.", 'Ada whispered to Ben: "Hi."'),
        ("speak", (1, 2), "Hi.", 'Ada whispered to Ben and Cyd: "Hi."'),
        ("non_verbal", (), "nods", "Ada [non-verbal communication] nods"),
        ("physical", (1,), "nudges", "Ada [action, noticed only by Ben] nudges"),
        ("none", (), "", "Ada did nothing"),
        ("leave", (), "", "Ada left the conversation"),
        ("leave", (), "Bye.", 'Ada left the conversation, saying: "Bye."'),
        ("leave", (1,), "Bye.", 'Ada left the conversation, whispering to Ben: "Bye."'),
    ],
)
def test_every_action_reads_as_a_line(kind: str, to: tuple, text: str, words: str):
    noticed = SeenAction(number=1, turn=1, seat=0, label="Ada", kind=kind, text=text, to=to)
    assert line(noticed, ["Ada", "Ben", "Cyd"]) == words
