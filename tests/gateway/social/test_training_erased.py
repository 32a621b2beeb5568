"""Files for trainers of what was erased, and of what was archived."""

import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from events.episode import ActionTaken
from events.privacy.encryption import ERASED, sealed
from events.serialization.codec import event_of
from gateway.services.calls.first_questions import ERASED_SINCE
from store.log.event_store import ANY
from store.open_store import open_store
from store.participants.participant_keys import keys_of
from store.read_model import queries
from tests.gateway.command import Desk
from tests.gateway.social.conftest import exported

FORMS = (
    ("sft", ("--filter", "goal=0")),
    ("sft", ("--filter", "goal=0", "--filter", "form=chat", "--filter", "prompt_tokens=1000")),
    ("sft", ("--filter", "goal=0", "--filter", "balance=true", "--filter", "top_share=0.9")),
    ("rewards", ()),
    ("pairs", ("--filter", "margin=0.01")),
)


def words_of(desk: Desk, episode: str, seat: int) -> list[str]:
    """What a seat said in an episode."""
    store = desk.open()
    try:
        events = [event_of(one) for one in store.read(f"episode-{episode}")]
        return [e.action.text for e in events if isinstance(e, ActionTaken) and e.seat == seat]  # type: ignore[attr-defined]
    finally:
        store.close()


@pytest.fixture
def with_participant(asked: Desk, asked_run: str, tmp_path: Path) -> tuple[Desk, str, str]:
    """The same events in another store, but what the first seat of one episode said is sealed,
    and the episode."""
    old, database = asked.open(), tmp_path / "other" / "troupe.db"
    database.parent.mkdir()
    episode = next(row.parent for row in queries.episodes(old) if row.parent)
    assert episode is not None
    new = open_store(f"sqlite:///{database}", durable=False)
    key = keys_of(new.url).make("p-ana")
    for one in old.read_all(0, limit=100_000):
        event = event_of(one)
        if (
            one.stream == f"episode-{episode}"
            and isinstance(event, ActionTaken)
            and event.seat == 0
        ):
            event = sealed(event, key)
        new.append(
            *(one.stream, ANY, [event]), correlation=one.correlation, causation=one.causation
        )
    old.close()
    new.close()
    asked.move(database.parent)
    return asked, asked_run, episode


@pytest.mark.parametrize(("form", "options"), FORMS)
def test_no_erased_word_is_in_a_file_and_what_is_left_out_for_it_is_counted(
    with_participant: tuple[Desk, str, str], form: str, options: tuple[str, ...]
) -> None:
    desk, run, episode = with_participant
    said = words_of(desk, episode, 0)
    # Forks share what was said before; the others may say the same, for the model is a stub.
    store = desk.open()
    tree = {episode, *(row.id for row in queries.episodes(store) if row.parent == episode)}
    store.close()
    before, _ = exported(desk, run, form, *options)
    assert said_in(before, tree, said)
    store = desk.open()
    keys_of(store.url).drop("p-ana")
    store.close()
    assert set(words_of(desk, episode, 0)) == {ERASED}
    lines, card = exported(desk, run, form, *options)
    assert not said_in(lines, tree, said)
    assert ERASED not in (desk.folder / "out.jsonl").read_text()
    left_out = {one["reason"]: one["count"] for one in card["actions_left_out"]}
    assert left_out[ERASED_SINCE] > 0
    assert card["lines"] == len(lines) < len(before)


def said_in(lines: Sequence[Any], episodes: Collection[str], said: Iterable[str]) -> list[str]:
    """The words that lines of some episodes have."""
    origins = ("origin", "rejected_origin")
    theirs = json.dumps(
        [x for x in lines if any(x.get(o, {}).get("episode") in episodes for o in origins)],
        ensure_ascii=False,
    )
    return [words for words in said if words and words in theirs]


@pytest.mark.parametrize(("form", "options"), FORMS)
def test_an_archived_run_says_where_it_is_and_gives_the_same_file_when_it_is_back(
    asked: Desk, asked_run: str, tmp_path: Path, form: str, options: tuple[str, ...]
) -> None:
    exported(asked, asked_run, form, *options)
    files = [asked.folder / "out.jsonl", asked.folder / "out.card.json"]
    before = [file.read_bytes() for file in files]
    episode = asked.does("show", asked_run, "--json").json["episodes"][-1]["id"]
    to = tmp_path / "archive"
    asked.does("archive", asked_run, "--to", str(to))
    for what in (asked_run, episode):
        out = str(tmp_path / "none.jsonl")
        refused = asked.says("export", what, "--format", form, "--out", out, *options)
        told = " ".join(refused.err.split())
        assert refused.code == 1, what
        assert f"was archived to {to / asked_run} on" in told, what
        assert f"`troupe retrieve {to / asked_run}` brings it back" in told, what
        assert not Path(out).exists()
    assert [file.read_bytes() for file in files] == before
    asked.does("retrieve", str(to))
    exported(asked, asked_run, form, *options)
    assert [file.read_bytes() for file in files] == before
