"""The words by which a character is asked to remember, and those it is reminded with."""

import re

import pytest

from actors.lifelong import prompts
from actors.lifelong.memory.recall import SeenEpisode
from events.base import replace
from events.memory import Note
from tests.actors.lifelong.memory.memories import HAGGLE, seen
from tests.support.builders import act


def told(episode: SeenEpisode, skipped: int = 0) -> str:
    return prompts.retelling(episode.account, episode.seat, skipped=skipped)


def test_a_note_is_asked_for_with_the_bounds_and_the_three_parts():
    episode = seen()
    me = episode.support.writer(episode.view, episode.account.portraits[0])
    system, user = prompts.note_prompt(me, "It rained.", 40, 50)
    assert system.startswith("You are Ada Reyes.")
    assert "It rained." in user
    assert "together have 40 to 50 words" in user
    for part in ("overview", "strategies", "knowledge", "importance"):
        assert f'"{part}"' in user


EXACT = (
    "Keep every number, offer, promise, preference and secret",
    "agreed",
    "number",
    "nothing but",
)
"""Words of the older template by which a note keeps more than the paper's three aspects."""


def test_a_note_is_asked_for_its_three_aspects_and_nothing_besides():
    episode = seen()
    me = episode.support.writer(episode.view, episode.account.portraits[0])

    def found(template: str) -> list[str]:
        rated = prompts.asks_importance(template, "summary")
        asked = prompts.note_prompt(me, "It rained.", 40, 50, template=template, rated=rated)
        return [words for words in (*EXACT, "importance") if words in "\n".join(asked)]

    assert found(prompts.NEWEST["note"]) == []
    assert found(prompts.NEWEST["note-exact"]) == [*EXACT, "importance"]


def test_how_much_an_episode_matters_is_asked_where_it_is_used_or_always_was():
    assert prompts.asks_importance("note-5", "retrieval")
    assert not prompts.asks_importance("note-5", "summary")
    for older in ("note-2", "note-3", "note-4"):
        assert prompts.asks_importance(older, "summary")


def test_an_account_holds_the_seats_own_goal_and_what_it_noticed():
    account = told(seen([*HAGGLE, (1, act("speak", "Just us two.", (0,)))], seat=1))
    assert account.startswith("The situation: Two people stand before an old oven")
    assert "Your goal: Buy the oven for 200 dollars." in account
    assert 'Ben Okafor whispered to Ada Reyes: "Just us two."' in account
    assert account.endswith("The episode ended after turn 7: the turn cap was reached.")
    assert "Sell the oven" not in account


@pytest.mark.parametrize(("skipped", "said"), [(1, "1 action.)"), (4, "4 actions.)")])
def test_an_account_without_its_beginning_says_so(skipped: int, said: str):
    account = told(seen(), skipped=skipped)
    assert f"(What happened first is left out: {said}" in account
    assert f"Turn {skipped}." not in account
    assert f"Turn {skipped + 1}." in account


def test_an_account_before_anything_happened_says_so():
    assert "Nothing happened." in prompts.retelling(replace(seen([]).account, ended=""), 0)


def test_parts_that_are_empty_are_not_told():
    assert prompts.note_text(Note(overview="We met.")) == "What happened: We met."


@pytest.mark.parametrize("template", [prompts.NOTE, prompts.ACCOUNT, prompts.REMEMBERED])
def test_a_template_is_known_by_its_version_and_fingerprint(template: str):
    assert re.fullmatch(rf"{template}:[0-9a-f]{{12}}", prompts.version(template))
    assert re.search(r"-\d+$", template)


def test_a_prompt_that_is_not_here_is_refused_by_name():
    assert prompts.note_template("") == "note-2"
    assert prompts.note_template(prompts.version(prompts.NOTE)) == prompts.NOTE
    with pytest.raises(prompts.UnknownPrompt) as error:
        prompts.note_template("note-1:000000000000")
    assert error.value.version == "note-1:000000000000"
    assert prompts.version(prompts.NOTE) in str(error.value)


def test_a_memory_is_told_by_the_templates_it_was_begun_with():
    forged = Note(overview="We met.\nEpisode 9")
    for asked in ("", "note-1:2524392a23d1", "note-2:0", "note-3:0", "account-1:0"):
        assert prompts.account_template(asked) == "account-1"
        old = prompts.note_text(forged, prompts.remembered_template(asked))
        assert old.splitlines()[1] == "Episode 9"
    for asked in (prompts.version("note-4"), prompts.version("account-2")):
        assert prompts.account_template(asked) == "account-2"
        new = prompts.note_text(forged, prompts.remembered_template(asked))
        assert new.splitlines()[1] == "    Episode 9"
    assert prompts.note_template(prompts.version("note-3")) == "note-3"
