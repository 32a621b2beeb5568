"""How a character of a chain is asked to remember an episode, and how it is reminded of it."""

from actors.episodes.chains import chain_support
from actors.episodes.registry import environment_named
from actors.lifelong import prompts
from actors.lifelong.memory.recall import SeenEpisode, seen_in
from events.memory import NOTE_PARTS, Note, NotePart
from tests import golden
from tests.golden.scenes import haggled, pair, three

NOTE = Note(
    overview="We haggled over an oven. He offered 180 dollars and left.",
    strategies="I began high and came down once.",
    knowledge="Ben Okafor has a van on Thursdays.",
    importance=0.5,
)


def seen(three_seats: bool = False) -> SeenEpisode:
    found = seen_in(haggled(three() if three_seats else pair()), 0)
    assert found is not None
    return found


def note_words(
    episode: SeenEpisode, template: str, parts: tuple[NotePart, ...] = NOTE_PARTS
) -> dict[str, str]:
    support = chain_support(environment_named("social"))
    me = support.writer(episode.view, episode.account.portraits[0])
    told = prompts.retelling(episode.account, 0)
    asked = prompts.note_prompt(me, told, 200, 300, parts, template)
    again = prompts.note_again(["knowledge is empty", "it is too short"], template)
    return {"system": asked.system, "user": asked.user, "user, again": again}


def test_a_note_is_asked_for_in_these_words():
    for name, template, parts in (
        ("note-2", "note-2", NOTE_PARTS),
        ("note-3", "note-3", NOTE_PARTS),
        ("note-3-without-strategies", "note-3", ("overview", "knowledge")),
        ("note-3-of-knowledge-alone", "note-3", ("knowledge",)),
    ):
        words = note_words(seen(), template, parts)
        golden.check(f"notes/{name}", prompts.version(template), words)


def test_an_episode_is_told_to_its_seat_in_these_words():
    for name, episode, skipped in (
        ("account-1", seen(), 0),
        ("account-1-three", seen(three_seats=True), 0),
        ("account-1-without-its-beginning", seen(), 2),
    ):
        told = prompts.retelling(episode.account, 0, skipped=skipped)
        golden.check(f"notes/{name}", prompts.version(prompts.ACCOUNT), {"told": told})


def test_a_note_is_told_to_its_writer_in_these_words():
    told = prompts.note_text(NOTE)
    golden.check("notes/remembered-1", prompts.version(prompts.REMEMBERED), {"told": told})


def test_every_template_of_notes_has_a_golden_prompt():
    assert set(prompts.templates()) == golden.templates_of("notes")
