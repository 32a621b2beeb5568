"""What is asked on a walk and in an inquiry, what the votes decide, and how it ends."""

from statistics import mode

import pytest
from msgspec import to_builtins

from actors.episodes.port.prompts import UnknownTemper
from actors.episodes.rules.decide import INITIAL, Start, decide
from actors.runtime.errors import CommandRefused
from actors.worldtree.environment import CHOICES
from actors.worldtree.free_lines.setup import Wrote
from actors.worldtree.options.order import orders_of
from actors.worldtree.setup import Chose, Inquiry, NoChoice, Settings, Stepped, Walk
from actors.worldtree.task_setup import TASKS
from actors.worldtree.tasks import samples_in
from actors.worldtree.translation.setup import NoTranslation
from actors.worldtree.trees.tree import ACHIEVED, Edge, Line
from events.base import replace
from events.episode import ActionFailure, ActionTaken, EpisodeEnded, EpisodeFailed, WorldChanged
from events.serialization.codec import encode
from tests.actors.worldtree.example_trees import CATALOG, LAMP, edge, ending, scene, tree, walk
from tests.actors.worldtree.table import UNREADABLE, Table, begun

SCRIPT = {"shuffles": 1, "told": False}
TIMEOUT = ActionFailure(reason="timeout", detail="nothing came")


def say(text: str):
    """Choose the line with these words, wherever it stands."""
    return lambda asked: Chose(option=[line.text for line in asked.options].index(text))


def votes(table: Table, *texts: str) -> None:
    """An answer for each question of the turn; an empty one cannot be read."""
    for text in texts:
        if text:
            table.answer(say(text)(table.question))
        else:
            table.answer(NoChoice(), UNREADABLE)


def inquiry(**settings) -> Inquiry:
    return Inquiry(sample=samples_in(LAMP)[0], settings=Settings(**settings))


def of_sample(**change) -> Inquiry:
    return replace(inquiry(), sample=replace(inquiry().sample, **change))


def walked(table: Table) -> tuple[str, str, str]:
    """Ending, outcome and path."""
    end = table.history[-1]
    assert isinstance(end, EpisodeEnded)
    return end.reason, end.summary["outcome"], end.summary["path"]


def test_each_question_is_asked_in_as_many_orders_as_there_are_shuffles():
    table = Table(walk(seed=4))
    orders = [tuple(line.text for line in one.question.options) for one in table.state.open]
    assert [one.id for one in table.state.open] == [0, 1, 2]
    assert len(set(orders)) == 3
    assert {frozenset(order) for order in orders} == {
        frozenset(("Please.", "Give it.", "Never mind."))
    }


def test_the_majority_decides_and_the_path_leads_to_an_ending():
    table = Table(walk())
    votes(table, "Please.", "Give it.", "Please.")
    step = next(event.change for event in table.history if isinstance(event, WorldChanged))
    assert step == Stepped(edge=0, votes=2)
    votes(table, "I pay.", "I pay.", "I pay.")
    assert walked(table) == ("ended", "achieved", "0 1 4")
    assert table.summary == {
        "kind": "walk",
        "tree": "lamp-en",
        "language": "en",
        "orientation": "Negotiation",
        "outcome": "achieved",
        "path": "0 1 4",
    }


@pytest.mark.parametrize(
    ("first", "second", "ended"),
    [
        ("Please.", "I swear.", ("ended", "partly", "0 1 5")),
        ("Give it.", "", ("ended", "not", "0 2")),
        ("Never mind.", "", ("ended", "unscored", "0 3")),  # an ending without a goal
    ],
)
def test_an_outcome_is_that_of_the_ending(first, second, ended):
    table = Table(walk())
    votes(table, *[first] * 3, *[second] * 3 * bool(second))
    assert walked(table) == ended


def test_no_majority_leaves_a_walk_undecided():
    table = Table(walk())
    votes(table, "Please.", "Give it.", "Never mind.")
    assert walked(table) == ("undecided", "undecided", "0")


def test_an_answer_that_cannot_be_read_is_a_vote_for_nothing():
    table = Table(walk())
    votes(table, "", "Give it.", "Give it.")
    assert walked(table) == ("ended", "not", "0 2")


def test_a_walk_whose_answers_cannot_be_read_has_ended_and_is_not_given_up():
    table = Table(walk())
    votes(table, "", "")
    assert table.state.open, "the third is asked, and nobody is to ask for it again"
    votes(table, "")
    assert walked(table) == ("undecided", "undecided", "0")


def test_what_went_unanswered_is_asked_again_alone():
    table = Table(walk())
    votes(table, "Please.")
    table.answer(NoChoice(), TIMEOUT)
    votes(table, "Give it.")
    assert [one.id for one in table.state.open] == [1]
    assert table.state.turn == 2
    votes(table, "Give it.")
    assert walked(table) == ("ended", "not", "0 2")


