import gc
import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from actors.social import prompt_writer, render
from actors.social.actions import ACT
from actors.social.catalog_items import BigFive
from actors.social.prompt_names import FIRST, NEWEST
from actors.social.sight import background, view
from actors.templates import Templates
from events.base import replace
from events.ids import digest_of
from tests.actors.social.table import Game, table, tie
from tests.support.builders import with_setup

PAPER = NEWEST["act-paper"]


def played() -> Game:
    first = table(3, relationships=(tie(0, 1, "romantic", "They share a flat."),), turn_cap=9)
    cast = (replace(first.setup.cast[0], secret="Ada writes <b>poems</b>."), *first.setup.cast[1:])
    game = Game(with_setup(first, cast=cast))
    game.act(text='Say "please", {{ Ben }}.')
    return game


def test_a_mind_is_told_who_it_is_who_is_there_what_it_wants_and_what_happened():
    game = played()
    lines = view(game.history, 0).lines
    system, user, *_ = prompt_writer.act_prompt(background("e1", game.history[0], 0), lines, 4)
    for words in (
        "You play Ada Reyes",
        "Your secret, which nobody here knows: Ada writes <b>poems</b>.",
        "Ben Okafor (seat 1): you are a couple",
        "What you share: They share a flat.",
        "Person 3 (seat 2): you do not know each other",
        "Goal 0.",
        "There are at most 9 turns.",
        "give the seat numbers",
    ):
        assert words in system
    assert 'Turn 1. Ada Reyes said: "Say "please", {{ Ben }}."' in user
    assert "It is turn 4 of 9 and you, Ada Reyes, are to act." in user


def test_the_beginning_of_a_prompt_is_the_same_in_every_turn():
    game = played()
    known = background("e1", game.history[0], 0)
    early = prompt_writer.act_prompt(known, (), 1)
    late = prompt_writer.act_prompt(known, view(game.history, 0).lines, 4)
    assert early.system == late.system
    assert "Nothing has happened yet." in early.user


def test_what_is_put_together_turn_after_turn_is_what_the_template_says():
    game = played()
    known = background("e1", game.history[0], 0)
    scene = prompt_writer.ActScene(known)
    assert scene.prompt(ACT, (), 1) == prompt_writer.act_prompt(known, (), 1)
    for turn, text in enumerate(["One.", "\0 two {{ turn }}", "Three\nlines."], start=2):
        game.act(text=text)
        lines = view(game.history, 0).lines
        words = {
            "me": known.character,
            "label": known.character.name,
            "background": known,
            "turn": turn,
            "lines": [(seen.turn, render.line(seen, render.labels_of(known))) for seen in lines],
        }
        filled_in = Templates("actors.social.prompts").block(FIRST, "user", words)
        assert scene.prompt(ACT, lines, turn).user == filled_in


def test_two_alone_are_told_nothing_of_whispers():
    system, *_ = prompt_writer.act_prompt(background("e1", table(), 0), (), 1)
    assert "to is always empty" in system


def test_who_acts_at_once_is_told_so():
    known = background("e1", table(order="simultaneous"), 0)
    assert "same time" in prompt_writer.act_prompt(known, (), 1).system


def test_who_remembers_is_told_it_once_a_prompt_and_asked_as_ever():
    game = played()
    plain = background("e1", game.history[0], 0)
    told = background("e1", game.history[0], 0, "Episode 1\nWe split the rent.")
    lines = view(game.history, 0).lines
    without, remembering = (prompt_writer.act_prompt(known, lines, 4) for known in (plain, told))
    assert remembering.user == without.user
    assert remembering.system.startswith(without.system)
    added = remembering.system.removeprefix(without.system)
    assert added.strip().startswith("WHAT YOU REMEMBER")
    assert added.endswith("Episode 1\nWe split the rent.")
    assert prompt_writer.ActScene(told).template == prompt_writer.ACT_REMEMBERING


def test_who_remembers_nothing_is_asked_what_it_was_asked_before_there_were_memories():
    """The words, and so a request's hash, are those of version 0.1: what was answered then is
    found again."""
    game = played()
    known = background("e1", game.history[0], 0)
    asked = prompt_writer.act_prompt(known, view(game.history, 0).lines, 4)
    assert digest_of("\n".join(asked[:2]).encode()) == "4537714fd164cb65cb85223deb8a5375"
    assert prompt_writer.version(prompt_writer.ActScene(known).template) == "act-1:90e2ea0be41e"


@pytest.mark.parametrize("template", [*NEWEST.values(), FIRST, prompt_writer.ACT_REMEMBERING])
def test_a_template_is_known_by_its_version_and_fingerprint(template: str):
    assert re.fullmatch(rf"{template}:[0-9a-f]{{12}}", prompt_writer.version(template))
    assert re.search(r"-\d+$", template)


@pytest.mark.parametrize("prompt", NEWEST.values())
def test_newer_prompts_nudge_towards_neither_secrecy_nor_brevity(prompt: str):
    known = replace(background("e1", played().history[0], 0), prompt=prompt)
    system = prompt_writer.act_prompt(known, (), 1).system
    assert "Your secret: Ada writes <b>poems</b>." in system
    for nudge in ("keep to yourself", "nobody here knows", "known to you alone", "short"):
        assert nudge not in system


@pytest.mark.parametrize("prompt", NEWEST.values())
def test_newer_prompts_ask_for_what_is_remembered_and_warn_of_nothing(prompt: str):
    known = background("e1", table(), 0, "Episode 1\nWe split the rent.")
    system = prompt_writer.act_prompt(replace(known, prompt=prompt), (), 1).system
    assert "Use what you remember" in system
    assert "you do not know each other" not in system
    assert "They are over" not in system


