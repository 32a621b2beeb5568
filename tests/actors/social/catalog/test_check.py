"""What is said of a catalog that somebody wrote: the template, with one thing changed in it."""

import re

import pytest

from actors.episodes.catalogs.draft import CatalogDraft
from actors.episodes.catalogs.item_kinds import field_docs, kinds_of
from actors.episodes.catalogs.reader import read_files
from actors.episodes.catalogs.review import review
from actors.episodes.catalogs.writer import new_files
from actors.social.catalog_items import BigFive, Catalog, NeededFact
from actors.social.environment import SOCIAL

FILES = new_files(SOCIAL, "bells")
THIRD = """
[[character]]
id = "ash"
first_name = "{first}"
age = 40
secret = "Nobody knows."
"""


def checked(files: dict[str, str]) -> CatalogDraft:
    """The files, read and looked through."""
    draft = read_files(files)
    if draft.catalog is not None:
        for remark in review(SOCIAL, draft.catalog).remarks:
            draft.remark(remark)
    return draft


def changed(file: str, old: str, new: str) -> dict[str, str]:
    """The files with something else in the entries of one."""
    text = FILES[f"{file}.toml"]
    begin = text.find("\n[[") + 1
    assert old in text[begin:], old
    return FILES | {f"{file}.toml": text[:begin] + text[begin:].replace(old, new, 1)}


def line_of(files: dict[str, str], file: str, words: str) -> int:
    """The line of a file on which some words first stand at the beginning."""
    lines = files[f"{file}.toml"].splitlines()
    return next(n for n, line in enumerate(lines, 1) if line.strip().startswith(words))


def test_the_template_is_sound_and_says_how_its_other_scenario_would_be_cast():
    draft = checked(FILES)
    (note,) = draft.remarks
    assert (note.grade, note.entry) == ("note", "scenario 'north_light'")
    assert "oda_falk and jonas_pell" in note.why
    cast = changed("tasks", "# [[task]]\n# scenario", "[[task]]\nscenario")
    cast["tasks.toml"] = cast["tasks.toml"].replace("# characters =", "characters =")
    assert checked(cast).remarks == []
    assert [task.id for task in checked(cast).catalog.tasks] == [
        "hairline-oda-jonas",
        "north_light-jonas-oda",
    ]


def test_a_task_gets_the_relationship_of_its_cast_that_the_scenario_asks_for():
    files = changed(
        "relationships",
        "[[relationship]]",
        '[[relationship]]\nid = "before"\ncharacters = ["jonas_pell", "oda_falk"]\n'
        'kind = "stranger"\n\n[[relationship]]',
    )
    assert checked(files).catalog.tasks[0].relationships == ("oda-jonas",)
    files["tasks.toml"] = FILES["tasks.toml"].replace(
        "characters =", "relationships = []\ncharacters =", 1
    )
    draft = checked(files)
    assert draft.catalog.tasks[0].relationships == (), "what is written down stands"
    assert any("they are stranger" in remark.why for remark in draft.remarks)


def test_somebody_cast_twice_is_one_error():
    files = changed("tasks", '"jonas_pell"]', '"jonas_pell", "oda_falk"]')
    (error,) = checked(files).errors
    assert error.why.startswith("must be 2, one for each goal")


