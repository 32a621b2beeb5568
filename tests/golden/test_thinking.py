"""What a language model is asked for a generative mind: every template, filled in."""

from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from actors.episodes.planning_support import Aim, Met, Persona
from actors.minds.generative import questions
from actors.sandbox.placement import forms
from events.minds import AgentName, GenerativeSpec, agent_named
from events.thoughts import TaskPlanned
from tests import golden

WHO = {
    "persona": Persona(
        name="Ann Abel",
        age=34,
        innate="curious, stubborn",
        learned="Ann mends clocks.\nShe keeps bees.",
        lifestyle="Up at six, to bed at ten.",
        home="Small:Ann's house:room",
        daily="Ann winds the church clock.",
    ),
    "currently": "Ann wants to give a supper.",
}
ALIKE: dict[str, Any] = {
    "now": datetime(2023, 2, 13, 9, 12),
    "place": "Small:inn:hall",
    "doing": "winding a clock",
    "memories": ["Mon 08:10 Bo Berg is reading", "Mon 08:30 Bo\nsays: hello"],
    "reminder": "Leave time to ask people.",
    "rooms": ["Small:inn:hall", "Small:inn:kitchen"],
    "wake": "06:00",
    "plan": ("get up", "mend clocks"),
    "hour": "10:00",
    "before": [("08:00", "having breakfast"), ("09:00", "mending clocks")],
    "after": [("11:00", "having lunch")],
    "unlike": False,
    "notes": ["Supper is tomorrow."],
    "text": "mending clocks",
    "start": "10:00",
    "end": "11:00",
    "minutes": 60,
    "shortest": 5,
    "longest": 15,
    "places": ["Small:inn", "Small:Ann's house"],
    "object": "clock",
    "met": [(Met(1, "Bo Berg", "reading"), ["Mon 08:10 Bo Berg is reading"])],
    "other": Met(1, "Bo Berg", "reading"),
    "partner": Met(1, "Bo Berg", "reading"),
    "relation": "",
    "said": (("Ann Abel", "Bo!"), ("Bo Berg", "Yes?\nAnn Abel: I owe you money.")),
    "nonce": "a1b2c3d4e5f6",
    "left": 3,
    "aim": Aim(
        goal="Have five people at supper.",
        brief="Ann Abel gives a supper",
        criteria="Five people eat at the inn tomorrow at seven.",
    ),
    "task": TaskPlanned(
        plan="Ask people. Cook.", reminder="Leave time.", checklist=("the day", "the place")
    ),
    "about": True,
    "coming": [("12:00", "having lunch")],
    "earlier": (40, "Ann Abel and Bo Berg talked about clocks"),
    "talks": ["Mon 08:32 Ann Abel and Bo Berg talked about clocks"],
    "talk": "conversing about a supper",
    "planned": [("mending clocks", 20)],
    "count": 3,
    "question": "What does Bo like?",
    "most": 5,
}
"""Words by the names that templates know them by."""
OWN: dict[str, dict[str, Any]] = {
    "task-plan-1": {"plan": ""},
    "task-reminder-1": {"plan": "Ask people. Cook."},
    "task-checklist-1": {"plan": "Ask people. Cook."},
    "placed-steps-1": {"rooms": [("Small:inn:hall", ["table", "stage"]), ("Small:inn:door", [])]},
    "where-1": {"rooms": [("Small:inn:hall", ["table", "stage"]), ("Small:inn:door", [])]},
    "insights-1": {"memories": [(1, "Bo reads"), (2, "Bo sleeps")]},
    "rated-insights-1": {"about": [("What does Bo like?", [(1, "Bo reads"), (2, "Bo sleeps")])]},
}
FORMS = [
    form
    for form in (vars(questions) | vars(forms)).values()
    if isinstance(form, questions.MindForm)
]
COACHED = {form.coached: form for form in FORMS if form.coached != form.template}
ALL = {form.template: form for form in FORMS} | COACHED


@pytest.mark.parametrize("template", ALL)
def test_a_mind_is_asked_in_the_words_it_was_published_with(template: str):
    form = ALL[template]
    own = OWN.get(f"{template.rpartition('-')[0]}-1", {})
    prompt = form.prompt(**WHO, words=ALIKE | own, coached=template in COACHED)
    words = {"user": prompt.user}
    if template.startswith("task-plan-"):
        words = {"system": prompt.system, **words}
    golden.check(f"thinking/{template}", prompt.version, words)


def test_what_comes_to_mind_stands_before_what_an_environment_asks():
    words = {"memories": ["Bo reads"], "user": "What do you do?\n- Nothing."}
    text = questions.templates.text("remembering-1", words)
    golden.check(
        "thinking/remembering-1", questions.templates.version("remembering-1"), {"user": text}
    )


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.template)
def test_nothing_that_stands_for_a_published_prompt_tells_a_mind_how_to_reach_its_task(form):
    # What the coached ones say and no published prompt does. Days and times are named to those who
    # sum something up or revise a day: there the published prompts ask for them, too.
    words = ALIKE | OWN.get(f"{form.template.rpartition('-')[0]}-1", {})
    text = form.prompt(**WHO, words=words).user
    asked = text.replace(ALIKE["said"][1][1], "")
    for coaching in (
        "name day, time and place",
        "Name day, time and place",
        "whom to win",
        "what, when and where",
        "worth interrupting",
        "what they still mean to bring about",
        "have made sure of",
        "must have its time",
        "whatever was agreed",
    ):
        assert coaching not in asked


def test_the_replicate_page_names_every_template_that_is_asked():
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "how-to" / "replicate-stss.md").read_text(encoding="utf-8")
    assert [form.template for form in FORMS if f"`{form.template}`" not in page] == []


def test_what_a_coached_mind_is_asked_stays_as_it_was():
    assert {name.rpartition("-")[0] for name in COACHED} == {
        *("task-plan", "task-reminder", "task-checklist", "day", "broad", "revised", "news"),
        *("duties", "sector", "arena", "reaction", "relation", "utterance", "after", "note"),
        *("memo", "recap"),
    }
    assert all(name.endswith("-1") for name in COACHED)
    assert GenerativeSpec().named == "ga-coached"
    stored = msgspec.msgpack.encode({"agent": "ga+tdp"})
    assert msgspec.msgpack.decode(stored, type=GenerativeSpec).named == "ga+tdp-coached"


@pytest.mark.parametrize("name", get_args(AgentName))
def test_an_agent_is_what_a_plan_calls_it(name: AgentName):
    assert agent_named(name).named == name


def test_every_template_has_a_golden_prompt():
    parts = {
        part
        for name in (*ALL, "remembering-1", questions.WHO)
        for part in forms.templates.parts(name)
    }
    assert parts == {*questions.templates.names(), *forms.templates.names()}
    assert golden.templates_of("thinking") == {*ALL, "remembering-1"}