def test_what_went_unanswered_is_not_asked_again_where_it_decides_nothing():
    table = Table(walk())
    votes(table, "Give it.", "Give it.")
    table.answer(NoChoice(), TIMEOUT)
    assert walked(table) == ("ended", "not", "0 2")
    table = Table(walk())
    votes(table, "", "")
    table.answer(NoChoice(), TIMEOUT)
    assert walked(table) == ("undecided", "undecided", "0")


def test_a_walk_to_which_no_answers_come_is_given_up():
    table = Table(walk(**SCRIPT))
    for _ in range(3):
        table.answer(NoChoice(), TIMEOUT)
    assert isinstance(table.history[-1], EpisodeFailed)


def test_the_script_asks_once_with_the_options_as_filed():
    table = Table(walk(**SCRIPT, seed=9))
    (asked,) = table.state.open
    assert [line.text for line in asked.question.options] == ["Please.", "Give it.", "Never mind."]
    table.answer(Chose(option=0))
    table.answer(Chose(option=1))
    assert walked(table) == ("ended", "partly", "0 1 5")


def test_options_alike_are_told_apart_by_their_place():
    alike = [Edge(to=to, line=Line(role="Mira", text="Well.")) for to in (1, 2)]
    ends = set()
    for seed in range(12):
        setup = walk(tree(scene(0, *alike), ending(1, ACHIEVED), ending(2, 0)), seed=seed)
        meant = [order[0] for order in orders_of(seed, 3, f"{setup.digest}:0", 2)]
        table = Table(setup)
        table.play(lambda _: Chose(option=0))
        assert table.summary["path"] == f"0 {1 + mode(meant)}"
        ends.add(table.summary["path"])
    assert ends == {"0 1", "0 2"}


def test_a_node_with_one_option_is_asked_and_one_with_none_is_a_dead_end():
    table = Table(walk(tree(scene(0, Edge(to=1, line=Line(text="Go."))), scene(1))))
    votes(table, "Go.", "Go.", "Go.")
    assert walked(table) == ("dead_end", "unscored", "0 1")


def test_the_protagonist_says_every_option_whoever_a_file_says_does():
    odd = edge(1, "Please.", line=Line(role="stage", text="Please."))
    asked = Inquiry(sample=samples_in(tree(scene(0, odd), ending(1, ACHIEVED)))[0])
    for setup in (asked, walk(tree(scene(0, odd, edge(1, "Go.")), ending(1, ACHIEVED)))):
        table = Table(setup)
        assert {line.role for line in table.question.options} == {"Mira"}
        votes(table, *["Please."] * 3)
        assert table.history[-1].reason in ("answered", "ended")


def test_an_ending_ends_a_walk_though_it_has_options():
    going_on = replace(ending(1, ACHIEVED), edges=(Edge(to=0, line=Line(text="Again.")),))
    table = Table(walk(tree(scene(0, Edge(to=1, line=Line(text="Go."))), going_on)))
    votes(table, "Go.", "Go.", "Go.")
    assert walked(table) == ("ended", "achieved", "0 1")


@pytest.mark.parametrize(
    ("answers", "ended", "verdict"),
    [
        (("Please.", "Please.", "Distractor 1 of 1"), "answered", "right"),
        (("Distractor 1 of 1", "Please.", "Distractor 1 of 1"), "answered", "wrong"),
        # Wrong all three times, and no line was chosen twice.
        (("Distractor 1 of 1", "Distractor 2 of 1", "Distractor 3 of 1"), "undecided", "undecided"),
        (("Please.", "", "Please."), "answered", "right"),
        (("Please.", "", ""), "undecided", "undecided"),
    ],
)
def test_a_sample_is_answered_by_the_majority(answers, ended, verdict):
    table = Table(inquiry())
    assert table.question.told == "Which line persuades at 1?"
    votes(table, *answers)
    assert table.history[-1].reason == ended
    assert table.summary == {
        "kind": "ability",
        "sample": "lamp-en.0.0",
        "language": "en",
        "verdict": verdict,
    }


def test_a_sample_asked_once_is_asked_in_a_seeded_order():
    firsts = set()
    for seed in range(20):
        (asked,) = Table(inquiry(shuffles=1, seed=seed)).state.open
        firsts.add(asked.question.options[0].text)
    assert len(firsts) == 4


def test_an_option_that_there_is_not_is_refused():
    table = Table(walk())
    for option in (-1, 3):
        with pytest.raises(CommandRefused, match=f"no option {option}; options are 0 to 2"):
            table.answer(Chose(option=option))
    for other in (NoChoice(), Wrote(text="Please."), NoTranslation()):
        with pytest.raises(CommandRefused, match="must be chosen"):
            table.answer(other)


def test_an_option_that_comes_with_a_failure_is_no_vote():
    table = Table(walk())
    for _ in range(3):
        table.answer(Chose(option=0), UNREADABLE)
    assert {event.action for event in table.history if isinstance(event, ActionTaken)} == {
        NoChoice()
    }
    assert walked(table) == ("undecided", "undecided", "0")


