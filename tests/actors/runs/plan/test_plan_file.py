"""Plan files: what a person writes, and what they are told when it is wrong."""

from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from actors.runs.plan import environment_section, plan_file
from actors.runs.plan.mind_entries import mind_specs
from actors.runs.plan.people_section import people_rules
from actors.runs.plan.plan_file import environment_settings, read_plan_file
from actors.social.setup import EpisodeRules
from actors.toml_file import BadFile
from events.base import replace
from events.episode import PeopleRules
from events.minds import GenerativeSpec

GOOD = """
name = "try"
[minds.warm]
kind = "rehearsal"
temper = "generous"
[minds.gpt]
kind = "model"
model = "openai/some-model"
temperature = 0.3
[seats]
pairings = [["warm", "gpt"]]
[budget]
usd = 1.5
"""


def read(folder: Path, text: str):
    path = folder / "plan.toml"
    path.write_text(text)
    return read_plan_file(path)


def test_a_plan_is_read_with_its_defaults(tmp_path: Path) -> None:
    plan = read(tmp_path, GOOD)
    assert (plan.environment, plan.catalog) == ("social", "")
    assert environment_settings(plan) == EpisodeRules(turn_cap=20, stories=False, prompt="act-5")
    warm, gpt = mind_specs(plan.minds)
    assert (warm.name, warm.temper, warm.model) == ("warm", "generous", None)
    assert gpt.model is not None
    assert (gpt.model.name, gpt.model.temperature) == ("openai/some-model", 0.3)


PEOPLE = (
    GOOD
    + """
[minds.guest]
kind = "person"
[people]
deadline_s = 60
nudge_s = 40
late = "takeover"
substitute = "warm"
"""
)


def test_a_plan_says_what_is_done_where_people_are_waited_for(tmp_path: Path) -> None:
    plan = read(tmp_path, PEOPLE)
    assert people_rules(plan) == PeopleRules(
        deadline_s=60.0, nudge_s=40.0, late="takeover", substitute=mind_specs(plan.minds)[0]
    )
    assert people_rules(read(tmp_path, GOOD)) == PeopleRules()


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        (PEOPLE.replace("deadline_s = 60", ""), "people.deadline_s", "after how many seconds"),
        (PEOPLE.replace("= 40", "= 60"), "people.nudge_s", "less than deadline_s"),
        (PEOPLE.replace('"warm"\n', '"cold"\n'), "people.substitute", "the plan has warm, gpt"),
        (PEOPLE.replace('substitute = "warm"', ""), "people.substitute", "is needed"),
        (PEOPLE.replace('substitute = "warm"', 'substitute = "guest"'), "people.sub", "at once"),
        (PEOPLE.replace("takeover", "never"), "people.late", "never"),
        ("", "minds", "at least one mind"),
        ("nonsense", "", "not valid TOML"),
        ("[minds.a]\nkind='rehearsal'\ntempre='x'", "minds", "did you mean 'temper'"),
        (
            "[minds.a]\nkind='robot'",
            "minds.a.kind",
            "must be model, generative, rehearsal, recorded, remote or person",
        ),
        ("[minds.a]\nkind='model'", "minds.a.model", "name the model"),
        ("[minds.a]\nkind='rehearsal'\nmodel='x'", "minds.a.model", "did you mean kind = 'model'"),
        ("[minds.a]\nkind='recorded'", "minds.a.episode", "whose actions it repeats"),
        (
            GOOD + "tokens = 'many'",
            "budget.tokens",
            "from 0 to 1,000,000,000,000,000, not the text 'many'",
        ),
        (
            GOOD + "[rules]\nturn_cap = 0",
            "rules.turn_cap",
            "must be a whole number at least 1, not 0",
        ),
        (GOOD + "[rules]\norder = 'alphabetical'", "rules.order", "alphabetical"),
        (GOOD.replace('"gpt"]]', '"claude"]]'), "seats.pairings", "no mind 'claude'"),
        (GOOD.replace("0.3", "3"), "minds.gpt.temperature", "from 0 to 2, not 3"),
        (GOOD.replace("0.3", "nan"), "minds.gpt.temperature", "from 0 to 2, not nan"),
        (
            GOOD.replace("0.3", "0.3\nretries = -1"),
            "minds.gpt.retries",
            "from 0 to 1,000, not -1",
        ),
        (
            GOOD.replace("0.3", "0.3\ntimeout_s = 0"),
            "minds.gpt.timeout_s",
            "from 0.1 to 86,400, not 0",
        ),
        (GOOD.replace("0.3", "0.3\nmax_tokens = 0"), "minds.gpt.max_tokens", "from 1 to "),
        (GOOD.replace("0.3", '0.3\nadapter = "direct"'), "minds.gpt.base_url", "needs one"),
        (GOOD.replace("1.5", "-1.5"), "budget.usd", "from 0 to "),
        (GOOD.replace("1.5", "nan"), "budget.usd", "not nan"),
        (GOOD.replace("1.5", "inf"), "budget.usd", "not inf"),
        (GOOD + f"tokens = {2**63}", "budget.tokens", "from 0 to 1,000,000,000,000,000"),
        *(
            (GOOD.replace("0.3", f"0.3\n{line}"), f"minds.gpt.{line.partition(' ')[0]}", why)
            for line, why in (
                ("input_usd_per_million = nan", "from 0 to 1,000,000,000, not nan"),
                ("output_usd_per_million = -1.0", "from 0 to 1,000,000,000, not -1.0"),
                ("cached_usd_per_million = inf", "from 0 to 1,000,000,000, not inf"),
                ("timeout_s = inf", "from 0.1 to 86,400, not inf"),
                ("timeout_s = nan", "from 0.1 to 86,400, not nan"),
                (f"retries = {10**30}", "from 0 to 1,000"),
                (f"seed = {2**63}", "9,223,372,036,854,775,807, not "),
                (f"seed = {2**70}", "9,223,372,036,854,775,807, not "),
                (f"max_completion_tokens = {2**63}", "from 0 to 1,000,000,000"),
                (f"max_tokens = {2**63}", "from 1 to 1,000,000,000"),
                ("top_p = 2", "more than 0 and at most 1, not 2"),
                ("top_p = 0.0", "more than 0 and at most 1, not 0.0"),
                ("top_p = nan", "more than 0 and at most 1, not nan"),
                ('stop = ["END", ""]', "an empty text ends every answer"),
                ("extra = {top_k = nan}", "must be a finite number, is nan"),
                ("extra = {top_k = [{a = inf}]}", "must be a finite number"),
                (f"extra = {{top_k = {2**70}}}", "is beyond 64 bits"),
                ('extra = {"" = 1}', "'' is no parameter's name"),
                ('extra = {"top k" = 1}', "'top k' is no parameter's name"),
                ('base_url = "file:///etc/passwd"', "must be an http or https address"),
                ('base_url = "localhost:8000"', "must be an http or https address"),
            )
        ),
        ("concurrency = 0\n" + GOOD, "concurrency", "must be a whole number at least 1, not 0"),
        ("priority = 0\n" + GOOD, "priority", "from 1 to 100, not 0"),
        ("priority = 101\n" + GOOD, "priority", "from 1 to 100, not 101"),
        ("give_up_after = -1\n" + GOOD, "give_up_after", "from 0 to 1,000, not -1"),
    ],
)
def test_a_wrong_plan_is_refused_with_place_and_reason(
    tmp_path: Path, text: str, where: str, why: str
) -> None:
    with pytest.raises(BadFile) as refused:
        read(tmp_path, text)
    assert where in refused.value.where
    assert why in refused.value.why
    assert "plan.toml" in str(refused.value)