def test_every_field_that_can_be_written_is_described_at_the_top_of_its_file():
    for kind in kinds_of(Catalog).values():
        head = FILES[f"{kind.field}.toml"].partition("\n\n")[0]
        for field in kind.item.__struct_fields__:
            assert re.search(rf"^#   {field} ", head, re.MULTILINE), field
    for kind in (*(kind.item for kind in kinds_of(Catalog).values()), NeededFact):
        plain = {"first_name", "last_name", "occupation"}
        assert field_docs(kind).keys() | plain >= set(kind.__struct_fields__)
    assert field_docs(BigFive) == {}


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "says"),
    [
        (
            "catalog",
            '"social"',
            '"sozial"',
            "environment",
            "no environment 'sozial'; did you mean 'social'",
        ),
        ("catalog", "environment =", "enviroment =", "", "'environment' must be one of those"),
        ("catalog", 'name = "bells"', "name = 3", "name", "must be text, not 3"),
        (
            "catalog",
            'name = "bells"',
            'name = "bells"\nminds = 2',
            "minds",
            "there is no 'minds' here",
        ),
        (
            "catalog",
            "environment =",
            "environment ",
            "environment",
            "is not valid TOML: expected '='",
        ),
        (
            "characters",
            "[[character]]",
            "[[charakter]]",
            "[[charakter]]",
            "did you mean 'character'",
        ),
        ("characters", "[[character]]", "[character]", "", r"brackets: \[\[character\]\]"),
        ("characters", "Oda runs", 'Oda "Bell" runs', "public_info =", "a quotation mark inside"),
        ("characters", "Oda runs", "Oda\nruns", "public_info =", "a text over several lines"),
        ("characters", '= "Oda"', "= “Oda”", "first_name =", "straight quotation marks"),
        (
            "characters",
            "occupation =",
            "ocupation =",
            "ocupation",
            "'oda_falk', ocupation: .* mean 'occupation'",
        ),
        (
            "characters",
            "age = 52",
            'age = "52"',
            "age",
            "age: must be a whole number, not the text '52'",
        ),
        ("characters", "age = 52", "age = 52.5", "age", "age: must be a whole number, not 52.5"),
        ("characters", "age = 52", "age = 520", "age", "age: must be 0 to 150 years, is 520"),
        ("characters", "age = 52", f"age = {10**30}", "age", "age: the number is too large"),
        (
            "characters",
            "age = 52\n",
            "",
            "[[character]]",
            "the field 'age' is missing; it is a whole number",
        ),
        (
            "characters",
            'first_name = "Oda"',
            'first_name = " "',
            "first_name",
            "first_name: is empty",
        ),
        (
            "characters",
            'openness = "medium"',
            'opennes = "medium"',
            "big_five",
            "did you mean 'openness'",
        ),
        (
            "characters",
            '["fairness", "loyalty"]',
            '["fairness", 3]',
            "moral_values",
            "no. 2: must be text",
        ),
        ("characters", 'id = "oda_falk"', "", "[[character]]", "the field 'id' is missing"),
        ("characters", 'id = "oda_falk"', 'id = ""', "id", "needs an id"),
        (
            "relationships",
            '"jonas_pell"]',
            '"jonas_bell"]',
            "characters",
            "no. 2: .* mean 'jonas_pell'",
        ),
        (
            "relationships",
            '["oda_falk", "jonas_pell"]',
            '["oda_falk"]',
            "characters",
            "a list of 2 texts, not a list of 1",
        ),
        ("relationships", '"jonas_pell"]', '"oda_falk"]', "characters", "two different characters"),
        (
            "relationships",
            'kind = "friend"',
            'kind = "freind"',
            "kind",
            "'freind'; did you mean 'friend'",
        ),
        ("relationships", 'story = "', 'story = "<p>', "story", "<p> needs viewer"),
        (
            "scenarios",
            "<extra_info>The",
            "<extra_infos>The",
            '"You made',
            "goals, no. 1: <extra_infos> is unknown",
        ),
        (
            "scenarios",
            "[[scenario]]",
            '[[scenario]]\nid = "x"\ncontext = "y"\ngoals = ["z"]\n[[scenario]]',
            "goals",
            "one a seat, two at least",
        ),
        (
            "scenarios",
            'tags = ["persuasion"',
            'ages = [[18, 70]]\ntags = ["p"',
            "ages",
            "one a seat: 2, not 1",
        ),
        (
            "scenarios",
            'tags = ["persuasion"',
            'ages = [[70, 18], [18, 70]]\ntags = ["p"',
            "ages",
            "youngest and the oldest",
        ),
        ("tasks", '"hairline"', '"hair_line"', "scenario", "'hair_line'; did you mean 'hairline'"),
        (
            "tasks",
            '"oda_falk", ',
            "",
            "characters",
            "must be 2, one for each goal of 'hairline', not 1",
        ),
        ("tasks", '"oda_falk", ', '"jonas_pell", ', "characters", "somebody is in two seats"),
        ("tasks", '"oda_falk", ', '"oda", ', "characters", "no character 'oda'"),
        (
            "tasks",
            "characters =",
            'relationships = ["oda"]\ncharacters =',
            "relationships",
            "mean 'oda-jonas'",
        ),
        (
            "tasks",
            "characters =",
            'name = "x"\ncharacters =',
            "name",
            "there is no field 'name' here",
        ),
        (
            "tasks",
            "[[task]]\nscenario",
            'name = "x"\n[[task]]\nscenario',
            "name",
            "belongs into catalog.toml",
        ),
        (
            "tasks",
            "[[task]]\nscenario",
            "task = 3\n[[other]]\nscenario",
            "task",
            r"under \[\[task\]\]",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_file_line_entry_and_field(file, old, new, line, says):
    files = changed(file, old, new)
    errors = checked(files).errors
    assert errors, "it is refused"
    if line:
        assert errors[0].line == line_of(files, file, line)
    assert re.search(rf"^{file}\.toml(, line \d+)?.*{says}", str(errors[0])), errors[0]


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            "characters",
            "[[character]]",
            THIRD.format(first="Ash") + "[[character]]",
            "'ash': no task casts this character",
        ),
        (
            "characters",
            "[[character]]",
            THIRD.format(first='Oda"\nlast_name = "Falk') + "[[character]]",
            "2 characters are called 'Oda Falk'",
        ),
        ("characters", 'secret = "Oda', 'mbti = "INTJ"\n# "Oda', "has no secret"),
        ("characters", 'personality = "E', 'personality = "Jonas has agreed. E', ""),
        ("relationships", "[[relationship]]\n", "[[relationship]]\ntags = []\n", ""),
        (
            "relationships",
            'kind = "friend"',
            'kind = "stranger"',
            "asks for acquaintance or friend or family, they are stranger",
        ),
        (
            "scenarios",
            'tags = ["persuasion"',
            'occupations = ["founder", "baker"]\ntags = ["p"',
            "no character fits seat 2, which asks for the occupation 'baker'",
        ),
        (
            "scenarios",
            "You made the bell.",
            "You are Jonas.",
            "the goal of seat 1 speaks to Jonas, there sits Oda Falk",
        ),
        (
            "scenarios",
            "You made the bell.",
            '<p viewer=\\"agent_1\\">Sign.</p>',
            "passage of the goal of seat 1 is shown to seat 2",
        ),
        (
            "scenarios",
            "You made the bell.",
            '<p viewer=\\"agent_2\\">Sign.</p>',
            'viewer="agent_2" is for seat 3, there are 2',
        ),
        (
            "scenarios",
            'relationships = ["stranger", "known_by_name", "acquaintance", "friend"]',
            'relationships = ["romantic"]',
            "no two characters could",
        ),
        ("tasks", "[[task]]", "# [[task]]", "a run plays nothing of it"),
        ("tasks", "[[task]]", '[[task]]\nid = "a b"', "the id 'a b' is hard to type"),
    ],
)
def test_what_is_odd_is_a_warning(file, old, new, says):
    files = changed(file, old, new)
    if says.startswith("a run"):
        files["tasks.toml"] = ""
    draft = checked(files)
    assert draft.errors == []
    warnings = [str(remark) for remark in draft.remarks if remark.grade == "warning"]
    if says:
        assert any(says in warning for warning in warnings), warnings
    else:
        assert warnings == []


