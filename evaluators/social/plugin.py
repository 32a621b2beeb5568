"""The rubrics and judges of social episodes. What a judge needs is loaded when one is made."""

from dataclasses import replace
from typing import Final

from actors.social.setup import NAME
from evaluators.plugin import OVERALL, EvaluatorPlugin, ReportSection, Rubric, mean_of
from evaluators.social import sotopia_anchored, sotopia_eval
from evaluators.social.believability import rubric, rule_rubric, strict_rubric
from evaluators.social.facts_rubric import FACTS_JUDGE, FACTS_USED
from evaluators.social.training_files.attribution import DIMENSIONS as ATTRIBUTIONS
from events.evaluation import JudgeSpec
from events.lazy_function import LazyFunction

TEMPERS: Final = ("strict", "lenient")
"""How the rehearsal judge can judge."""
_PROMPTS: Final = "evaluators.social.prompts"
_REHEARSE: Final = LazyFunction("evaluators.social.rehearsal_judge:score")

ANCHORED: Final = Rubric(
    name="sotopia-anchored",
    dimensions=sotopia_anchored.DIMENSIONS,
    form=LazyFunction("evaluators.social.first_template_values:anchored_form"),
    prompts=_PROMPTS,
    prompt="judge-v2",
    rehearsal=_REHEARSE,
    tempers=TEMPERS,
)
_UNCLARIFIED: Final = Rubric(
    name="sotopia",
    dimensions=sotopia_eval.APPENDIX_D,
    form=LazyFunction("evaluators.social.template_values:sotopia_form"),
    prompts=_PROMPTS,
    prompt="sotopia-v2",
    rehearsal=_REHEARSE,
    tempers=TEMPERS,
)
"""Without the clarifications that annotators were given: a judge file gets it by naming the prompt.
"""
SOTOPIA: Final = replace(
    _UNCLARIFIED,
    dimensions=sotopia_eval.DIMENSIONS,
    prompt="sotopia-v3",
    editions=(_UNCLARIFIED, ANCHORED),
)
STRICT: Final = Rubric(
    name="believability-strict",
    dimensions=strict_rubric.STRICT.dimensions,
    whole=True,
    checkpoints=strict_rubric.STRICT.names,
    form=LazyFunction("evaluators.social.believability.form:strict_form"),
    prompts=_PROMPTS,
    prompt="believability-v2",
    looks_back=True,
    rehearsal=LazyFunction("evaluators.social.believability.rehearsal:rehearse_strict"),
    tempers=TEMPERS,
    rule=LazyFunction("evaluators.social.believability.rule_judge:score_strict"),
    worked_out=strict_rubric.STRICT.worked_out,
    work_out=strict_rubric.STRICT.value,
    by_absence=strict_rubric.STRICT.by_absence,
)
LENIENT: Final = Rubric(
    name="believability-lenient",
    dimensions=rubric.PAPER.dimensions,
    whole=True,
    checkpoints=rubric.PAPER.names,
    form=LazyFunction("evaluators.social.believability.form:lenient_form"),
    prompts=_PROMPTS,
    prompt="belext-v2",
    looks_back=True,
    rehearsal=LazyFunction("evaluators.social.believability.rehearsal:rehearse_paper"),
    tempers=TEMPERS,
    rule=LazyFunction("evaluators.social.believability.rule_judge:score_paper"),
    kept=frozenset({rubric.EXTENDED_RAW}),
    worked_out=rubric.PAPER.worked_out,
    work_out=rubric.PAPER.value,
    by_absence=rubric.PAPER.by_absence,
)
BELIEVABILITY: Final = replace(
    LENIENT,
    name="believability",
    form=LazyFunction("evaluators.social.believability.form:paper_form"),
    prompt="belext-v3",
    editions=(LENIENT, STRICT),
)
FACTS: Final = Rubric(
    name="facts",
    dimensions=(FACTS_USED,),
    whole=True,
    rule=LazyFunction("evaluators.social.facts:score"),
    optional=frozenset({FACTS_USED.name}),
)
ATTRIBUTION: Final = tuple(
    Rubric(
        name=one.name.replace("_", "-"),
        dimensions=(one,),
        whole=True,
        series=LazyFunction(
            "evaluators.social.training_files.attribution_series:attribution_series"
        ),
        prompts=_PROMPTS,
        prompt="attribution-v1",
        rehearsal=LazyFunction("evaluators.social.training_files.rehearsed_attribution:score"),
        tempers=("plain",),
    )
    for one in ATTRIBUTIONS
)
"""How much each action did for its seat's goal: ``attribution`` from 0 to 3, ``attribution-5`` and
``attribution-10``."""

_ABBREVIATIONS: Final = {
    "goal": "GOAL",
    "believability": "BEL",
    "knowledge": "KNO",
    "secret": "SEC",
    "relationship": "REL",
    "social_rules": "SOC",
    "financial_and_material_benefits": "FIN",
    rubric.EXTENDED: "BELEXT",
    rubric.EXTENDED_RAW: "BELEXT raw",
    strict_rubric.EXTENDED: "BELEXT strict",
    OVERALL: "ALL",
}
"""The papers' short names."""

SOCIAL: Final = EvaluatorPlugin(
    abbreviations=_ABBREVIATIONS,
    follow_ups={
        FACTS_JUDGE.name: (
            "hard recall",
            "which seats used what they needed of earlier episodes",
        )
    },
    environment=NAME,
    report=ReportSection(
        id="sotopia",
        title="SOTOPIA's tables",
        package="evaluators.social.report",
        template="section.html.j2",
        data=LazyFunction("evaluators.social.report.section:section"),
    ),
    rubrics=(SOTOPIA, ANCHORED, BELIEVABILITY, LENIENT, STRICT, FACTS, *ATTRIBUTION),
    judges=(
        *(
            JudgeSpec(
                name=f"rehearsal-{temper}",
                kind="rehearsal",
                # It reads no descriptions; with others it would be another judge, and stored
                # episodes would be scored again.
                dimensions=sotopia_anchored.DIMENSIONS,
                temper=temper,
                rubric=SOTOPIA.name,
            )
            for temper in TEMPERS
        ),
        *(
            JudgeSpec(
                name=f"{name}-rehearsal",
                kind="rehearsal",
                dimensions=by.dimensions,
                temper="strict",
                rubric=by.name,
            )
            for name, by in (("belext", BELIEVABILITY), (STRICT.name, STRICT))
        ),
        *(
            JudgeSpec(name=f"{name}-rule", kind="rule", dimensions=decided, rubric=by.name)
            for name, by, decided in (
                ("belext", BELIEVABILITY, rule_rubric.DIMENSIONS),
                (STRICT.name, STRICT, rule_rubric.STRICT_DIMENSIONS),
            )
        ),
        FACTS_JUDGE,
        JudgeSpec(
            name="attribution-rehearsal",
            kind="rehearsal",
            dimensions=ATTRIBUTION[0].dimensions,
            temper="plain",
            rubric=ATTRIBUTION[0].name,
        ),
    ),
    continuing=(FACTS_JUDGE,),
    overall=mean_of(
        sotopia_eval.DIMENSIONS,
        "mean of 7",
        "Overall is the mean of SOTOPIA's seven dimensions and is there only where all seven are.",
    ),
    first=(
        sotopia_eval.GOAL,
        sotopia_eval.BELIEVABILITY,
        rubric.EXTENDED,
        strict_rubric.EXTENDED,
        OVERALL,
    ),
)
"""What the entry point names."""
