"""The written material: each line does what the place it stands in promises."""

import re

import pytest

from actors.social.catalog.needed_facts import first_key, says
from actors.social.catalog.starter import starter_catalog
from actors.social.language.utterances import Reading, amounts_in, leaks, read
from actors.social.markup import render
from actors.social.rehearsal.parts import (
    Cue,
    Reply,
    ScriptPart,
    phrases,
    plain,
    read_material,
    scripts,
    voices,
    written_part,
)
from actors.toml_file import BadFile

CATALOG = starter_catalog()
PARTS = [
    pytest.param(scenario, seat, id=f"{scenario.id}-{seat}")
    for scenario in CATALOG.scenarios
    if scenario.id in scripts()
    for seat in range(len(scenario.goals))
]

PRICED = [entry for entry in PARTS if scripts()[entry.values[0].id][entry.values[1]].price]


def filled(line: str | Reply) -> str:
    text = line if isinstance(line, str) else line.say
    return text.replace("{n}", "400").replace("{,you}", ", Maya")


def does(reading: Reading) -> set[str]:
    return {name for name in reading.__struct_fields__ if getattr(reading, name) is True}


def part_of(scenario, seat) -> ScriptPart:
    part = written_part(render(scenario.context, seat), seat)
    assert part is not None
    return part


def test_no_script_is_for_a_scenario_or_a_character_that_is_not_there():
    stages = {scenario.id: scenario for scenario in CATALOG.scenarios}
    assert set(scripts()) <= set(stages)
    assert set(voices()) == {character.id for character in CATALOG.characters}
    for id_, parts in scripts().items():
        assert len(parts) == len(stages[id_].goals)


def test_whoever_teaches_or_needs_a_fact_has_a_script():
    needing = [scenario for scenario in CATALOG.scenarios if scenario.needs]
    teaching = {fact.taught_by for scenario in needing for fact in scenario.needs}
    assert {scenario.id for scenario in needing} | teaching <= set(scripts())


@pytest.mark.parametrize(("scenario", "seat"), PARTS)
def test_offers_offer_agreements_agree_and_refusals_refuse(scenario, seat):
    part = part_of(scenario, seat)
    for line in part.offer + (part.price.say if part.price else ()):
        reading = read(filled(line))
        assert reading.offer, line
        assert not reading.agreement, line
        assert not reading.refusal, line
    for line in part.accept:
        reading = read(filled(line))
        assert reading.agreement, line
        assert not reading.offer, line
    for line in part.refuse:
        reading = read(filled(line))
        assert reading.refusal, line
        assert not reading.offer, line


@pytest.mark.parametrize(("scenario", "seat"), PARTS)
def test_no_other_line_is_mistaken_for_an_offer_or_an_answer_to_one(scenario, seat):
    part = part_of(scenario, seat)
    lines = [*part.open, *part.argue, *part.ask, *part.tell, *part.bluff, *part.reply]
    lines += [*part.part_deal, *part.part_none, *(whisper.say for whisper in part.whisper)]
    for line in lines:
        reading = read(filled(line))
        assert does(reading) <= {"question", "promise", "concession", "apology", "thanks",
                                 "goodbye"}, line  # fmt: skip


@pytest.mark.parametrize(("scenario", "seat"), PARTS)
def test_only_known_blanks_are_left_to_fill_in(scenario, seat):
    part = part_of(scenario, seat)
    pools = (part.open, part.argue, part.ask, part.tell, part.bluff, part.offer, part.refuse,
             part.accept, part.part_deal, part.part_none, part.act)  # fmt: skip
    text = " ".join(filled(line) for pool in pools for line in pool)
    assert not set("{}<>") & set(text)