def test_an_id_that_is_there_twice_is_said_with_both_places():
    (error,) = checked(changed("characters", 'id = "jonas_pell"', 'id = "oda_falk"')).errors
    first = line_of(FILES, "characters", "[[character]]")
    assert f"'oda_falk' is there twice, first in characters.toml, line {first};" in error.why
    assert error.line == line_of(FILES, "characters", 'id = "jonas_pell"')


def test_what_a_scenario_needs_is_held_to_its_keys():
    needs = (
        'needs = [{ id = "f", text = "It cost 40.", keys = [["forty", "40"]], taught_by = "x" }]'
    )
    files = changed("scenarios", 'tags = ["persuasion"', f'{needs}\ntags = ["p"')
    (warning,) = [remark for remark in checked(files).remarks if remark.grade == "warning"]
    assert "'forty' stands in the scenario's own text" in warning.why
    assert (warning.entry, warning.field) == ("scenario 'hairline'", "needs")


def test_a_catalog_may_be_one_file_or_many():
    whole = {"catalog.toml": "\n".join(FILES.values())}
    assert read_files(whole).catalog == read_files(FILES).catalog
    characters = FILES["characters.toml"].split("[[character]]")
    apart = FILES | {"characters.toml": "", "a.toml": f"[[character]]{characters[-2]}",
                     "b.toml": f"[[character]]{characters[-1]}"}  # fmt: skip
    assert {one.id for one in read_files(apart).catalog.characters} == {"oda_falk", "jonas_pell"}