SECTION = 'order = "simultaneous"\nturn_cap = 7\n'


@pytest.mark.parametrize("name", ["social", "rules"])
def test_the_section_of_an_environment_has_its_name_or_an_older_one(
    tmp_path: Path, name: str
) -> None:
    plan = read(tmp_path, f'seed = 5\nenvironment = "social"\n{GOOD}[{name}]\n{SECTION}')
    settings = EpisodeRules(order="simultaneous", turn_cap=7, seed=5, stories=False, prompt="act-5")
    assert environment_settings(plan) == settings


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("environment = 'socal'\n" + GOOD, "environment", "did you mean 'social'?"),
        ("environment = 3\n" + GOOD, "environment", "installed are"),
        (GOOD + "[rules]\n[social]", "rules", "is an older name of [social]; keep one"),
        (GOOD + "[socail]\nturn_cap = 3", "", "did you mean 'social'"),
        (GOOD + "[social]\nturncap = 3", "social", "did you mean 'turn_cap'"),
        (GOOD + "[social]\nseed = 3", "social", "'seed' does not belong here, but before"),
        ("repeats = 3\n" + GOOD, "", "'repeats' does not belong here, but into [seats]"),
        (
            GOOD + "[social]\nturn_cap = 0",
            "social.turn_cap",
            "must be a whole number at least 1, not 0",
        ),
        (
            GOOD + "[social]\nstale_turns = -1",
            "social.stale_turns",
            "must be a whole number at least 0, not -1",
        ),
    ],
)
def test_a_wrong_environment_or_section_is_refused_with_place_and_reason(
    tmp_path: Path, text: str, where: str, why: str
) -> None:
    with pytest.raises(BadFile) as refused:
        read(tmp_path, text)
    assert refused.value.where == where
    assert why in refused.value.why


def test_a_missing_plan_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        read_plan_file(tmp_path / "nowhere.toml")


