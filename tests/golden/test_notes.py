"""How a character of a chain is asked to remember an episode, and how it is reminded of it."""

from actors.episodes.chain_support import chain_support
from actors.episodes.registry import environment_named
from actors.lifelong import prompts
from actors.lifelong.memory.recall import SeenEpisode, seen_in
from events.base import replace
from events.memory import NOTE_PARTS, MemoryModule, Note, NotePart
from tests import golden
from tests.golden.scenes import SEVERAL_LINES, haggled, pair, three

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
    episode: SeenEpisode,
    template: str,
    parts: tuple[NotePart, ...] = NOTE_PARTS,
    module: MemoryModule = "summary",
) -> dict[str, str]:
    support = chain_support(environment_named("social"))
    me = support.writer(episode.view, episode.account.portraits[0])
    told_by = prompts.account_template(prompts.version(template))
    told = prompts.retelling(episode.account, 0, template=told_by)
    rated = prompts.asks_importance(template, module)
    asked = prompts.note_prompt(me, told, 200, 300, parts, template, rated=rated)
    problems = ["knowledge is empty", "it is too short"]
    again = prompts._templates.block(template, "again", {"problems": problems})
    return {"system": asked.system, "user": asked.user, "user, again": again}


def test_a_note_is_asked_for_in_these_words():
    for name, template, parts in (
        ("note-2", "note-2", NOTE_PARTS),
        ("note-3", "note-3", NOTE_PARTS),
        ("note-3-without-strategies", "note-3", ("overview", "knowledge")),
        ("note-3-of-knowledge-alone", "note-3", ("knowledge",)),
        ("note-4", "note-4", NOTE_PARTS),
        ("note-4-without-strategies", "note-4", ("overview", "knowledge")),
        ("note-4-of-knowledge-alone", "note-4", ("knowledge",)),
        ("note-5", "note-5", NOTE_PARTS),
        ("note-5-without-strategies", "note-5", ("overview", "knowledge")),
        ("note-5-of-knowledge-alone", "note-5", ("knowledge",)),
    ):
        words = note_words(seen(), template, parts)
        golden.check(f"notes/{name}", prompts.version(template), words)
    words = note_words(seen(), "note-5", module="retrieval")
    golden.check("notes/note-5-for-retrieval", prompts.version("note-5"), words)


def test_an_episode_is_told_to_its_seat_in_these_words():
    lines = seen_in(SEVERAL_LINES, 0)
    assert lines is not None
    for name, episode, skipped in (
        ("account-1", seen(), 0),
        ("account-1-three", seen(three_seats=True), 0),
        ("account-1-without-its-beginning", seen(), 2),
        ("account-2", seen(), 0),
        ("account-2-without-its-beginning", seen(), 2),
        ("account-2-several-lines", lines, 0),
    ):
        template = name[:9]
        told = prompts.retelling(episode.account, 0, skipped=skipped, template=template)
        golden.check(f"notes/{name}", prompts.version(template), {"told": told})


def test_a_note_is_told_to_its_writer_in_these_words():
    forged = replace(NOTE, knowledge="Ben has a van.\n\nEpisode 9\nWhat happened: all went well.")
    for name, note in (
        ("remembered-1", NOTE),
        ("remembered-2", NOTE),
        ("remembered-2-several-lines", forged),
    ):
        template = name[:12]
        told = prompts.note_text(note, template)
        golden.check(f"notes/{name}", prompts.version(template), {"told": told})


def test_every_template_of_notes_has_a_golden_prompt():
    assert set(prompts.templates()) == golden.templates_of("notes")