@pytest.mark.parametrize("prompt", NEWEST.values())
def test_newer_prompts_number_everybody_as_strangers_are_called(prompt: str):
    known = replace(background("e1", played().history[0], 0), prompt=prompt)
    system = prompt_writer.act_prompt(known, (), 1).system
    assert "Ben Okafor (Person 2)" in system
    assert ("Ben Okafor (Person 2): you are a couple" in system) == (prompt != PAPER)
    assert ("[2] for Ben Okafor" in system) == (prompt == PAPER)
    assert "seat" not in system


@pytest.mark.parametrize("prompt", NEWEST.values())
def test_the_beginning_of_a_question_is_that_of_the_turn_before(prompt: str):
    game = played()
    known = replace(background("e1", game.history[0], 0), prompt=prompt)
    before = ("", "")
    for turn, text in enumerate(["One.", "Two.", "Three."], start=2):
        game.act(text=text)
        asked = prompt_writer.act_prompt(known, view(game.history, 0).lines, turn)
        assert asked.system == (before[0] or asked.system)
        assert asked.user.startswith(before[1])
        # All but what closes the history, and the question.
        told = asked.user.rpartition("\n\n")[0]
        before = asked.system, told.rpartition("\n</happened")[0] or told


def test_the_papers_prompt_tells_of_the_turns_but_the_number_of_this_one():
    for order in ("round_robin", "simultaneous", "random"):
        known = replace(background("e1", table(order=order), 0), prompt=PAPER)
        first = prompt_writer.act_prompt(known, (), 1)
        assert "It is turn 1 and you" in first.user
        for told in (" of 20", "20 turns", "at most", "at a time", "same time"):
            assert told not in "\n".join(first[:2])


def test_the_papers_prompt_tells_of_a_character_one_text_on_personality_and_values():
    first = table(relationships=(tie(0, 1, "friend", "They row."),), stories=False)
    cast = tuple(
        replace(
            one,
            personality=f"{name} is patient.",
            big_five=BigFive(openness="oddly low"),
            moral_values=("loyalty",),
            schwartz_values=("hedonism",),
            decision_style="hesitant",
        )
        for one, name in zip(first.setup.cast, ("Ada", "Ben"), strict=True)
    )
    started = with_setup(first, cast=cast)
    hidden = ("oddly low", "loyalty", "hedonism", "hesitant", "friends")
    for prompt, told in ((PAPER, ()), ("act-paper-2", hidden)):
        known = replace(background("e1", started, 0), prompt=prompt)
        system = prompt_writer.act_prompt(known, (), 1).system
        assert "Ada is patient." in system
        assert "Ben is patient." in system
        assert tuple(word for word in hidden if word in system) == told


def test_the_version_changes_with_what_a_template_is_put_together_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    package = tmp_path / "words"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "ask-1.j2").write_text('{% include "who-1" %} acts.')
    (package / "around-1.j2").write_text("{{ asked }}")
    monkeypatch.syspath_prepend(tmp_path)

    def versions(who: str) -> tuple[str, str, str]:
        (package / "who-1.j2").write_text(who)
        templates = Templates("words")
        return (
            templates.version("ask-1"),
            templates.version("around-1", "ask-1"),
            templates.version("around-1"),
        )

    before, after = versions("Ada"), versions("Ben")
    assert before[0] != after[0]
    assert before[1] != after[1]
    assert before[2] == after[2]


def test_a_macro_leaves_nothing_to_the_garbage_collector(tmp_path: Path, monkeypatch):
    package = tmp_path / "spoken"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "greet-1.j2").write_text(
        "{% macro name(one) %}{{ one }}{% endmacro %}"
        "{% macro greet(one) %}{{ word }}, {{ name(one) }}{% endmacro %}"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    templates = Templates("spoken")

    def greet() -> str:
        return templates.call("greet-1", "greet", {"word": "Hello"}, "Ana")

    assert greet() == "Hello, Ana"
    gc.collect()
    gc.disable()
    try:
        greet()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_template_is_parsed_once_for_what_it_takes(tmp_path: Path, monkeypatch):
    package = tmp_path / "taking"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "ask-1.j2").write_text("{{ nonce }}")
    monkeypatch.syspath_prepend(str(tmp_path))
    templates = Templates("taking")
    assert templates.takes("ask-1", "nonce")
    (package / "ask-1.j2").write_text("")
    assert templates.takes("ask-1", "nonce")
    assert not templates.takes("ask-1", "other")


def test_an_attribute_goes_before_an_item_of_the_same_name(tmp_path: Path, monkeypatch):
    package = tmp_path / "named"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "ask-1.j2").write_text("{{ one.who }} {{ one.items() | length }} {{ two.upper() }}")
    monkeypatch.syspath_prepend(str(tmp_path))
    templates = Templates("named")
    words = {"one": {"who": "Ada", "items": "none"}, "two": "x"}
    assert templates.text("ask-1", words) == "Ada 2 X"
    with pytest.raises(UndefinedError):
        templates.text("ask-1", {"one": {}, "two": "x"})


def test_repeats_share_the_words_that_stay_the_same():
    started = played().history[0]
    first, second = (background(episode, started, 0) for episode in ("e1", "e2"))
    again = replace(second, seed=second.seed + 1)
    before = prompt_writer.act_prompt(first, (), 1)
    after = prompt_writer.act_prompt(again, (), 1)
    assert before == after
    assert before.system is after.system
    other = prompt_writer.act_prompt(replace(first, goal="Something else."), (), 1)
    assert "Something else." in other.system
