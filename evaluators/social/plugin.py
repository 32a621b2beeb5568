"""The rubrics and judges of social episodes. What a judge needs is loaded when one is made."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from actors.social.setup import NAME
from evaluators.plugin import OVERALL, EvaluatorPlugin, Rubric, mean_of
from evaluators.social import sotopia_anchored, sotopia_eval
from evaluators.social.believability import rubric, rule_rubric, strict_rubric
from evaluators.social.facts_rubric import FACTS_JUDGE, FACTS_USED
from events.evaluation import JudgeSpec

if TYPE_CHECKING:
    from evaluators.judges.judge_answer import Outcome
    from evaluators.judges.judge_form import Form
    from evaluators.judges.judged_episode import History, JudgedEpisode

TEMPERS: Final = ("strict", "lenient")
"""How the rehearsal judge can judge."""
_PROMPTS: Final = "evaluators.social.prompts"


def _sotopia_form(spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]") -> "Form":
    from evaluators.social.template_values import sotopia_form

    return sotopia_form(spec, episode, past)


def _anchored_form(spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]") -> "Form":
    from evaluators.social.first_template_values import anchored_form

    return anchored_form(spec, episode, past)


def _believability_form(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Form":
    from evaluators.social.believability.form import paper_form

    return paper_form(spec, episode, past)


def _lenient_form(spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]") -> "Form":
    from evaluators.social.believability.form import lenient_form

    return lenient_form(spec, episode, past)


def _strict_form(spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]") -> "Form":
    from evaluators.social.believability.form import strict_form

    return strict_form(spec, episode, past)


def _rehearse_sotopia(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social import rehearsal_judge

    return rehearsal_judge.score(spec, episode, past)


def _rehearse_believability(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social.believability import rehearsal

    return rehearsal.score(spec, episode, past, rehearsal.PAPER)


def _rehearse_strict(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social.believability import rehearsal

    return rehearsal.score(spec, episode, past, rehearsal.STRICT)


def _decide_checkpoints(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social.believability import rule_judge, rules

    return rule_judge.score(spec, episode, past, rules.PAPER)


def _decide_strictly(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social.believability import rule_judge, rules

    return rule_judge.score(spec, episode, past, rules.STRICT)


def _look_for_facts(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social import facts

    return facts.score(spec, episode, past)


ANCHORED: Final = Rubric(
    name="sotopia-anchored",
    dimensions=sotopia_anchored.DIMENSIONS,
    form=_anchored_form,
    prompts=_PROMPTS,
    prompt="judge-v2",
    rehearsal=_rehearse_sotopia,
    tempers=TEMPERS,
)
_UNCLARIFIED: Final = Rubric(
    name="sotopia",
    dimensions=sotopia_eval.APPENDIX_D,
    form=_sotopia_form,
    prompts=_PROMPTS,
    prompt="sotopia-v2",
    rehearsal=_rehearse_sotopia,
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
    form=_strict_form,
    prompts=_PROMPTS,
    prompt="believability-v2",
    looks_back=True,
    rehearsal=_rehearse_strict,
    tempers=TEMPERS,
    rule=_decide_strictly,
    worked_out=strict_rubric.STRICT.worked_out,
    work_out=strict_rubric.STRICT.value,
    by_absence=strict_rubric.STRICT.by_absence,
)
LENIENT: Final = Rubric(
    name="believability-lenient",
    dimensions=rubric.PAPER.dimensions,
    whole=True,
    checkpoints=rubric.PAPER.names,
    form=_lenient_form,
    prompts=_PROMPTS,
    prompt="belext-v2",
    looks_back=True,
    rehearsal=_rehearse_believability,
    tempers=TEMPERS,
    rule=_decide_checkpoints,
    kept=frozenset({rubric.EXTENDED_RAW}),
    worked_out=rubric.PAPER.worked_out,
    work_out=rubric.PAPER.value,
    by_absence=rubric.PAPER.by_absence,
)
BELIEVABILITY: Final = replace(
    LENIENT,
    name="believability",
    form=_believability_form,
    prompt="belext-v3",
    editions=(LENIENT, STRICT),
)
FACTS: Final = Rubric(
    name="facts",
    dimensions=(FACTS_USED,),
    whole=True,
    rule=_look_for_facts,
    optional=frozenset({FACTS_USED.name}),
)

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
    rubrics=(SOTOPIA, ANCHORED, BELIEVABILITY, LENIENT, STRICT, FACTS),
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