def test_the_state_is_the_tree_by_its_digest_and_the_path():
    table = Table(walk())
    votes(table, "Please.", "Please.", "Please.")
    state = to_builtins(table.state.world, enc_hook=str)
    assert state["tree"] == table.started.setup.digest
    assert state["path"] == (0, 1)
    assert len(encode(state)) < 500


def test_a_walk_carries_what_walking_needs_and_the_fingerprint_of_the_whole():
    setup = walk()
    sent = encode(setup)
    for left_out in ("Distractor", "«label»", "Which line", "Persuasive"):
        assert left_out.encode() not in sent
    other = replace(
        LAMP, nodes=(replace(LAMP.nodes[0], edges=LAMP.nodes[0].edges[:2]), *LAMP.nodes[1:])
    )
    assert walk(other).digest != setup.digest
    assert walk(replace(LAMP)).digest == setup.digest


def test_a_task_begins_a_walk_or_an_inquiry():
    begun_walk = TASKS.begin(CATALOG, "walk.lamp-en", Settings(), 5)
    assert isinstance(begun_walk.setup, Walk)
    assert begun_walk[1:4] == ("lamp-en", "The lamp", ("Mira",))
    assert begun_walk.setup.settings.seed == 5
    asked = TASKS.begin(CATALOG, "ask.lamp-en.1.0", Settings(), 5)
    assert isinstance(asked.setup, Inquiry)
    assert asked.setup.sample.right.text == "I pay."


def test_questions_at_most_are_those_of_the_longest_path():
    assert CHOICES.limits.questions(walk(), 1) == (2 * 3,)
    assert CHOICES.limits.questions(walk(**SCRIPT), 1) == (2,)
    assert CHOICES.limits.questions(inquiry(), 1) == (3,)


def test_what_is_told_at_most_is_the_way_with_the_most_words():
    told = CHOICES.limits.told(walk(), 0)
    assert told.splitlines() == [
        "Scene 0.",
        "Please.",
        "Ana A guest.",
        "Why should I?",
        "I swear.",
        "Ending 5.",
    ]
    assert CHOICES.limits.told(inquiry(), 0) == ""


def test_tables_can_be_filtered_by_kind_language_and_orientation():
    assert CHOICES.presentation.labels(walk()) == {
        "kind": "walk",
        "language": "en",
        "orientation": "Negotiation",
    }
    assert CHOICES.presentation.labels(inquiry())["kind"] == "ability"


LOOP = tree(scene(0, Edge(to=1, line=Line(text="a"))), scene(1, Edge(to=0, line=Line(text="b"))))


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        (walk(LOOP), "leads from node 0 back to it"),
        (walk(tree(scene(0, Edge(to=7, line=Line(text="a"))))), "option 1 of node 0 .* to 7"),
        (walk(tree(scene(3))), "no root"),
        (walk(tree(scene(0), scene(2), scene(2))), "two nodes .* id 2"),
        (walk(tree(scene(0), language="fr")), "'fr'; there are zh, en"),
        (walk(tree(scene(0), orientation="Sloth")), "orientation 'Sloth'"),
        (walk(tree(scene(0, *[Edge(to=1, line=Line(text="a"))] * 27), ending(1, 0))), "at most 26"),
        (walk(shuffles=2), "an odd number of times"),
        (walk(shuffles=11), "at most 9"),
        (of_sample(question=" "), "asks nothing"),
        (of_sample(distractors=()), "0 distractors"),
        (of_sample(right=Line(text="Distractor 1 of 1")), "says what its right line does"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(setup, why):
    with pytest.raises(CommandRefused, match=why):
        decide(INITIAL, Start(started=begun(setup)))


def test_a_tree_has_one_seat():
    minds = begun(walk()).minds * 2
    with pytest.raises(CommandRefused, match="one seat"):
        decide(INITIAL, Start(started=begun(walk(), minds=minds)))


def test_long_trees_and_wide_ones_are_looked_at_in_one_go():
    chain = [scene(at, Edge(to=at + 1, line=Line(text="on"))) for at in range(3000)]
    setup = walk(tree(*chain, ending(3000, ACHIEVED)))
    assert CHOICES.rules.setup_fault(setup, 1) is None
    assert CHOICES.limits.questions(setup, 1) == (9000,)
    # Many ways to each node: what was looked at once is not looked at again for each.
    wide = [
        scene(at, *[Edge(to=at + 1, line=Line(text=f"{place}")) for place in range(20)])
        for at in range(60)
    ]
    assert CHOICES.limits.questions(walk(tree(*wide, ending(60, 0))), 1) == (180,)
    assert CHOICES.limits.told(walk(tree(*wide, ending(60, 0))), 0).count("Scene") == 60


def test_an_unknown_temper_is_refused():
    with pytest.raises(UnknownTemper, match="wavering"):
        CHOICES.rehearsal("moody")
