"""Single settings are changed in the text of a plan, and nothing else of it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.environments import installed
from gateway.pages.runs.plan_draft import changed
from gateway.pages.runs.plan_fields import Unusable, fields_of, groups, read, shown
from gateway.services.runs.plan_text import LONGEST_EDITED, with_settings

FIRST = (Path(__file__).parents[3] / "examples" / "first.toml").read_text(encoding="utf-8")


def test_a_changed_line_keeps_its_comment_and_all_others() -> None:
    text = with_settings(FIRST, {("social", "turn_cap"): 9})
    before, after = FIRST.splitlines(), text.splitlines()
    assert [(a, b) for a, b in zip(before, after, strict=True) if a != b] == [
        (
            "turn_cap = 20                    # SOTOPIA's",
            "turn_cap = 9                    # SOTOPIA's",
        )
    ]


def test_settings_are_added_to_their_tables_and_taken_out_again() -> None:
    text = with_settings(
        FIRST, {("seats", "repeats"): 3, ("budget", "usd"): 2.5, ("minds", "m"): {"kind": "remote"}}
    )
    data = tomllib.loads(text)
    assert (data["seats"]["repeats"], data["budget"]["usd"]) == (3, 2.5)
    assert data["minds"]["m"] == {"kind": "remote"}
    comments = [line for line in FIRST.splitlines() if "#" in line]
    assert comments
    assert set(comments) <= set(text.splitlines())
    back = with_settings(
        text, {("seats", "repeats"): None, ("budget",): None, ("minds", "m"): None}
    )
    assert tomllib.loads(back) == tomllib.loads(FIRST)


def test_a_value_over_several_lines_is_replaced() -> None:
    text = 'name = "x"\n[judges]\nuse = [\n  "a", # one\n  "b",\n]\n'
    assert tomllib.loads(with_settings(text, {("judges", "use"): ["c"]})) == {
        "name": "x",
        "judges": {"use": ["c"]},
    }


def test_a_long_text_is_written_anew() -> None:
    text = FIRST + "# long\n" * LONGEST_EDITED
    assert tomllib.loads(with_settings(text, {("seed",): 8})) == tomllib.loads(FIRST) | {"seed": 8}


values = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=3),
)
paths = st.sampled_from(
    [("name",), ("seed",), ("tasks", "tags"), ("social", "turn_cap"), ("budget", "usd"),
     ("minds", "wily", "temper"), ("minds", "a b", "kind"), ("judges", "use")]
)  # fmt: skip


@given(st.dictionaries(paths, st.one_of(st.none(), values), max_size=4))
def test_whatever_is_changed_is_what_the_text_says_then(
    changes: dict[tuple[str, ...], Any],
) -> None:
    expected = tomllib.loads(FIRST)
    for path, value in changes.items():
        inner = expected
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        if value is None:
            inner.pop(path[-1], None)
        else:
            inner[path[-1]] = value
    found = tomllib.loads(with_settings(FIRST, changes))
    assert _without_empty(found) == _without_empty(expected)


def _without_empty(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    inner = {name: _without_empty(one) for name, one in data.items()}
    return {name: one for name, one in inner.items() if one != {}}


@pytest.mark.parametrize("environment", sorted(installed()))
def test_every_environments_plan_has_a_form(environment: str) -> None:
    found = groups(environment)
    assert found[0].path == ()
    assert {group.path[0] for group in found[1:]} >= {environment, "minds", "tasks", "judges"}


def test_a_form_shows_what_the_text_says_and_reads_it_back() -> None:
    data = tomllib.loads(FIRST)
    fields = fields_of("social", data)
    assert shown(fields["social.turn_cap"], data) == "20"
    assert shown(fields["judges.use"], data) == "rehearsal-strict"
    assert shown(fields["minds.wily.temper"], data) == "wily"
    assert "minds.wily.model" not in fields
    for field in fields.values():
        value = read(field, shown(field, data))
        inner: Any = data
        for name in field.path:
            inner = inner.get(name) if isinstance(inner, dict) else None
        assert value == inner, field.name


def test_what_is_typed_into_the_form_and_into_the_text_both_count() -> None:
    edited = FIRST.replace("seed = 7", "seed = 8")
    form = {"f.social.turn_cap": "5", "f.name": "first", "f.judges.use": "facts, rehearsal-strict"}
    text, problems, typed = changed(FIRST, edited, form)
    data = tomllib.loads(text)
    assert (data["seed"], data["social"]["turn_cap"]) == (8, 5)
    assert data["judges"]["use"] == ["facts", "rehearsal-strict"]
    assert (problems, typed) == ([], {})


def test_what_cannot_be_read_is_said_at_its_field_and_stays() -> None:
    text, problems, typed = changed(FIRST, FIRST, {"f.social.turn_cap": "many"})
    assert text == FIRST
    assert [one.field for one in problems] == ["social.turn_cap"]
    assert typed == {"social.turn_cap": "many"}
    with pytest.raises(Unusable):
        read(fields_of("social", tomllib.loads(FIRST))["seed"], "x = 1")


def test_minds_are_added_and_removed() -> None:
    form = {"new.minds": "guest", "new.minds.kind": "person", "remove.minds": "wily"}
    data = tomllib.loads(changed(FIRST, FIRST, form)[0])
    assert data["minds"].keys() == {"guarded", "guest"}
    assert data["minds"]["guest"] == {"kind": "person"}
    _, problems, _ = changed(FIRST, FIRST, {"new.minds": "a b\n"})
    assert [one.field for one in problems] == ["new.minds"]
