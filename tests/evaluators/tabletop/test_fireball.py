"""Files of FIREBALL: a session made by hand after its published description."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.tabletop.calls.fireball import fireball_samples
from evaluators.tabletop.calls.samples import Label, Rule
from evaluators.tabletop.calls.transcripts import BadTranscript


def actor(name: str, role: str | None) -> dict[str, Any]:
    """A combatant, as the normalized state has it."""
    return {
        "name": name, "hp": "<12/20 HP; Injured>", "class": role, "race": "Elf",
        "attacks": "Dagger", "spells": "", "actions": None, "effects": "",
        "description": None, "controller_id": "1",
    }  # fmt: skip


ADA, BRAM, WOLF = actor("Ada", "Rogue 3"), actor("Bram", "Bard 2/Fighter 1"), actor("WO1", None)
EVERYONE = [ADA, BRAM, WOLF]


def turn(
    caster: dict[str, Any],
    commands: list[str],
    history: list[str],
    *,
    before: list[str] | None = None,
    results: list[str] | None = None,
) -> dict[str, Any]:
    """A line with all its published fields."""
    return {
        "speaker_id": "112233445566778899", "before_utterances": before or [],
        "combat_state_before": EVERYONE, "current_actor": None, "commands_norm": commands,
        "automation_results": results or [], "caster_after": caster, "targets_after": [],
        "combat_state_after": EVERYONE, "after_utterances": [], "utterance_history": history,
        "before_idxs": [], "before_state_idx": 0, "command_idxs": [3], "after_state_idx": 4,
        "after_idxs": [], "embed_idxs": [None],
    }  # fmt: skip


SESSION = [
    turn(
        ADA,
        ["!check stealth adv"],
        ["Player 0: The yard is dark.", "Player 1: I try stealth by the wall."],
        before=["I try stealth by the wall."],
    ),
    turn(
        WOLF,
        ["!c perc -dc 12"],
        ["Player 1: I try stealth by the wall.", "Player 0: The wolf lifts its nose."],
        before=["The wolf lifts its nose."],
    ),
    turn(
        BRAM,
        ['!c "sleight of hand" dex', "!check int", "!a dagger -t WO1", "!c per"],
        ["Player 0: The wolf lifts its nose.", "Player 2: Nice: doggy. Here.", "Somebody: Ha."],
        before=["Nice: doggy. Here."],
    ),
    turn(
        ADA,
        ["!a hide"],
        ["Somebody: Ha."],
        results=[
            "Ada uses Hide!\nAda rolled a Stealth check and succeeded.\n"
            "WO1 rolled a Perception contest against Ada's Stealth but failed."
        ],
    ),
    turn(BRAM, ["!cast light"], ["Player 0: It is dawn."]),
]


def written(folder: Path, lines: list[Any], name: str = "s1.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines))
    return path


def test_checks_that_players_rolled_are_samples_with_what_was_said_before(tmp_path: Path) -> None:
    found = fireball_samples([written(tmp_path, SESSION)])
    assert found.turns == 5
    assert [(one.turn, one.labels) for one in found.samples] == [
        (1, (Label("Ada", "Stealth"),)),
        (3, (Label("Bram", "Sleight of Hand"),)),
        (4, (Label("Ada", "Stealth"),)),
    ]
    assert {one.rule for one in found.samples} == {Rule.recorded}
    assert {one.cast for one in found.samples} == {("Ada", "Bram")}
    assert [(one.who, one.text) for one in found.samples[2].lines] == [
        ("DM", "The yard is dark."),
        ("Ada", "I try stealth by the wall."),
        ("DM", "The wolf lifts its nose."),
        ("Bram", "Nice: doggy. Here."),
        ("Somebody", "Ha."),
    ]
    assert found.unknown == {"Somebody": 1}


def test_what_is_dropped_has_its_reason(tmp_path: Path) -> None:
    found = fireball_samples([written(tmp_path, SESSION)])
    assert [(one.turn, one.why) for one in found.dropped] == [
        (2, "WO1 is no player's character"),
        (3, "'int' is none of the 18 skills"),
        (3, "'per' may be Perception or Performance or Persuasion"),
    ]


def test_skill_names_that_players_say_are_masked(tmp_path: Path) -> None:
    found = fireball_samples([written(tmp_path, SESSION)], mask=True)
    assert found.samples[2].lines[1].text == "I try ____ by the wall."


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "has no turns"),
        (["", " "], "has no turns"),
        ([SESSION[0], "{"], "line 2 is no turn of FIREBALL"),
        ([{"commands_norm": ["!c nature"]}], "caster_after"),
        ([{**SESSION[0], "commands_norm": []}], "line 1 is no turn of FIREBALL"),
        ([{**SESSION[0], "caster_after": None}], "line 1 is no turn of FIREBALL"),
        ([{"TURNS": []}], "commands_norm"),
    ],
)
def test_a_bad_file_says_where(tmp_path: Path, lines: list[Any], why: str) -> None:
    with pytest.raises(BadTranscript, match=why):
        fireball_samples([written(tmp_path, lines)])


def test_a_compressed_or_missing_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\x1f\x8b\x08rest")
    with pytest.raises(BadTranscript, match="unpack it with gunzip"):
        fireball_samples([path])
    with pytest.raises(BadTranscript, match="No such file"):
        fireball_samples([tmp_path / "none.jsonl"])