def test_a_section_that_an_environment_cannot_do_without_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Needy(msgspec.Struct, kw_only=True):
        rounds: int
        players: int = 2

    needy = SimpleNamespace(name="needy", plans=SimpleNamespace(section=Needy, older_sections=()))
    for module in (plan_file, environment_section):
        monkeypatch.setattr(module, "environment_named", {"needy": needy}.__getitem__)
    text = 'environment = "needy"\n[minds.warm]\nkind = "rehearsal"\n'
    with pytest.raises(BadFile) as caught:
        read(tmp_path, text)
    assert caught.value.where == "needy"
    assert "is needed, with rounds: the environment has no default" in caught.value.why
    assert read(tmp_path, text + "[needy]\nrounds = 3").environment == "needy"


def test_a_plan_names_the_parameters_of_models_that_reason(tmp_path: Path) -> None:
    more = """
max_completion_tokens = 4000
reasoning_effort = "low"
top_p = 0.5
seed = 7
stop = ["END"]
extra = { top_k = 20, other = { on = true } }
cache_marks = false
cached_usd_per_million = 0.1
"""
    plan = read(tmp_path, GOOD.replace("temperature = 0.3", more))
    spec = mind_specs(plan.minds)[1].model
    assert spec is not None
    assert (spec.max_completion_tokens, spec.reasoning_effort, spec.thoughts) == (4000, "low", 3500)
    assert (spec.top_p, spec.seed, spec.stop) == (0.5, 7, ("END",))
    assert msgspec.json.decode(spec.extra) == {"top_k": 20, "other": {"on": True}}
    assert (spec.cache_marks, spec.cached_usd_per_million) == (False, 0.1)


def test_what_leads_a_request_elsewhere_is_not_passed_through(tmp_path: Path) -> None:
    extra = 'extra = { api_base = "http://elsewhere" }'
    with pytest.raises(BadFile, match="'api_base' may not be passed through") as bad:
        read(tmp_path, GOOD.replace("temperature = 0.3", extra))
    assert "minds.gpt.extra" in str(bad.value)


THINKING = """
[minds.tested]
kind = "generative"
model = "openai/large"
agent = "ga+tdp"
profile = "published"
reflect_at = 150
after_talk = false
plan_tokens = 900
background = "town"
[minds.town]
kind = "generative"
model = "openai/small"
temperature = 0.2
[minds.warm]
kind = "rehearsal"
temper = "generous"
[seats]
pairings = "first"
first = ["tested", "warm"]
others = "town"
"""


def test_a_generative_mind_has_its_model_and_that_of_its_background(tmp_path: Path) -> None:
    tested, town, warm = mind_specs(read(tmp_path, THINKING).minds)
    assert tested.generative is not None
    assert tested.generative.agent == "ga+tdp"
    assert (tested.generative.reflect_at, tested.generative.after_talk) == (150, False)
    assert [model.name for model in tested.models] == ["openai/large", "openai/small"]
    assert tested.generative.background == town.model
    coached = THINKING.replace('"ga+tdp"', '"ga+tdp-coached"')
    assert coached != THINKING
    again = mind_specs(read(tmp_path, coached).minds)[0].generative
    assert again == replace(tested.generative, words="coached")
    assert town.generative == GenerativeSpec(
        words="neutral", plan_tokens=2_500, reflect_tokens=2_500
    )
    assert (tested.generative.plan_tokens, tested.generative.reflect_tokens) == (900, 2_500)
    assert (town.asks, warm.asks, warm.models, warm.generative) == (True, False, (), None)


def test_the_plan_that_replicates_stss_asks_and_retrieves_as_published() -> None:
    path = Path(__file__).parents[4] / "examples" / "stss.toml"
    minds = mind_specs(read_plan_file(path).minds)
    thinking = {one.name: one.generative for one in minds if one.generative is not None}
    assert {name: one.named for name, one in thinking.items()} == {
        "ga": "ga",
        "ga-tdp": "ga+tdp",
        "others": "ga",
    }
    for one in thinking.values():
        assert (one.profile, one.retrieval, one.after_talk) == ("published", "published", False)


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        (THINKING.replace('"town"\n[m', '"towm"\n[m'), "minds.tested.background", "is 'town'"),
        (THINKING.replace('"town"\n[m', '"warm"\n[m'), "minds.tested.background", "no model"),
        (THINKING.replace('"openai/small"', '""'), "minds.town.model", "name the model"),
        (THINKING.replace("150", "0"), "minds.tested.reflect_at", "1"),
        (THINKING.replace('"generous"', '"x"\nprofile = "published"'), "minds.warm.profile", "for"),
        (THINKING.replace('others = "town"', 'others = "city"'), "seats.others", "no mind 'city'"),
        (THINKING.replace('"tested", "warm"', '"best"'), "seats.first", "no mind 'best'"),
        (THINKING.replace('= "first"', '= "all"'), "seats.first", "pairings = 'first'"),
    ],
)
def test_what_is_wrong_with_generative_minds_and_first_seats_is_named(
    tmp_path: Path, text: str, where: str, why: str
) -> None:
    with pytest.raises(BadFile) as caught:
        read(tmp_path, text)
    assert caught.value.where == where
    assert why in caught.value.why
