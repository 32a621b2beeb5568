"""The rubrics and judges of social episodes. What a judge needs is loaded when one is made."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from actors.social.setup import NAME
from evaluators.judging import OVERALL, Judging, Rubric, mean_of
from evaluators.social import sotopia_eval
from evaluators.social.believability import rubric, rule_rubric
from evaluators.social.facts_rubric import FACTS_JUDGE, FACTS_USED
from events.evaluation import JudgeSpec

if TYPE_CHECKING:
    from evaluators.judge_answer import Outcome
    from evaluators.judge_form import Form
    from evaluators.judged_episode import History, JudgedEpisode

TEMPERS: Final = ("strict", "lenient")
"""How the rehearsal judge can judge."""
_PROMPTS: Final = "evaluators.social.prompts"


def _sotopia_form(spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]") -> "Form":
    from evaluators.social.material import sotopia_form

    return sotopia_form(spec, episode, past)


def _believability_form(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Form":
    from evaluators.social.believability.form import BelievabilityForm

    return BelievabilityForm(spec, episode, past)


def _rehearse_sotopia(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social import rehearsal_judge

    return rehearsal_judge.score(spec, episode, past)


def _rehearse_believability(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social.believability import rehearsal

    return rehearsal.score(spec, episode, past)


def _decide_checkpoints(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social.believability import rule_judge

    return rule_judge.score(spec, episode, past)


def _look_for_facts(
    spec: JudgeSpec, episode: "JudgedEpisode", past: "Sequence[History]"
) -> "Sequence[Outcome]":
    from evaluators.social import facts

    return facts.score(spec, episode, past)


SOTOPIA: Final = Rubric(
    name="sotopia",
    dimensions=sotopia_eval.DIMENSIONS,
    form=_sotopia_form,
    prompts=_PROMPTS,
    prompt="judge-v1",
    rehearsal=_rehearse_sotopia,
    tempers=TEMPERS,
)
BELIEVABILITY: Final = Rubric(
    name="believability",
    dimensions=rubric.DIMENSIONS,
    whole=True,
    checkpoints=rubric.CHECKPOINT_NAMES,
    form=_believability_form,
    prompts=_PROMPTS,
    prompt="believability-v1",
    looks_back=True,
    rehearsal=_rehearse_believability,
    tempers=TEMPERS,
    rule=_decide_checkpoints,
)
FACTS: Final = Rubric(name="facts", dimensions=(FACTS_USED,), whole=True, rule=_look_for_facts)

_ABBREVIATIONS: Final = {
    "goal": "GOAL",
    "believability": "BEL",
    "knowledge": "KNO",
    "secret": "SEC",
    "relationship": "REL",
    "social_rules": "SOC",
    "financial_and_material_benefits": "FIN",
    "believability_extended": "BELEXT",
    OVERALL: "ALL",
}
"""The papers' short names."""

SOCIAL: Final = Judging(
    abbreviations=_ABBREVIATIONS,
    follow_ups={
        FACTS_JUDGE.name: (
            "hard recall",
            "which seats used what they needed of earlier episodes",
        )
    },
    environment=NAME,
    rubrics=(SOTOPIA, BELIEVABILITY, FACTS),
    judges=(
        *(
            JudgeSpec(
                name=f"rehearsal-{temper}",
                kind="rehearsal",
                dimensions=sotopia_eval.DIMENSIONS,
                temper=temper,
                rubric=SOTOPIA.name,
            )
            for temper in TEMPERS
        ),
        JudgeSpec(
            name="belext-rehearsal",
            kind="rehearsal",
            dimensions=rubric.DIMENSIONS,
            temper="strict",
            rubric=BELIEVABILITY.name,
        ),
        JudgeSpec(
            name="belext-rule",
            kind="rule",
            dimensions=rule_rubric.DIMENSIONS,
            rubric=BELIEVABILITY.name,
        ),
        FACTS_JUDGE,
    ),
    continuing=(FACTS_JUDGE,),
    overall=mean_of(
        sotopia_eval.DIMENSIONS,
        "mean of 7",
        "Overall is the mean of SOTOPIA's seven dimensions and is there only where all seven are.",
    ),
    first=(sotopia_eval.GOAL, sotopia_eval.BELIEVABILITY, rubric.EXTENDED, OVERALL),
)
"""What the entry point names."""