@pytest.mark.parametrize(("scenario", "seat"), [entry for entry in PARTS if entry.values[0].needs])
def test_no_line_of_a_hard_scenario_has_a_key_of_what_must_be_remembered(scenario, seat):
    part = part_of(scenario, seat)
    pools = (part.open, part.argue, part.ask, part.tell, part.bluff, part.reply, part.offer,
             part.refuse, part.accept, part.part_deal, part.part_none, part.act)  # fmt: skip
    for line in (filled(line) for pool in pools for line in pool):
        for fact in scenario.needs:
            assert first_key(line, fact.keys) is None, line


def test_every_opening_of_a_seat_that_teaches_a_fact_tells_it():
    taught = {fact.taught_by: [] for scenario in CATALOG.scenarios for fact in scenario.needs}
    for scenario in CATALOG.scenarios:
        for fact in scenario.needs:
            taught[fact.taught_by].append(fact)
    assert len(taught) >= 5
    for id_, facts in taught.items():
        for fact in facts:
            telling = [
                part for part in scripts()[id_] if all(says(line, fact.keys) for line in part.open)
            ]
            assert telling, (id_, fact.id)


@pytest.mark.parametrize(("scenario", "seat"), PRICED)
def test_a_seat_bargains_between_the_numbers_of_its_own_goal(scenario, seat):
    price = part_of(scenario, seat).price
    assert price.limit in amounts_in(scenario.goals[seat])
    assert price.step > 0
    for template in price.say:
        assert template.count("{n}") == 1


@pytest.mark.parametrize("id_", ["hive_price", "one_van", "night_accordion", "dry_fortnight"])
def test_two_reasonable_people_can_meet_in_every_numeric_scenario(id_):
    one, other = (part.price for part in scripts()[id_])
    assert (one.start - one.limit) * (other.limit - one.limit) >= 0


@pytest.mark.parametrize("character", CATALOG.characters, ids=lambda c: c.id)
def test_a_confession_tells_the_secret_and_a_hint_does_not(character):
    voice = voices()[character.id]
    assert voice.gesture
    for line in voice.confess:
        assert leaks(line, character.secret, public=character.public_info), line
        assert read(line).confides, line
    for line in voice.hint + voice.deflect:
        assert not leaks(line, character.secret), line


@pytest.mark.parametrize("warm", [True, False])
def test_common_phrases_do_what_they_are_kept_for(warm):
    kept = phrases(warm)
    for move, kind in (("refuse", "refusal"), ("accept", "agreement"),
                       ("accept_amount", "agreement"), ("amount", "offer")):  # fmt: skip
        for line in kept[move]:
            assert getattr(read(filled(line)), kind), line
    for move in ("recall_told", "recall_own", "recall_noted"):
        for line in kept[move]:
            said = read(line.replace("{n}", "The bag is in the loft."))
            assert does(said) <= {"offer", "question"}, line
            assert "loft" in said.terms, line
    for move in ("argue", "stall", "evade", "console", "last", "nearly", "part_none", "rebuke"):
        for line in kept.get(move, ()):
            reading = read(filled(line))
            assert not does(reading) & {"offer", "agreement", "insult"}, line


def test_a_situation_is_known_again_whatever_its_spacing_and_hidden_passages():
    context = CATALOG.scenarios[0].context
    assert plain(context) == plain(f'  {context.upper()} <p viewer="environment">psst</p>\n')
    assert written_part("Somewhere else entirely.", 0) is None
    assert written_part(context, 9) is None


def test_a_cue_wants_a_word_of_every_group():
    cue = Cue("saturday saturdays + mine yours")
    assert cue.heard_in(read("Saturday is yours."))
    assert not cue.heard_in(read("Saturday."))
    with pytest.raises(ValueError, match=re.escape("both sides of a '+'")):
        Cue("saturday + ")


def test_a_misspelt_field_in_a_script_is_named(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text('[a]\ngestures = ["waves"]\n')
    from actors.social.rehearsal.parts import Voice

    with pytest.raises(BadFile, match=r"x\.toml.*gestures"):
        read_material(path, dict[str, Voice])
