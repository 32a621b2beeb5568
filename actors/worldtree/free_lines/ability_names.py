"""The abilities in the words of the story's language."""

from typing import Final

from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.tree import Language

CHINESE: Final[dict[str, str]] = {
    "Task Management": "任务管理",
    "Time Management": "时间管理",
    "Detail Management": "细节管理",
    "Organizational Skill": "条理能力",
    "Responsibility Management": "责任管理",
    "Capacity for Consistency": "坚持不变的能力",
    "Goal Regulation": "目标调节",
    "Rule-following Skill": "遵守规则的能力",
    "Decision-Making Skill": "决策能力",
    "Adaptability": "适应能力",
    "Capacity for Independence": "独立能力",
    "Self-Reflection Skill": "自我反思能力",
    "Leadership Skill": "领导能力",
    "Persuasive Skill": "说服能力",
    "Conversational Skill": "交谈能力",
    "Expressive Skill": "表达能力",
    "Energy Regulation": "精力调节",
    "Teamwork Skill": "团队合作能力",
    "Capacity for Trust": "信任能力",
    "Perspective-Taking Skill": "换位思考能力",
    "Capacity for Social Warmth": "待人热情的能力",
    "Ethical Competence": "道德能力",
    "Stress Regulation": "压力调节",
    "Capacity for Optimism": "保持乐观的能力",
    "Anger Management": "愤怒管理",
    "Confidence Regulation": "自信调节",
    "Impulse Regulation": "冲动调节",
    "Abstract Thinking Skill": "抽象思维能力",
    "Creative Skill": "创造能力",
    "Artistic Skill": "艺术能力",
    "Cultural Competence": "文化能力",
    "Information Processing Skill": "信息处理能力",
}


def name_in(ability: str, language: Language) -> str:
    """How prompts in a language call an ability: in Chinese with the English name beside."""
    return ability if language == "en" else f"{CHINESE[ability]} ({ability})"


MEANT: Final = {
    **{ability.casefold(): ability for ability in ABILITIES},
    **{chinese: ability for ability, chinese in CHINESE.items()},
    **{name_in(ability, "zh").casefold(): ability for ability in ABILITIES},
}
"""By what an answer may call it."""
