"""Keys of participants: made once, dropped for good, in no backup and no export."""

import base64
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from actors.social.actions import Action
from events.episode import ActionTaken
from events.privacy.encryption import ERASED, key_of, sealed
from events.serialization.codec import event_of
from store.backups import back_up, restore
from store.jsonl.file_lines import envelope_of, line_of
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.participants.key_locations import KeyLocation
from store.participants.participant_keys import ParticipantKeys, keys_of
from store.read_only_store import open_to_read
from store.verification import verify

SECRET = "I once stole a boat."


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EventStore]:
    monkeypatch.delenv("TROUPE_KEYS_URL", raising=False)
    with closing(open_store(f"sqlite:///{tmp_path / 'troupe.db'}")) as opened:
        yield opened


def say(store: EventStore, participant: str) -> ActionTaken:
    event = ActionTaken(turn=1, seat=0, action=Action(kind="speak", text=SECRET))
    key = keys_of(store.url).make(participant)
    store.append("episode-e1", ANY, [sealed(event, key)])
    return event


def said(store: EventStore) -> str:
    return event_of(store.read("episode-e1")[-1]).action.text  # type: ignore[attr-defined, no-any-return]


def on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_participant_has_one_key_whoever_asks_first(tmp_path: Path) -> None:
    one, other = (
        ParticipantKeys(KeyLocation(f"sqlite:///{tmp_path / 'keys.db'}")) for _ in range(2)
    )
    assert one.of("p-ana") is None
    assert not (tmp_path / "keys.db").exists()
    key = one.make("p-ana")
    assert other.make("p-ana") == key == one.make("p-ana")
    assert other.secret(key.id) == key.secret


def test_a_dropped_key_is_gone_from_the_disk_and_for_others_soon(tmp_path: Path) -> None:
    now = 0.0
    one, other = (
        ParticipantKeys(KeyLocation(f"sqlite:///{tmp_path / 'keys.db'}"), lambda: now)
        for _ in range(2)
    )
    key, kept = one.make("p-ana"), one.make("p-bo")
    assert other.secret(key.id) == key.secret
    assert one.drop("p-nobody") == "never"
    assert one.drop("p-ana") == "now"
    assert one.drop("p-ana") == "before"
    assert one.secret(key.id) is None
    now = 3.0
    assert other.secret(key.id) is None
    assert other.of("p-ana") not in (None, key)
    assert other.secret(kept.id) == kept.secret
    assert key.secret not in on_disk(tmp_path)
    assert kept.secret in on_disk(tmp_path)


def test_an_erased_participant_leaves_a_sound_log_without_a_word(
    store: EventStore, tmp_path: Path
) -> None:
    say(store, "p-ana")
    assert said(store) == SECRET
    assert SECRET.encode() not in on_disk(tmp_path)
    keys_of(store.url).drop("p-ana")
    assert said(store) == ERASED
    assert not verify(store).defects


def test_what_an_erased_participant_still_says_is_erased_as_it_is_said(store: EventStore) -> None:
    # Nobody of another store that this process has opened is called so.
    say(store, "p-gone2345")
    keys_of(store.url).drop("p-gone2345")
    event = ActionTaken(turn=2, seat=0, action=Action(kind="speak", text=SECRET))
    key = key_of("p-gone2345")
    assert key is not None
    store.append("episode-e1", ANY, [sealed(event, key)])
    assert said(store) == ERASED
    # By whoever asks for a key again, too.
    say(store, "p-gone2345")
    assert said(store) == ERASED


def test_a_backup_brings_back_no_word(store: EventStore, tmp_path: Path) -> None:
    event = say(store, "p-ana")
    target = tmp_path / "copies" / "copy.db"
    target.parent.mkdir()
    back_up(store.url, target)
    key = keys_of(store.url).make("p-ana")
    assert key.secret not in on_disk(target.parent)
    assert event.action.text.encode() not in on_disk(target.parent)
    keys_of(store.url).drop("p-ana")
    again = tmp_path / "again" / "troupe.db"
    again.parent.mkdir()
    restore(target, f"sqlite:///{again}")
    with closing(open_store(f"sqlite:///{again}")) as other:
        assert said(other) == ERASED


def test_what_is_sealed_leaves_an_export_sealed_and_comes_in_again(store: EventStore) -> None:
    event = say(store, "p-ana")
    (envelope,) = store.read("episode-e1")
    line = line_of(envelope)
    assert SECRET.encode() not in base64.b64decode(json.loads(line)["payload"])
    assert event_of(envelope_of(line)) == event


def test_who_opens_a_store_to_read_it_reads_what_was_said(store: EventStore) -> None:
    say(store, "p-ana")
    with closing(open_to_read(store.url)) as reading:
        assert event_of(reading.read("episode-e1")[-1]).action.text == SECRET  # type: ignore[attr-defined]


def test_behind_a_store_that_is_closed_its_keys_are_not_used(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path / 'troupe.db'}")) as store:
        say(store, "p-closed")
        assert key_of("p-closed")
        with closing(open_to_read(store.url)):
            pass
        assert key_of("p-closed"), "the other one is still open"
    assert key_of("p-closed") is None
