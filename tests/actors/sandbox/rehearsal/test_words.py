"""What is said is understood, and nothing that was not said."""

from datetime import date

import pytest

from actors.sandbox.catalog.starter import town_catalog
from actors.sandbox.rehearsal.daily_life.routine import habits_of, working_hours
from actors.sandbox.rehearsal.dialogue import phrases
from actors.sandbox.rehearsal.known_places import Places
from actors.sandbox.rehearsal.language.aims import aim_of
from actors.sandbox.rehearsal.language.interpretation import KINDS, AimStep, Proposal, heard
from actors.sandbox.rehearsal.language.times import DAY, When, clock, said_day, times_in

TODAY = date(2023, 2, 13).toordinal()
TOMORROW = TODAY + 1


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("at 2023-02-14 19:00", When(TOMORROW, 19 * 60)),
        ("tomorrow at 5:30pm", When(TOMORROW, 17 * 60 + 30)),
        ("on February 14th, 2023, from 5pm to 7pm", When(TOMORROW, 17 * 60)),
        ("tonight, at midnight", When(TODAY, 0)),
        ("Good afternoon, Ann.", When()),
        ("on 14 February at 5 o'clock", When(TOMORROW, 17 * 60)),
        ("around 17:30pm", When(None, 17 * 60 + 30)),
    ],
)
def test_times_are_read_as_they_are_written(text: str, when: When) -> None:
    assert times_in(text, TODAY).when == when


@pytest.mark.parametrize("minute", [0, 30, 419, 720, 735, 1020, 1439])
def test_a_time_that_is_said_is_understood_again(minute: int) -> None:
    said = f"{said_day(TOMORROW, TODAY)} at {clock(minute)}"
    assert times_in(said, TODAY).when == When(TOMORROW, minute)
    assert times_in(f"at {clock(minute)}", TODAY).when.minute == minute


def test_lives_are_read_as_they_are_described() -> None:
    habits = habits_of("Ann goes to bed around 1am, awakes up around 9am, eats dinner around 5pm.")
    assert habits[:2] == (9 * 60, DAY + 60)
    assert habits.dinner == 17 * 60
    assert working_hours("Ann opens the inn at 8am, and stands behind the bar until 8pm.") == (
        480,
        1200,
    )
    assert working_hours("Ann likes to read.") is None


def test_every_task_of_the_own_town_sets_an_aim() -> None:
    kinds = {
        "public": "gathering",
        "online": "company",
        "companions": "company",
        "appointment": "meeting",
        "help": "help",
    }
    for task in town_catalog().tasks:
        aim = _aim(task.goal, task.brief, task.description, task.characters)
        assert aim is not None
        assert aim.kind == kinds[task.kind] or "online" in aim.what
        assert aim.when.day == TOMORROW
        assert aim.names in (*task.targets, "")
        assert len(aim.steps) == (2 if task.kind == "help" else 0)


def test_a_favour_has_its_steps_with_their_places() -> None:
    aim = _aim(
        "Your knee hurts, so you want somebody else to buy you lamp oil on 2023-02-14",
        "Ann Bee's knee hurts, so she wants somebody else to buy her lamp oil on 2023-02-14.",
        "It is reached when somebody other than Ann Bee buys lamp oil at Finch's Stores and then"
        " brings it to Ferry Cottage on 2023-02-14.",
        ("Ann Bee", "Bo"),
    )
    assert aim is not None
    assert aim.steps == (
        AimStep("buy lamp oil", "Finch's Stores"),
        AimStep("bring lamp oil", "Ferry Cottage"),
    )


def test_an_invitation_is_understood_as_far_as_it_goes() -> None:
    whole = heard(
        "Hello, Bo. I'm holding a wine party at the Old Inn tomorrow, 14 February, at 7pm."
        " Will you come?",
        TODAY,
    ).proposal
    assert whole is not None
    assert (whole.kind, whole.what, whole.where) == ("gathering", "a wine party", "the Old Inn")
    assert whole.when == When(TOMORROW, 19 * 60)
    vague = heard("I'm planning a wine party one of these days. You should come.", TODAY).proposal
    assert vague is not None
    assert (vague.what, vague.where, vague.when) == ("a wine party", "", When())


def test_whose_invitation_it_is_travels_with_it() -> None:
    told = heard("Cy Dee is holding the wine party at the Old Inn tomorrow at 7pm.", TODAY).proposal
    assert told is not None
    assert (told.names, told.what) == ("Cy Dee", "the wine party")


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        ("Would you join me to have coffee at the Old Inn today?", "company", "to have coffee"),
        ("I'm looking for people for a film night online.", "company", "for a film night online"),
        ("Could we meet for help on a problem at noon?", "meeting", "for help on a problem"),
        ("Could you please buy pills at Mill Shop and then bring it to me?", "help", "buy pills"),
    ],
)
def test_other_proposals_are_understood(text: str, kind: str, what: str) -> None:
    proposal = heard(text, TODAY).proposal
    assert proposal is not None
    assert (proposal.kind, proposal.what) == (kind, what)


@pytest.mark.parametrize("text", ["Good morning.", "I'm writing a book.", "What a sky!", ""])
def test_small_talk_proposes_nothing(text: str) -> None:
    understood = heard(text, TODAY)
    assert understood.proposal is None
    assert not understood.yes
    assert not understood.no


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("I'd love to! I'll be there.", True),
        ("I'm afraid I have to work.", False),
        ("No, thank you. Not for me.", False),
        ("With pleasure. Consider it done.", True),
    ],
)
def test_answers_are_told_apart(text: str, yes: bool) -> None:
    understood = heard(text, TODAY)
    assert (understood.yes, understood.no) == (yes, not yes)


MEANT = {
    "gathering": "gathering",
    "company": "company",
    "meeting": "meeting",
    "help": "help",
    "pass_on_gathering": "gathering",
    "pass_on_company": "company",
    "accept": "yes",
    "decline": "no",
    "bye": "bye",
    "weather": "weather",
    "ask_about": "matter",
}
"""What lines mean, by how the names of their acts begin."""
SAID = [
    (act, line) for act, moods in phrases().items() for lines in moods.values() for line in lines
]


@pytest.mark.parametrize(("act", "line"), SAID)
def test_what_people_of_the_town_say_is_understood_as_it_is_meant(act: str, line: str) -> None:
    begins = max((one for one in MEANT if act.startswith(one)), key=len, default="")
    meant = MEANT.get(begins, "") if act != "weather_back" else ""
    filled = line.replace("{what}", "a wine party").replace("{first}", "buy pills")
    understood = heard(filled.replace("{host}", "Cy Dee"), TODAY)
    assert meant in (*understood.intents, "")
    assert (understood.yes, understood.no) == (meant == "yes", meant == "no")
    proposed = understood.proposal.kind if understood.proposal else ""
    assert proposed == (meant if meant in KINDS else "")


def test_a_place_is_known_by_its_name_and_by_one_like_it() -> None:
    known = ["V", "V:Hobbs Cafe", "V:Hobbs Cafe:cafe", "V:Oak College", "V:Oak College:library"]
    places = Places("Ann", "V:Ann's house:room", known)
    assert places.named("at the library of Oak College") == "V:Oak College:library"
    assert places.named("Hobbs Coffee") == "V:Hobbs Cafe"
    assert places.named("at the Old Mill") == ""


def _aim(goal: str, brief: str, criteria: str, names: tuple[str, ...]) -> Proposal | None:
    return aim_of(goal, brief, criteria, 0, names, TODAY)
