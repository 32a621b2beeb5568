"""The 32 interpersonal abilities and the five aspects they belong to (SocialEval, Table 6)."""

from typing import Final

ASPECTS: Final[dict[str, tuple[str, ...]]] = {
    "Self-Management": (
        "Task Management",
        "Time Management",
        "Detail Management",
        "Organizational Skill",
        "Responsibility Management",
        "Capacity for Consistency",
        "Goal Regulation",
        "Rule-following Skill",
        "Decision-Making Skill",
        "Adaptability",
        "Capacity for Independence",
        "Self-Reflection Skill",
    ),
    "Social Engagement": (
        "Leadership Skill",
        "Persuasive Skill",
        "Conversational Skill",
        "Expressive Skill",
        "Energy Regulation",
    ),
    "Cooperation": (
        "Teamwork Skill",
        "Capacity for Trust",
        "Perspective-Taking Skill",
        "Capacity for Social Warmth",
        "Ethical Competence",
    ),
    "Emotional Resilience": (
        "Stress Regulation",
        "Capacity for Optimism",
        "Anger Management",
        "Confidence Regulation",
        "Impulse Regulation",
    ),
    "Innovation": (
        "Abstract Thinking Skill",
        "Creative Skill",
        "Artistic Skill",
        "Cultural Competence",
        "Information Processing Skill",
    ),
}
"""By aspect."""
ABILITIES: Final = tuple(ability for abilities in ASPECTS.values() for ability in abilities)
ASPECT_OF: Final = {
    ability: aspect for aspect, abilities in ASPECTS.items() for ability in abilities
}
