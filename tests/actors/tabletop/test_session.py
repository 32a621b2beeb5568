"""Sessions at a table: what is drawn, who knows what, and how they go."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.mind import Scene
from actors.episodes.port.rules import Ask, End
from actors.tabletop.catalog.starter import starter_catalog
from actors.tabletop.prompt_writer import PROMPTS, TablePeople
from actors.tabletop.rehearsal import TEMPERS, RehearsalMind
from actors.tabletop.render import WORDS
from actors.tabletop.rules import RULES
from actors.tabletop.setup import AskLearned, Move, Played, Recalled, Session, Settings
from actors.tabletop.sight import SIGHT
from actors.tabletop.skills import SKILLS
from actors.tabletop.tasks import TASKS
from events.base import Event, replace
from events.episode import ActionTaken, EpisodeStarted, TurnOpened
from events.minds import MindSpec

CATALOG = starter_catalog()
SHORT = Settings(turns=12)


def session(task: str, settings: Settings = SHORT) -> Session:
    setup = TASKS.begin(CATALOG, task, settings, 1).setup
    assert isinstance(setup, Session)
    return setup


def history(setup: Session) -> list[Event]:
    minds = tuple(MindSpec(name=f"m{seat}", kind="rehearsal") for seat in range(setup.players + 1))
    return [
        EpisodeStarted(
            run="", task="t", scenario="s", title="t", catalog="tavern", environment="tabletop",
            characters=tuple(one.name for one in setup.characters), setup=setup, minds=minds,
        )
    ]  # fmt: skip


def played(setup: Session, temper: str) -> tuple[list[Event], End]:
    """The session by rehearsal minds of one temper."""
    mind, events, world, turn = RehearsalMind(temper), history(setup), RULES.initial(setup), 0
    seats = len(setup.characters)
    while isinstance(step := RULES.next_step(world), Ask):
        turn += 1
        opened = TurnOpened(turn=turn, asked=step.asked)
        world = RULES.evolve(world, opened)
        events.append(opened)
        for asked in step.asked:
            seen = list(SIGHT.view(events, asked.seat).noticed)
            background = SIGHT.view(events[:1], asked.seat)
            scene = Scene(
                background=background, seen=seen, turn=turn, question=asked.question,
                seat=asked.seat, seats=seats,
            )  # fmt: skip
            action = asyncio.run(mind.decide(scene, None)).action
            assert RULES.action_fault(asked.question, action, asked.seat, seats) is None
            taken = ActionTaken(turn=turn, seat=asked.seat, action=action)
            world = RULES.evolve(world, taken)
            events.append(taken)
    assert isinstance(step, End)
    return events, step


def prompt(events: list[Event], seat: int, question: Move | AskLearned) -> str:
    writer = PROMPTS.writer(SIGHT.view(events[:1], seat))
    asked = writer.prompt(question, SIGHT.view(events, seat).noticed, 1)
    return f"{asked.system}\n{asked.user}"


@settings(max_examples=12, deadline=None)
@given(number=st.integers(1, 60), temper=st.sampled_from(TEMPERS))
def test_no_key_point_is_known_to_a_player_before_it_is_uttered(number: int, temper: str):
    setup = session(f"exchange-{number}")
    assert setup.sheet is not None
    events, _ = played(setup, temper)
    uttered = ""
    for place, event in enumerate(events):
        if isinstance(event, ActionTaken) and isinstance(event.action, Played):
            uttered += event.action.text
        for seat in range(setup.players):
            shown = prompt(events[: place + 1], seat, Move(move=1, of=12))
            for point in setup.sheet.points:
                assert (point.text in shown) <= (point.text in uttered)
    npc = prompt(events[:1], setup.players, Move(move=1, of=12))
    assert all(point.text in npc for point in setup.sheet.points)


@settings(max_examples=25, deadline=None)
@given(number=st.integers(1, 600), wording=st.sampled_from(("named", "hidden")))
def test_an_intention_is_its_players_alone(number: int, wording: str):
    setup = session(f"intention-{number}", replace(SHORT, wording=wording))
    events = history(setup)
    for seat in range(setup.players + 1):
        shown = prompt(events, seat, Move(move=1, of=12))
        for owner, intention in enumerate(setup.intentions):
            assert intention is not None
            assert (intention.text in shown) == (owner == seat)
    for viewer in ("spectator", *range(setup.players + 1)):
        view = SIGHT.view(events, viewer)
        assert view.setup.sheet is None
        known = [one for one in view.setup.intentions if one is not None]
        assert len(known) <= (viewer != "spectator")


def test_what_a_player_learned_is_seen_by_that_player_and_those_who_know_everything():
    events, end = played(session("exchange-3"), "open")
    assert end.reason == "played"
    told = [n for n, e in enumerate(events) if getattr(e, "action", None).__class__ is Recalled]
    assert len(told) == 4
    for viewer in ("judge", "narrator", "spectator", 0, 1, 4):
        seen = {one.number for one in SIGHT.view(events, viewer).noticed} & set(told)
        assert len(seen) == (4 if viewer in ("judge", "narrator") else viewer in (0, 1))


def test_an_open_npc_tells_more_than_a_guarded_one():
    def said(temper: str) -> int:
        total = 0
        for number in range(1, 9):
            setup = session(f"exchange-{number}", Settings(turns=30))
            assert setup.sheet is not None
            events, _ = played(setup, temper)
            words = " ".join(e.action.text for e in events if isinstance(e, ActionTaken))
            total += sum(point.text in words for point in setup.sheet.points)
        return total

    assert said("open") > said("guarded")


def test_seats_move_in_their_order_and_players_answer_in_the_end():
    setup = session("exchange-1", Settings(turns=2, turn="round", baseline=True))
    events, end = played(setup, "curious")
    taken = [event for event in events if isinstance(event, ActionTaken)]
    assert [one.seat for one in taken] == [0, 1, 2, 3, *range(5), *range(5), 0, 1, 2, 3]
    assert end.summary["moves"] == 10


def test_sessions_share_no_sheet_and_no_character():
    first = [session(f"exchange-{number}") for number in range(1, 51)]
    assert len({one.topic for one in first}) == 50
    assert len({who.id for one in first for who in one.characters}) == 250
    assert all(len(one.sheet.points) == 5 for one in first if one.sheet)


def test_a_session_is_the_same_whatever_its_episodes_seed():
    begun = [TASKS.begin(CATALOG, "intention-7", SHORT, seed).setup for seed in (1, 2)]
    assert replace(begun[0], seed=0) == replace(begun[1], seed=0)


@pytest.mark.parametrize(("without", "least"), [(0.0, 4), (1.0, 1)])
def test_some_players_may_have_no_intention_but_never_all(without: float, least: int):
    for number in range(1, 20):
        setup = session(f"intention-{number}", replace(SHORT, without=without))
        assert sum(one is not None for one in setup.intentions) == least


def test_just_one_player_may_have_an_intention():
    setups = [session(f"intention-{n}", replace(SHORT, one_intention=True)) for n in range(1, 40)]
    assert all(sum(one is not None for one in setup.intentions) == 1 for setup in setups)
    owners = {next(s for s, one in enumerate(setup.intentions) if one) for setup in setups}
    assert owners == {0, 1, 2, 3}


def test_a_hidden_intention_never_names_its_skill():
    for want in CATALOG.wants:
        assert want.skill.casefold() not in want.text.casefold()
    assert {want.skill for want in CATALOG.wants} == set(SKILLS)


def test_a_sheet_is_used_again_only_where_the_plan_says_so():
    table = next(one for one in CATALOG.tables if one.id == "exchange")
    few = replace(CATALOG, sheets=CATALOG.sheets[:2], tables=(replace(table, sessions=3),))
    setup = TASKS.begin(few, "exchange-3", SHORT, 1).setup
    fault = RULES.setup_fault(setup, 5)
    assert fault is not None
    assert "reuse = true" in fault
    setup = TASKS.begin(few, "exchange-3", replace(SHORT, reuse=True), 1).setup
    assert RULES.setup_fault(setup, 5) is None


def test_a_session_that_does_not_fit_its_seats_is_refused():
    assert "5 characters and 4 minds" in str(RULES.setup_fault(session("exchange-1"), 4))
    setup = session("exchange-1")
    same = replace(setup, characters=(setup.characters[0],) * 5)
    assert "different names" in str(RULES.setup_fault(same, 5))
    assert "one player an intention" in str(
        RULES.setup_fault(replace(session("intention-1"), intentions=(None,) * 4), 5)
    )


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("Good evening. *bows*", Played(text="Good evening.", deed="bows")),
        ("*sits down*", Played(deed="sits down")),
        ("pass", Played()),
        ('{"say": "Hello.", "do": ""}', Played(text="Hello.")),
    ],
)
def test_people_type_words_and_deeds(typed: str, action: Played):
    people = TablePeople(PROMPTS)
    background = SIGHT.view(history(session("exchange-1")), 0)
    assert people.typed(Move(move=1, of=3), background, typed) == action


def test_a_deed_that_does_not_end_is_asked_for_again():
    background = SIGHT.view(history(session("exchange-1")), 0)
    with pytest.raises(ValueError, match="two asterisks"):
        TablePeople(PROMPTS).typed(Move(move=1, of=3), background, "Hello *bows")


def test_who_sits_down_reads_what_there_is_to_do_and_what_they_alone_know():
    setup = session("exchange-1")
    assert setup.sheet is not None
    for seat in range(5):
        portraits = WORDS.account(SIGHT.view(history(setup), seat)).portraits
        own = portraits[seat]
        assert own.goal.startswith("Find out" if seat < 4 else "Talk about")
        assert (setup.sheet.points[0].text in own.secret) == (seat == 4)
        assert not own.brief
        for other in (*portraits[:seat], *portraits[seat + 1 :]):
            who = setup.characters[other.seat]
            assert (other.goal, other.secret) == ("", "")
            assert other.brief[0].startswith(f"{who.race} {who.role}, ")


@pytest.mark.parametrize(
    ("action", "verb", "text", "idle"),
    [
        (Played(text="Hello.", deed="bows"), "", "Hello. *bows*", False),
        (Played(text="Hello."), "", "Hello.", False),
        (Played(deed="bows"), "does", "bows", False),
        (Played(), "passes", "", True),
        (Recalled(text="It is old."), "learned", "It is old.", False),
        (Recalled(), "learned", "nothing", False),
    ],
)
def test_words_and_deeds_are_told_apart(
    action: Played | Recalled, verb: str, text: str, idle: bool
):
    asked = ActionTaken(turn=1, seat=0, action=Played(text="First."))
    events = [*history(session("exchange-1")), asked, ActionTaken(turn=2, seat=0, action=action)]
    told = WORDS.account(SIGHT.view(events, 0)).entries[-1]
    assert (told.verb, told.text, told.idle) == (verb, text, idle)
